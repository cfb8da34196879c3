//! Fits the weights of the classical evaluation to the results of games and prints `crates/engine/src/eval/weights.rs`.
//!
//! ```text
//! cargo run --release -p drawish-match --example tune_eval -- GAMES.pgn[.zst]:PER_GAME... > weights.rs
//! ```
//!
//! From each game at most PER_GAME quiet positions are taken, chosen by a generator that is seeded with the number of
//! the game. Each file is a domain with a draw rate of its own.
//!
//! # Model
//!
//! With the win/loss score w on the logit scale the chances of win, draw and loss are as e^(w/2) : nu : e^(-w/2).
//! This is the draw model with u = ln nu - ln(2 cosh(w/2)); source: R. Davidson 1970. Of the games that are not drawn
//! White wins the share s(w), so that w / C is the score in pawns, C = ln(10) / 4. The model is of the exponential
//! family: the gradient of the log-likelihood by w is the score of the game less the expected score.
//!
//! The likelihood is maximised by Adam (D. Kingma and J. Ba 2014) over batches, with a pull towards the weights that
//! the program was built with.

#![expect(clippy::print_stderr, reason = "a program for the command line")]

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use drawish_engine::eval::{Classical, Evaluator, FULL_PHASE, GROUPS, State, TERMS, WEIGHTS};
use drawish_engine::search::{Game, Limits, Searcher, Value};
use drawish_games::pgn::{
    ChunkBuffer, Chunks, EvalValue, GameHandler, Interest, ReadGame, ResultToken, Tags, eval_in_comment, expand_inputs,
    read_games,
};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use shakmaty::san::San;
use shakmaty::{Chess, Color, Move, Position};

/// Plies before which no position is taken: openings are played from memory.
const FIRST_PLY: usize = 14;
/// A position is quiet if a search of depth 1 differs from the static score by no more than this, in centipawns.
const QUIET: i32 = 70;
/// Logit per centipawn: ln(10) / 400.
const LOGIT: f64 = std::f64::consts::LN_10 / 400.0;
/// The share of an engine's own evaluation, where the file has it, in the target; the rest is the result of the game.
const EVAL_SHARE: f64 = 0.6;
/// Logit of the expected score per centipawn of such an evaluation: three quarters at 1.3 pawns.
const EVAL_LOGIT: f64 = 0.0085;
const BATCH: usize = 8192;
const EPOCHS: usize = 24;
/// The pull towards the weights before, per batch, in units of the squared distance in centipawns.
const PULL: f64 = 3e-8;
/// One position in so many is kept aside to see how well the fit does.
const HELD_OUT: usize = 20;

/// Positions in one long array each: what they count, how they ended.
#[derive(Default)]
struct Rows {
    starts: Vec<u32>,
    terms: Vec<(u16, i8)>,
    phases: Vec<u8>,
    /// Twice the score of the game for White.
    results: Vec<u8>,
    /// The expected score that the fit aims at.
    targets: Vec<f32>,
    domains: Vec<u8>,
}

impl Rows {
    fn len(&self) -> usize {
        self.phases.len()
    }

    fn push(&mut self, state: &State, result: u8, eval: Option<i32>, domain: u8) {
        self.starts.push(self.terms.len() as u32);
        self.terms.extend(Classical::trace(state).non_zero().map(|(term, count)| (term as u16, count as i8)));
        self.phases.push(state.phase() as u8);
        self.results.push(result);
        let score = f64::from(result) / 2.0;
        let by_eval = eval.map_or(score, |eval| 1.0 / (1.0 + (-f64::from(eval) * EVAL_LOGIT).exp()));
        self.targets.push((EVAL_SHARE * by_eval + (1.0 - EVAL_SHARE) * score) as f32);
        self.domains.push(domain);
    }

    fn terms(&self, row: usize) -> &[(u16, i8)] {
        let end = self.starts.get(row + 1).map_or(self.terms.len(), |end| *end as usize);
        &self.terms[self.starts[row] as usize..end]
    }
}

/// A move with the evaluation that its player gave it, in centipawns for White.
type Played = (Move, Option<i32>);

/// Replays games and keeps their moves.
struct Collector {
    position: Chess,
    game: Option<Vec<Played>>,
    result: Option<u8>,
    foreign_start: bool,
    games: Vec<(Vec<Played>, u8)>,
}

impl GameHandler for Collector {
    const COMMENTS: bool = true;

    fn begin(&mut self) {
        self.position = Chess::default();
        self.game = Some(Vec::new());
        self.result = None;
        self.foreign_start = false;
    }

    fn tag(&mut self, name: &[u8], _value: &[u8]) {
        self.foreign_start |= name == b"FEN" || name == b"SetUp";
    }

    fn moves(&mut self, _tags: &Tags) -> Interest {
        if self.foreign_start { Interest::Nothing } else { Interest::Moves }
    }

    fn san(&mut self, san: San) {
        let Some(moves) = &mut self.game else { return };
        match san.to_move(&self.position) {
            Ok(m) => {
                self.position.play_unchecked(m);
                moves.push((m, None));
            }
            Err(_) => self.game = None, // Not a game of chess: nothing of it is used.
        }
    }

    fn comment(&mut self, comment: &[u8]) {
        let white_moved = self.position.turn() == Color::Black;
        if let (Some(eval), Some(played)) =
            (eval_in_comment(comment), self.game.as_mut().and_then(|game| game.last_mut()))
        {
            played.1 = Some(match eval.for_white(white_moved) {
                EvalValue::Centipawns(value) => value.clamp(-2000, 2000),
                EvalValue::Mate(moves) => 2000 * moves.signum(),
            });
        }
    }

    fn result(&mut self, token: ResultToken) {
        self.result = match token {
            ResultToken::WhiteWin => Some(2),
            ResultToken::Draw => Some(1),
            ResultToken::BlackWin => Some(0),
            ResultToken::Unknown => None,
        };
    }

    fn end(&mut self, _game: ReadGame<'_>) {
        if let (Some(moves), Some(result)) = (self.game.take(), self.result)
            && !self.foreign_start
        {
            self.games.push((moves, result));
        }
    }
}

fn new_collector() -> Collector {
    Collector { position: Chess::default(), game: None, result: None, foreign_start: false, games: Vec::new() }
}

/// Takes quiet positions from a game at random plies.
fn sample(
    moves: &[Played],
    per_game: usize,
    rng: &mut ChaCha8Rng,
    searcher: &mut Searcher<Evaluator>,
) -> Vec<(State, Option<i32>)> {
    if moves.len() < FIRST_PLY + 10 {
        return Vec::new();
    }
    let mut plies: Vec<usize> = (0..per_game * 2).map(|_| rng.random_range(FIRST_PLY..moves.len() - 2)).collect();
    plies.sort_unstable();
    plies.dedup();
    plies.shuffle(rng);
    let mut found = Vec::new();
    for ply in plies {
        let (next, eval) = moves[ply];
        if next.is_capture() || next.is_promotion() {
            continue;
        }
        let mut position = Chess::default();
        moves[..ply].iter().for_each(|(m, _)| position.play_unchecked(*m));
        if position.is_check() || position.is_insufficient_material() {
            continue;
        }
        let state = State::new(position.clone());
        let own = drawish_engine::eval::Evaluate::centipawns(searcher.evaluator(), &state);
        let own = if position.turn() == Color::White { own } else { -own };
        let searched = searcher.search(&Game::new(position), &Limits::depth(1), &mut |_| {}).score;
        if matches!(searched, Value::Centipawns(score) if (score - own).abs() <= QUIET) {
            found.push((state, eval));
            if found.len() == per_game {
                break;
            }
        }
    }
    found
}

fn collect(inputs: &[(PathBuf, usize)]) -> Result<Rows, String> {
    let mut rows = Rows::default();
    let mut searcher = Searcher::new(Evaluator::default(), 1);
    for (domain, (path, per_game)) in inputs.iter().enumerate() {
        let (mut games, before) = (0u64, rows.len());
        for input in expand_inputs(std::slice::from_ref(path)).map_err(|error| error.to_string())? {
            let failed = |error: io::Error| format!("{input}: {error}");
            let mut chunks = Chunks::new(input.open().map_err(failed)?);
            let mut buffer = ChunkBuffer::default();
            while chunks.next(&mut buffer) {
                for (moves, result) in read_games(buffer.text(), chunks.is_cut_off(), new_collector).0.games {
                    games += 1;
                    let mut rng = ChaCha8Rng::seed_from_u64(games);
                    for (state, eval) in sample(&moves, *per_game, &mut rng, &mut searcher) {
                        rows.push(&state, result, eval, domain as u8);
                    }
                }
            }
            chunks.take_error().map_or(Ok(()), |error| Err(failed(error)))?;
        }
        eprintln!("{}: {} positions of {games} games", path.display(), rows.len() - before);
    }
    Ok(rows)
}

/// The weights and the draw parameters of the domains, with what Adam remembers of each.
struct Fit {
    /// Middlegame and endgame of each term in centipawns; then ln nu of each domain.
    parameters: Vec<f64>,
    start: Vec<f64>,
    mean: Vec<f64>,
    square: Vec<f64>,
    steps: i32,
}

impl Fit {
    fn new(domains: usize) -> Fit {
        let mut start: Vec<f64> = WEIGHTS.iter().flat_map(|(m, e)| [f64::from(*m), f64::from(*e)]).collect();
        start.resize(2 * TERMS + domains, 0.0);
        let zeros = vec![0.0; start.len()];
        Fit { parameters: start.clone(), start, mean: zeros.clone(), square: zeros, steps: 0 }
    }

    /// Adds the gradient of a row's log-likelihood and returns the log-likelihood.
    fn row(&self, rows: &Rows, row: usize, gradient: Option<&mut [f64]>) -> f64 {
        let middle = f64::from(rows.phases[row]) / f64::from(FULL_PHASE);
        let end = 1.0 - middle;
        let centipawns: f64 = rows
            .terms(row)
            .iter()
            .map(|(term, count)| {
                let i = 2 * usize::from(*term);
                f64::from(*count) * (middle * self.parameters[i] + end * self.parameters[i + 1])
            })
            .sum();
        let half = centipawns * LOGIT / 2.0;
        let domain = 2 * TERMS + usize::from(rows.domains[row]);
        let (win, draw, loss) = (half.exp(), self.parameters[domain].exp(), (-half).exp());
        let all = win + draw + loss;
        let score = f64::from(rows.targets[row]);
        if let Some(gradient) = gradient {
            let by_w = (score - (win + draw / 2.0) / all) * LOGIT;
            for (term, count) in rows.terms(row) {
                let i = 2 * usize::from(*term);
                gradient[i] += by_w * f64::from(*count) * middle;
                gradient[i + 1] += by_w * f64::from(*count) * end;
            }
            gradient[domain] += f64::from(u8::from(rows.results[row] == 1)) - draw / all;
        }
        ([loss, draw, win][usize::from(rows.results[row])] / all).ln()
    }

    /// One step of Adam up the likelihood. `rate` is in centipawns.
    fn step(&mut self, gradient: &[f64], rate: f64) {
        self.steps += 1;
        let (b1, b2) = (0.9, 0.999);
        let correction = (1.0 - f64::powi(b2, self.steps)).sqrt() / (1.0 - f64::powi(b1, self.steps));
        for (i, g) in gradient.iter().enumerate() {
            let weight = i < 2 * TERMS;
            let g = if weight { g - PULL * (self.parameters[i] - self.start[i]) } else { *g };
            self.mean[i] = b1 * self.mean[i] + (1.0 - b1) * g;
            self.square[i] = b2 * self.square[i] + (1.0 - b2) * g * g;
            let rate = if weight { rate } else { rate / 100.0 };
            self.parameters[i] += rate * correction * self.mean[i] / (self.square[i].sqrt() + 1e-9);
        }
    }

    /// Brings the weights to the scale of the results, all by one factor, before each goes its own way; and the draw
    /// parameters to their places. Plain ascent on a part of the rows is enough for so few numbers.
    fn set_scale(&mut self, rows: &Rows, which: &[u32]) {
        let some: Vec<u32> = which.iter().step_by(which.len() / 20_000 + 1).copied().collect();
        let mut factor = 1.0;
        for _ in 0..60 {
            for i in 0..2 * TERMS {
                self.parameters[i] = self.start[i] * factor;
            }
            let mut gradient = vec![0.0; self.parameters.len()];
            for row in &some {
                self.row(rows, *row as usize, Some(&mut gradient));
            }
            let by_factor: f64 = (0..2 * TERMS).map(|i| gradient[i] * self.start[i]).sum::<f64>() / some.len() as f64;
            factor += 0.8 * by_factor;
            for i in 2 * TERMS..gradient.len() {
                self.parameters[i] += 4.0 * gradient[i] / some.len() as f64 * (gradient.len() - 2 * TERMS) as f64;
            }
        }
        eprintln!("scale: {factor:.3}");
        for i in 0..2 * TERMS {
            self.start[i] *= factor;
        }
        self.parameters[..2 * TERMS].copy_from_slice(&self.start[..2 * TERMS]);
    }

    fn log_loss(&self, rows: &Rows, which: &[u32]) -> f64 {
        let bits: f64 = which.iter().map(|row| self.row(rows, *row as usize, None)).sum();
        -bits / which.len() as f64 / std::f64::consts::LN_2
    }
}

fn fit(rows: &Rows, domains: usize) -> Fit {
    let (mut train, mut held) = (Vec::new(), Vec::new());
    for row in 0..rows.len() as u32 {
        // By groups: neighbours are of one game.
        if ((row / 64) as usize).is_multiple_of(HELD_OUT) { held.push(row) } else { train.push(row) }
    }
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut fit = Fit::new(domains);
    fit.set_scale(rows, &train);
    eprintln!("before: {:.5} bits a position, n = {}", fit.log_loss(rows, &held), held.len());
    for epoch in 0..EPOCHS {
        train.shuffle(&mut rng);
        let rate = 2.0 * (1.0 - epoch as f64 / EPOCHS as f64).powi(2) + 0.02;
        for batch in train.chunks(BATCH) {
            let mut gradient = vec![0.0; fit.parameters.len()];
            for row in batch {
                fit.row(rows, *row as usize, Some(&mut gradient));
            }
            gradient.iter_mut().for_each(|g| *g /= batch.len() as f64);
            fit.step(&gradient, rate);
        }
        eprintln!("epoch {epoch}: {:.5} bits a position", fit.log_loss(rows, &held));
    }
    fit
}

fn print(fit: &Fit) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "//! The weights of the terms, in centipawns for the middlegame and the endgame. Made by \
         `examples/tune_eval.rs`; do not\n//! edit by hand.\n\n/// The weights that the engine plays with, \
         by the number of the term: see [`GROUPS`](super::GROUPS).\n#[rustfmt::skip]\npub static WEIGHTS: &[(i16, i16)] = &["
    )?;
    for group in GROUPS {
        writeln!(out, "    // {}", group.name)?;
        let terms: Vec<usize> = (group.first..group.first + group.len).collect();
        for line in terms.chunks(8) {
            let pair = |i: &usize| format!("({:.0}, {:.0}),", fit.parameters[2 * i], fit.parameters[2 * i + 1]);
            writeln!(out, "    {}", line.iter().map(pair).collect::<Vec<_>>().join(" "))?;
        }
    }
    writeln!(out, "];")
}

fn run() -> Result<(), String> {
    let usage = "usage: tune_eval GAMES.pgn[.zst]:PER_GAME... > weights.rs";
    let inputs: Option<Vec<(PathBuf, usize)>> = std::env::args()
        .skip(1)
        .map(|arg| {
            let (path, per_game) = arg.rsplit_once(':')?;
            Some((path.into(), per_game.parse().ok()?))
        })
        .collect();
    let inputs = inputs.filter(|inputs| !inputs.is_empty()).ok_or(usage)?;
    let rows = collect(&inputs)?;
    print(&fit(&rows, inputs.len())).map_err(|error| error.to_string())
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("tune_eval: {error}");
            ExitCode::FAILURE
        }
    }
}
