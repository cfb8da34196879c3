//! Rows in memory, from games without a file in between.

use std::borrow::Cow;
use std::convert::Infallible;

use super::{Gather, Gathered, RowSource, Rows, RowsProvenance, Wanted};

/// The rows of some games, all columns of them: about 350 bytes a row.
#[derive(Clone, Debug)]
pub struct MemoryRows {
    rows: Rows,
    provenance: RowsProvenance,
}

impl MemoryRows {
    /// Reads all inputs of a run and keeps their rows. What was skipped and what was odd stands in the [`Gathered`].
    #[must_use]
    pub fn gather(run: Gather<'_>) -> (MemoryRows, Gathered) {
        let mut rows = Rows::new();
        let keep = |mut some: Rows| {
            rows.append(&mut some);
            Ok::<_, Infallible>(())
        };
        let Ok(gathered) = run.run(keep);
        (MemoryRows { rows, provenance: gathered.provenance.clone() }, gathered)
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
