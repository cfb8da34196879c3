//! The UCI server: a dialogue in lines of text, with a search beside it.
//!
//! Protocol: S. Meyer-Kahlen and R. Huber, "Description of the universal chess interface", 2006, as GUIs and match
//! runners speak it. Three threads: one reads, one searches, one decides. While a search runs, `isready`, `stop`,
//! `ponderhit` and `quit` are answered at once; any other command waits for its end. What is wrong with a line is said
//! in an `info string`, and what was valid before stays.

// What a line of text or a file holds must not wrap.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss))]

mod command;
mod options;
mod orders;
mod searching;
mod wdl_head;
mod worker;

use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, EnPassantMode, Position};

use crate::search::{Game, Signals};
use command::{Command, parse};
use options::{Change, Options};
use searching::{Endless, Held, Searching};
use worker::{Job, Output, work};

/// After the end of the input a search with a limit may end by itself for so long.
const GRACE: Duration = Duration::from_secs(2);

/// What happens, in the order in which it does.
#[derive(Debug)]
enum Event {
    Line(String),
    EndOfInput,
    /// The search is over; its best move is to be said.
    Done(String),
    OutputGone,
}

/// Speaks UCI until `quit`, or until the input has ended and what it asked for is done.
///
/// # Errors
///
/// When the output cannot be written any more.
pub fn serve(input: impl BufRead + Send + 'static, output: impl Write + Send, name: &str) -> io::Result<()> {
    let output = Output::new(output);
    let (events, happened) = channel();
    let (jobs, work_list) = channel();
    thread::scope(|scope| {
        let from_worker = events.clone();
        let (shown, list) = (&output, work_list);
        scope.spawn(move || work(&list, shown, &from_worker));
        // Not within the scope: it may wait for a line that never comes while the rest has ended.
        thread::spawn(move || read(input, &events));
        Server::new(&output, jobs, name).run(&happened)
    })
}

/// Passes lines on until `quit` or the end. Bytes that are no text are replaced, not refused.
fn read(mut input: impl BufRead, events: &Sender<Event>) {
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        match input.read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => {
                let _ = events.send(Event::EndOfInput);
                return;
            }
            Ok(_) => {
                let line = String::from_utf8_lossy(&bytes).trim().to_owned();
                // Reading on would wait for a line that nobody will write.
                let last = line.split_ascii_whitespace().next() == Some("quit");
                if events.send(Event::Line(line)).is_err() || last {
                    return;
                }
            }
        }
    }
}

struct Server<'a, W> {
    output: &'a Output<W>,
    jobs: Sender<Job>,
    name: &'a str,
    options: Options,
    game: Game,
    /// Whether a position was given since the start.
    has_position: bool,
    /// The search that runs, or whose answer is held back.
    searching: Option<Searching>,
    waiting: VecDeque<Command>,
    /// When the search that runs ends, though nobody is left to stop it.
    deadline: Option<Instant>,
}

impl<'a, W: Write> Server<'a, W> {
    fn new(output: &'a Output<W>, jobs: Sender<Job>, name: &'a str) -> Server<'a, W> {
        Server {
            output,
            jobs,
            name,
            options: Options::default(),
            game: Game::default(),
            has_position: false,
            searching: None,
            waiting: VecDeque::new(),
            deadline: None,
        }
    }

    fn run(mut self, happened: &Receiver<Event>) -> io::Result<()> {
        let result = self.listen(happened);
        // A search that quit has cut short still says what it has found.
        self.waiting.clear();
        if result.is_ok() {
            self.stop()?;
            while self.searching.is_some() {
                match happened.recv() {
                    Ok(Event::Done(last_words)) => self.done(last_words)?,
                    Ok(Event::Line(_) | Event::EndOfInput) => {}
                    Ok(Event::OutputGone) | Err(_) => break,
                }
            }
        } else if let Some(searching) = &mut self.searching {
            searching.stop();
        }
        result
    }

    fn listen(&mut self, happened: &Receiver<Event>) -> io::Result<()> {
        loop {
            let event = match self.deadline {
                None => happened.recv().unwrap_or(Event::EndOfInput),
                Some(deadline) => match happened.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                    Ok(event) => event,
                    Err(RecvTimeoutError::Timeout) => {
                        self.stop()?;
                        if self.searching.is_none() {
                            return Ok(());
                        }
                        happened.recv().unwrap_or(Event::OutputGone)
                    }
                    Err(RecvTimeoutError::Disconnected) => return Ok(()),
                },
            };
            match event {
                Event::Line(line) => match parse(&line) {
                    Ok(Command::Quit) => return Ok(()),
                    Ok(command) => self.take(command)?,
                    Err(error) => self.complain(&error.to_string())?,
                },
                Event::Done(last_words) => self.done(last_words)?,
                Event::EndOfInput => {
                    self.deadline = Some(Instant::now() + GRACE);
                }
                Event::OutputGone => return Err(io::ErrorKind::BrokenPipe.into()),
            }
            if self.deadline.is_some() {
                // Nobody is left to end what only an order ends.
                while self.searching.as_ref().is_some_and(|searching| searching.waits_for_an_order()) {
                    self.stop()?;
                }
                if self.searching.is_none() {
                    return Ok(());
                }
            }
        }
    }

    /// Obeys a command, or lets it wait for the end of the search that runs.
    fn take(&mut self, command: Command) -> io::Result<()> {
        let is_for_a_later_search = matches!(command, Command::Stop | Command::PonderHit)
            && self.waiting.iter().any(|waiting| matches!(waiting, Command::Go(_) | Command::Perft(_)));
        if self.searching.is_none() || (answers_at_once(&command) && !is_for_a_later_search) {
            return self.obey(command);
        }
        let stop = command == Command::Stop;
        self.waiting.push_back(command);
        // Who stops the search that is last in the queue waits for no other.
        if stop { self.stop() } else { Ok(()) }
    }

    fn complain(&self, what: &str) -> io::Result<()> {
        self.output.say(&format!("info string {what}"))
    }

    fn ask(&self, job: Job) {
        // The worker lives as long as the server does.
        let _ = self.jobs.send(job);
    }

    /// Ends the search that runs, if one does.
    fn stop(&mut self) -> io::Result<()> {
        if let Some(searching) = &mut self.searching {
            searching.stop();
        }
        self.answer()
    }

    /// A search is over.
    fn done(&mut self, last_words: String) -> io::Result<()> {
        if let Some(searching) = &mut self.searching {
            searching.is_over(last_words);
        }
        self.answer()
    }

    /// Says what a search that is over has found, unless that is held back, and obeys the commands that have waited.
    fn answer(&mut self) -> io::Result<()> {
        while let Some(last_words) = self.searching.as_mut().and_then(Searching::answer) {
            self.searching = None;
            self.output.say(&last_words)?;
            while let Some(command) =
                self.waiting.pop_front_if(|next| self.searching.is_none() || answers_at_once(next))
            {
                self.obey(command)?;
            }
        }
        Ok(())
    }

    fn obey(&mut self, command: Command) -> io::Result<()> {
        if matches!(command, Command::IsReady | Command::Go(_))
            && let Some(reminder) = self.options.reminder()
        {
            self.complain(&reminder.to_string())?;
        }
        match command {
            Command::Uci => {
                let options = Options::list().join("\n");
                self.output.say(&format!("id name {}\nid author the drawish authors\n{options}\nuciok", self.name))?;
            }
            Command::IsReady if self.searching.is_some() => self.output.say("readyok")?,
            Command::IsReady => self.ask(Job::Ready),
            Command::NewGame => self.ask(Job::NewGame),
            Command::Stop => self.stop()?,
            Command::PonderHit => {
                if let Some(searching) = &mut self.searching {
                    searching.ponder_hit();
                }
                self.answer()?;
            }
            Command::Nothing | Command::Quit => {}
            Command::Option { name, value } => match self.options.set(&name, value.as_deref()) {
                Ok(Change::Nothing) => {}
                Ok(Change::Hash) => self.ask(Job::Hash(self.options.hash_mb)),
                Ok(Change::ClearHash) => self.ask(Job::NewGame),
                Ok(Change::Evaluation) => self.ask(Job::Evaluation(self.options.evaluation.clone())),
                Err(error) => self.complain(&error.to_string())?,
            },
            Command::Position { fen, moves } => self.set_position(fen.as_deref(), &moves)?,
            Command::Go(go) => self.go(&go)?,
            Command::Perft(depth) => {
                let signals = Arc::new(Signals::default());
                self.search(Searching::new(&signals, Held::No, Endless::Never));
                self.ask(Job::Perft { game: self.game.clone(), depth, mode: self.mode(), signals });
            }
            Command::Eval => self.ask(Job::Eval(self.game.clone())),
            Command::Display => {
                let setup = self.game.position().to_setup(EnPassantMode::Legal);
                self.complain(&format!(
                    "position {}",
                    Fen::try_from_setup(setup).map_or_else(|_| String::new(), |fen| fen.to_string())
                ))?;
            }
        }
        Ok(())
    }

    fn mode(&self) -> CastlingMode {
        CastlingMode::from_chess960(self.options.chess960)
    }

    /// Begins a search. After the end of the input each has its own time.
    fn search(&mut self, searching: Searching) {
        self.searching = Some(searching);
        if let Some(deadline) = &mut self.deadline {
            *deadline = Instant::now() + GRACE;
        }
    }
}

/// Whether a command is obeyed while a search runs.
fn answers_at_once(command: &Command) -> bool {
    matches!(command, Command::IsReady | Command::Stop | Command::PonderHit | Command::Nothing | Command::Uci)
}
