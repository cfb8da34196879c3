//! The log of a tournament: a line of JSON for what is played, then a line for each finished pair. It is only ever appended to, so a
//! killed run loses the pairs that were being played and nothing else.
//!
//! # Stability
//!
//! The first line has `"tournament":1`, the number of the format, a [`TournamentOrigin`] and the fields of [`TournamentSetup`]; the others
//! are [`PairRecord`]s as in the log of a match, with `players` as the first field: who has White in the first game, and who in the second.
//! `pair` counts the pairs of all pairings, which take turns in the order of [`Schedule::pairings`](super::Schedule::pairings).
//! The lines are linked by `chain` as those of a match. A change to any of this is a new number of the format.

use std::collections::HashSet;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Schedule;
use super::standing::Standing;
use crate::arena::{
    Chain, LineError, LogError, LoggedError, PairRecord, Setup, Side, cut, difference, held as all_of, lock,
    logged_pair, open_to_append, other_engine,
};
use drawish_artefact::in_words;
use drawish_stats::numbers::{counted, grouped};

/// The format of logs that this program writes.
const FORMAT: u64 = 1;
/// The results of more pairings are not held in memory: a log with thousands of engines must not take all of a machine.
pub(super) const MOST_PAIRINGS: u64 = 200_000;

/// What a tournament is: two runs with the same setup continue each other.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TournamentSetup {
    /// Who plays whom.
    pub schedule: Schedule,
    /// What plays, from which openings, by which rules.
    #[serde(flatten)]
    pub games: Setup<Vec<Side>>,
}

/// Where and when a tournament was begun, as the [`Origin`](crate::arena::Origin) of a match.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct TournamentOrigin {
    /// The day on which it was begun, as PGN writes it; `None` where games depend on nothing but the setup.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// What the engines call themselves, by `id name`.
    #[serde(default, skip_serializing_if = "are_unknown")]
    pub engines: Vec<Option<String>>,
}

fn are_unknown(engines: &[Option<String>]) -> bool {
    engines.iter().all(Option::is_none)
}

/// What could be read of the log of a tournament, which may still be running.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct LoggedTournament {
    /// What is played.
    pub setup: TournamentSetup,
    /// When it was begun, and what the engines call themselves.
    pub origin: TournamentOrigin,
    /// The pairs up to the first damage.
    pub pairs: Vec<PairRecord>,
    /// Whether the last line has no end: the tournament is still running, or was killed while it wrote.
    pub is_cut: bool,
    /// Where the log is damaged, and how; nothing behind it was read.
    pub damage: Option<(usize, String)>,
    chain: Chain,
}

#[derive(Serialize)]
struct Header<'a> {
    tournament: u64,
    #[serde(flatten)]
    origin: &'a TournamentOrigin,
    #[serde(flatten)]
    setup: &'a TournamentSetup,
}

#[derive(Serialize)]
struct Line<'a> {
    players: [&'a str; 2],
    #[serde(flatten)]
    record: &'a PairRecord,
}

impl LoggedTournament {
    /// Reads a log. Whether its moves are legal is not looked at: see [`PairRecord::is_legal`].
    ///
    /// # Errors
    ///
    /// If the first line does not say what is played, or is of another format.
    pub fn read(text: &[u8]) -> Result<LoggedTournament, LoggedError> {
        let mut lines = text.split_inclusive(|&byte| byte == b'\n').zip(1..);
        let (first, _) = lines.next().ok_or(LoggedError::Foreign)?;
        let header: Value = serde_json::from_slice(first).map_err(|_| LoggedError::Foreign)?;
        match header.get("tournament") {
            None => return Err(LoggedError::Foreign),
            Some(format) if *format != FORMAT => return Err(LoggedError::Format(format.to_string())),
            Some(_) => {}
        }
        let content = |error: serde_json::Error| LoggedError::Setup(error.to_string());
        let mut origin = TournamentOrigin::deserialize(&header).map_err(content)?;
        let setup = TournamentSetup::deserialize(&header).map_err(content)?;
        let names: Vec<&str> = setup.games.sides.iter().map(|side| side.name.as_str()).collect();
        check(setup.schedule, &names).map_err(LoggedError::Setup)?;
        origin.engines.resize(setup.games.sides.len(), None);
        let chain = Chain::new(first.trim_ascii_end());
        let mut logged = LoggedTournament { setup, origin, pairs: Vec::new(), is_cut: false, damage: None, chain };
        let names: Vec<String> = logged.setup.games.sides.iter().map(|side| side.name.clone()).collect();
        let pairings = logged.setup.schedule.pairings(names.len());
        for (line, number) in lines {
            if !line.ends_with(b"\n") {
                logged.is_cut = true;
            } else if !line.trim_ascii().is_empty() {
                let expected = logged.pairs.len() as u64 + 1;
                let pair = logged_pair(line, expected, Some(&mut logged.chain)).map_err(|damage| damage.to_string());
                let due = pairings[logged.pairs.len() % pairings.len()];
                match pair.and_then(|pair| is_of(line, due.map(|engine| names[engine].as_str())).map(|()| pair)) {
                    Ok(pair) => logged.pairs.push(pair),
                    Err(damage) => {
                        logged.damage = Some((number, damage));
                        break;
                    }
                }
            }
        }
        Ok(logged)
    }

    /// The results.
    #[must_use]
    pub fn standing(&self) -> Standing {
        let names = self.setup.games.sides.iter().map(|side| side.name.clone()).collect();
        let mut standing = Standing::new(names, self.setup.schedule, self.setup.games.openings);
        self.pairs.iter().for_each(|record| standing.add(record));
        standing
    }
}

/// Makes sure that these engines can have played a tournament, and that its table fits into memory.
fn check(schedule: Schedule, names: &[&str]) -> Result<(), String> {
    let mut seen = HashSet::new();
    if let Some(name) = names.iter().find(|name| !seen.insert(**name)) {
        return Err(format!("two engines are called {name:?}"));
    }
    match schedule.count(names.len()) {
        0 => Err(format!("nobody plays in a {schedule} with {}", counted(names.len() as u64, "engine"))),
        pairings if pairings > MOST_PAIRINGS => {
            Err(format!("{} pairings of engines: expected at most {}", grouped(pairings), grouped(MOST_PAIRINGS)))
        }
        _ => Ok(()),
    }
}

/// Makes sure that a line names the engines whose turn it is by its number.
fn is_of(line: &[u8], due: [&str; 2]) -> Result<(), String> {
    #[derive(Deserialize)]
    struct Seats {
        players: Option<[String; 2]>,
    }
    let usual = serde_json::to_string(&due).map_err(|error| error.to_string())?;
    if line.strip_prefix(b"{\"players\":").is_some_and(|rest| rest.starts_with(usual.as_bytes())) {
        return Ok(());
    }
    let Seats { players } = serde_json::from_slice(line).map_err(|error| error.to_string())?;
    match players {
        Some(found) if found != due => Err(format!(
            "expected a pair of {:?} and {:?}, found one of {:?} and {:?}",
            due[0], due[1], found[0], found[1]
        )),
        _ => Ok(()),
    }
}

/// An open log, locked while it is open.
#[derive(Debug)]
pub(super) struct TournamentLog {
    path: PathBuf,
    file: File,
    origin: TournamentOrigin,
    chain: Chain,
}

impl TournamentLog {
    /// Begins a log, or with `resume` opens the log of the same tournament and reads its pairs. A line that was not written to its end
    /// is cut off.
    pub(super) fn open(
        path: &Path,
        setup: &TournamentSetup,
        origin: TournamentOrigin,
        resume: bool,
    ) -> Result<(TournamentLog, Vec<PairRecord>), LogError> {
        let failed = |cause| LogError::Io { path: path.to_owned(), cause: in_words(cause) };
        let mut file = open_to_append(path).map_err(failed)?;
        lock(path, &file)?;
        let text = all_of(&mut file).map_err(failed)?;
        if !resume && !text.is_empty() {
            return Err(LogError::Exists { path: path.to_owned() });
        }
        let header = serde_json::to_string(&Header { tournament: FORMAT, origin: &origin, setup })
            .expect("numbers and texts are always JSON");
        let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        if whole > 0 {
            let held = held(path, &text[..whole], setup)?;
            if let Some(difference) = other_engine(&held.origin.engines, &origin.engines) {
                return Err(LogError::OtherMatch { path: path.to_owned(), difference });
            }
            cut(&file, whole as u64).map_err(failed)?;
            let LoggedTournament { origin, pairs, chain, .. } = held;
            return Ok((TournamentLog { path: path.to_owned(), file, origin, chain }, pairs));
        }
        if !is_begun(&text, header.as_bytes(), &origin) {
            return Err(LogError::NoTournament { path: path.to_owned() });
        }
        cut(&file, 0).map_err(failed)?;
        let chain = Chain::new(header.as_bytes());
        let mut log = TournamentLog { path: path.to_owned(), file, origin, chain };
        log.line(&header)?;
        Ok((log, Vec::new()))
    }

    /// When and between whom the tournament was begun, also by an earlier run.
    pub(super) fn origin(&self) -> &TournamentOrigin {
        &self.origin
    }

    /// Appends a finished pair.
    pub(super) fn append(&mut self, record: &PairRecord, players: [&str; 2]) -> Result<(), LogError> {
        let line = serde_json::to_string(&Line { players, record }).expect("numbers and texts are always JSON");
        let line = self.chain.link(&line);
        self.line(&line)
    }

    fn line(&mut self, line: &str) -> Result<(), LogError> {
        let failed = |cause| LogError::Io { path: self.path.clone(), cause };
        self.file.write_all(format!("{line}\n").as_bytes()).and_then(|()| self.file.flush()).map_err(failed)
    }
}

/// What the log of this tournament holds, which must not be damaged.
fn held(path: &Path, text: &[u8], setup: &TournamentSetup) -> Result<LoggedTournament, LogError> {
    let path = path.to_owned();
    let damaged = |line, what| LogError::Damaged { path: path.clone(), line, what };
    let logged = LoggedTournament::read(text).map_err(|error| match error {
        LoggedError::Foreign => LogError::NoTournament { path: path.clone() },
        error => damaged(1, error.to_string()),
    })?;
    if let Some(difference) = difference(&logged.setup, setup) {
        return Err(LogError::OtherMatch { path, difference });
    }
    if let Some((line, what)) = logged.damage {
        return Err(damaged(line, what));
    }
    if let Some(at) = logged.pairs.iter().position(|record| !record.is_legal()) {
        return Err(damaged(at + 2, LineError::Illegal.to_string()));
    }
    Ok(logged)
}

/// Whether a text without the end of its first line is the beginning of a log of this tournament, begun on whatever day.
fn is_begun(text: &[u8], header: &[u8], origin: &TournamentOrigin) -> bool {
    const DATED: &[u8] = br#"{"tournament":1,"date":""#;
    let common = DATED.len().min(text.len());
    let of_another_day = origin.date.is_some() && text[..common] == DATED[..common];
    of_another_day || header.starts_with(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A log of these engines with these lines, linked as they are written.
    fn log(schedule: &str, names: &[&str], lines: &[String]) -> Vec<u8> {
        let side =
            |name: &&str| format!(r#"{{"name":"{name}","player":"a","build":null,"options":[],"limits":"10 nodes"}}"#);
        let sides: Vec<String> = names.iter().map(side).collect();
        let first = format!(
            r#"{{"tournament":1,"schedule":{schedule},"sides":[{}],"book":"b","book_digest":"00","openings":3,"plies":null,"seed":1,"rules":{{"time_margin_ms":20}}}}"#,
            sides.join(",")
        );
        let mut chain = Chain::new(first.as_bytes());
        let lines: String = lines.iter().map(|line| chain.link(line) + "\n").collect();
        format!("{first}\n{lines}").into_bytes()
    }

    fn pair(number: u64, players: &str) -> String {
        let game = r#"{"result":"1-0","end":"mate","moves":"e2e4","said":"//"}"#;
        format!(r#"{{{players}"pair":{number},"games":[{game},{game}]}}"#)
    }

    #[test]
    fn a_pair_is_of_the_engines_whose_turn_it_is() {
        let read = |second: &str| {
            let lines = [pair(1, r#""players":["a","b"],"#), pair(2, second), pair(3, r#""players":["b","c"],"#)];
            let logged = LoggedTournament::read(&log(r#""round-robin""#, &["a", "b", "c"], &lines)).expect("a log");
            (logged.pairs.len(), logged.damage)
        };
        for whole in [r#""players":["a","c"],"#, r#""players": [ "a", "c" ],"#, ""] {
            assert_eq!(read(whole), (3, None), "{whole}");
        }
        for (other, found) in
            [(r#""players":["c","a"],"#, r#""c" and "a""#), (r#""players":["a","x"],"#, r#""a" and "x""#)]
        {
            let said = format!(r#"expected a pair of "a" and "c", found one of {found}"#);
            assert_eq!(read(other), (1, Some((3, said))));
        }
    }

    #[test]
    fn engines_that_play_no_tournament_have_no_log() {
        let refused = |schedule: &str, names: &[&str]| match LoggedTournament::read(&log(schedule, names, &[])) {
            Err(LoggedError::Setup(what)) => what,
            other => panic!("{other:?}"),
        };
        let round = r#""round-robin""#;
        assert_eq!(refused(round, &["a", "b", "a"]), r#"two engines are called "a""#);
        assert_eq!(refused(round, &["a"]), "nobody plays in a round robin with 1 engine");
        assert!(refused(r#"{"gauntlet":{"seeds":9}}"#, &["a", "b"]).starts_with("nobody plays in a gauntlet of"));
        let many: Vec<String> = (0..1000).map(|number| number.to_string()).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert_eq!(refused(round, &many), "499,500 pairings of engines: expected at most 200,000");
        assert!(LoggedTournament::read(&log(r#"{"gauntlet":{"seeds":1}}"#, &many, &[])).is_ok());
    }
}
