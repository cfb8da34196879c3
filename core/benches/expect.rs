//! Nanoseconds per score: from a wiloScore and a drawScore to what a search compares.
//!
//! Every answer is compared with the formula in `f64` before anything is timed: a fast wrong answer ends the run.

use std::hint::black_box;
use std::time::Duration;

use criterion::Criterion;
use drawish_core::expect::{DrawModel, Wilo, fast_expected_score};
use drawish_core::{Centipawns, DrawScore};

const POSITIONS: usize = 4096;
const KAPPA: u16 = 384;

fn main() {
    let mut criterion = Criterion::default()
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2))
        .without_plots()
        .configure_from_args();
    let positions = random_positions();
    let model = DrawModel::new(KAPPA);
    let wilo = |cp| Wilo::from_centipawns(Centipawns(cp));
    let p = |cp, u| model.expected_score(wilo(cp), u).to_f64();
    bench(&mut criterion, "expected-score", &positions, p, real_p, 1e-5);
    bench(&mut criterion, "expected-score/f64", &positions, real_p, real_p, 0.0);
    let seed = |cp, u| DrawModel::SEED.expected_score(wilo(cp), u).to_f64();
    bench(&mut criterion, "expected-score/kappa-0", &positions, seed, |cp, u| real(0.0, cp, u), 1e-5);
    let fast = |cp, u| fast_expected_score(wilo(cp), u).to_f64();
    bench(&mut criterion, "expected-score/fast", &positions, fast, real_fast, 5e-6);
    let score = |cp, u| f64::from(model.centipawns(wilo(cp), u).0);
    bench(&mut criterion, "centipawns", &positions, score, real_centipawns, 0.6);
    bench(&mut criterion, "centipawns/f64", &positions, real_centipawns, real_centipawns, 0.0);
    criterion.final_summary();
}

/// Checks each answer, then times all of them.
fn bench(
    criterion: &mut Criterion,
    name: &str,
    positions: &[(i32, DrawScore)],
    query: impl Fn(i32, DrawScore) -> f64,
    real: impl Fn(i32, DrawScore) -> f64,
    allowed: f64,
) {
    for &(cp, u) in positions {
        assert!((query(cp, u) - real(cp, u)).abs() <= allowed, "{name}: {cp} {u:?}");
    }
    criterion.bench_function(name, |bencher| {
        let mut next = 0;
        bencher.iter(|| {
            next = (next + 1) % POSITIONS;
            let (cp, u) = black_box(positions[next]);
            query(cp, u)
        });
    });
}

fn real(kappa: f64, cp: i32, v: DrawScore) -> f64 {
    let w = f64::from(cp) * std::f64::consts::LN_10 / 400.0;
    let u = v.to_logit() - kappa * (2.0 * (w / 2.0).cosh()).ln();
    0.5 + (w / 2.0).tanh() / 2.0 / (1.0 + u.exp())
}

fn real_p(cp: i32, v: DrawScore) -> f64 {
    real(f64::from(KAPPA) / 256.0, cp, v)
}

fn real_centipawns(cp: i32, v: DrawScore) -> f64 {
    let p = real_p(cp, v);
    400.0 * (p / (1.0 - p)).log10()
}

fn real_fast(cp: i32, u: DrawScore) -> f64 {
    let f = |x: f64| x / (1.0 + x.abs());
    let w = f64::from(cp) * std::f64::consts::LN_10 / 400.0;
    // The fast one gets w rounded to 1/65,536 logit, which moves P by 4 millionths at most.
    0.5 + f(w) * (1.0 - f(u.to_logit())) / 4.0
}

/// Up to ten pawns and four logits.
fn random_positions() -> Vec<(i32, DrawScore)> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    // Knuth's MMIX generator; its high bits are the good ones.
    let mut below = move |limit: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % limit
    };
    (0..POSITIONS).map(|_| (below(2001) as i32 - 1000, DrawScore(below(2049) as i16 - 1024))).collect()
}
