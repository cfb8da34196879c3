//! What a run must report of its inputs, so that nothing is left out in silence.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::PathBuf;

use super::evals::EvalDoubts;
use super::input::{Input, Packing};
use super::odd_words::OddWords;
use super::reading::{Account, ReadInput};
use drawish_artefact::provenance::Digest;
use drawish_stats::numbers::{counted, grouped};

/// The inputs of a run that were not read to a good end. The others are.
#[derive(Clone, Debug, Default)]
pub struct InputProblems {
    /// Inputs that could not be read to their end. Their games before the break are used.
    pub broken: Vec<BrokenInput>,
    /// Inputs with the content of another one, named second, compressed differently or not; they were therefore left out.
    pub repeated: Vec<(Input, String)>,
    /// Inputs that can be read only once, such as standard input, which turned out to have the content of another one, named
    /// second. Their games are used twice.
    pub used_twice: Vec<(Input, String)>,
    /// What inputs that hold games contain, with the first that does.
    contents: HashMap<Digest, String>,
    /// Inputs that could be read, but hold no game.
    pub without_games: Vec<Input>,
    /// Inputs with games that the text before them had swallowed, and how many: they were found again and are used, but the games
    /// before them are not whole.
    pub swallowed: Vec<(Input, u64)>,
    /// Inputs that could be read, but end in the middle of a game, or of one without its result. What is there is used.
    pub unfinished: Vec<Input>,
    /// Inputs with words that look like moves and are none. They are passed over, so that what stands behind them is counted wrong.
    pub odd_words: Vec<(Input, OddWords)>,
    /// Inputs with evaluations, and what speaks against how they were read.
    pub evals: Vec<(Input, EvalDoubts)>,
    /// Archives with members that are not files of games, and those members.
    pub passed_over: Vec<(PathBuf, Vec<PathBuf>)>,
}

/// How the text of an input has ended, and what was odd in it.
pub(crate) struct InputEnding {
    pub broken: Option<String>,
    pub ends_whole: bool,
    pub rescued: u64,
}

/// An input that could not be read to its end.
#[derive(Clone, Debug)]
pub struct BrokenInput {
    /// Which one.
    pub input: Input,
    /// Why.
    pub reason: String,
    /// How many games stand before the break.
    pub games: u64,
}

/// Of so many inputs the same is said one by one.
const MOST_SHOWN: usize = 5;

/// What is said of inputs, where thousands may have the same but for its numbers, as those of a game each.
fn without_repetition<'a>(said: impl Iterator<Item = (&'a Input, String)>) -> Vec<String> {
    let mut lines = Vec::new();
    let mut kinds: Vec<(String, &Input, usize)> = Vec::new();
    for (input, line) in said {
        let kind = line.replace(|letter: char| letter.is_ascii_digit() || letter == ',', "");
        let count = match kinds.iter_mut().find(|(known, ..)| *known == kind) {
            Some((.., count)) => {
                *count += 1;
                *count
            }
            None => {
                kinds.push((kind, input, 1));
                1
            }
        };
        if count <= MOST_SHOWN {
            lines.push(format!("{input}: {line}"));
        }
    }
    let more = |count: usize| counted((count - MOST_SHOWN) as u64, "more input");
    let rest = kinds.iter().filter(|(.., count)| *count > MOST_SHOWN);
    lines.extend(rest.map(|(_, first, count)| format!("{}: the same as of {first}, with other numbers", more(*count))));
    lines
}

impl InputProblems {
    /// What there is to say of each input, a line for each. `used` is what becomes of games: "counted".
    #[must_use]
    pub fn lines(&self, used: &str) -> Vec<String> {
        let broken = self.broken.iter().map(|BrokenInput { input, reason, games }| match games {
            0 => format!("{input}: {reason}; none of it is {used}"),
            _ => format!(
                "{input}: {reason} after game {}; what stands before it is {used}, the rest is not: repair the file and start again",
                grouped(*games)
            ),
        });
        let repeated = self
            .repeated
            .iter()
            .map(|(input, original)| format!("{input}: the same content as {original}, not {used} again"));
        let twice = self.used_twice.iter().map(|(input, original)| {
            format!("{input}: the same content as {original}, so that its games are {used} twice: give it once, and start again")
        });
        let without_games = self.without_games.iter().map(|input| format!("{input}: {}", input.why_no_game()));
        let swallowed = self.swallowed.iter().map(|(input, games)| {
            format!(
                "{input}: {} game{} had been swallowed by the one before: an unclosed comment or variation, or no result; found again and {used} where the rule allows, but the games before are not whole: mend the file",
                grouped(*games),
                if *games == 1 { "" } else { "s" },
            )
        });
        let unfinished = self.unfinished.iter().map(|input| {
            format!("{input}: the text ends in the middle of a game, or without its result; if the file is cut, get the rest")
        });
        let odd_words = self.odd_words.iter().map(|(input, OddWords { count, first, looked_at })| {
            let others = if *count > 1 { format!(" and {} more", grouped(*count - 1)) } else { String::new() };
            let within = grouped(looked_at.div_ceil(1000));
            format!(
                "{input}: {first:?}{others} in the {within} kB that were looked through for such words: no moves as the standard writes them, so they are passed over, and what stands behind them is {used} wrongly: rewrite the file, for example with pgn-extract"
            )
        });
        let evals =
            self.evals.iter().flat_map(|(input, doubts)| doubts.lines().into_iter().map(move |line| (input, line)));
        let evals = without_repetition(evals);
        // A file per game says little by itself.
        let quiet: Vec<EvalDoubts> =
            self.evals.iter().map(|(_, doubts)| *doubts).filter(|doubts| doubts.lines().is_empty()).collect();
        let mut sum = EvalDoubts::default();
        quiet.iter().for_each(|doubts| sum += *doubts);
        let inputs = quiet.len() as u64;
        let together = sum
            .lines()
            .into_iter()
            .map(|line| format!("{} with too little evidence each, together: {line}", counted(inputs, "input")));
        let passed_over = self.passed_over.iter().filter_map(|(archive, members)| {
            let [first, others @ ..] = &members[..] else { return None };
            let others = match others.len() {
                0 => String::new(),
                count => format!(" and {} other members", grouped(count as u64)),
            };
            let (archive, first) = (archive.display(), first.display());
            Some(format!("{archive}: {first}{others} passed over: not PGN files, hidden, or replaced by later members"))
        });
        broken
            .chain(repeated)
            .chain(twice)
            .chain(without_games)
            .chain(swallowed)
            .chain(unfinished)
            .chain(odd_words)
            .chain(evals)
            .chain(together)
            .chain(passed_over)
            .collect()
    }

    /// Whether games are missing or not whole: an input is broken, swallowed games, or has bytes but no game.
    #[must_use]
    pub fn is_failure(&self) -> bool {
        !self.broken.is_empty()
            || !self.used_twice.is_empty()
            || !self.swallowed.is_empty()
            || self.without_games.iter().any(|input| !input.is_empty())
    }

    /// Leaves out inputs with the same content as one before, compressed in whatever way.
    ///
    /// Of each input the beginning is read, of those that begin alike all.
    #[must_use]
    pub fn leave_out_copies(&mut self, inputs: Vec<Input>) -> Vec<Input> {
        let suspects = suspects(&inputs);
        let mut seen: HashMap<u128, String> = HashMap::new();
        let mut kept = Vec::new();
        for (input, is_suspect) in inputs.into_iter().zip(suspects) {
            let content = is_suspect.then(|| input.content(u64::MAX)).flatten().map(|(content, _)| content);
            match content.and_then(|content| seen.get(&content).cloned()) {
                Some(original) => self.repeated.push((input, original)),
                None => {
                    if let Some(content) = content {
                        seen.insert(content, input.to_string());
                    }
                    kept.push(input);
                }
            }
        }
        kept
    }

    /// Notes how an input has ended.
    pub fn note<A: Account>(&mut self, read: &ReadInput<A>) {
        let ReadInput { broken, ends_whole, anomalies, .. } = read;
        let end = InputEnding { broken: broken.clone(), ends_whole: *ends_whole, rescued: anomalies.rescued_games };
        let games = read.account.games();
        if games > 0 {
            match self.contents.entry(read.unpacked.unwrap_or(read.digest)) {
                Entry::Occupied(original) => self.used_twice.push((read.input.clone(), original.get().clone())),
                Entry::Vacant(place) => drop(place.insert(read.input.to_string())),
            }
        }
        if games > 0 {
            self.note_odd_words(&read.input, &read.odd_words);
        }
        self.note_end(&read.input, end, games);
    }

    /// Notes what was found of the evaluations of an input, or of its next chunk.
    pub(crate) fn note_evals(&mut self, input: &Input, doubts: EvalDoubts) {
        match self.evals.last_mut() {
            Some((last, known)) if last == input => *known += doubts,
            _ if doubts.is_empty() => {}
            _ => self.evals.push((input.clone(), doubts)),
        }
    }

    /// Notes the odd words of an input with games, if it has any.
    pub(crate) fn note_odd_words(&mut self, input: &Input, words: &OddWords) {
        if words.count > 0 {
            self.odd_words.push((input.clone(), words.clone()));
        }
    }

    /// The same as [`note`](Self::note) of an input that an earlier run has read.
    pub(crate) fn note_end(&mut self, input: &Input, end: InputEnding, games: u64) {
        let InputEnding { broken, ends_whole, rescued } = end;
        if let Input::Member(member) = input
            && !member.passed_over().is_empty()
            && self.passed_over.iter().all(|(archive, _)| archive != member.archive())
        {
            self.passed_over.push((member.archive().to_owned(), member.passed_over().to_vec()));
        }
        if rescued > 0 {
            self.swallowed.push((input.clone(), rescued));
        }
        if let Some(reason) = broken {
            self.broken.push(BrokenInput { input: input.clone(), reason, games });
        } else if games == 0 {
            self.without_games.push(input.clone());
        } else if !ends_whole {
            self.unfinished.push(input.clone());
        }
    }
}

/// Which inputs could have the content of another one: those that begin as another one does, unless both are plain and not of
/// one length.
fn suspects(inputs: &[Input]) -> Vec<bool> {
    /// Enough for the tags and first moves of a game, and little to unpack.
    const BEGINNING: u64 = 4 << 10;
    if inputs.len() < 2 {
        return vec![false; inputs.len()];
    }
    // A pipe has no length, and its bytes can be read only once.
    let beginnings: Vec<Option<(u128, Option<u64>)>> = inputs
        .iter()
        .map(|input| {
            let length = input.len().filter(|length| *length > 0)?;
            let (beginning, packing) = input.content(BEGINNING)?;
            Some((beginning, (packing == Packing::None).then_some(length)))
        })
        .collect();
    let mut alike: HashMap<u128, HashMap<Option<u64>, usize>> = HashMap::new();
    for &(beginning, length) in beginnings.iter().flatten() {
        *alike.entry(beginning).or_default().entry(length).or_default() += 1;
    }
    let is_suspect = |&(beginning, length): &(u128, Option<u64>)| {
        let lengths = &alike[&beginning];
        lengths[&length] > 1 || (lengths.len() > 1 && lengths.contains_key(&None))
    };
    beginnings.iter().map(|found| found.as_ref().is_some_and(is_suspect)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ending(broken: Option<&str>) -> InputEnding {
        InputEnding { broken: broken.map(str::to_owned), ends_whole: true, rescued: 0 }
    }

    #[test]
    fn what_is_used_of_a_broken_input_is_said() {
        let mut problems = InputProblems::default();
        let input = |name: &str| Input::File(PathBuf::from(name));
        problems.note_end(&input("a.pgn"), ending(Some("it is cut")), 0);
        problems.note_end(&input("b.pgn"), ending(Some("it is cut")), 1200);
        let lines = [
            "a.pgn: it is cut; none of it is counted",
            "b.pgn: it is cut after game 1,200; what stands before it is counted, the rest is not: repair the file and start again",
        ];
        assert_eq!(problems.lines("counted"), lines);
        assert!(problems.is_failure());
    }

    #[test]
    fn an_input_without_games_is_a_failure_unless_it_is_empty() {
        let place = tempfile::tempdir().expect("a directory");
        for (name, text, is_failure) in [("a.pgn", "", false), ("b.pgn", "no game", true)] {
            let path = place.path().join(name);
            std::fs::write(&path, text).expect("a file");
            let mut problems = InputProblems::default();
            problems.note_end(&Input::File(path), ending(None), 0);
            assert_eq!((problems.without_games.len(), problems.is_failure()), (1, is_failure), "{name}");
        }
    }

    /// Broadcasts come as a file per game.
    #[test]
    fn inputs_that_say_little_are_judged_together() {
        let doubts =
            |of_white| EvalDoubts { pairs: [[of_white, 9 - of_white], [0; 2], [0; 2]], ..EvalDoubts::default() };
        let lines = |all: &[u64]| {
            let mut problems = InputProblems::default();
            for (at, &of_white) in all.iter().enumerate() {
                problems.note_evals(&Input::File(PathBuf::from(format!("{at}.pgn"))), doubts(of_white));
            }
            problems.lines("counted")
        };
        assert!(lines(&[9]).is_empty() && lines(&[9, 0, 0]).is_empty());
        let said = lines(&[9, 8, 2]);
        assert!(said[0].starts_with("3 inputs with too little evidence each, together: 19 of 27 pairs"), "{said:?}");
        // Nor do thousands that say the same.
        let mut problems = InputProblems::default();
        let doubts = EvalDoubts { placeholders: 15, ..EvalDoubts::default() };
        (0..1000).for_each(|at| problems.note_evals(&Input::File(PathBuf::from(format!("{at}.pgn"))), doubts));
        let said = problems.lines("counted");
        assert_eq!((said.len(), &*said[5]), (6, "995 more inputs: the same as of 0.pgn, with other numbers"));
    }

    #[test]
    fn copies_are_left_out() {
        let place = tempfile::tempdir().expect("a directory");
        let put = |name: &str, text: &str| {
            let path = place.path().join(name);
            std::fs::write(&path, text).expect("a file");
            Input::File(path)
        };
        let (first, copy, other) = (put("a.pgn", "1. e4 *"), put("b.pgn", "1. e4 *"), put("c.pgn", "1. d4 *"));
        let mut problems = InputProblems::default();
        assert_eq!(problems.leave_out_copies(vec![first.clone(), copy.clone()]), std::slice::from_ref(&first));
        assert_eq!(problems.repeated, [(copy, first.to_string())]);
        assert_eq!(problems.leave_out_copies(vec![first.clone(), other.clone()]), [first.clone(), other]);
        assert_eq!(problems.leave_out_copies(vec![first.clone()]), [first]);
    }

    #[test]
    fn what_an_archive_holds_besides_is_said_once() {
        let place = tempfile::tempdir().expect("a directory");
        let mut archives = Vec::new();
        for name in ["a.tar", "b.tar"] {
            let mut builder = tar::Builder::new(Vec::new());
            for member in ["1.pgn", "2.pgn", "notes.txt"] {
                let mut header = tar::Header::new_gnu();
                header.set_size(0);
                builder.append_data(&mut header, member, &b""[..]).expect("a member");
            }
            archives.push(place.path().join(name));
            std::fs::write(place.path().join(name), builder.into_inner().expect("an archive")).expect("a file");
        }
        let inputs = crate::pgn::expand_inputs(&archives).expect("inputs");
        assert_eq!(inputs.len(), 4);
        let mut problems = InputProblems::default();
        inputs.iter().for_each(|input| problems.note_end(input, ending(None), 1));
        let expected = archives.into_iter().map(|archive| (archive, vec![PathBuf::from("notes.txt")]));
        assert_eq!(problems.passed_over, expected.collect::<Vec<_>>());
    }
}
