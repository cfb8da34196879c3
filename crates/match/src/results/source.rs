//! One source of results: what it is, and the results in it.

use std::io::{self, Read};

use twox_hash::XxHash3_128;

use super::by_opening::Met;
use super::copies::Seen;
use super::shared::Prints;
use super::{
    Choice, GamesError, NamedTest, Remark, ResultsError, Run, Source, TestPlace, games, of_tournament, printed,
};
use crate::arena::{Conducts, Course, Logged};
use drawish_artefact::Kind;
use drawish_artefact::provenance::in_comment;
use drawish_games::pgn::Input;
use drawish_stats::{Counted, PrintedError, Results, plain_text, read_printed};

/// So much of a file tells whether it holds games.
const HEAD: u64 = 4096;
/// So games begin.
const EVENT: &[u8] = b"[Event \"";
/// Longer texts than this are no results that anybody has printed; all of it is held in memory.
const LONGEST_TEXT: u64 = 128 << 20;
/// The same of logs of matches: a million games with their moves have about this length.
const LONGEST_LOG: u64 = 1 << 30;

/// What is read, with its hash: of packed files what they hold.
struct Hashed<R> {
    source: R,
    hash: XxHash3_128,
}

impl<R: Read> Read for Hashed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.source.read(buffer)?;
        self.hash.write(&buffer[..len]);
        Ok(len)
    }
}

/// Reads a source with its number, which may be `beside` others; of a file also the digest of what it holds.
pub(super) fn read(
    source: &Source,
    number: usize,
    choice: &Choice,
    beside: bool,
    seen: &mut Seen,
) -> Result<(Run, Option<u128>), ResultsError> {
    let name = || if beside { format!("result {number}") } else { "these results".to_owned() };
    match source {
        Source::Text(text) => Ok((choice.of_two(printed::read(name(), text)?)?, None)),
        Source::Counts(counted) => Ok((choice.of_two(Run::of_counts(name(), *counted))?, None)),
        Source::Input(input) => read_input(input, choice, beside, seen),
    }
}

fn read_input(
    input: &Input,
    choice: &Choice,
    beside: bool,
    seen: &mut Seen,
) -> Result<(Run, Option<u128>), ResultsError> {
    let name = input.to_string();
    let unreadable = |cause| ResultsError::Unreadable { name: name.clone(), cause };
    let mut open = Hashed { source: input.open().map_err(unreadable)?, hash: XxHash3_128::new() };
    let mut head = Vec::new();
    open.by_ref().take(HEAD).read_to_end(&mut head).map_err(unreadable)?;
    let first = head.windows(EVENT.len()).position(|window| window == EVENT);
    let run = if first.is_some() || Kind::of(&head) == Some(Kind::Pgn) {
        let above = printed_above(&head[..first.unwrap_or_default()]);
        let mut run =
            games::read(&name, io::Cursor::new(head).chain(&mut open), choice, seen).map_err(|error| match error {
                GamesError::Io(cause) => unreadable(cause),
                cause => ResultsError::Games { name: name.clone(), cause },
            })?;
        run.remarks.extend(above);
        run
    } else {
        let mut text = head;
        let is_log = text.trim_ascii_start().starts_with(b"{");
        let longest = if is_log { LONGEST_LOG } else { LONGEST_TEXT };
        open.by_ref().take(longest + 1 - text.len() as u64).read_to_end(&mut text).map_err(unreadable)?;
        if text.len() as u64 > longest {
            return Err(ResultsError::TooLong { name, mebibytes: longest >> 20 });
        }
        match Kind::of(&text) {
            Some(Kind::MatchLog) => choice.of_two(log(name.clone(), &text, beside)?)?,
            Some(Kind::TournamentLog) => of_tournament::read(&name, &text, choice)?,
            Some(kind) => return Err(ResultsError::OtherKind { name, what: kind.uses() }),
            None => choice.of_two(printed::read(name.clone(), &String::from_utf8_lossy(&text))?)?,
        }
    };
    let digest = (open.source.file_bytes() > 0).then(|| open.hash.finish_128());
    Ok((run, digest))
}

/// What is printed of results above games.
fn printed_above(text: &[u8]) -> Option<Remark> {
    let games = match read_printed(&plain_text(&String::from_utf8_lossy(text))) {
        Ok(found) => Counted::results(&[found.counted], false).ok()?.first().map(Results::games),
        // Such numbers are written for other things, too.
        Err(
            PrintedError::Nothing
            | PrintedError::Pairs { .. }
            | PrintedError::Unnamed { .. }
            | PrintedError::Count { .. }
            | PrintedError::Unclear { .. },
        ) => return None,
        Err(_) => None,
    };
    Some(Remark::PrintedAbove(games))
}

fn log(name: String, text: &[u8], beside: bool) -> Result<Run, ResultsError> {
    let logged = Logged::read(text).map_err(|cause| ResultsError::Log { name: name.clone(), cause })?;
    if let Some((line, what)) = logged.damage {
        return Err(ResultsError::Damaged { name, line, what });
    }
    let course = Course::of(&logged.pairs);
    let sides = logged.setup.sides.each_ref().map(|side| in_comment(&side.name));
    let names = sides.each_ref().map(String::as_str);
    let prints = Prints::of_pairs(logged.pairs.iter().map(|pair| (pair, names)), names[0]);
    let mut conducts = Conducts::default();
    conducts.add_pairs(logged.pairs.iter().map(|pair| (pair, names)));
    let mut met = Met::default();
    // Alone it has one opponent.
    let pairs = logged.pairs.iter().filter(|_| beside);
    pairs.for_each(|pair| met.add(names[1], pair.opening_print(), pair.score()));
    Ok(Run {
        sides: Some(sides),
        test: logged.origin.test.map(|sprt| NamedTest { sprt, place: TestPlace::Log }),
        remarks: logged
            .is_cut
            .then_some(Remark::Cut)
            .into_iter()
            .chain(conducts.noted().map(Remark::Conduct))
            .collect(),
        met,
        prints,
        course: Some(course.clone()),
        engines: logged.setup.sides.to_vec(),
        setup: Some(logged.setup),
        ..Run::of_counts(name, course.counted())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As in a mail that gives a game beside its result.
    #[test]
    fn results_above_games_are_named() {
        let above = "Results of new vs old (10+0.1):\nGames: 100, Wins: 10, Losses: 5, Draws: 85\n\nFirst game:\n";
        let remark = printed_above(above.as_bytes()).expect("a remark");
        assert_eq!(
            remark.to_string(),
            "printed results (100 games) stand above the games of this text and are not counted; to count them, give them alone"
        );
        let two = format!("{above}\n{}", above.replace("100,", "60,").replace("85", "45"));
        let remark = printed_above(two.as_bytes()).expect("a remark");
        assert!(remark.to_string().starts_with("printed results stand above"), "{remark}");
        for text in ["", "% cutechess 1.3\n; 12 games\n", "{new against old: 10 games of 2022-03-01}\n\n"] {
            assert_eq!(printed_above(text.as_bytes()), None, "{text}");
        }
    }
}
