//! Tournaments: who took part, and the results of each against each.

use super::read::originate;
use super::{InputFile, ReportData};
use drawish_artefact::Kind;
use drawish_match::tournament::{LoggedTournament, Standing, TournamentSetup};
use drawish_stats::numbers::counted;

/// A tournament as its log has it.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct TournamentData {
    /// The name of the log.
    pub name: String,
    /// What is played.
    pub setup: TournamentSetup,
    /// The results so far.
    pub standing: Standing,
}

impl ReportData {
    /// Adds a tournament, and says what is the matter with its log.
    pub(super) fn tournament(&mut self, input: &mut InputFile, logged: LoggedTournament) {
        let standing = logged.standing();
        let LoggedTournament { setup, is_cut, damage, .. } = logged;
        input.kind = Kind::TournamentLog.name();
        originate(input, &setup.games, &setup.games.sides);
        let pairs = standing.pairs();
        if let Some((line, what)) = damage {
            let what = format!(
                "line {line} of the log is damaged ({what}); what stands before it is shown: {}",
                counted(pairs, "pair")
            );
            self.fault(&input.name, what);
        }
        if is_cut {
            let what =
                "the last line has no end: the tournament is still being played, or was broken off; it is left out";
            self.remark(&input.name, format!("{what}; shown: {}", counted(pairs, "finished pair")));
        }
        self.tournaments.push(TournamentData { name: input.name.clone(), setup, standing });
    }
}
