//! What the engine adds up for a head, with its memories, is what the file of heads says.

use std::sync::Arc;

use drawish_engine::eval::{Arm, Config, Evaluate, Evaluator, Heads};
use drawish_engine::search::bench;
use drawish_heads::features;
use drawish_heads::heads::HeadsFile;

#[test]
fn the_draw_score_is_that_of_the_file() {
    let text = include_str!("../../../../tables/pooled.heads.toml");
    let head = HeadsFile::from_toml(text).expect("heads").draw.quantised();
    let heads = Some(Arc::new(Heads::from_toml("pooled", text).expect("heads")));
    let config = Config { arm: Arm::DrawHead, heads, ..Config::default() };
    let mut evaluator = Evaluator::new(&config).expect("the arm has its heads");
    let mut values = [0; features::COUNT];
    let mut seen = std::collections::BTreeSet::new();
    for game in bench::games() {
        features::fill(&features::view(game.position()), &mut values);
        // Quantised weights add up exactly; the engine rounds down to 1/256 logit.
        let expected = (256.0 * head.score_of(&values).expect("terms of the board")).floor();
        let found = evaluator.evaluate(game.state()).draw.0;
        assert_eq!(f64::from(found), expected);
        seen.insert(found);
    }
    assert!(seen.len() > 20, "the positions differ");
}
