//! The thread that searches, and what it says.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use drawish_core::Centipawns;
use drawish_core::expect::WdlPermille;
use drawish_heads::features;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Move, Position};

use super::Event;
use super::options::HASH_MB;
use super::wdl_head::ShownHead;
use crate::eval::{Config, Evaluate, Evaluator};
use crate::search::{Certainty, Game, Info, Limits, Searcher, Signals, Value, perft};

/// By what win, draw and loss are shown.
#[derive(Clone, Debug)]
pub(super) enum Chances {
    Hidden,
    /// The draw model of the arm.
    ByArm,
    ByHead(Arc<ShownHead>),
}

/// What the thread is asked to do, one after the other.
#[derive(Debug)]
pub(super) enum Job {
    Search { game: Game, limits: Limits, mode: CastlingMode, chances: Chances },
    Perft { game: Game, depth: u32, mode: CastlingMode, signals: Arc<Signals> },
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
    let mut worker =
        Worker { searcher: Searcher::new(Evaluator::default(), HASH_MB), chances: Evaluator::default(), output };
    while let Ok(job) = jobs.recv() {
        let event = match worker.run(job) {
            Err(_) => Event::OutputGone,
            Ok(Some(last_words)) => Event::Done(last_words),
            Ok(None) => continue,
        };
        if events.send(event).is_err() {
            return;
        }
    }
}

/// Bounds are reported only in searches that take longer than this: someone looks at those.
const PATIENCE: Duration = Duration::from_secs(3);

struct Worker<'a, W> {
    searcher: Searcher<Evaluator>,
    /// Turns scores into chances while the search has its own evaluation in use.
    chances: Evaluator,
    output: &'a Output<W>,
}

impl<W: Write> Worker<'_, W> {
    /// The last words of a search are not said but returned: when they are out, the search must be known to be over.
    fn run(&mut self, job: Job) -> io::Result<Option<String>> {
        match job {
            Job::Search { game, limits, mode, chances } => {
                return self.search(&game, &limits, mode, &chances).map(Some);
            }
            Job::Perft { game, depth, mode, signals } => {
                return count(&game, depth, mode, &signals, self.output).map(Some);
            }
            Job::Eval(game) => self.eval(&game)?,
            Job::Ready => self.output.say("readyok")?,
            Job::NewGame => self.searcher.new_game(),
            Job::Hash(megabytes) => self.searcher.resize_hash(megabytes),
            Job::Evaluation(config) => match (Evaluator::new(&config), Evaluator::new(&config)) {
                (Ok(evaluator), Ok(chances)) => {
                    self.searcher.set_evaluator(evaluator);
                    self.searcher.set_margins(config.form.as_ref().map(|form| form.margins()).unwrap_or_default());
                    self.chances = chances;
                }
                (Err(error), _) | (_, Err(error)) => self.output.say(&format!("info string {error}"))?,
            },
        }
        Ok(None)
    }

    fn search(&mut self, game: &Game, limits: &Limits, mode: CastlingMode, shown: &Chances) -> io::Result<String> {
        let Worker { searcher, chances, output } = self;
        chances.begin(game.position().turn());
        let is_dead = game.position().is_insufficient_material();
        let mut wdl = |value: Value| match shown {
            Chances::Hidden => String::new(),
            // No model of evaluations knows that neither side can mate.
            _ if is_dead => " wdl 0 1000 0".to_owned(),
            Chances::ByArm => wdl_text(chances, game, value),
            Chances::ByHead(head) => wdl_of_head(head, game, value),
        };
        let mut written = Ok(());
        let mut last = 0;
        let result = searcher.search(game, limits, &mut |info| {
            if (info.certainty == Certainty::Exact || info.elapsed > PATIENCE) && written.is_ok() {
                written = output.say(&line(info, &wdl(info.value), mode));
                last = info.nodes;
            }
        });
        written?;
        let text = |m: &Move| UciMove::from_move(*m, mode).to_string();
        let score = score_text(result.score);
        let Some(best) = result.best else {
            return Ok(format!("info depth 0 score {score}\nbestmove (none)"));
        };
        if last != result.nodes {
            // The last iteration was cut short: report what the whole search has cost.
            let pv: Vec<String> = result.pv.iter().map(text).collect();
            let (depth, wdl) = (result.depth.max(1), wdl(result.score));
            output.say(&format!("info depth {depth} score {score}{wdl} nodes {} pv {}", result.nodes, pv.join(" ")))?;
        }
        Ok(match result.pv.get(1) {
            Some(reply) => format!("bestmove {} ponder {}", text(&best), text(reply)),
            None => format!("bestmove {}", text(&best)),
        })
    }

    fn eval(&mut self, game: &Game) -> io::Result<()> {
        let evaluator = self.searcher.evaluator();
        evaluator.begin(game.position().turn());
        let score = evaluator.evaluate(game.state());
        let seen = evaluator.centipawns(game.state());
        let WdlPermille { win, draw, loss } = match game.position().is_insufficient_material() {
            true => WdlPermille { win: 0, draw: 1000, loss: 0 },
            false => evaluator.win_draw_loss(game.state(), seen),
        };
        self.output.say(&format!(
            "info string White's view: win/loss score {}, drawScore {:.2}, seen by the search {seen}, wdl {win} {draw} {loss}",
            score.win_loss,
            score.draw.to_logit()
        ))
    }
}

/// The chances of the side to move, for scores of the root position.
fn wdl_text(chances: &mut Evaluator, game: &Game, value: Value) -> String {
    let WdlPermille { win, draw, loss } = match value {
        Value::Mate(moves) if moves > 0 => WdlPermille { win: 1000, draw: 0, loss: 0 },
        Value::Mate(_) => WdlPermille { win: 0, draw: 0, loss: 1000 },
        Value::Centipawns(score) if game.position().turn().is_white() => chances.win_draw_loss(game.state(), score),
        Value::Centipawns(score) => {
            let WdlPermille { win, draw, loss } = chances.win_draw_loss(game.state(), -score);
            WdlPermille { win: loss, draw, loss: win }
        }
    };
    format!(" wdl {win} {draw} {loss}")
}

/// The same by a WDL head.
fn wdl_of_head(head: &ShownHead, game: &Game, value: Value) -> String {
    let eval = match value {
        Value::Centipawns(score) => score,
        Value::Mate(moves) if moves > 0 => i32::MAX,
        Value::Mate(_) => i32::MIN,
    };
    let chances = head.chances(&features::board(game.position()), Centipawns(eval));
    chances.map_or_else(String::new, |WdlPermille { win, draw, loss }| format!(" wdl {win} {draw} {loss}"))
}

fn score_text(value: Value) -> String {
    match value {
        Value::Centipawns(score) => format!("cp {score}"),
        Value::Mate(moves) => format!("mate {moves}"),
    }
}

fn line(info: &Info<'_>, wdl: &str, mode: CastlingMode) -> String {
    let bound = match info.certainty {
        Certainty::Exact => "",
        Certainty::AtLeast => " lowerbound",
        Certainty::AtMost => " upperbound",
    };
    let speed = u128::from(info.nodes) * 1_000_000_000 / info.elapsed.as_nanos().max(1);
    let mut text = format!(
        "info depth {} seldepth {} score {}{bound}{wdl} nodes {} nps {speed} hashfull {} time {}",
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

/// Counts the lines of so many plies, by the first move.
fn count<W: Write>(
    game: &Game,
    depth: u32,
    mode: CastlingMode,
    signals: &Signals,
    output: &Output<W>,
) -> io::Result<String> {
    let mut total = 0;
    for m in game.position().legal_moves() {
        let mut after = game.state().clone();
        after.play(m);
        let Some(lines) = perft(&after, depth - 1, &signals.stop) else {
            return Ok("info string perft was stopped".to_owned());
        };
        total += lines;
        output.say(&format!("{}: {lines}", UciMove::from_move(m, mode)))?;
    }
    Ok(format!("\nNodes searched: {total}"))
}
