//! A command line of fastchess or cutechess-cli, read as a match or a tournament of this crate.
//!
//! What such a command line asks for and a [`Contest`] or a [`Tournament`] cannot do is refused by its name, with what to do instead: nothing of it is
//! passed over in silence. See [`CommandLine::read`].

// What a file holds must not wrap.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss))]

mod engines;
mod error;
mod options;
mod words;

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::PathBuf;

pub use self::error::CommandLineError;
use self::options::Draft;
use crate::arena::{BookRule, Order, Rules};
use crate::contest::{Contest, Engine, Heading, Openings, Terms};
use crate::tournament::{Schedule, Tournament};

/// Rounds of a test for which none are given, as fastchess has them.
const ROUNDS_OF_A_TEST: u64 = 500_000;

/// What a command line asks for.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CommandLine {
    /// What is played. Its log is that of `-config`, if there is one: see [`Contest::default_log`].
    pub asked: Asked,
    /// Pairs after which the score is printed, by `-ratinginterval`; 0: not at all.
    pub interval: Option<u64>,
    /// Where the dialogue with engines is to be written down, by `-log`: the file is for the caller to open, see
    /// [`Terms::engine_log`](crate::contest::Terms::engine_log).
    pub engine_log: Option<EngineLogFile>,
}

/// What `-log` says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineLogFile {
    /// The file.
    pub path: PathBuf,
    /// Whether it may hold lines already.
    pub append: bool,
}

/// A match, or a tournament if there are more than two engines.
#[derive(Clone, Debug)]
pub enum Asked {
    /// A match of two engines.
    Match(Box<Contest>),
    /// A tournament.
    Tournament(Box<Tournament>),
}

impl CommandLine {
    /// Reads the words of a command line, without the name of the program.
    ///
    /// Defaults are those of fastchess: openings in the order of the book, one game at a time, no time margin, and the first crash
    /// or stall ends the match unless `-recover` is given. Openings begin again with the first when there are fewer than rounds.
    /// What `-each` says replaces what is said of an engine itself, as both runners have it. `-config outname=FILE` names the log of the match, and
    /// `-config file=FILE` or `-resume` goes on with it, with the same words.
    ///
    /// ```
    /// use drawish_match::fastchess::{Asked, CommandLine};
    ///
    /// let words = "-engine cmd=./new name=new -engine cmd=./old name=old -each tc=8+0.08 option.Hash=16 -rounds 500 -repeat \
    ///              -openings file=book.epd format=epd order=random -sprt elo0=0 elo1=3 alpha=0.05 beta=0.05 -concurrency 2";
    /// let read = CommandLine::read(words.split_whitespace().map(str::to_owned))?;
    /// let Asked::Match(contest) = read.asked else { panic!("two engines") };
    /// assert_eq!(contest.terms.pairs, Some(500));
    /// # Ok::<(), drawish_match::fastchess::CommandLineError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The first word that is not understood, or cannot be done.
    pub fn read(words: impl IntoIterator<Item = String>) -> Result<CommandLine, CommandLineError> {
        let mut draft = Draft::default();
        let mut taken = BTreeMap::new();
        for option in words::options(words)? {
            let is_of_engines = matches!(option.name.as_str(), "engine" | "each");
            match taken.insert(option.name.clone(), option.words.clone()).filter(|_| !is_of_engines) {
                // Frameworks add to a line what it has already.
                Some(before) if before == option.words => {}
                Some(_) => return Err(CommandLineError::Twice { option: option.option() }),
                None => draft.take(&option)?,
            }
        }
        draft.command_line()
    }
}

impl Draft {
    /// What has been gathered as a match.
    fn command_line(self) -> Result<CommandLine, CommandLineError> {
        let (engines, time_margin) = self.engines()?;
        if let (false, Some(seeds)) = (self.gauntlet, self.seeds) {
            let advice = "only -tournament gauntlet has seeds: say so, or leave it out";
            return Err(CommandLineError::Refused { word: format!("-seeds {seeds}"), advice });
        }
        let pairs = self.pairs()?;
        let file = self.openings.file.ok_or(CommandLineError::Missing {
            option: "-openings file=",
            why: "without openings all games of two engines are alike; name a file of EPD or PGN, or say file=random:8",
        })?;
        let rule = BookRule { plies: self.openings.plies, castling: self.castling, band: None };
        let openings =
            Openings::named(file, rule).map_err(|error| words::value("-openings", &error.word, &error.expected))?;
        let mut terms = Terms::new(openings);
        terms.seed = self.seed;
        terms.order = self.openings.order.unwrap_or(Order::Sequential);
        terms.passed_over = self.openings.start.unwrap_or(1) - 1;
        terms.pairs = Some(pairs);
        terms.repeat_openings = true;
        terms.rules = Rules { resign: self.resign, draw: self.draw, max_moves: self.max_moves, time_margin };
        terms.syzygy = self.syzygy;
        terms.syzygy_men = self.syzygy_men;
        terms.cores = self.cores;
        terms.workers = Some(self.workers.unwrap_or(NonZeroUsize::MIN));
        terms.writing = self.writing;
        terms.fault_limit = if self.recover { u64::MAX } else { 0 };
        let heading = Heading { event: self.event, site: self.site, ..Heading::default() };
        let asked = match <[Engine; 2]>::try_from(engines) {
            Ok(engines) => {
                let mut contest = Contest::with_terms(engines, terms);
                (contest.sprt, contest.untested) = (self.sprt, self.untested);
                (contest.log, contest.resume, contest.pgn) = (self.log, self.resume, self.pgn);
                (contest.final_positions, contest.heading) = (self.final_positions, heading);
                contest.check()?;
                Asked::Match(Box::new(contest))
            }
            Err(engines) => {
                if self.sprt.is_some() {
                    let advice = "a test judges two engines: leave it out, or play a match";
                    return Err(CommandLineError::Refused { word: "-sprt".to_owned(), advice });
                }
                let mut tournament = Tournament::with_terms(engines, terms);
                tournament.schedule = match (self.gauntlet, self.seeds) {
                    (false, _) => Schedule::RoundRobin,
                    (true, seeds) => Schedule::Gauntlet { seeds: seeds.unwrap_or(NonZeroUsize::MIN) },
                };
                (tournament.log, tournament.resume, tournament.pgn) = (self.log, self.resume, self.pgn);
                (tournament.final_positions, tournament.heading) = (self.final_positions, heading);
                tournament.check()?;
                Asked::Tournament(Box::new(tournament))
            }
        };
        Ok(CommandLine { asked, interval: self.interval, engine_log: self.engine_log })
    }

    /// Whether openings are made, as many as there are rounds, and not read.
    fn has_random_openings(&self) -> bool {
        let file = self.openings.file.clone().map(|file| Openings::named(file, BookRule::default()));
        matches!(file, Some(Ok(Openings::Random(_))))
    }

    /// The pairs to play: `-rounds 500 -games 2 -repeat` and, as cutechess-cli has it, `-games 1000 -repeat`.
    fn pairs(&self) -> Result<u64, CommandLineError> {
        let games = self.games.unwrap_or(2);
        if games == 0 || !games.is_multiple_of(2) {
            return Err(CommandLineError::Refused {
                word: format!("-games {games}"),
                advice: "every opening is played twice, with both colours: say -games 2 -repeat",
            });
        }
        let rounds = match (self.rounds, &self.sprt) {
            (Some(0), _) => Err(words::value("-rounds", "0", "a whole number above 0")),
            (Some(rounds), _) => Ok(rounds),
            (None, _) if games > 2 => Ok(1),
            (None, Some(_)) if self.has_random_openings() => Err(CommandLineError::Missing {
                option: "-rounds",
                why: "random openings are made before the first game: say how many pairs to play at most, as in -rounds 20000",
            }),
            (None, Some(_)) => Ok(ROUNDS_OF_A_TEST),
            (None, None) => {
                Err(CommandLineError::Missing { option: "-rounds", why: "say how many pairs of games to play" })
            }
        };
        Ok(rounds?.saturating_mul(games / 2))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::arena::{DrawRule, Figure, Resign};
    use crate::contest::{Plays, Writing};

    fn read_any(line: &str) -> CommandLine {
        CommandLine::read(line.split_whitespace().map(str::to_owned)).unwrap_or_else(|error| panic!("{line}: {error}"))
    }

    fn read(line: &str) -> (Contest, Option<u64>) {
        match read_any(line) {
            CommandLine { asked: Asked::Match(contest), interval, .. } => (*contest, interval),
            other => panic!("{line}: {other:?}"),
        }
    }

    /// As a worker of a testing framework writes it: all options of one engine in a row, adjudication, an offset into the book.
    #[test]
    fn the_line_of_a_worker() {
        let (contest, interval) = read(
            "-recover -repeat -games 2 -rounds 1250 -tournament gauntlet -concurrency 3 -srand 4711 -ratinginterval 10 \
             -pgnout file=games.pgn -site https://tests.example/42 -event Batch 7: new vs old \
             -resign movecount=3 score=600 -draw movenumber=34 movecount=8 score=20 -variant fischerandom \
             -engine name=new tc=0:10+0.1 cmd=./new option.Threads=1 option.Hash=16 \
             -engine name=old tc=40/1:00 cmd=./old option.Hash=16 option.hash=8 \
             -openings file=book.epd format=epd order=random start=101 plies=16 -each proto=uci option.Ponder=false",
        );
        assert_eq!(interval, Some(10));
        let [new, old] = &contest.engines;
        assert_eq!(
            (new.name.as_str(), new.limits.to_string(), old.limits.to_string()),
            ("new", "10+0.1".into(), "40/60".into())
        );
        assert_eq!(old.options().first(), Some(&("hash".to_owned(), "8".to_owned())));
        let terms = &contest.terms;
        assert_eq!(
            (terms.pairs, terms.seed, terms.passed_over, terms.order),
            (Some(1250), Some(4711), 100, Order::Random)
        );
        assert_eq!((terms.workers.map(NonZeroUsize::get), terms.fault_limit), (Some(3), u64::MAX));
        assert!(terms.repeat_openings && terms.rules.time_margin == Duration::ZERO);
        assert_eq!(terms.rules.resign, Some(Resign { moves: 3, score: 600, two_sided: false }));
        assert_eq!(terms.rules.draw, Some(DrawRule { from_move: 34, moves: 8, score: 20 }));
        assert_eq!(contest.heading.event.as_deref(), Some("Batch 7: new vs old"));
        assert_eq!((contest.pgn, contest.log), (Some("games.pgn".into()), None));
    }

    /// As cutechess-cli has it: games in all, a file behind `-pgnout`, arguments one by one, the first engine by its directory.
    #[test]
    fn the_line_of_the_older_runner() {
        let (contest, _) = read(
            "-engine dir=engines/ cmd=./new arg=--quiet arg=x depth=9 timemargin=50 -engine cmd=old plies=9 timemargin=50 restart=on \
             -games 1000 -repeat -sprt elo0=0 elo1=5 alpha=0.05 beta=0.1 -pgnout games.pgn -tb /tb/one:/tb/two -tbpieces 5 \
             -openings file=book.pgn order=sequential -outcomeinterval 10",
        );
        let terms = &contest.terms;
        assert_eq!((terms.pairs, terms.syzygy.len(), terms.syzygy_men), (Some(500), 2, Some(5)));
        assert_eq!((terms.fault_limit, terms.rules.time_margin), (0, Duration::from_millis(50)));
        let [Plays::Program(new), Plays::Program(old)] = contest.engines.each_ref().map(|engine| &engine.plays) else {
            panic!("programs")
        };
        assert_eq!((new.args.join(" "), old.restart), ("--quiet x".to_owned(), true));
        assert_eq!(contest.sprt.map(|sprt| sprt.bounds()), Some([0.0, 5.0]));
        assert_eq!(contest.pgn, Some("games.pgn".into()));
        let (contest, _) =
            read("-engine cmd=new -engine cmd=old -each nodes=9 -rounds 2 -openings file=book.pgn -tb /tb -tbpieces 0");
        assert_eq!(contest.terms.syzygy_men, None, "none is no limit");
    }

    /// Both runners set what `-each` says last, wherever it stands.
    #[test]
    fn what_is_said_of_each_replaces_what_is_said_of_an_engine() {
        let engines = "-engine cmd=a tc=20+0.2 option.Hash=16 restart=on -engine cmd=b -openings file=x -rounds 1";
        let each = "-each tc=10+0.1 option.hash=8";
        for line in [format!("{engines} {each}"), format!("{each} {engines}")] {
            let (contest, _) = read(&line);
            let [one, two] = &contest.engines;
            assert_eq!((one.limits.to_string(), two.limits.to_string()), ("10+0.1".into(), "10+0.1".into()), "{line}");
            let Plays::Program(program) = &one.plays else { panic!("a program") };
            assert_eq!((program.options.as_slice(), program.restart), ([("hash".into(), "8".into())].as_slice(), true));
        }
    }

    /// A test ends by itself, so its rounds need not be said.
    #[test]
    fn a_test_without_rounds() {
        let line =
            "-engine cmd=a -engine cmd=b -each st=0.1 -openings file=x -sprt elo0=0 elo1=5 -config outname=my.jsonl";
        let (contest, _) = read(line);
        assert_eq!((contest.terms.pairs, contest.resume), (Some(ROUNDS_OF_A_TEST), false));
        assert_eq!(contest.log, Some("my.jsonl".into()));
        // So many random openings would take minutes.
        let line = line.replace("file=x", "file=random:8");
        let error = CommandLine::read(line.split_whitespace().map(str::to_owned)).expect_err("refused").to_string();
        assert!(
            error.contains("-rounds") && error.contains("random openings are made before the first game"),
            "{error}"
        );
    }

    #[test]
    fn the_test_of_a_log_is_left_out() {
        let line = "-engine cmd=a -engine cmd=b -each st=0.1 -openings file=x -rounds 9";
        assert!(!read(line).0.untested);
        let (contest, _) = read(&format!("{line} -resume -sprt none"));
        assert!(contest.untested && contest.sprt.is_none());
        let wrong = format!("{line} -sprt elo0=0 elo1=5 model=pentanomial");
        let error = CommandLine::read(wrong.split_whitespace().map(str::to_owned)).expect_err("no model").to_string();
        assert!(error.contains("model=normalized, model=logistic or model=bayesian"), "{error}");
    }

    #[test]
    fn pondering_and_speeds_are_spelled_as_there() {
        let line = "-engine cmd=a -engine cmd=b -openings file=x -rounds 1 -each tc=5+0.1";
        for (word, ponders) in [("ponder", true), ("ponder=on", true), ("ponder=off", false), ("restart=on", false)] {
            let (contest, _) = read(&format!("{line} {word} -pgnout g.pgn nps={ponders}"));
            assert_eq!(contest.engines.each_ref().map(Engine::ponders), [ponders; 2], "{word}");
            assert_eq!(contest.terms.writing.figures.has(Figure::Nps), ponders);
        }
        for word in ["ponder nodes=9", "ponder depth=3", "ponder tc=inf st=1", "ponder=perhaps"] {
            let line = format!("{line} {word}");
            assert!(CommandLine::read(line.split_whitespace().map(str::to_owned)).is_err(), "{line}");
        }
    }

    #[test]
    fn games_are_written_as_there() {
        let writing = |words: &str| {
            let line = format!("-engine cmd=a -engine cmd=b -each tc=9 -openings file=x -rounds 1 -pgnout {words}");
            read(&line).0.terms.writing
        };
        assert_eq!(writing("file=g.pgn nodes=true pv=false timeleft=false"), Writing::default());
        assert_eq!(writing("g.pgn"), Writing::default());
        let all = writing("file=g.pgn nps=true hashfull=true tbhits=true timeleft=true latency=true append=true");
        assert!(Figure::ALL.into_iter().all(|figure| all.figures.has(figure)) && all.append && !all.brief);
        let some = writing("file=g.pgn latency=true nps=true nps=false");
        assert_eq!(some.figures, [Figure::Latency].into_iter().collect());
        // As cutechess-cli has it, too.
        for words in ["file=g.pgn min=true", "g.pgn min fi"] {
            assert!(writing(words).brief && !writing(words).append, "{words}");
        }
    }

    #[test]
    fn more_than_two_engines_are_a_tournament() {
        let engines =
            "-engine cmd=a -engine cmd=b -engine cmd=c -engine cmd=d -each nodes=9 -openings file=x -rounds 3 -games 2";
        let schedule = |more: &str| match read_any(&format!("{engines} {more}")).asked {
            Asked::Tournament(tournament) => (tournament.schedule, tournament.engines.len(), tournament.terms.pairs),
            Asked::Match(contest) => panic!("{contest:?}"),
        };
        let gauntlet = |seeds| Schedule::Gauntlet { seeds: NonZeroUsize::new(seeds).expect("above 0") };
        assert_eq!(schedule(""), (Schedule::RoundRobin, 4, Some(3)));
        assert_eq!(schedule("-tournament roundrobin").0, Schedule::RoundRobin);
        assert_eq!(schedule("-tournament gauntlet").0, gauntlet(1));
        assert_eq!(schedule("-seeds 2 -tournament gauntlet").0, gauntlet(2));
        for (more, said) in [
            ("-tournament gauntlet -seeds 4", "nobody plays in a gauntlet of the first 4 engines with 4 engines"),
            ("-tournament gauntlet -seeds 0", "-seeds 0: expected a whole number above 0"),
            ("-seeds 2", "-seeds 2: drawish cannot do this: only -tournament gauntlet has seeds"),
            ("-sprt elo0=0 elo1=5", "-sprt: drawish cannot do this: a test judges two engines"),
            ("-each name=e", "two engines are called e"),
            ("-engine cmd=e cmd=f", "cmd=f: cmd= is given before for the same engine"),
        ] {
            let line = format!("{engines} {more}");
            let error = CommandLine::read(line.split_whitespace().map(str::to_owned)).expect_err("refused").to_string();
            assert!(error.contains(said), "{more}: {error}");
        }
    }

    #[test]
    fn noise_is_refused() {
        for line in [
            "-",
            "--",
            "-engine",
            "-each =",
            "-tb",
            "-srand",
            "-pgnout file",
            "-config outname=",
            "-pgnout",
            "-epdout",
            "-epdout file=a append=true",
            "-repeat 3",
            "-concurrency x",
            "x",
        ] {
            let line = format!("-engine cmd=a -engine cmd=b -each nodes=1 -openings file=x -rounds 1 {line}");
            assert!(CommandLine::read(line.split_whitespace().map(str::to_owned)).is_err(), "{line}");
        }
        let read = |openings: &str| {
            let line =
                format!("-engine cmd=a name=a -engine cmd=b name=b -each nodes=1 -rounds 1 -openings {openings}");
            CommandLine::read(line.split_whitespace().map(str::to_owned))
        };
        assert!(read("file").is_err_and(|error| !matches!(error, CommandLineError::Twice { .. })));
        assert!(read("file=x -recover -recover -openings file=x").is_ok(), "the same once more");
        assert!(matches!(read("file=x -openings file=y"), Err(CommandLineError::Twice { .. })));
    }
}
