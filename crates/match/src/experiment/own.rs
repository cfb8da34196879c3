//! Whether a log is that of an arm: of the match that the experiment has registered, and no longer than that.

use std::num::NonZeroU64;
use std::path::Path;

use super::error::RunError;
use super::layout::Layout;
use super::runner::terms;
use super::{ArmPlan, Experiment};
use crate::arena::{Logged, Order, Setup, Side};

impl Layout {
    /// Makes sure that a log holds games of this arm, by the file as it was registered before the first game; what has been changed in
    /// it since is another question ([`changes`](Self::changes)). The build of the engine and the rules of time do not count: an
    /// experiment outlives its engine.
    pub(super) fn check_own(&self, path: &Path, arm: &ArmPlan, logged: &Logged) -> Result<(), RunError> {
        let kept = self.kept()?;
        let registered = |experiment: &Experiment| experiment.arms.iter().find(|plan| plan.name == arm.name).cloned();
        let (experiment, arm) = match kept.as_ref().map(|kept| (kept, registered(kept))) {
            Some((kept, Some(arm))) => (kept, arm),
            _ => (self.experiment(), arm.clone()),
        };
        let planned = self.planned(experiment, &arm, &logged.setup)?;
        if let Some(difference) = logged.setup.difference(&planned) {
            return Err(RunError::OtherLog { path: path.to_owned(), arm: arm.name, difference });
        }
        let (pairs, planned) = (logged.pairs.len() as u64, experiment.pairs_of(&arm));
        if pairs > planned {
            return Err(RunError::MorePairs { path: path.to_owned(), arm: arm.name, pairs, planned });
        }
        Ok(())
    }

    /// The setup of the match that an arm is to play, as far as the experiment says it; the rest as a log has it.
    fn planned(&self, experiment: &Experiment, arm: &ArmPlan, logged: &Setup) -> Result<Setup, RunError> {
        let game = &experiment.game;
        let terms = terms(game, Path::new(""));
        let side = |plan: &ArmPlan, logged: &Side| -> Result<Side, RunError> {
            let settings = self.settings(plan)?;
            Ok(Side {
                name: plan.name.clone(),
                player: settings.player(),
                build: logged.build.clone(),
                files: None,
                options: settings.options(),
                limits: terms.limits,
                ponder: false,
                dir: None,
                restart: false,
            })
        };
        let rules = crate::arena::Rules { time_margin: logged.rules.time_margin, ..terms.rules };
        let [one, other] = &logged.sides;
        Ok(Setup {
            sides: [side(arm, one)?, side(&experiment.baseline, other)?],
            book: logged.book.clone(),
            book_digest: game.book_xxh3.clone(),
            openings: logged.openings,
            plies: game.plies,
            seed: game.seed,
            order: Order::default(),
            // The book is handed over without the openings before `start`.
            passed_over: terms.passed_over,
            chess960: logged.chess960,
            rules,
            syzygy: None,
            band: None,
            // How much is written down changes no game.
            moves_of_every: logged.moves_of_every,
            first_pair: NonZeroU64::MIN,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::FILE;
    use super::*;
    use crate::arena::Origin;

    /// A log of the arm of the file, with so many pairs.
    fn logged(pairs: u64) -> Logged {
        let side = |name: &str, arm: &str, options: &str| {
            format!(
                r#"{{"name":"{name}","player":"arm {arm}","build":"07","options":[{options}],"limits":"100 nodes"}}"#
            )
        };
        let sides = [
            side("table", "draw-table", r#"["Hash","4"],["Taper Table","false"]"#),
            side("none", "none", r#"["Hash","4"]"#),
        ];
        let game = r#"{"result":"1/2-1/2","end":"repetition","moves":"g1f3","said":"/"}"#;
        let pair =
            |pair| serde_json::from_str(&format!(r#"{{"pair":{pair},"games":[{game},{game}]}}"#)).expect("a pair");
        let text = format!(
            r#"{{"sides":[{}],"book":"b.epd","book_digest":"00","openings":20,"plies":null,"seed":1,"rules":{{"time_margin_ms":50}}}}"#,
            sides.join(",")
        );
        let setup = serde_json::from_str(&text).expect("a setup");
        Logged { setup, origin: Origin::default(), pairs: (1..=pairs).map(pair).collect(), is_cut: false, damage: None }
    }

    #[test]
    fn the_log_of_another_match_is_none_of_an_arm() {
        let layout = Layout::of_text(Path::new("nowhere/t.toml"), FILE.to_owned()).expect("an experiment");
        let check = |logged: &Logged| {
            let arm = &layout.experiment().arms[0];
            layout.check_own(Path::new("t/table.jsonl"), arm, logged).map_err(|error| error.to_string())
        };
        assert_eq!(check(&logged(10)), Ok(()));
        let mut sparse = logged(10);
        sparse.setup.moves_of_every = NonZeroU64::new(20).expect("20");
        assert_eq!(check(&sparse), Ok(()));
        let said = check(&logged(11)).expect_err("more pairs");
        assert!(said.starts_with("t/table.jsonl: arm table was to play 10 pairs, its log has 11"), "{said}");
        type Change = fn(&mut Setup);
        let changes: [(Change, &str); 8] = [
            (|setup| setup.seed = 9, "seed is 9, not 1"),
            (
                |setup| setup.sides[0].limits = crate::arena::Limits::nodes(7),
                "sides.1.limits is \"7 nodes\", not \"100 nodes\"",
            ),
            (|setup| setup.sides[0].name = "other".to_owned(), "sides.1.name is \"other\", not \"table\""),
            (|setup| setup.sides[0].options.truncate(1), "sides.1.options is"),
            (|setup| setup.sides[1].player = "arm constant".to_owned(), "sides.2.player is"),
            (|setup| setup.book_digest = "01".to_owned(), "book_digest is"),
            (|setup| setup.plies = Some(8), "plies is 8, not null"),
            (|setup| setup.rules.max_moves = Some(5), "rules.max_moves is 5, not null"),
        ];
        for (change, expected) in changes {
            let mut other = logged(3);
            change(&mut other.setup);
            let said = check(&other).expect_err(expected);
            assert!(
                said.contains("expected the log of arm table, found another match") && said.contains(expected),
                "{said}"
            );
        }
    }
}
