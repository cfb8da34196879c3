//! What the evaluation of each arm costs the search, in nodes a second of `none`.
//!
//! Arms give other scores, so that their searches are of other trees, with other nodes. Here all search the same one, that
//! of `none`: the scores that `none` gives, in their order, are written down once; then each arm, `none` too, evaluates
//! every position that the search asks about, its number is thrown away, and the search gets the one written down.
//!
//! The arms take turns at every position, so that a slow minute of the machine meets all alike; a round is all positions.
//! Without the argument `--bench`, which `cargo bench` adds, it is only looked at whether the trees are the same. Other
//! arguments are the arms that are wanted: `cargo bench --bench arms -- gain-head+table`.
#![expect(clippy::print_stdout, reason = "a bench says what it has measured")]

mod cpu;

use std::env;
use std::hint::black_box;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

use cpu::cpu_time;
use drawish::eval::{Arm, Config, Evaluate, Evaluator, Heads, Score, State};
use drawish::form::Form;
use drawish::search::{Limits, Searcher, bench};
use drawish_core::expect::WdlPermille;
use shakmaty::Color;

const ROUNDS: usize = 21;
const DEPTH: u32 = bench::DEPTH;
const DEPTH_WITHOUT_TIMING: u32 = 5;
const HASH_MB: usize = 16;
const HEADS: &str = include_str!("../experiments/pilot/rival.heads.toml");

fn main() {
    let is_timed = env::args().any(|argument| argument == "--bench");
    let depth = if is_timed { DEPTH } else { DEPTH_WITHOUT_TIMING };
    let games: Vec<_> = bench::games().collect();
    let heads = Arc::new(heads());
    let evaluator = |arm: Arm| {
        let (heads, form) = (Some(Arc::clone(&heads)), Some(Arc::new(Form::default())));
        Evaluator::new(&Config { arm, heads, form, ..Config::default() }).expect("the heads have all that arms need")
    };

    let mut recorder = Searcher::new(Tape::new(evaluator(Arm::None)), HASH_MB);
    let tapes: Vec<(Rc<[i32]>, u64)> = games
        .iter()
        .map(|game| {
            recorder.new_game();
            let nodes = recorder.search(game, &Limits::depth(depth), &mut |_| {}).nodes;
            (recorder.evaluator().take().into(), nodes)
        })
        .collect();

    let wanted: Vec<Arm> = env::args().skip(1).filter_map(|argument| Arm::from_name(&argument)).collect();
    let is_wanted = |arm: &&Arm| wanted.is_empty() || **arm == Arm::None || wanted.contains(arm);
    let arms: Vec<Arm> = Arm::ALL.iter().filter(is_wanted).copied().collect();
    let mut searchers: Vec<_> = arms.iter().map(|arm| Searcher::new(Replay::new(evaluator(*arm)), HASH_MB)).collect();
    let rounds = if is_timed { ROUNDS } else { 0 };
    let mut seconds = vec![vec![0.0; searchers.len()]; rounds];
    // The round that is not kept fills the memories.
    for round in 0..=rounds {
        for (i, (game, (tape, nodes))) in games.iter().zip(&tapes).enumerate() {
            for turn in 0..searchers.len() {
                let which = (turn + i + round) % searchers.len();
                let searcher = &mut searchers[which];
                searcher.new_game();
                searcher.evaluator().play(tape);
                let (began, cpu_before) = (Instant::now(), cpu_time());
                let result = searcher.search(game, &Limits::depth(depth), &mut |_| {});
                let cpu = cpu_time().zip(cpu_before).map(|(now, before)| now - before);
                assert_eq!(result.nodes, *nodes, "{} searches another tree", arms[which].name());
                if round > 0 {
                    seconds[round - 1][which] += cpu.unwrap_or_else(|| began.elapsed().as_secs_f64());
                }
            }
        }
    }
    let nodes: u64 = tapes.iter().map(|(_, nodes)| nodes).sum();
    if is_timed {
        print(nodes, tapes.iter().map(|(tape, _)| tape.len()).sum(), &arms, &seconds);
    } else {
        println!("all arms search the same {nodes} nodes; `cargo bench --bench arms` times them");
    }
}

/// The heads by which the pilot plays.
fn heads() -> Heads {
    Heads::from_toml("rival", HEADS).expect("the heads of the pilot")
}

/// Writes scores down.
struct Tape {
    evaluator: Evaluator,
    written: Vec<i32>,
}

impl Tape {
    fn new(evaluator: Evaluator) -> Tape {
        Tape { evaluator, written: Vec::new() }
    }

    fn take(&mut self) -> Vec<i32> {
        std::mem::take(&mut self.written)
    }
}

/// Evaluates, and gives the scores that were written down.
struct Replay {
    evaluator: Evaluator,
    tape: Rc<[i32]>,
    next: usize,
}

impl Replay {
    fn new(evaluator: Evaluator) -> Replay {
        Replay { evaluator, tape: Rc::new([]), next: 0 }
    }

    fn play(&mut self, tape: &Rc<[i32]>) {
        self.tape = Rc::clone(tape);
        self.next = 0;
    }
}

impl Evaluate for Tape {
    fn begin(&mut self, side: Color) -> bool {
        self.evaluator.begin(side)
    }

    fn evaluate(&mut self, state: &State) -> Score {
        self.evaluator.evaluate(state)
    }

    fn centipawns(&mut self, state: &State) -> i32 {
        let score = self.evaluator.centipawns(state);
        self.written.push(score);
        score
    }

    fn win_draw_loss(&mut self, state: &State, centipawns: i32) -> WdlPermille {
        self.evaluator.win_draw_loss(state, centipawns)
    }
}

impl Evaluate for Replay {
    fn begin(&mut self, side: Color) -> bool {
        self.evaluator.begin(side)
    }

    fn evaluate(&mut self, state: &State) -> Score {
        self.evaluator.evaluate(state)
    }

    fn appraise_again(&mut self, state: &State, lasting: i32) -> i32 {
        black_box(self.evaluator.appraise_again(state, lasting));
        lasting
    }

    fn centipawns(&mut self, state: &State) -> i32 {
        black_box(self.evaluator.centipawns(state));
        let score = self.tape[self.next];
        self.next += 1;
        score
    }

    fn win_draw_loss(&mut self, state: &State, centipawns: i32) -> WdlPermille {
        self.evaluator.win_draw_loss(state, centipawns)
    }
}

/// One line for each arm: its speed, and by how much of `none`'s it is slower.
fn print(nodes: u64, evaluations: usize, arms: &[Arm], rounds: &[Vec<f64>]) {
    let clock = if cpu_time().is_some() { "CPU time" } else { "wall time" };
    println!("{} positions to depth {DEPTH}: {nodes} nodes, {evaluations} evaluations", bench::games().count());
    println!("{} rounds by {clock}; medians, and their 95 % intervals by order statistics\n", rounds.len());
    println!("arm                 nodes/s    costs of the nodes/s of none");
    let none = arms.iter().position(|arm| *arm == Arm::None).expect("an arm");
    for (i, arm) in arms.iter().enumerate() {
        let [_, speed, _] = median(rounds.iter().map(|round| nodes as f64 / round[i]));
        let [low, cost, high] = median(rounds.iter().map(|round| 100.0 * (1.0 - round[none] / round[i])));
        println!("{:16} {speed:>10.0}    {cost:>5.1} %  [{low:.1}, {high:.1}]", arm.name());
    }
}

/// The median with its 95 % interval, whose ends are the figures of the ranks n/2 -+ 1.96 sqrt(n)/2: how many figures lie
/// below the true median is binomial with p = 1/2.
fn median(figures: impl Iterator<Item = f64>) -> [f64; 3] {
    let mut figures: Vec<f64> = figures.collect();
    figures.sort_by(f64::total_cmp);
    let n = figures.len();
    let below = ((n as f64 - 1.96 * (n as f64).sqrt()) / 2.0).floor().max(1.0) as usize;
    [figures[below - 1], figures[n / 2], figures[n - below]]
}
