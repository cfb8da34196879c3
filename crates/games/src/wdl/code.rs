//! A WDL model as source code that an engine includes, with the functions of Stockfish's `src/uci.cpp`.

use std::fmt::Write;

use drawish_artefact::provenance::in_comment;
use drawish_stats::model::wdl::{Mom, SMALLEST_B, WdlModel};

use super::Model;

/// The model as a C header, C99 and C++: `wdl_model_params`, `wdl_model_win_rate`, `wdl_model_rates`, `wdl_model_to_cp`.
#[must_use]
pub fn c_header(model: &Model) -> String {
    let mom = name(model.mom_type);
    let params = match model.cubics() {
        Some(WdlModel { min, max, target, a, b, .. }) => format!(
            "    static const double as[] = {{{}}};\n    static const double bs[] = {{{}}};\n    \
             double m = {} / {target:?};\n    \
             *a = ((as[0] * m + as[1]) * m + as[2]) * m + as[3];\n    \
             *b = ((bs[0] * m + bs[1]) * m + bs[2]) * m + bs[3];\n    \
             if (*b < {SMALLEST_B:?})\n        *b = {SMALLEST_B:?};\n",
            list(&a.0),
            list(&b.0),
            within(mom, min, max)
        ),
        None => {
            let (first, a, b) = points(model);
            format!(
                "    static const double as[] = {{{}}};\n    static const double bs[] = {{{}}};\n    \
                 int i = {mom} < {first} ? 0 : {mom} > {} ? {} : {mom} - {first};\n    *a = as[i];\n    *b = bs[i];\n",
                list(&a),
                list(&b),
                first + a.len().saturating_sub(1),
                a.len().saturating_sub(1)
            )
        }
    };
    let about = about(model).fold(String::new(), |text, line| text + " * " + &line + "\n");
    format!(
        "/* Win, draw and loss by evaluation and {mom}: a model fitted by drawish. Link with -lm.\n{about} */\n\
         #ifndef WDL_MODEL_H\n#define WDL_MODEL_H\n\n#include <math.h>\n\n\
         /* a, the evaluation that wins half of the games, and b, the spread; {what}. */\n\
         static inline void wdl_model_params(int {mom}, double *a, double *b) {{\n{params}}}\n\n\
         /* Games in 1000 that the side to move wins, for its evaluation v in the engine's own units. */\n\
         static inline int wdl_model_win_rate(int v, int {mom}) {{\n    double a, b;\n    \
         wdl_model_params({mom}, &a, &b);\n    return (int) (0.5 + 1000.0 / (1.0 + exp((a - (double) v) / b)));\n}}\n\n\
         /* Wins, draws and losses in 1000 games: what `info ... wdl` shows. */\n\
         static inline void wdl_model_rates(int v, int {mom}, int wdl[3]) {{\n    \
         wdl[0] = wdl_model_win_rate(v, {mom});\n    wdl[2] = wdl_model_win_rate(-v, {mom});\n    \
         wdl[1] = 1000 - wdl[0] - wdl[2];\n}}\n\n\
         /* Centipawns as an engine shows them: 100 win half of the games. Not for mates and tablebase scores. */\n\
         static inline int wdl_model_to_cp(int v, int {mom}) {{\n    double a, b;\n    \
         wdl_model_params({mom}, &a, &b);\n    return (int) floor(0.5 + 100.0 * (double) v / a);\n}}\n\n#endif\n",
        what = meaning(model.mom_type),
    )
}

/// The model as a Rust module: `params`, `win_rate`, `wdl`, `to_cp`.
#[must_use]
pub fn rust_module(model: &Model) -> String {
    let mom = name(model.mom_type);
    let params = match model.cubics() {
        Some(WdlModel { min, max, target, a, b, .. }) => format!(
            "    const AS: [f64; 4] = [{}];\n    const BS: [f64; 4] = [{}];\n    \
             let m = f64::from({mom}).clamp({min:?}, {max:?}) / {target:?};\n    \
             let cubic = |c: [f64; 4]| ((c[0] * m + c[1]) * m + c[2]) * m + c[3];\n    (cubic(AS), cubic(BS).max({SMALLEST_B:?}))\n",
            list(&a.0),
            list(&b.0)
        ),
        None => {
            let (first, a, b) = points(model);
            format!(
                "    const AS: [f64; {n}] = [{}];\n    const BS: [f64; {n}] = [{}];\n    \
                 let i = {mom}.saturating_sub({first}).clamp(0, {}) as usize;\n    (AS[i], BS[i])\n",
                list(&a),
                list(&b),
                a.len().saturating_sub(1),
                n = a.len()
            )
        }
    };
    let about = about(model).fold(String::new(), |text, line| text + "//! " + &line + "\n");
    format!(
        "//! Win, draw and loss by evaluation and {mom}: a model fitted by drawish.\n//!\n{about}\n\
         /// a, the evaluation that wins half of the games, and b, the spread; {what}.\n\
         pub fn params({mom}: i32) -> (f64, f64) {{\n{params}}}\n\n\
         /// Games in 1000 that the side to move wins, for its evaluation `v` in the engine's own units.\n\
         pub fn win_rate(v: i32, {mom}: i32) -> i32 {{\n    let (a, b) = params({mom});\n    \
         (0.5 + 1000.0 / (1.0 + ((a - f64::from(v)) / b).exp())) as i32\n}}\n\n\
         /// Wins, draws and losses in 1000 games: what `info ... wdl` shows.\n\
         pub fn wdl(v: i32, {mom}: i32) -> [i32; 3] {{\n    let (wins, losses) = (win_rate(v, {mom}), win_rate(-v, {mom}));\n    \
         [wins, 1000 - wins - losses, losses]\n}}\n\n\
         /// Centipawns as an engine shows them: 100 win half of the games. Not for mates and tablebase scores.\n\
         pub fn to_cp(v: i32, {mom}: i32) -> i32 {{\n    (0.5 + 100.0 * f64::from(v) / params({mom}).0).floor() as i32\n}}\n",
        what = meaning(model.mom_type),
    )
}

fn name(mom: Mom) -> &'static str {
    match mom {
        Mom::Material => "material",
        Mom::Move => "fullmove",
    }
}

fn meaning(mom: Mom) -> &'static str {
    match mom {
        Mom::Material => "material is 9 Q + 5 R + 3 B + 3 N + P of both sides",
        Mom::Move => "fullmove is the number of the move",
    }
}

/// What a reader of the code should know, in lines that stay within a comment.
fn about(model: &Model) -> impl Iterator<Item = String> {
    let mut text = String::new();
    let _ = writeln!(text, "Made by {}; {}.", model.made_by, model.rule);
    for input in &model.inputs {
        let _ = writeln!(text, "Games: {}", input.replace('\n', " "));
    }
    if let Some(pawn) = model.normalization_pawn_value {
        let _ = writeln!(
            text,
            "Units: the games' evaluations were read with {pawn:.1} internal units to the pawn at the anchor; a, b and v are in these units."
        );
    }
    if model.by_time_control {
        text.push_str(
            "Time: a and b depend on the time control, too; these are for four minutes a player for 40 moves.\n",
        );
    }
    if let Some(errors) = &model.errors {
        let _ = writeln!(
            text,
            "a at the anchor {:.1}: {:.1} +- {:.1}.",
            model.mom_target, model.pawn_value, errors.pawn_value
        );
    }
    for warning in &model.warnings {
        let _ = writeln!(text, "Beware: {warning}.");
    }
    text.push_str("No rights reserved (CC0).\n");
    text.lines().map(in_comment).collect::<Vec<_>>().into_iter()
}

fn list(values: &[f64]) -> String {
    values.iter().map(|value| format!("{value:.8}")).collect::<Vec<_>>().join(", ")
}

/// A number in C that stays within limits. Those that no `int` reaches are left out: compilers warn of such comparisons.
fn within(mom: &str, min: f64, max: f64) -> String {
    let below = if max < f64::from(i32::MAX) {
        format!("{mom} > {max:.0} ? {max:.1} : (double) {mom}")
    } else {
        format!("(double) {mom}")
    };
    format!("({mom} < {min:.0} ? {min:.1} : {below})")
}

/// No material count and no move is larger.
const LARGEST: usize = 10_000;

/// a and b at every whole value from the least to the most, for shapes that are no cubics.
fn points(model: &Model) -> (usize, Vec<f64>, Vec<f64>) {
    let (least, most) = (model.curve.first(), model.curve.last());
    let (least, most) = (least.map_or(0.0, |point| point.mom), most.map_or(0.0, |point| point.mom));
    let first = (0..=LARGEST).find(|&mom| mom as f64 >= least).unwrap_or(0);
    let last = (0..=LARGEST).rfind(|&mom| mom as f64 <= most).unwrap_or(first);
    let curves: Vec<_> = (first..=last.max(first)).map(|mom| model.win_rate_params(mom as f64)).collect();
    (first, curves.iter().map(|curve| curve.a).collect(), curves.iter().map(|curve| curve.b).collect())
}
