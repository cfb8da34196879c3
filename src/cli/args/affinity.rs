//! `--affinity`: games bound to cores.

use drawish::arena::CoreList;

/// Games bound to cores.
#[derive(clap::Args)]
pub(in crate::cli) struct AffinityArg {
    /// Bind each game and its engines to cores of its own, as many as the option Threads of an engine says, twice that if one ponders; of these cores, as 0,2,4-7, or of
    /// all if none are named (Linux)
    #[arg(long, visible_alias = "use-affinity", num_args = 0..=1, default_missing_value = "", value_name = "CORES")]
    affinity: Option<CoreList>,
}

impl AffinityArg {
    pub(in crate::cli) fn cores(&self) -> Option<CoreList> {
        self.affinity.clone()
    }
}
