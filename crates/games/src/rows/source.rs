//! Where rows are read from, and several sources as one.

use std::borrow::Cow;
use std::error::Error;

use drawish_core::Scheme;
use drawish_heads::features;
use thiserror::Error;

use super::{Rows, RowsProvenance};

/// Which columns to read beside the keys.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// The features, by their place in [`features::all`].
    pub features: Vec<usize>,
    /// The cells of these schemes.
    pub cells: Vec<Scheme>,
}

impl Wanted {
    /// All features and the cells of all schemes.
    #[must_use]
    pub fn all() -> Wanted {
        Wanted { features: (0..features::all().len()).collect(), cells: Scheme::ALL.to_vec() }
    }
}

/// Rows that can be read more than once: a file, or [`MemoryRows`](super::MemoryRows).
pub trait RowSource {
    /// Why they cannot be read.
    type Error: Error + Send + Sync + 'static;

    /// The name for messages.
    fn name(&self) -> String;

    /// How the rows were made.
    fn provenance(&self) -> &RowsProvenance;

    /// Hands all rows to `take`, some at a time and always in the same order, with the keys and at least the columns of `wanted`.
    ///
    /// # Errors
    ///
    /// Those of reading.
    fn read(&self, wanted: &Wanted, take: &mut dyn FnMut(Cow<'_, Rows>)) -> Result<(), Self::Error>;
}

/// Sources of which no two hold the same games.
#[derive(Clone, Debug)]
pub struct RowSet<S>(Vec<S>);

/// Why sources cannot be read as one.
#[derive(Debug, Error)]
pub enum RowSetError {
    /// A source cannot be read.
    #[error("{name}: {error}")]
    Source {
        /// Its name.
        name: String,
        /// What is wrong with it.
        error: Box<dyn Error + Send + Sync>,
    },
    /// Two sources were made from the same games.
    #[error("{one} and {other} both contain the games of {games}, which would count twice; name one of them")]
    SameGames {
        /// The first of the two.
        one: String,
        /// The second.
        other: String,
        /// The file of games.
        games: String,
    },
    /// One source has evaluations by an evaluation function, another those that the games say.
    #[error(
        "{judged} has static evaluations and {other} has not, so that their evaluations mean different things; make both the same way"
    )]
    Judged {
        /// The one with static evaluations.
        judged: String,
        /// The other.
        other: String,
    },
}

impl RowSetError {
    /// The error of the source of this name.
    pub fn of_source(name: impl Into<String>, error: impl Error + Send + Sync + 'static) -> RowSetError {
        RowSetError::Source { name: name.into(), error: Box::new(error) }
    }
}

impl<S: RowSource> RowSet<S> {
    /// Takes the sources together.
    ///
    /// # Errors
    ///
    /// [`RowSetError::SameGames`] if an input of one is an input of another, too; [`RowSetError::Judged`] if evaluations are of two kinds.
    pub fn new(sources: impl IntoIterator<Item = S>) -> Result<RowSet<S>, RowSetError> {
        let mut set = RowSet(Vec::new());
        for source in sources {
            set.add(source)?;
        }
        Ok(set)
    }

    fn add(&mut self, source: S) -> Result<(), RowSetError> {
        for input in &source.provenance().inputs {
            let has_it = |other: &&S| other.provenance().inputs.iter().any(|other| other.shares_games_with(input));
            if let Some(one) = self.0.iter().find(has_it) {
                return Err(RowSetError::SameGames {
                    one: one.name(),
                    other: source.name(),
                    games: input.name.clone(),
                });
            }
        }
        if let Some(one) = self.0.first().filter(|one| is_judged(*one) != is_judged(&source)) {
            let (judged, other) = if is_judged(one) { (one, &source) } else { (&source, one) };
            return Err(RowSetError::Judged { judged: judged.name(), other: other.name() });
        }
        self.0.push(source);
        Ok(())
    }

    /// The first source and one whose rows were sampled by another rule, if there is one.
    #[must_use]
    pub fn other_rule(&self) -> Option<[&S; 2]> {
        let first = self.0.first()?;
        // Not from which view evaluations were read: that says nothing of which positions there are.
        let rule = |source: &S| source.provenance().rule.split(OF_VIEW).next().map(str::to_owned);
        let is_other = |source: &&S| rule(source) != rule(first);
        Some([first, self.0.iter().find(is_other)?])
    }

    /// The sources, in the order in which they were given.
    #[must_use]
    pub fn sources(&self) -> &[S] {
        &self.0
    }

    /// Hands the rows of all sources to `take`, as [`RowSource::read`] does.
    ///
    /// # Errors
    ///
    /// [`RowSetError::Source`].
    pub fn read(&self, wanted: &Wanted, mut take: impl FnMut(Cow<'_, Rows>)) -> Result<(), RowSetError> {
        self.read_sources(wanted, |_, rows| take(rows))
    }

    /// The same, each time with the source of the rows.
    pub(crate) fn read_sources(
        &self,
        wanted: &Wanted,
        mut take: impl FnMut(&S, Cow<'_, Rows>),
    ) -> Result<(), RowSetError> {
        self.0.iter().try_for_each(|source| {
            let read = source.read(wanted, &mut |rows| take(source, rows));
            read.map_err(|error| RowSetError::of_source(source.name(), error))
        })
    }

    /// All rows at once.
    ///
    /// # Errors
    ///
    /// [`RowSetError::Source`].
    pub fn rows(&self, wanted: &Wanted) -> Result<Rows, RowSetError> {
        let mut all = Rows::new();
        self.read(wanted, |rows| all.append(&mut rows.into_owned()))?;
        Ok(all)
    }
}

/// Stands in the line of the rule, behind all else, before the view from which evaluations were read.
pub(super) const OF_VIEW: &str = " --eval-view ";

/// Whether the evaluations are those of an evaluation function, which the line of the rule says behind the rule.
fn is_judged(source: &impl RowSource) -> bool {
    source.provenance().rule.split_whitespace().any(|word| word == "--static")
}

#[cfg(test)]
mod tests {
    use std::fmt;

    use drawish_artefact::provenance::{Digest, InputRecord};

    use super::*;
    use crate::rows::VERSION;

    /// A name, where the rows come from, and whether they can be read to the end.
    #[derive(Debug)]
    struct Games(&'static str, RowsProvenance, bool);

    #[derive(Debug)]
    struct Gone;

    impl Error for Gone {}

    impl fmt::Display for Gone {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("gone")
        }
    }

    impl RowSource for Games {
        type Error = Gone;

        fn name(&self) -> String {
            self.0.to_owned()
        }

        fn provenance(&self) -> &RowsProvenance {
            &self.1
        }

        fn read(&self, _: &Wanted, take: &mut dyn FnMut(Cow<'_, Rows>)) -> Result<(), Gone> {
            take(Cow::Owned(Rows { games: vec![7], ..Rows::new() }));
            if self.2 { Ok(()) } else { Err(Gone) }
        }
    }

    fn games(name: &'static str, digest: u128, games: u64, readable: bool) -> Games {
        let input = InputRecord {
            name: format!("{digest}.pgn"),
            xxh3_128: Digest(digest),
            games,
            counted: games,
            ..InputRecord::default()
        };
        let (made_by, rule) = ("a test".to_owned(), String::new());
        Games(name, RowsProvenance { version: VERSION, made_by, rule, inputs: vec![input] }, readable)
    }

    #[test]
    fn the_same_games_are_taken_once() {
        let set = RowSet::new([games("a", 1, 3, true), games("b", 2, 3, true)]).expect("different games");
        assert_eq!(set.rows(&Wanted::default()).expect("rows").games, [7, 7]);
        let error = RowSet::new([games("a", 1, 3, true), games("b", 1, 3, true)]).expect_err("the same");
        let said = error.to_string();
        assert!(said.starts_with("a and b both contain the games of 1.pgn"), "{said}");
        // Inputs without games have no digest to tell them apart.
        assert!(RowSet::new([games("a", 0, 0, true), games("b", 0, 0, true)]).is_ok());
    }

    /// Evaluations of two kinds in one column are no evaluations of either.
    #[test]
    fn evaluations_of_two_kinds_are_not_taken_together() {
        let of_rule = |name, digest, rule: &str| {
            let mut games = games(name, digest, 3, true);
            games.1.rule = rule.to_owned();
            games
        };
        let error =
            RowSet::new([of_rule("a", 1, "--at 20"), of_rule("b", 2, "--at 20 --static")]).expect_err("two kinds");
        let said = error.to_string();
        assert!(said.starts_with("b has static evaluations and a has not"), "{said}");
        let mixed = RowSet::new([of_rule("a", 1, "--at 20"), of_rule("b", 2, "--at 30")]).expect("one kind");
        assert_eq!(mixed.other_rule().map(|[one, other]| (one.0, other.0)), Some(("a", "b")));
        let same = RowSet::new([of_rule("a", 1, "--at 20"), of_rule("b", 2, "--at 20")]).expect("one kind");
        assert!(same.other_rule().is_none());
        let read = RowSet::new([of_rule("a", 1, "--at 20"), of_rule("b", 2, "--at 20 --eval-view white")]);
        assert!(read.expect("one kind").other_rule().is_none(), "the view of evaluations is how they were read");
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let set = RowSet::new([games("a", 1, 3, true), games("b", 2, 3, false)]).expect("different games");
        assert_eq!(set.rows(&Wanted::default()).expect_err("an error").to_string(), "b: gone");
    }
}
