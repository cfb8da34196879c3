//! `tests/engines/openbench.json`, the engine's file for an instance of OpenBench: its keys are those that OpenBench takes, and the
//! engine understands the options of its presets.

use serde_json::{Map, Value};

use crate::engine::Engine;

/// What OpenBench's `config.py` takes in a preset of any kind, for a side of the match.
const OF_A_SIDE: [&str; 5] = ["branch", "bench", "network", "options", "time_control"];
const OF_GAMES: [&str; 7] =
    ["book_name", "upload_pgns", "priority", "throughput", "syzygy_wdl", "syzygy_adj", "win_adj"];

fn config() -> Value {
    serde_json::from_str(include_str!("engines/openbench.json")).expect("JSON")
}

fn object<'a>(value: &'a Value, name: &str) -> &'a Map<String, Value> {
    value[name].as_object().unwrap_or_else(|| panic!("{name}: expected an object"))
}

#[test]
fn the_file_for_openbench_has_its_format() {
    let config = config();
    assert!(config["private"] == false && config["source"].as_str().is_some_and(|url| url.starts_with("https://")));
    assert!(config["nps"].as_u64().is_some_and(|nps| nps > 0));
    let build = object(&config, "build");
    assert_eq!(build["path"], "", "the Makefile is at the root, and takes EXE");
    for list in ["compilers", "cpuflags", "systems"] {
        assert!(build[list].as_array().is_some_and(|texts| texts.iter().all(Value::is_string)), "{list}");
    }
    assert!(include_str!("../Makefile").contains("EXE ?= "));
    for (kind, sides, more) in [
        (
            "test_presets",
            &["both", "dev", "base"][..],
            &["test_bounds", "test_confidence", "test_max_games", "workload_size"][..],
        ),
        ("tune_presets", &["dev"], &["spsa_iterations", "spsa_pairs_per"]),
        ("datagen_presets", &["both", "dev", "base"], &["workload_size", "datagen_max_games"]),
    ] {
        let presets = object(&config, kind);
        assert!(presets.contains_key("default"), "{kind}");
        for (name, preset) in presets {
            for key in preset.as_object().expect("a preset").keys() {
                let of_a_side =
                    key.split_once('_').is_some_and(|(side, of)| sides.contains(&side) && OF_A_SIDE.contains(&of));
                let known = of_a_side || OF_GAMES.contains(&key.as_str()) || more.contains(&key.as_str());
                assert!(known || key == "draw_adj", "{kind}, {name}: {key}");
            }
        }
    }
}

#[test]
fn the_engine_takes_the_options_of_openbench() {
    let config = config();
    let mut engine = Engine::start();
    let mut arms = 0;
    for kind in ["test_presets", "tune_presets", "datagen_presets"] {
        for (name, preset) in object(&config, kind) {
            for (_, value) in preset.as_object().expect("a preset").iter().filter(|(key, _)| key.ends_with("_options"))
            {
                for option in value.as_str().expect("options").split(' ') {
                    let (option, value) = option.split_once('=').expect("NAME=VALUE");
                    let said = engine.answer(&format!("setoption name {option} value {value}"));
                    arms += usize::from(option == "Arm");
                    // An arm of heads is told to wait for them, which are the next option.
                    assert!(said.is_empty() || option == "Arm", "{kind}, {name}, {option}: {said}");
                }
                let best = engine.best("position startpos", "go nodes 300");
                assert_eq!(best.len(), 4, "{kind}, {name}: {best}");
            }
        }
    }
    assert!(arms >= 3);
    engine.end();
}
