//! The `.heads` files beside the texts in `tables/`, and the one of the examples of drawish-core, are what the texts give.
//!
//! After a wanted change `DRAWISH_UPDATE=1 cargo test -p drawish-heads --test shipped` writes them anew.

use std::path::{Path, PathBuf};

use drawish_core::Heads;
use drawish_heads::heads::{HeadsFile, SumKind, WdlHead, Weighted};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

fn text(name: &str) -> HeadsFile {
    let path = Path::new(ROOT).join("tables").join(name);
    HeadsFile::from_toml(&std::fs::read_to_string(path).expect("heads")).expect("heads")
}

fn compare(path: PathBuf, bytes: &[u8]) {
    assert_eq!(Heads::from_bytes(bytes).and_then(|heads| heads.verify()), Ok(()));
    if std::env::var_os("DRAWISH_UPDATE").is_some() {
        std::fs::write(path, bytes).expect("the heads are written");
    } else {
        let found = std::fs::read(&path).unwrap_or_default();
        assert!(found == bytes, "{} is not what the text gives: see the top of this test", path.display());
    }
}

#[test]
fn the_files_beside_the_texts() {
    for name in ["human", "tcec", "rival", "pooled"] {
        let bytes = text(&format!("{name}.heads.toml")).to_binary().expect("a file");
        assert!(bytes.len() < 8_192, "{name}: {} bytes", bytes.len());
        compare(Path::new(ROOT).join("tables").join(format!("{name}.heads")), &bytes);
    }
}

#[test]
fn the_wdl_head_of_the_engine() {
    let path = Path::new(ROOT).join("tables/drawish.wdl.toml");
    let head = WdlHead::from_toml(&std::fs::read_to_string(path).expect("a head")).expect("a head");
    let bytes = head.to_binary().expect("a file");
    assert!(bytes.len() < 8_192, "{} bytes", bytes.len());
    compare(Path::new(ROOT).join("tables/drawish.heads"), &bytes);
}

/// Draw head and gain head of human games; a WDL head made by hand, of terms of each kind, so that an example has one.
#[test]
fn the_file_of_the_examples() {
    let file = text("human.heads.toml");
    let mut blocks = file.blocks().expect("blocks");
    let weighted =
        |term: &str, weights: &[f64]| Weighted { term: term.to_owned(), weights: weights.to_vec(), errors: Vec::new() };
    let threshold = [
        weighted("phase", &[-0.02]),
        weighted("opposite_bishops_pure", &[0.4]),
        weighted("pawn_diff", &[-0.05]),
        weighted("rule50 @ 20,60", &[0.0, 0.1, 0.3]),
        weighted("pawns @ 4,8 * passers @ 1,3", &[0.5, 0.3, 0.1, 0.2, 0.1, 0.0, 0.1, 0.0, -0.1]),
    ];
    let slope = [weighted("npm", &[-0.004]), weighted("both_flanks", &[0.1])];
    let shift = [weighted("tempo_mg", &[0.005]), weighted("king_attack_mg", &[0.002])];
    blocks.sum(SumKind::Threshold, 12, 0.5, &threshold, [0; 2]).expect("a threshold");
    blocks.sum(SumKind::Slope, 12, 0.1, &slope, [0; 2]).expect("a slope");
    blocks.sum(SumKind::Shift, 12, 0.0, &shift, [0; 2]).expect("a shift");
    blocks.line(
        &[-2000, -1000, -500, -200, -100, 0, 100, 200, 500, 1000, 2000],
        &[-10.0, -7.0, -4.0, -1.9, -1.0, 0.0, 1.0, 1.9, 4.0, 7.0, 10.0],
    );
    let bytes = blocks.finish(file.rows as u64, file.to_toml().expect("text").as_bytes()).expect("a file");
    compare(Path::new(ROOT).join("core/examples/example.heads"), &bytes);
}
