//! Heads as source text for engines: whole numbers, no floats, the same answer in Rust and in C.
//!
//! Both languages get the features that are read, in the order in which the functions expect them, and for each head a
//! function from feature values to its score in 1/2^shift logit.

use std::fmt::Write;
use std::path::Path;

use drawish_artefact::provenance::in_comment;
use drawish_heads::heads::{Bands, Input, Term, TermError};
use drawish_heads::heads::{Head, HeadsFile, Weighted};
use thiserror::Error;

/// The forms in which heads are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HeadsFormat {
    /// What [`HeadsFile::from_toml`] reads.
    Toml,
    /// A Rust module.
    Rust,
    /// A C header.
    C,
}

/// Why heads cannot be written in a form.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum HeadsFormatError {
    #[error("the heads cannot be written as TOML: {0}")]
    Toml(#[from] toml::ser::Error),
    #[error(transparent)]
    Term(#[from] TermError),
}

impl HeadsFormat {
    /// The format that the ending of a file's name asks for: `.toml`, `.rs` or `.h`.
    #[must_use]
    pub fn of(path: &Path) -> Option<HeadsFormat> {
        match path.extension()?.to_str()? {
            "toml" => Some(HeadsFormat::Toml),
            "rs" => Some(HeadsFormat::Rust),
            "h" => Some(HeadsFormat::C),
            _ => None,
        }
    }

    /// Heads in this format.
    ///
    /// # Errors
    ///
    /// If a term is none.
    pub fn text(self, heads: &HeadsFile) -> Result<String, HeadsFormatError> {
        Ok(match self {
            HeadsFormat::Toml => heads.to_toml()?,
            HeadsFormat::Rust => to_rust(heads)?,
            HeadsFormat::C => to_c(heads)?,
        })
    }
}

/// The features that the draw and gain scores of the heads read, in the order of the functions' arguments.
///
/// # Errors
///
/// If a term is none.
pub fn features_read(file: &HeadsFile) -> Result<Vec<&'static str>, TermError> {
    let mut names = Vec::new();
    for weighted in file.draw.score.iter().chain(&file.gain.score) {
        for input in weighted.term.parse::<Term>()?.inputs() {
            if !names.contains(&input.name()) {
                names.push(input.name());
            }
        }
    }
    Ok(names)
}

/// The heads as a Rust module, to be included by `include!`.
///
/// # Errors
///
/// If a term is none.
pub fn to_rust(file: &HeadsFile) -> Result<String, TermError> {
    let names = features_read(file)?;
    let mut out = String::new();
    let _ =
        writeln!(out, "// {}\n// Fitted to {} rows of {} events.\n", in_comment(&file.made_by), file.rows, file.events);
    let _ = writeln!(
        out,
        "/// The features that the scores read, in this order.\npub const FEATURES: [&str; {}] = [",
        names.len()
    );
    for name in &names {
        let _ = writeln!(out, "    \"{name}\",");
    }
    out.push_str("];\n");
    if let Some(kappa) = file.draw.kappa {
        let _ = writeln!(
            out,
            "\n/// kappa of the draw head, in 1/256.\npub const KAPPA: u16 = {};",
            (kappa * 256.0).round()
        );
    }
    let has_bands = |head: &Head| head.score.iter().any(|weighted| weighted.weights.len() > 1);
    if heads(file).iter().any(|(_, _, head)| has_bands(head)) {
        out.push_str(
            "\n/// In which of the bands that begin so a value lies.\nfn band(value: i16, starts: &[i16]) -> usize {\n    \
             starts.iter().filter(|&&start| start <= value).count()\n}\n",
        );
    }
    for (name, meaning, head) in heads(file) {
        let _ = writeln!(
            out,
            "\n/// {meaning}, in 1/{unit} logit.\npub fn {name}(x: &[i16; {count}]) -> i32 {{\n    let mut sum = {constant};",
            unit = 1_u32 << head.shift,
            count = names.len(),
            constant = head.constant.map_or(0, |constant| head.whole(constant)),
        );
        for weighted in &head.score {
            rust_term(&mut out, &names, head, weighted)?;
        }
        out.push_str("    sum\n}\n");
        let _ = writeln!(
            out,
            "\n/// Bits behind the point of [`{name}`].\npub const {}_SHIFT: u32 = {};",
            name.to_uppercase(),
            head.shift
        );
        if let Some(residual) = &head.residual {
            let _ = writeln!(
                out,
                "\n/// What each cell of {} adds to [`{name}`], in 1/64 logit.\npub static {}_CELLS: [i8; {}] = {:?};",
                in_comment(&residual.scheme),
                name.to_uppercase(),
                residual.shifts.len(),
                residual.shifts
            );
        }
    }
    Ok(out)
}

/// The heads as a C header.
///
/// # Errors
///
/// If a term is none.
pub fn to_c(file: &HeadsFile) -> Result<String, TermError> {
    let names = features_read(file)?;
    let mut out = String::new();
    let _ = writeln!(
        out,
        "/* {}\n   Fitted to {} rows of {} events. */",
        in_comment(&file.made_by),
        file.rows,
        file.events
    );
    out.push_str("#ifndef DRAWISH_HEADS_H\n#define DRAWISH_HEADS_H\n\n#include <stdint.h>\n\n/* The features that the scores read, in this order. */\nenum {\n");
    for name in &names {
        let _ = writeln!(out, "    DRAWISH_{},", name.to_uppercase());
    }
    out.push_str("    DRAWISH_FEATURES\n};\n\nstatic inline int drawish_band(int16_t value, const int16_t *starts, int count) {\n    int band = 0;\n    while (band < count && starts[band] <= value)\n        band++;\n    return band;\n}\n");
    if let Some(kappa) = file.draw.kappa {
        let _ = writeln!(
            out,
            "\n/* kappa of the draw head, in 1/256. */\n#define DRAWISH_KAPPA {}",
            (kappa * 256.0).round()
        );
    }
    for (name, meaning, head) in heads(file) {
        let _ = writeln!(
            out,
            "\n/* {meaning}, in 1/{} logit. */\n#define DRAWISH_{}_SHIFT {}\nstatic inline int32_t drawish_{name}(const int16_t x[DRAWISH_FEATURES]) {{\n    int32_t sum = {};",
            1_u32 << head.shift,
            name.to_uppercase(),
            head.shift,
            head.constant.map_or(0, |constant| head.whole(constant)),
        );
        for weighted in &head.score {
            c_term(&mut out, head, weighted)?;
        }
        out.push_str("    return sum;\n}\n");
        if let Some(residual) = &head.residual {
            let numbers: Vec<_> = residual.shifts.iter().map(ToString::to_string).collect();
            let _ = writeln!(
                out,
                "\n/* What each cell of {} adds to it, in 1/64 logit. */\nstatic const int8_t drawish_{name}_cells[{}] = {{{}}};",
                in_comment(&residual.scheme),
                residual.shifts.len(),
                numbers.join(", ")
            );
        }
    }
    out.push_str("\n#endif\n");
    Ok(out)
}

fn heads(file: &HeadsFile) -> [(&'static str, &'static str, &Head); 2] {
    [
        ("draw_score", "The draw score without the part of the win/loss score", &file.draw),
        ("gain_score", "The logarithm of the gain", &file.gain),
    ]
}

fn rust_term(out: &mut String, names: &[&str], head: &Head, weighted: &Weighted) -> Result<(), TermError> {
    let place = |input: Input| names.iter().position(|name| *name == input.name()).unwrap_or(0);
    let band = |bands: &Bands| format!("band(x[{}], &{:?})", place(bands.input), bands.starts);
    let weights: Vec<i32> = weighted.weights.iter().map(|&weight| head.whole(weight)).collect();
    let term: Term = weighted.term.parse()?;
    let _ = match &term {
        Term::Linear(input) => writeln!(out, "    sum += {} * i32::from(x[{}]); // {term}", weights[0], place(*input)),
        Term::Bands(bands) => writeln!(out, "    // {term}\n    sum += {weights:?}[{}];", band(bands)),
        Term::Pair(first, second) => writeln!(
            out,
            "    // {term}\n    sum += {weights:?}[{} * {} + {}];",
            band(first),
            second.count(),
            band(second)
        ),
    };
    Ok(())
}

fn c_term(out: &mut String, head: &Head, weighted: &Weighted) -> Result<(), TermError> {
    let name = |input: Input| format!("DRAWISH_{}", input.name().to_uppercase());
    let list = |numbers: Vec<String>| numbers.join(", ");
    let weights: Vec<_> = weighted.weights.iter().map(|&weight| head.whole(weight).to_string()).collect();
    let mut starts = Vec::new();
    let mut band = |bands: &Bands| {
        let array = format!("starts{}", starts.len() + 1);
        let numbers = list(bands.starts.iter().map(ToString::to_string).collect());
        let count = bands.starts.len();
        starts.push(format!("        static const int16_t {array}[] = {{{numbers}}};\n"));
        format!("drawish_band(x[{}], {array}, {count})", name(bands.input))
    };
    let term: Term = weighted.term.parse()?;
    let index = match &term {
        Term::Linear(input) => {
            let _ = writeln!(out, "    sum += {} * x[{}];", weights[0], name(*input));
            return Ok(());
        }
        Term::Bands(bands) => band(bands),
        Term::Pair(first, second) => format!("{} * {} + {}", band(first), second.count(), band(second)),
    };
    let _ = writeln!(
        out,
        "    {{ /* {term} */\n{}        static const int32_t weights[] = {{{}}};\n        sum += weights[{index}];\n    }}",
        starts.concat(),
        list(weights)
    );
    Ok(())
}
