//! The options but for engines: what is played, how, and where it is written down.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use drawish_stats::{Sprt, SprtWordsError};
use shakmaty::CastlingMode;

use super::EngineLogFile;
use super::error::CommandLineError;
use super::words::Given;
use crate::arena::{CoreList, DrawRule, Resign};
use crate::contest::{OpeningWords, Writing};

/// What has been read so far.
#[derive(Default)]
pub(super) struct Draft {
    pub(super) engines: Vec<Given>,
    pub(super) each: Vec<Given>,
    pub(super) openings: OpeningWords,
    pub(super) castling: Option<CastlingMode>,
    pub(super) seed: Option<u64>,
    pub(super) rounds: Option<u64>,
    pub(super) games: Option<u64>,
    pub(super) sprt: Option<Sprt>,
    /// Whether the test of a log is left out.
    pub(super) untested: bool,
    pub(super) resign: Option<Resign>,
    pub(super) draw: Option<DrawRule>,
    pub(super) max_moves: Option<u32>,
    pub(super) syzygy: Vec<PathBuf>,
    pub(super) syzygy_men: Option<usize>,
    pub(super) workers: Option<NonZeroUsize>,
    pub(super) cores: Option<CoreList>,
    pub(super) recover: bool,
    pub(super) pgn: Option<PathBuf>,
    pub(super) writing: Writing,
    pub(super) engine_log: Option<EngineLogFile>,
    pub(super) final_positions: Option<PathBuf>,
    pub(super) event: Option<String>,
    pub(super) site: Option<String>,
    pub(super) log: Option<PathBuf>,
    pub(super) resume: bool,
    pub(super) interval: Option<u64>,
    pub(super) gauntlet: bool,
    pub(super) seeds: Option<NonZeroUsize>,
}

/// What drawish does anyway, or what changes nothing that is played or counted.
const NEEDLESS: [&str; 6] =
    ["force-concurrency", "autosaveinterval", "scoreinterval", "outcomeinterval", "bookmode", "strict"];

/// Options that cannot be done, and what to do.
const REFUSED: [(&str, &str); 17] = [
    ("help", "say drawish fastchess --help"),
    ("version", "say drawish --version"),
    ("noswap", "every opening is played with both colours: leave it out"),
    ("reverse", "the first engine has White in the first game of each pair: exchange the engines"),
    ("swap", "every opening is played with both colours: leave it out"),
    ("tbignore50", "tables end games under the fifty-move rule only: leave it out"),
    ("debug", "the dialogue with engines is written to a file: say -log file=FILE engine=true"),
    ("wait", "games follow each other at once: leave it out"),
    ("quick", "say -engine, -openings, -each and -rounds in its place"),
    ("crc32", "no checksum of the PGN is written: leave it out"),
    ("show-latency", "latencies are written into the games: say -pgnout latency=true"),
    ("check-mate-pvs", "principal variations are not read: leave it out"),
    ("compliance", "engines are not examined: try one by a short match"),
    ("resultformat", "the score is printed as fastchess does: leave it out"),
    ("ping", "engines are given 30 s to get ready: leave it out"),
    ("startup-ms", "engines are given 30 s to start: leave it out"),
    ("ucinewgame-ms", "engines are given 30 s to get ready: leave it out"),
];

const SPRT_WORDS: &str = "elo0=, elo1=, alpha=, beta=, and model=normalized, model=logistic or model=bayesian; or none";

const KEYS_OF_GAMES: &str = "file=, nodes=true, seldepth=true, notation=san, and true or false for nps=, hashfull=, tbhits=, timeleft=, \
                             latency=, min=, append=";

impl Draft {
    /// Takes what one option says.
    pub(super) fn take(&mut self, given: &Given) -> Result<(), CommandLineError> {
        match given.name.as_str() {
            "engine" | "each" => {
                let list = if given.name == "each" { &mut self.each } else { &mut self.engines };
                list.push(Given { name: given.name.clone(), words: given.words.clone() });
            }
            "openings" => self.openings(given)?,
            "variant" => {
                self.castling = Some(match given.one()? {
                    "standard" => CastlingMode::Standard,
                    "fischerandom" | "chess960" => CastlingMode::Chess960,
                    other => return Err(given.refused(other, "only standard and fischerandom are played")),
                });
            }
            "srand" => self.seed = Some(given.number()?),
            "rounds" => self.rounds = Some(given.number()?),
            "games" => self.games = Some(given.number()?),
            "repeat" => match given.words.as_slice() {
                [] => self.games = self.games.filter(|&games| games > 2).or(Some(2)),
                [times] if times == "2" => {}
                words => {
                    return Err(given.refused(&words.join(" "), "every opening is played twice: say -repeat alone"));
                }
            },
            "sprt" => self.sprt(given)?,
            "resign" => self.resign(given)?,
            "draw" => self.draw(given)?,
            "maxmoves" => self.max_moves = Some(given.number()?).filter(|&moves| moves > 0),
            "tb" => self.syzygy = std::env::split_paths(given.one()?).collect(),
            // None is no limit.
            "tbpieces" => self.syzygy_men = Some(given.number()?).filter(|&men| men > 0),
            "tbadjudicate" => match given.one()? {
                "BOTH" => {}
                other => return Err(given.refused(other, "tables end won and drawn games: say BOTH, or leave it out")),
            },
            "concurrency" => self.workers = Some(workers(given.number()?)),
            "use-affinity" => {
                let words = given.words.join(",");
                let list = words.parse().map_err(|_| given.wrong(&words, "numbers of cores, as in 0,2,4-7"))?;
                self.cores = Some(list);
            }
            "recover" => {
                given.alone()?;
                self.recover = true;
            }
            "pgnout" => self.pgnout(given)?,
            "log" => self.log(given)?,
            "epdout" => self.epdout(given)?,
            "event" => self.event = Some(given.words.join(" ")),
            "site" => self.site = Some(given.words.join(" ")),
            "config" => self.config(given)?,
            "resume" => {
                given.alone()?;
                self.resume = true;
            }
            "ratinginterval" => self.interval = Some(given.number()?),
            "tournament" => match given.one()? {
                // cutechess-cli has the hyphen.
                kind @ ("roundrobin" | "round-robin" | "gauntlet") => self.gauntlet = kind == "gauntlet",
                other => return Err(given.refused(other, "say roundrobin or gauntlet, or leave it out")),
            },
            "seeds" => {
                let seeds = given.number().ok().and_then(NonZeroUsize::new);
                self.seeds = Some(seeds.ok_or_else(|| given.wrong(&given.words.join(" "), "a whole number above 0"))?);
            }
            "report" => self.only(given, "penta", "true", "results are counted by pairs: leave it out")?,
            "output" => {
                self.only(given, "format", "fastchess", "the score is printed as fastchess does: leave it out")?
            }
            name if NEEDLESS.contains(&name) => {}
            name => {
                return Err(match REFUSED.iter().find(|(refused, _)| *refused == name) {
                    Some((_, advice)) => given.refused("", advice),
                    None => CommandLineError::Unknown { word: given.option() },
                });
            }
        }
        Ok(())
    }

    /// An option with one key and one value that can be done.
    fn only(&self, given: &Given, key: &str, value: &str, advice: &'static str) -> Result<(), CommandLineError> {
        match given.pairs().find(|pair| *pair != (key, value)) {
            None => Ok(()),
            Some((key, value)) => Err(given.refused(&format!("{key}={value}"), advice)),
        }
    }

    fn openings(&mut self, given: &Given) -> Result<(), CommandLineError> {
        for (key, value) in given.pairs() {
            if key == "policy" && !matches!(value, "round" | "default") {
                let advice = "every opening is played twice: leave it out";
                return Err(given.refused(&format!("policy={value}"), advice));
            }
            self.openings.set(key, value).map_err(|error| given.rule(error))?;
        }
        Ok(())
    }

    fn sprt(&mut self, given: &Given) -> Result<(), CommandLineError> {
        self.untested = given.words == ["none"];
        if self.untested {
            self.sprt = None;
            return Ok(());
        }
        let sprt = Sprt::from_words(given.words.iter().map(String::as_str)).map_err(|error| match error {
            SprtWordsError::NoBounds => {
                CommandLineError::Missing { option: "-sprt elo0= elo1=", why: "a test needs both bounds" }
            }
            SprtWordsError::Word(word) => given.wrong(&word, SPRT_WORDS),
            SprtWordsError::Sprt(error) => error.into(),
        })?;
        self.sprt = Some(sprt);
        Ok(())
    }

    fn resign(&mut self, given: &Given) -> Result<(), CommandLineError> {
        let unsaid = Resign { moves: 1, score: 0, two_sided: false };
        let resign = Resign::from_pairs(given.pairs(), unsaid).map_err(|error| given.rule(error))?;
        if resign.score == 0 {
            let why = "say moves and centipawns above 0";
            return Err(CommandLineError::Missing { option: "-resign movecount= score=", why });
        }
        self.resign = Some(resign);
        Ok(())
    }

    fn draw(&mut self, given: &Given) -> Result<(), CommandLineError> {
        let unsaid = DrawRule { from_move: 0, moves: 1, score: -1 };
        let draw = DrawRule::from_pairs(given.pairs(), unsaid).map_err(|error| given.rule(error))?;
        if draw.score < 0 {
            let why = "say moves above 0 and centipawns";
            return Err(CommandLineError::Missing { option: "-draw movenumber= movecount= score=", why });
        }
        self.draw = Some(draw);
        Ok(())
    }

    fn pgnout(&mut self, given: &Given) -> Result<(), CommandLineError> {
        for (at, (key, value)) in given.pairs().enumerate() {
            let word = || if value.is_empty() { key.to_owned() } else { format!("{key}={value}") };
            match (key, value) {
                ("file", file) if !file.is_empty() => self.pgn = Some(PathBuf::from(file)),
                // Nodes and the longest line are always written, where an engine says them, and unfinished games never.
                ("nodes" | "seldepth", "true" | "false") | ("notation", "san") | ("pv", "false") | ("fi", "") => {}
                ("min", "" | "true" | "false") => self.writing.brief = value != "false",
                ("append", "true" | "false") => self.writing.append = value == "true",
                ("pv" | "match_line", _) => {
                    let advice = "say -log file=FILE engine=true: that file has every line of every engine";
                    return Err(given.refused(&word(), advice));
                }
                ("notation", _) => {
                    let advice = "moves are written as SAN, which all readers of PGN take: leave it out";
                    return Err(given.refused(&word(), advice));
                }
                (file, "") if at == 0 && file != "file" => self.pgn = Some(PathBuf::from(file)),
                (figure, "true" | "false") => {
                    let figure = figure.parse().map_err(|_| given.wrong(&word(), KEYS_OF_GAMES))?;
                    self.writing.figures.set(figure, value == "true");
                }
                _ => return Err(given.wrong(&word(), KEYS_OF_GAMES)),
            }
        }
        if self.pgn.is_none() {
            return Err(CommandLineError::Missing { option: "-pgnout file=", why: "name the file for the games" });
        }
        Ok(())
    }

    fn log(&mut self, given: &Given) -> Result<(), CommandLineError> {
        let (mut file, mut append, mut has_dialogue) = (None, true, false);
        for (key, value) in given.pairs() {
            let word = || format!("{key}={value}");
            match (key, value) {
                ("file", value) if !value.is_empty() => file = Some(PathBuf::from(value)),
                ("append", "true" | "false") => append = value == "true",
                ("engine", "true" | "false") => has_dialogue = value == "true",
                // Levels are those of other messages, and every line is written at once.
                ("level", "trace" | "info" | "warn" | "err" | "fatal") | ("realtime", "true" | "false") => {}
                ("compress", "false") => {}
                ("compress", "true") => return Err(given.refused(&word(), "the file is plain text: leave it out")),
                _ => {
                    return Err(
                        given.wrong(&word(), "file=, engine=true, append=true|false, level=trace|info|warn|err|fatal")
                    );
                }
            }
        }
        if !has_dialogue {
            let advice = "the file holds the dialogue with engines and nothing else: say engine=true, or leave it out";
            return Err(given.refused(&given.words.join(" "), advice));
        }
        let path =
            file.ok_or(CommandLineError::Missing { option: "-log file=", why: "name the file for the dialogue" })?;
        self.engine_log = Some(EngineLogFile { path, append });
        Ok(())
    }

    fn epdout(&mut self, given: &Given) -> Result<(), CommandLineError> {
        for (at, (key, value)) in given.pairs().enumerate() {
            match (key, value) {
                ("file", file) if !file.is_empty() => self.final_positions = Some(PathBuf::from(file)),
                ("append", "false") => {}
                ("append", _) => {
                    return Err(
                        given.refused(&format!("append={value}"), "each match has a file of its own: say another one")
                    );
                }
                (file, "") if at == 0 && file != "file" => self.final_positions = Some(PathBuf::from(file)),
                _ => return Err(given.wrong(&format!("{key}={value}"), "file=")),
            }
        }
        if self.final_positions.is_none() {
            return Err(CommandLineError::Missing { option: "-epdout file=", why: "name the file for the positions" });
        }
        Ok(())
    }

    fn config(&mut self, given: &Given) -> Result<(), CommandLineError> {
        for (key, value) in given.pairs() {
            match key {
                "outname" | "file" if value.is_empty() => return Err(given.wrong(key, "the name of a log")),
                "outname" => self.log = Some(PathBuf::from(value)),
                "file" => (self.log, self.resume) = (Some(PathBuf::from(value)), true),
                _ => {
                    let advice = "say -config outname=LOG for a new match and -config file=LOG, with all other options, to resume one";
                    return Err(given.refused(&format!("{key}={value}"), advice));
                }
            }
        }
        Ok(())
    }
}

/// Games at a time; numbers up to 0 leave so many cores free, as fastchess has it.
fn workers(number: i64) -> NonZeroUsize {
    let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let wanted = match usize::try_from(number) {
        Ok(wanted) if wanted > 0 => wanted,
        _ => cores.saturating_sub(usize::try_from(number.unsigned_abs()).unwrap_or(usize::MAX)),
    };
    NonZeroUsize::new(wanted).unwrap_or(NonZeroUsize::MIN)
}
