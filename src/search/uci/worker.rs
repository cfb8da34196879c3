//! The thread that searches, and what it says.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender};
use std::time::Duration;

use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Move, Position};

use super::Event;
use crate::eval::{Config, Evaluate, Evaluator};
use crate::search::{Certainty, Game, Info, Limits, Searcher, Value};

/// What the thread is asked to do, one after the other.
#[derive(Debug)]
pub(super) enum Job {
    Search { game: Game, limits: Limits, mode: CastlingMode, show_wdl: bool },
    Perft { game: Game, depth: u32, mode: CastlingMode },
    Eval(Game),
    Ready,
    NewGame,
    Hash(usize),
    Evaluation(Config),
}

/// Where all lines go, one at a time.
#[derive(Debug)]
pub(super) struct Output<W>(Mutex<W>);

impl<W: Write> Output<W> {
    pub fn new(writer: W) -> Output<W> {
        Output(Mutex::new(writer))
    }

    /// Writes lines and sends them off at once.
    pub fn say(&self, lines: &str) -> io::Result<()> {
        let mut writer = self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        writeln!(writer, "{lines}")?;
        writer.flush()
    }
}

/// Does jobs until there are no more. A search that is over, and an output that is gone, are events.
pub(super) fn work<W: Write>(jobs: &Receiver<Job>, output: &Output<W>, events: &Sender<Event>) {
    let mut searcher = Searcher::new(Evaluator::new(&Config::default()), super::options::HASH_MB);
    while let Ok(job) = jobs.recv() {
        let search = matches!(job, Job::Search { .. } | Job::Perft { .. });
        let done = run(&mut searcher, job, output);
        let event = match done {
            Err(_) => Event::OutputGone,
            Ok(()) if search => Event::Done,
            Ok(()) => continue,
        };
        if events.send(event).is_err() {
            return;
        }
    }
}

fn run<W: Write>(searcher: &mut Searcher<Evaluator>, job: Job, output: &Output<W>) -> io::Result<()> {
    match job {
        Job::Search { game, limits, mode, show_wdl } => search(searcher, &game, &limits, mode, show_wdl, output),
        Job::Perft { game, depth, mode } => perft(&game, depth, mode, output),
        Job::Eval(game) => eval(searcher, &game, output),
        Job::Ready => output.say("readyok"),
        Job::NewGame => {
            searcher.new_game();
            Ok(())
        }
        Job::Hash(megabytes) => {
            searcher.resize_hash(megabytes);
            Ok(())
        }
        Job::Evaluation(config) => {
            searcher.set_evaluator(Evaluator::new(&config));
            Ok(())
        }
    }
}

/// Bounds are told only in searches that someone looks at.
const PATIENCE: Duration = Duration::from_secs(3);

fn search<W: Write>(
    searcher: &mut Searcher<Evaluator>,
    game: &Game,
    limits: &Limits,
    mode: CastlingMode,
    _show_wdl: bool,
    output: &Output<W>,
) -> io::Result<()> {
    let mut written = Ok(());
    let mut last = (0, Duration::ZERO);
    let result = searcher.search(game, limits, &mut |info| {
        last = (info.nodes, info.elapsed);
        if (info.certainty == Certainty::Exact || info.elapsed > PATIENCE) && written.is_ok() {
            written = output.say(&line(info, mode));
        }
    });
    written?;
    let text = |m: &Move| UciMove::from_move(*m, mode).to_string();
    let Some(best) = result.best else {
        let score = score_text(result.score);
        return output.say(&format!("info depth 0 score {score}\nbestmove (none)"));
    };
    if last.0 != result.nodes {
        // The last iteration was cut short: tell what the whole search has cost.
        let pv: Vec<String> = result.pv.iter().map(text).collect();
        let score = score_text(result.score);
        let depth = result.depth.max(1);
        output.say(&format!("info depth {depth} score {score} nodes {} pv {}", result.nodes, pv.join(" ")))?;
    }
    match result.pv.get(1) {
        Some(reply) => output.say(&format!("bestmove {} ponder {}", text(&best), text(reply))),
        None => output.say(&format!("bestmove {}", text(&best))),
    }
}

fn score_text(value: Value) -> String {
    match value {
        Value::Centipawns(score) => format!("cp {score}"),
        Value::Mate(moves) => format!("mate {moves}"),
    }
}

fn line(info: &Info<'_>, mode: CastlingMode) -> String {
    let bound = match info.certainty {
        Certainty::Exact => "",
        Certainty::AtLeast => " lowerbound",
        Certainty::AtMost => " upperbound",
    };
    let speed = u128::from(info.nodes) * 1_000_000_000 / info.elapsed.as_nanos().max(1);
    let mut text = format!(
        "info depth {} seldepth {} score {}{bound} nodes {} nps {speed} hashfull {} time {}",
        info.depth,
        info.selective_depth,
        score_text(info.value),
        info.nodes,
        info.hash_fill,
        info.elapsed.as_millis()
    );
    if !info.pv.is_empty() {
        text.push_str(" pv");
        for m in info.pv {
            let _ = write!(text, " {}", UciMove::from_move(*m, mode));
        }
    }
    text
}

fn perft<W: Write>(game: &Game, depth: u32, mode: CastlingMode, output: &Output<W>) -> io::Result<()> {
    let mut total = 0;
    for m in game.position().legal_moves() {
        let mut after = game.position().clone();
        after.play_unchecked(m);
        let nodes = if depth == 1 { 1 } else { shakmaty::perft(&after, depth - 1) };
        total += nodes;
        output.say(&format!("{}: {nodes}", UciMove::from_move(m, mode)))?;
    }
    output.say(&format!("\nNodes searched: {total}"))
}

fn eval<W: Write>(searcher: &mut Searcher<Evaluator>, game: &Game, output: &Output<W>) -> io::Result<()> {
    let score = searcher.evaluator().evaluate(game.state());
    let value = searcher.evaluator().centipawns(game.state());
    output.say(&format!(
        "info string White's view: win/loss score {}, the search sees {value} centipawns",
        score.win_loss
    ))
}
