//! Elo and SPRT against what other programs print for the same results, and the laws that any counts obey.

use std::fs;

use drawish::stats::{Model, Pentanomial, Results, Spread, Sprt, Strength, Trinomial};

use crate::run::shared;

/// The rows of a golden table: a value by the name of its column.
pub struct Golden {
    names: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Golden {
    pub fn read(path: &str) -> Option<Golden> {
        let text = fs::read_to_string(shared(path)?).expect("text");
        let mut lines =
            text.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').map(str::to_owned));
        let names = lines.next().expect("names of columns").collect();
        Some(Golden { names, rows: lines.map(Iterator::collect).collect() })
    }

    pub fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        self.rows.iter().map(|row| Row { names: &self.names, row })
    }
}

pub struct Row<'a> {
    names: &'a [String],
    row: &'a [String],
}

impl Row<'_> {
    pub fn text(&self, name: &str) -> &str {
        let at = self.names.iter().position(|own| own == name).unwrap_or_else(|| panic!("no column {name}"));
        &self.row[at]
    }

    pub fn number(&self, name: &str) -> f64 {
        self.text(name).parse().unwrap_or_else(|error| panic!("{name} {}: {error}", self.text(name)))
    }

    fn count(&self, name: &str) -> u64 {
        self.number(name) as u64
    }
}

fn model(name: &str) -> Model {
    *Model::ALL.iter().find(|model| model.name() == name.to_lowercase()).expect("a model")
}

fn close(what: &str, found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{what}: expected {expected}, found {found}");
}

#[test]
fn elo_and_llr_as_other_programs_have_them() {
    let Some(golden) = Golden::read("golden/sprt.tsv") else { return };
    let mut rows = 0;
    for row in golden.rows() {
        rows += 1;
        let id = row.text("id");
        let results = if row.text("kind") == "penta" {
            Results::Pairs(Pentanomial {
                ll: row.count("LL"),
                ld: row.count("LD"),
                wl_dd: row.count("WL") + row.count("DD"),
                wd: row.count("WD"),
                ww: row.count("WW"),
            })
        } else {
            Results::Games(Trinomial { losses: row.count("L"), draws: row.count("D"), wins: row.count("W") })
        };
        let model = model(row.text("model"));
        let [elo0, elo1, alpha, beta] = ["elo0", "elo1", "alpha", "beta"].map(|name| row.number(name));
        let sprt = Sprt::new(model, elo0, elo1, alpha, beta).expect(id);
        let llr = sprt.llr(&results).expect(id);
        close(&format!("{id} llr_ft"), llr, row.number("llr_ft"), 1e-6);
        // For BayesElo bounds fastchess tests another pair of hypotheses.
        if model != Model::Bayesian {
            close(&format!("{id} llr_fc"), llr, row.number("llr_fc"), 1e-3);
        }
        close(&format!("{id} lower"), sprt.lower(), row.number("lower"), 1e-8);
        close(&format!("{id} upper"), sprt.upper(), row.number("upper"), 1e-8);
        assert_eq!(sprt.decide(llr).name(), row.text("decision_fc"), "{id}");

        let strength = Strength::of(&results);
        if results.counts().iter().all(|&count| count > 0) {
            close(&format!("{id} elo"), strength.elo, row.number("elo_ft"), 1e-6);
            close(&format!("{id} elo_error"), strength.elo_error, row.number("elo_err95_ft"), 1e-6);
            close(&format!("{id} nelo"), strength.nelo, row.number("nelo_ft"), 1e-6);
            close(&format!("{id} nelo_error"), strength.nelo_error, row.number("nelo_err95_ft"), 1e-6);
            close(&format!("{id} los"), strength.los, row.number("los_ft"), 1e-6);
            close(&format!("{id} score"), strength.score, row.number("score_fc"), 1e-9);
        }
    }
    assert_eq!(rows, 59);
}

#[test]
fn plans_as_fishtest_has_them() {
    let Some(golden) = Golden::read("golden/sprt_plan.tsv") else { return };
    let mut rows = 0;
    for row in golden.rows() {
        rows += 1;
        let [alpha, beta, elo0, elo1] = ["alpha", "beta", "elo0", "elo1"].map(|name| row.number(name));
        let sprt = Sprt::new(model(row.text("model")), elo0, elo1, alpha, beta).expect("bounds that can be tested");
        let spread = Spread::of_draws(row.number("draw_ratio"), row.number("rms_bias_elo")).expect("a variance");
        let prospect = sprt.prospect(spread, row.number("true_lelo")).expect("no bayesian rows");
        close(&format!("row {rows} variance"), spread.sigma().powi(2), row.number("variance"), 1e-9);
        let pass = row.number("pass_prob");
        close(&format!("row {rows} pass"), prospect.pass, pass, 1e-6 * pass.min(1.0 - pass).max(1e-6));
        close(&format!("row {rows} games"), prospect.games, row.number("expected_games"), 1e-6 * prospect.games);
    }
    assert_eq!(rows, 75);
}
