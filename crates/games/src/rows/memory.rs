//! Rows in memory, from games without a file in between.

use std::borrow::Cow;
use std::convert::Infallible;
use std::num::NonZero;

use super::{Gathered, Judge, RowSource, Rows, RowsProvenance, Wanted, gather};
use crate::pgn::Input;
use crate::sample::Rule;

/// The rows of some games, all columns of them: about 350 bytes a row.
#[derive(Clone, Debug)]
pub struct MemoryRows {
    rows: Rows,
    provenance: RowsProvenance,
}

impl MemoryRows {
    /// Samples the positions of all inputs, as [`gather`] does, and keeps them. What was skipped and what was odd stands in the
    /// [`Gathered`].
    #[must_use]
    pub fn gather(
        inputs: Vec<Input>,
        rule: &Rule,
        judge: Option<Judge>,
        threads: NonZero<usize>,
    ) -> (MemoryRows, Gathered) {
        let mut rows = Rows::new();
        let keep = |mut some: Rows| {
            rows.append(&mut some);
            Ok::<_, Infallible>(())
        };
        let Ok(gathered) = gather(inputs, rule, judge, threads, keep, &|_bytes, _games| {});
        let provenance = RowsProvenance::new(rule, judge.is_some(), gathered.inputs.clone());
        (MemoryRows { rows, provenance }, gathered)
    }

    /// The rows.
    #[must_use]
    pub fn rows(&self) -> &Rows {
        &self.rows
    }
}

impl RowSource for MemoryRows {
    type Error = Infallible;

    fn name(&self) -> String {
        self.provenance.inputs.iter().map(|input| input.name.as_str()).collect::<Vec<_>>().join(", ")
    }

    fn provenance(&self) -> &RowsProvenance {
        &self.provenance
    }

    fn read(&self, _: &Wanted, take: &mut dyn FnMut(Cow<'_, Rows>)) -> Result<(), Infallible> {
        take(Cow::Borrowed(&self.rows));
        Ok(())
    }
}
