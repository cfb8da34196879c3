//! A fitted WDL model as source code: compiled by strict compilers, it says what the model says.

use std::fmt::Write;
use std::process::Command;

use drawish::model::wdl::{Cubic, Mom, WdlModel};
use drawish::wdl::{Model, c_header, rust_module};

use crate::run::Place;
use crate::wdl::exact_counts;

const EVALS: std::ops::RangeInclusive<i32> = -2012..=2012;
const STEP: usize = 37;
const MOMS: std::ops::RangeInclusive<i32> = -1..=140;

const C: &str = r#"
#include <stdio.h>
#include "model.h"
int main(void) {
    int mom, v, wdl[3];
    for (mom = -1; mom <= 140; mom++)
        for (v = -2012; v <= 2012; v += 37) {
            wdl_model_rates(v, mom, wdl);
            printf("%d %d %d %d %d %d\n", mom, v, wdl[0], wdl[1], wdl[2], wdl_model_to_cp(v, mom));
        }
    return 0;
}
"#;

const RUST: &str = r#"
mod model;
fn main() {
    for mom in -1..=140 {
        for v in (-2012..=2012).step_by(37) {
            let [w, d, l] = model::wdl(v, mom);
            println!("{mom} {v} {w} {d} {l} {}", model::to_cp(v, mom));
        }
    }
    assert_eq!(model::params(i32::MIN), model::params(-1));
}
"#;

/// Compiles a program without a single warning and returns what it prints; `None` without the compiler.
fn printed(place: &Place, compiler: &str, line: &str) -> Option<String> {
    let compiled = Command::new(compiler).args(line.split_whitespace()).current_dir(place.path("")).output().ok()?;
    assert!(compiled.status.success(), "{compiler} {line}: {}", String::from_utf8_lossy(&compiled.stderr));
    let run = Command::new(place.path("program")).output().expect("the program runs");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    Some(String::from_utf8(run.stdout).expect("numbers"))
}

/// What three compilers make of a model is one and the same, and what the model says.
fn holds(name: &str, model: &Model, header: &str, module: &str) {
    let place = Place::new();
    place.put("main.c", C);
    place.put("model.h", header);
    place.put("main.rs", RUST);
    place.put("model.rs", module);
    let warnings = "-Wall -Wextra -Wpedantic -Wconversion -Wtype-limits -Werror";
    let programs = [
        printed(&place, "cc", &format!("-std=c99 {warnings} main.c -o program -lm")),
        printed(&place, "c++", &format!("-x c++ -std=c++17 {warnings} main.c -o program -lm")),
        printed(&place, "rustc", "--edition 2021 -D warnings main.rs -o program"),
    ];
    let mut lines = 0;
    for printed in programs.into_iter().flatten() {
        let mut of_grid = printed.lines();
        for mom in MOMS {
            for v in EVALS.step_by(STEP) {
                let line = of_grid.next().expect("a line for each point");
                let said: Vec<i32> = line.split(' ').map(|word| word.parse().expect("a number")).collect();
                let rates = model.wdl(f64::from(mom), f64::from(v));
                // Rounded to the nearest; the coefficients have eight decimals.
                let near = |said: i32, exact: f64| (f64::from(said) - exact).abs() < 0.5 + 1e-4;
                let is_model = near(said[2], 1000.0 * rates.win) && near(said[4], 1000.0 * rates.loss);
                assert!(is_model && said[..2] == [mom, v], "{name}: {line} {rates:?}");
                assert_eq!(said[2] + said[3] + said[4], 1000, "{name}: {line}");
                assert!(near(said[5], model.to_cp(f64::from(mom), f64::from(v))), "{name}: {line}");
                lines += 1;
            }
        }
        assert_eq!(of_grid.next(), None);
    }
    assert!(lines > 0, "no compiler was found, not even that of Rust");
}

#[test]
fn fitted_models_are_code_that_says_the_same() {
    let (a, b) = (Cubic([-60.0, 150.0, -180.0, 190.0]), Cubic([10.0, -30.0, 40.0, 25.0]));
    let truth = WdlModel { mom: Mom::Material, min: 17.0, max: 78.0, target: 58.0, a, b };
    let place = Place::new();
    place.put("c.json", exact_counts(&truth));
    for shape in ["cubic", "spline --smoothing 1e-7"] {
        let fit = "wdl fit c.json --normalize-to-pawn-value 100 -o m.json -o m.h -o m.rs --shape";
        place.say(&format!("{fit} {shape}")).ok();
        let model = Model::load(&place.path("m.json")).expect("a model");
        let text = |name: &str| String::from_utf8(place.read(name)).expect("text");
        holds(shape, &model, &text("m.h"), &text("m.rs"));
        let mut timed = model.clone();
        timed.by_time_control = true;
        for (code, plain) in [(c_header(&timed), c_header(&model)), (rust_module(&timed), rust_module(&model))] {
            assert!(code.contains("these are for four minutes") && !plain.contains("four minutes"), "{code}");
        }
        // What `wdl show` prints of the same model.
        for (material, internal) in [(17, -50), (44, 0), (58, 100), (78, 371)] {
            let line = format!("wdl show m.json --material {material} --internal {internal} --json");
            let shown = place.say(&line).ok().json();
            let rates = model.wdl(f64::from(material), f64::from(internal));
            assert!((shown["win"].as_f64().expect("a rate") - rates.win).abs() < 1e-12, "{shown}");
            let cp = model.to_cp(f64::from(material), f64::from(internal));
            assert!((shown["cp"].as_f64().expect("centipawns") - cp).abs() < 1e-9, "{shown}");
        }
    }
    // Refused before the work: an unknown form, and the input as output.
    place.say("wdl fit c.json -o m.toml").fails(1, &["m.toml: a model is written as .json, .h or .rs"]);
    place.say("wdl fit c.json -o model").fails(1, &["model: a model is written as .json, .h or .rs"]);
    place.say("wdl fit c.json -o c.json").fails(1, &["c.json is an input and would be overwritten"]);
    assert_eq!(place.read("c.json"), exact_counts(&truth).into_bytes());
}

/// By the move, with limits and without, b below 0 at one end, and inputs whose names are code.
#[test]
fn models_by_move_and_hostile_names_compile() {
    let mut by_move = Model::from_coefficients(Mom::Move, 32.0, [-8.0, 20.0, -30.0, 318.0], [1.0, -20.0, 30.0, 80.0]);
    holds("move", &by_move, &c_header(&by_move), &rust_module(&by_move));
    (by_move.mom_min, by_move.mom_max) = (8, 120);
    for name in [
        "*/ #error out",
        "a\n#error out",
        "a */\nint x = ;\n/*",
        "??/",
        "\\",
        "\u{2028}fn",
        "*\u{2f}",
        "a\r\n*/ #error",
    ] {
        by_move.inputs.push(name.to_owned());
        let _ = write!(by_move.rule, "{name}");
        by_move.made_by.push_str(name);
    }
    holds("names", &by_move, &c_header(&by_move), &rust_module(&by_move));
    let steep = Model::from_coefficients(Mom::Move, 32.0, [0.0, 0.0, 0.0, 300.0], [0.0, 0.0, -50.0, 100.0]);
    let (header, module) = (c_header(&steep), rust_module(&steep));
    assert!(header.contains("if (*b < 1e-8)") && module.contains(".max(1e-8)"), "{header}{module}");
}
