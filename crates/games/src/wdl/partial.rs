//! What a run keeps after some of its inputs, to go on from: the counts as a `.wdl` file, and what that does not hold.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{Cut, Rule, RuleRecord, Tally, WdlFile};
use crate::kept::{self, Finished, KeptError, OtherRun};
use crate::pgn::{Anomalies, Engines, Input, OddWords, Repeats};
use drawish_artefact::identity::Difference;
use drawish_artefact::provenance::{InputRecord, made_by};

const MAGIC: [u8; 8] = *b"DRAWWDP\0";

/// What has been read so far.
#[derive(Serialize, Deserialize)]
pub(super) struct Account {
    made_by: String,
    rule: KeptRule,
    /// The finished inputs in their order.
    pub inputs: Vec<InputAccount>,
    /// Of their counted games.
    pub repeats: Repeats,
}

/// All that decides about the account: how games are followed changes nothing in the counts, but finds more illegal moves.
#[derive(Serialize, Deserialize)]
struct KeptRule {
    #[serde(flatten)]
    record: RuleRecord,
    replay: bool,
}

/// A finished input.
#[derive(Serialize, Deserialize)]
pub(super) struct InputAccount {
    pub record: InputRecord,
    pub tally: Tally,
    pub anomalies: Anomalies,
    pub ends_whole: bool,
    pub odd_words: OddWords,
    pub cuts: Vec<Cut>,
    pub engines: Engines,
}

/// Counts, and the inputs that they come from with their places.
type Kept = (WdlFile, Vec<(PathBuf, Input)>);

impl Account {
    /// Of a run that begins.
    pub fn new(rule: &Rule, record: RuleRecord) -> Account {
        Account {
            made_by: made_by(),
            rule: KeptRule { record, replay: rule.replay },
            inputs: Vec::new(),
            repeats: Repeats::default(),
        }
    }

    /// What is kept, with the counts of these inputs.
    pub fn to_bytes(&self, counts: &WdlFile) -> Vec<u8> {
        kept::to_bytes(MAGIC, self, &counts.to_bytes())
    }

    fn from_bytes(bytes: &[u8]) -> Result<(Account, WdlFile), Box<dyn std::error::Error + Send + Sync>> {
        let (account, counts) = kept::parts(MAGIC, bytes)?;
        Ok((account, WdlFile::from_bytes(counts)?))
    }

    /// Goes on from what is kept there, if there is anything: this account becomes that of the interrupted run, whose counts and
    /// finished inputs, each with its place, are returned.
    pub fn resume(&mut self, path: Option<&Path>, fresh: bool, inputs: &[Input]) -> Result<Option<Kept>, KeptError> {
        let bytes = kept::read(path, inputs)?.filter(|bytes| !(fresh && bytes.starts_with(&MAGIC)));
        let Some((bytes, path)) = bytes.zip(path) else { return Ok(None) };
        let (mut found, counts) =
            Account::from_bytes(&bytes).map_err(|cause| KeptError::Checkpoint { path: path.to_owned(), cause })?;
        let other_run = |difference| KeptError::OtherRun { path: path.to_owned(), difference };
        if found.made_by != self.made_by {
            return Err(other_run(OtherRun::Build(vec![found.made_by])));
        }
        if let Some(difference) = Difference::between(&self.rule, &found.rule) {
            return Err(other_run(OtherRun::Rule(difference)));
        }
        // What could not be opened has given nothing, and is tried again.
        found.inputs.retain(|input| input.record.broken.is_none() || input.record.games > 0);
        let finished = found.inputs.iter().map(|InputAccount { record, .. }| Finished {
            name: &record.name,
            digest: record.xxh3_128.0,
            bytes: record.bytes.unwrap_or_default(),
        });
        let inputs = kept::inputs_of(finished, inputs).map_err(other_run)?;
        *self = found;
        Ok(Some((counts, inputs)))
    }
}
