//! A player that is an engine process.

use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use shakmaty::Position;
use shakmaty::uci::UciMove;

use super::engine_log::{EngineLog, Voice};
use super::line::{Info, Line, MOST_OPTIONS, declared_as, printable, read, refuses_option};
use super::ponder::{self, Pondering};
use super::process::{Ended, Process, Watchdog};
use super::program::EngineFiles;
use super::question::write_question;
use crate::arena::game::side;
use crate::arena::limits::Limits;
use crate::arena::player::{EngineFailure, Fault, Player, PlayerLost, Reply, Seat, Turn};

/// How long an engine may take to start, or to say that it is ready: some load large files.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long it may take to answer `stop`, or as long as it may think if that is less.
const GRACE: Duration = Duration::from_secs(3);
const NEW_GAME: &str = "ucinewgame\n";
/// A search of this many times its nodes, and so many more, has not been limited by them.
const OVERRUN: (u64, u64) = (2, 20_000);

/// An engine and how it is set up.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EngineSpec {
    /// Its name in the match.
    pub name: String,
    /// The program.
    pub command: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
    /// Where it runs; where this program does if `None`.
    pub dir: Option<PathBuf>,
    /// Options to set, with their values.
    pub options: Vec<(String, String)>,
    /// With nodes or depth alone, an engine that has not answered after this long is told to stop.
    pub patience: Duration,
    /// Whether it is told to play Chess960.
    pub chess960: bool,
    /// Whether it is started anew for every game.
    pub restart: bool,
    /// Whether it thinks in its opponent's time.
    pub ponder: bool,
}

/// The option of the protocol for Chess960.
pub(in crate::arena) const CHESS960: &str = "UCI_Chess960";
/// The option by which an engine says that it can ponder.
pub(in crate::arena) const PONDER: &str = "Ponder";

/// An engine process, started when it is first needed and again after it was lost.
pub struct UciPlayer {
    spec: Arc<EngineSpec>,
    watchdog: Watchdog,
    /// From what it plays, where that must stay the same.
    files: Option<Arc<EngineFiles>>,
    voice: Option<Voice>,
    process: Option<Process>,
    /// Whether it has ever answered twice: then what it writes is only believed after it was asked whether it is ready.
    answers_twice: bool,
    own_name: Option<String>,
    command: String,
    /// Options that are set anew before a game, after those of the spec.
    changing: Vec<(String, String)>,
    /// Their names as the engine spells them: some engines pass over names in other letters without a word.
    spelled: Vec<String>,
    /// Whether the process has yet to be told of them.
    has_changed: bool,
    /// The answer that it expects to its last move.
    expected: Option<UciMove>,
    /// What it thinks about in its opponent's time.
    pondering: Option<Pondering>,
}

impl UciPlayer {
    /// A player that has not been started.
    #[must_use]
    pub fn new(spec: Arc<EngineSpec>, watchdog: Watchdog) -> UciPlayer {
        UciPlayer {
            spec,
            watchdog,
            files: None,
            voice: None,
            process: None,
            answers_twice: false,
            own_name: None,
            command: String::new(),
            changing: Vec::new(),
            spelled: Vec::new(),
            has_changed: false,
            expected: None,
            pondering: None,
        }
    }

    /// The same player, whose dialogue is written down.
    #[must_use]
    pub fn logged(self, log: Option<EngineLog>) -> UciPlayer {
        UciPlayer { voice: log.map(|log| Voice::new(log, &self.spec.name)), ..self }
    }

    /// The same player, which is not started from other files than these were.
    #[must_use]
    pub(crate) fn playing_from(self, files: Arc<EngineFiles>) -> UciPlayer {
        UciPlayer { files: Some(files), ..self }
    }

    /// Sets options from the next game on, also of an engine that is started anew.
    ///
    /// Whether the engine has them and takes their values is looked at when it starts, so values that change later are best those
    /// between two that it has started with. Their names are the same in every call.
    pub fn set_options(&mut self, options: Vec<(String, String)>) {
        self.has_changed |= self.changing != options;
        self.changing = options;
    }

    /// Ends the process: the next game starts it anew.
    pub fn end_process(&mut self) {
        (self.process, self.pondering) = (None, None);
    }

    /// Starts the engine and sets its options, each of which it must have, with a value that it takes.
    fn start(&mut self) -> Result<Process, EngineFailure> {
        let spec = Arc::clone(&self.spec);
        let EngineSpec { command, args, dir, options, chess960, .. } = &*spec;
        if let Some(file) = self.files.as_ref().and_then(|files| files.replaced(&spec)) {
            return Err(EngineFailure::Replaced(file));
        }
        let started = Process::start(command, args, dir.as_deref(), &self.watchdog, self.voice.clone());
        let mut process = started.map_err(|error| EngineFailure::of_start(command, error))?;
        let mut declared = Vec::new();
        process.expect_within(None, PATIENCE);
        process.write(b"uci\n");
        let answered = await_line(&mut process, |line| {
            let is_over = line == Line::UciOk;
            match line {
                Line::Option(option) if declared.len() < MOST_OPTIONS => declared.push(option),
                Line::Name(name) => self.own_name = Some(printable(name)),
                _ => {}
            }
            is_over
        });
        answered.map_err(|ended| match ended {
            _ if EngineFailure::needs_uci(command, args) => EngineFailure::NeedsUci,
            Ended::Closed => EngineFailure::EndedAtOnce,
            Ended::Killed => EngineFailure::Silent(PATIENCE),
        })?;
        let mut settings = String::new();
        if *chess960 {
            if !declared.iter().any(|own| own.name.eq_ignore_ascii_case(CHESS960)) {
                return Err(EngineFailure::NoChess960);
            }
            let _ = writeln!(settings, "setoption name {CHESS960} value true");
        }
        if spec.ponder {
            let own = declared.iter().find(|own| own.name.eq_ignore_ascii_case(PONDER));
            let _ = writeln!(settings, "setoption name {} value true", own.ok_or(EngineFailure::NoPonder)?.name);
        }
        for (option, value) in options.iter().chain(&self.changing) {
            if option.eq_ignore_ascii_case(CHESS960) {
                return Err(EngineFailure::SetsChess960);
            }
            let own = declared_as(&declared, option, value)?;
            let _ = match own.kind {
                super::line::Kind::Button => writeln!(settings, "setoption name {}", own.name),
                _ => writeln!(settings, "setoption name {} value {value}", own.name),
            };
        }
        let spelled = |(option, _): &(String, String)| {
            let own = declared.iter().find(|own| own.name.eq_ignore_ascii_case(option));
            own.map_or_else(|| option.clone(), |own| own.name.clone())
        };
        self.spelled = self.changing.iter().map(spelled).collect();
        let mut refused = None;
        let listen = |line: Line<'_>| {
            if let Line::Says(said) = line
                && refuses_option(said)
            {
                refused.get_or_insert_with(|| printable(said));
            }
        };
        ready(&mut process, settings, listen).map_err(|_| EngineFailure::NotReady)?;
        refused.map_or(Ok(process), |said| Err(EngineFailure::Refuses(said)))
    }

    /// Starts the engine and tells it that a game begins.
    fn start_game(&mut self) -> Result<Process, EngineFailure> {
        let mut process = self.start()?;
        ready(&mut process, NEW_GAME.to_owned(), |_| ()).map_err(|_| EngineFailure::EndedBeforeGame)?;
        Ok(process)
    }
}

/// Reads until a line is the awaited one.
pub(super) fn await_line(process: &mut Process, mut awaited: impl FnMut(Line<'_>) -> bool) -> Result<(), Ended> {
    loop {
        let line = process.read_line()?;
        if awaited(read(&line)) {
            process.expect_nothing();
            return Ok(());
        }
    }
}

/// Tells the engine something and waits until it is ready; `listen` hears what else it says until then.
fn ready(process: &mut Process, mut told: String, mut listen: impl FnMut(Line<'_>)) -> Result<(), Ended> {
    process.expect_within(None, PATIENCE);
    told.push_str("isready\n");
    process.write(told.as_bytes());
    await_line(process, |line| {
        let is_ready = line == Line::ReadyOk;
        listen(line);
        is_ready
    })
}

impl Player for UciPlayer {
    fn sit(&mut self, seat: Seat) {
        if let Some(voice) = &self.voice {
            voice.sit(seat);
        }
    }

    fn own_name(&self) -> Option<&str> {
        self.own_name.as_deref()
    }

    fn new_game(&mut self) -> Result<(), PlayerLost> {
        self.rest();
        if self.spec.restart {
            self.process = None;
        }
        let mut told = String::new();
        if std::mem::take(&mut self.has_changed) {
            for (option, (_, value)) in self.spelled.iter().zip(&self.changing) {
                let _ = writeln!(told, "setoption name {option} value {value}");
            }
        }
        told.push_str(NEW_GAME);
        if let Some(process) = &mut self.process
            && ready(process, told, |_| ()).is_ok()
        {
            return Ok(());
        }
        let process = self.start_game().map_err(|cause| {
            let EngineSpec { name, command, .. } = &*self.spec;
            PlayerLost::Engine { name: name.clone(), command: command.clone(), cause }
        })?;
        self.process = Some(process);
        Ok(())
    }

    fn go(&mut self, turn: &Turn<'_>) -> Result<Reply, Fault> {
        let begun = Instant::now();
        let pondering = self.pondering.take();
        let is_hit = pondering.is_some_and(|pondering| pondering.is_hit(turn));
        let Some(process) = &mut self.process else { return Err(Fault::Crash) };
        let grace = GRACE.min(self.spec.patience);
        // Its clock runs since its opponent has moved, also until it has stopped thinking about another move.
        let mut waited = Duration::ZERO;
        self.command.clear();
        if is_hit {
            self.command.push_str("ponderhit\n");
        } else {
            let stopped = if pondering.is_some() { ponder::stop(process, grace) } else { Ok(()) };
            if let Err(ended) = stopped.and_then(|()| forget(process, self.spec.patience, &mut self.answers_twice)) {
                self.process = None;
                return Err(fault(ended));
            }
            if pondering.is_some() {
                waited = begun.elapsed();
            }
            let mut clocks = turn.clocks;
            if let Some(clock) = &mut clocks[side(turn.position.turn())] {
                clock.left = clock.left.saturating_sub(waited);
            }
            write_question(&mut self.command, &Turn { clocks, ..*turn }, None);
        }
        let allowed = allowed_time(turn);
        let stop = allowed.map_or(self.spec.patience, |allowed| {
            allowed.saturating_sub(waited) + turn.time_margin + Duration::from_millis(100)
        });
        process.expect_within(Some(stop), stop + grace);
        let asked = Instant::now();
        process.write(self.command.as_bytes());
        let mut said = Info::default();
        let answer = loop {
            let line = match process.read_line() {
                Ok(line) => line,
                Err(ended) => {
                    self.process = None;
                    return Err(fault(ended));
                }
            };
            match read(&line) {
                Line::Info(info) => {
                    said.update(info);
                    if beyond(turn.limits, &info) {
                        process.stop(grace);
                    }
                }
                Line::BestMove { played, expected } => {
                    let expected = expected.filter(|_| self.spec.ponder);
                    self.expected = expected.and_then(|expected| expected.parse().ok());
                    break played.map(str::to_owned);
                }
                _ => {}
            }
        };
        let time = asked.elapsed() + waited;
        process.expect_nothing();
        if let Some(late) =
            allowed.and_then(|allowed| time.checked_sub(allowed + turn.time_margin)).filter(|late| !late.is_zero())
        {
            return Err(Fault::Late(late));
        }
        let text = answer.unwrap_or_else(|| "(none)".to_owned());
        let legal = text.parse::<UciMove>().ok().and_then(|parsed| parsed.to_move(turn.position).ok());
        let chosen = legal.ok_or_else(|| Fault::Illegal(printable(&text)))?;
        let overran = process.was_stopped() || beyond(turn.limits, &said);
        let Info { score, certainty, depth, seldepth, nodes, nps, hashfull, tbhits, time: own_time } = said;
        let own_time = own_time.map(Duration::from_millis);
        let heard = Reply { certainty, own_time, overran, ..Reply::new(chosen, time) };
        Ok(Reply { score, depth, seldepth, nodes, nps, hashfull, tbhits, ..heard })
    }

    fn ponder(&mut self, turn: &Turn<'_>) {
        let Some(expected) = self.expected.take() else { return };
        let Some(pondering) = Pondering::on(&expected, turn) else { return };
        let Some(process) = &mut self.process else { return };
        if forget(process, self.spec.patience, &mut self.answers_twice).is_err() {
            self.process = None;
            return;
        }
        process.expect_nothing();
        self.command.clear();
        write_question(&mut self.command, turn, Some(pondering.expected()));
        process.write(self.command.as_bytes());
        self.pondering = Some(pondering);
    }

    fn rest(&mut self) {
        self.expected = None;
        if self.pondering.take().is_some()
            && let Some(process) = &mut self.process
            && ponder::stop(process, GRACE.min(self.spec.patience)).is_err()
        {
            self.process = None;
        }
    }
}

/// Passes over what the engine has written since its last answer: a second answer to the same question is none to the next.
fn forget(process: &mut Process, patience: Duration, answers_twice: &mut bool) -> Result<(), Ended> {
    let was_stopped = process.was_stopped();
    // An engine that never stops talking cannot be asked anything.
    process.expect_within(None, PATIENCE.min(patience));
    while let Some(line) = process.line_at_hand()? {
        *answers_twice |= matches!(read(&line), Line::BestMove { .. });
    }
    // Told to stop when it was just about to answer, it may answer again at any time. What comes after it was ready is new.
    if *answers_twice || was_stopped {
        ready(process, String::new(), |_| ())?;
    }
    Ok(())
}

fn fault(ended: Ended) -> Fault {
    match ended {
        Ended::Killed => Fault::Stall,
        Ended::Closed => Fault::Crash,
    }
}

/// The time after which the answer is late, if there is one.
fn allowed_time(turn: &Turn<'_>) -> Option<Duration> {
    let clock = turn.clocks[side(turn.position.turn())].map(|clock| clock.left);
    match (clock, turn.limits.movetime) {
        (Some(clock), Some(movetime)) => Some(clock.min(movetime)),
        (clock, movetime) => clock.or(movetime),
    }
}

/// Whether a search has gone so far that it cannot have been told, or not have understood, to stay within its nodes.
fn beyond(limits: &Limits, info: &Info) -> bool {
    match (limits.nodes, info.nodes) {
        (Some(limit), Some(searched)) => searched > limit.saturating_mul(OVERRUN.0).saturating_add(OVERRUN.1),
        _ => false,
    }
}
