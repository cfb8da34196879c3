use drawish_core::{
    Board, Heads,
    features::{self, *},
};
use std::{hint::black_box, time::Instant};
static HEADS: Heads<'static> = Heads::embed(include_bytes!("example.heads"));
fn main() {
    let boards: Vec<Board> = include_str!("../features.tsv")
        .lines()
        .skip(71)
        .map(|l| Board::from_fen(l.split('\t').next().unwrap()).unwrap())
        .collect();
    let vals: Vec<[i16; COUNT]> = boards
        .iter()
        .map(|b| {
            let mut v = [0; COUNT];
            features::fill(&View::new(b), &mut v);
            v
        })
        .collect();
    let views: Vec<View> = boards.iter().map(View::new).collect();
    let t = |name: &str, f: &mut dyn FnMut(usize)| {
        let mut best = f64::MAX;
        for _ in 0..30 {
            let s = Instant::now();
            for _ in 0..100 {
                for i in 0..boards.len() {
                    f(i)
                }
            }
            best = best.min(s.elapsed().as_secs_f64() * 1e9 / 100.0 / boards.len() as f64);
        }
        println!("{name} {best:.1}");
    };
    t("view", &mut |i| {
        black_box(View::new(black_box(&boards[i])));
    });
    let mut v = [0; COUNT];
    for f in Family::ALL {
        t(f.name(), &mut |i| {
            features::fill_family(f, black_box(&views[i]), &mut v);
            black_box(&v);
        });
    }
    let d = HEADS.draw().unwrap();
    t("raw draw", &mut |i| {
        black_box(d.sum().raw(black_box(&vals[i])));
    });
    for (n, s) in HEADS.wdl_head().unwrap().sums().into_iter().enumerate() {
        t(&format!("wdl sum {n}"), &mut |i| {
            black_box(s.raw(black_box(&vals[i])));
        });
    }
    t("draw_score", &mut |i| {
        black_box(HEADS.draw_score(black_box(&boards[i])));
    });
    t("wdl", &mut |i| {
        black_box(HEADS.wdl(black_box(&boards[i]), drawish_core::Centipawns(black_box(77))));
    });
}
