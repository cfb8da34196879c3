//! What was registered: the file of an experiment as it was when its first game was played.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::PathBuf;

use drawish_artefact::outfile;

use super::error::RunError;
use super::{ArmPlan, Experiment, GamePlan, JudgementPlan, Layout, Role};
use crate::arena::Logged;

/// The copy, beside the logs. It cannot be the name of a log.
const COPY: &str = "registered.toml";

impl Experiment {
    /// All that decides what is played and how it is judged, by its name. Texts may be corrected.
    fn fixed(&self) -> BTreeMap<String, String> {
        // Nothing is left out by `..`: who adds a key says here whether it decides.
        let Experiment { title: _, question: _, registered: _, corpora: _, engine, game, judgement, baseline, arms } =
            self;
        let GamePlan { book: _, book_xxh3, plies, seed, start, nodes, pairs: _, moves_of_every: _ } = game;
        let JudgementPlan { margin, level, elo0, elo1 } = judgement;
        let optional = |value: Option<String>| value.unwrap_or_else(|| "nothing".to_owned());
        let mut fixed = BTreeMap::from([
            ("book-xxh3".to_owned(), book_xxh3.clone()),
            ("plies".to_owned(), optional(plies.map(|plies| plies.to_string()))),
            ("seed".to_owned(), seed.to_string()),
            ("start".to_owned(), optional(start.map(|start| start.to_string()))),
            ("nodes".to_owned(), nodes.to_string()),
            ("margin".to_owned(), margin.to_string()),
            ("level".to_owned(), level.to_string()),
            ("elo0".to_owned(), elo0.to_string()),
            ("elo1".to_owned(), elo1.to_string()),
            ("checksum".to_owned(), optional(engine.as_ref().map(|engine| engine.checksum.clone()))),
        ]);
        let arms = arms.iter().map(|arm| (format!("arm {}", arm.name), self.fixed_of(arm)));
        fixed.extend(arms.chain([("baseline".to_owned(), settings(baseline))]));
        fixed
    }

    fn fixed_of(&self, arm: &ArmPlan) -> String {
        let role = match arm.role {
            Role::Control => "a control",
            Role::Question => "a question",
        };
        format!("{role} of {} pairs with {}", self.pairs_of(arm), settings(arm))
    }

    /// What is otherwise in `self` than it was in `registered`, a sentence without its full stop for each.
    fn changes_since(&self, registered: &Experiment) -> Vec<String> {
        let (before, now) = (registered.fixed(), self.fixed());
        let gone = before.iter().filter(|(name, _)| !now.contains_key(*name));
        let gone = gone.map(|(name, _)| format!("{name} is gone"));
        let other = now.iter().filter_map(|(name, value)| match before.get(name) {
            None => Some(format!("{name} is new")),
            Some(before) if before != value => Some(format!("{name} was {before} and is {value}")),
            Some(_) => None,
        });
        gone.chain(other).collect()
    }
}

fn settings(arm: &ArmPlan) -> String {
    let settings: Vec<String> = arm.settings.iter().map(|(key, value)| format!("{key} = {value}")).collect();
    settings.join(", ")
}

impl Layout {
    /// The copy of the experiment's file that is kept from the first game on, whether or not it is there.
    #[must_use]
    pub fn registered(&self) -> PathBuf {
        self.logs().join(COPY)
    }

    /// What has been changed since the first game: whoever chooses a margin or a number of games after having seen results can
    /// show anything. Empty if nothing has, no game has been played or no copy was kept.
    ///
    /// # Errors
    ///
    /// If the copy cannot be read.
    pub fn changes(&self) -> Result<Vec<String>, RunError> {
        let registered = self.kept()?.filter(|registered| self.has_games(registered));
        Ok(registered.map_or(Vec::new(), |registered| self.experiment().changes_since(&registered)))
    }

    pub(super) fn kept(&self) -> Result<Option<Experiment>, RunError> {
        let path = self.registered();
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(cause) => return Err(RunError::Read { path, cause }),
        };
        Experiment::from_toml(&text).map(Some).map_err(|cause| RunError::File { path, cause })
    }

    /// Whether an arm has games, or a log that cannot tell.
    fn has_games(&self, registered: &Experiment) -> bool {
        let any = |logged: Option<Logged>| logged.is_some_and(|logged| !logged.pairs.is_empty());
        let has = |arm: &ArmPlan| self.logged(arm).map_or(true, any);
        registered.arms.iter().any(has)
    }

    /// Keeps the file as it is now, or makes sure that nothing has been changed since the first game. Before any is played.
    ///
    /// # Errors
    ///
    /// If something has been changed, or the copy cannot be read or written.
    pub fn register(&self) -> Result<(), RunError> {
        let path = self.registered();
        if let Some(registered) = self.kept()?.filter(|registered| self.has_games(registered)) {
            let changes = self.experiment().changes_since(&registered);
            return match changes.is_empty() {
                true => Ok(()),
                false => Err(RunError::Changed { path: self.file().to_owned(), registered: path, changes }),
            };
        }
        let cannot = |cause| RunError::Write { path: path.clone(), cause };
        fs::create_dir_all(self.logs()).map_err(cannot)?;
        outfile::write_whole(&path, self.text().as_bytes()).map_err(cannot)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::FILE;
    use super::*;

    #[test]
    fn all_that_decides_is_held_to_what_was_registered() {
        let registered = Experiment::from_toml(FILE).expect("an experiment");
        for (from, to, said) in [
            ("margin = 3.0", "margin = 1.0", "margin was 3 and is 1"),
            ("level = 0.05", "level = 0.1", "level was 0.05 and is 0.1"),
            ("pairs = 10", "pairs = 12", "arm table was a question of 10 pairs with"),
            ("nodes = 100", "nodes = 200", "nodes was 100 and is 200"),
            ("seed = 1", "seed = 2", "seed was 1 and is 2"),
            ("seed = 1", "seed = 1, start = 4", "start was nothing and is 4"),
            ("arm = \"none\"", "arm = \"constant\"", "baseline was arm = \"none\" and is arm = \"constant\""),
            ("taper = false", "taper = true", "taper = true"),
            ("name = \"table\"", "name = \"other\"", "arm table is gone"),
            ("name = \"table\"", "role = \"control\"\nname = \"table\"", "and is a control of 10 pairs"),
        ] {
            let now = Experiment::from_toml(&FILE.replace(from, to)).expect(said);
            let changes = now.changes_since(&registered).join("; ");
            assert!(changes.contains(said), "{from} -> {to}: {changes}");
        }
        let corrected = FILE.replace("a table", "the table of 2013").replace("title = \"t\"", "title = \"T\"");
        let corrected = Experiment::from_toml(&corrected).expect("an experiment");
        assert_eq!(corrected.changes_since(&registered), Vec::<String>::new());
    }
}
