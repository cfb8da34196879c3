//! Adding files of WDL counts that were collected apart, by the rules that hold for other counts too.

use thiserror::Error;

use super::{RecordedRule, WdlFile};
use drawish_artefact::identity::Difference;
use drawish_artefact::provenance::{Digest, first_beyond_counting};

/// Why two files of WDL counts cannot be added.
#[derive(Clone, PartialEq, Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum WdlMergeError {
    #[error("counted by another rule: {0}")]
    Rule(Difference),
    #[error("counted by another rule: expected `{expected}`, found `{found}`")]
    RuleLine { expected: String, found: String },
    #[error("{name} (XXH3-128 {digest}) is already in it{}: its games would be counted twice",
        if *.name == *.as_name { String::new() } else { format!(" as {as_name}") })]
    SameInput { name: String, as_name: String, digest: Digest },
    #[error(
        "the counts are the same as those before, to the last position: the same games from inputs that are written differently"
    )]
    SameCounts,
    #[error("expected counts in {ours} blocks of games, found {theirs}: collect both with the same version")]
    Blocks { ours: usize, theirs: usize },
    #[error(
        "together they contain more than 2^64 - 1 positions or games, which nothing can have counted: one of the files is forged"
    )]
    TooMany,
}

impl WdlFile {
    /// Adds the counts of other games, collected by the same rule. The order in which files are merged changes nothing.
    /// [`add`](Self::add) is for fits: it takes counts without rules and without blocks, too.
    ///
    /// # Errors
    ///
    /// If the rules or the numbers of blocks differ, an input is in both, both have the same counts of many positions, or the sums do not fit 64 bits. Then nothing was added.
    pub fn merge(&mut self, other: WdlFile) -> Result<(), WdlMergeError> {
        same_rule(&self.provenance.rules, &other.provenance.rules)?;
        let (ours, theirs) = (self.counts.blocks.len(), other.counts.blocks.len());
        // A file in which nothing was counted has none.
        if ours != theirs && ours > 0 && theirs > 0 {
            return Err(WdlMergeError::Blocks { ours, theirs });
        }
        let mine = &self.provenance.inputs;
        for input in &other.provenance.inputs {
            if let Some(same) = mine.iter().find(|own| own.shares_games_with(input)) {
                let (name, as_name) = (input.name.clone(), same.name.clone());
                return Err(WdlMergeError::SameInput { name, as_name, digest: input.xxh3_128 });
            }
        }
        if self.telling_digest().is_some_and(|digest| other.telling_digest() == Some(digest)) {
            return Err(WdlMergeError::SameCounts);
        }
        let fits = self.counts.positions().checked_add(other.counts.positions()).is_some()
            && first_beyond_counting(mine.iter().chain(&other.provenance.inputs)).is_none();
        if !fits {
            return Err(WdlMergeError::TooMany);
        }
        let mine = &mut self.provenance;
        add_views(&mut mine.rules, &other.provenance.rules);
        mine.inputs.extend(other.provenance.inputs);
        mine.made_by.extend(other.provenance.made_by);
        mine.made_by.sort();
        mine.made_by.dedup();
        if !mine.rules.iter().all(|rule| matches!(rule, RecordedRule::Known(_))) {
            mine.rules = other.provenance.rules;
        }
        self.counts.add(other.counts);
        Ok(())
    }
}

/// Notes how the games of counts were read that are added, by the same rule.
pub(super) fn add_views(ours: &mut [RecordedRule], theirs: &[RecordedRule]) {
    if let ([RecordedRule::Known(one)], [RecordedRule::Known(other)]) = (ours, theirs) {
        one.add_views(other);
    }
}

pub(super) fn same_rule(ours: &[RecordedRule], theirs: &[RecordedRule]) -> Result<(), WdlMergeError> {
    let line = |rules: &[RecordedRule]| rules.iter().map(ToString::to_string).collect::<Vec<_>>().join(" and ");
    match (ours, theirs) {
        ([RecordedRule::Known(one)], [RecordedRule::Known(other)]) => {
            one.difference(other).map_or(Ok(()), |difference| Err(WdlMergeError::Rule(difference)))
        }
        // A file of version 1 has its rule as a line only.
        _ if line(ours) == line(theirs) => Ok(()),
        _ => Err(WdlMergeError::RuleLine { expected: line(ours), found: line(theirs) }),
    }
}
