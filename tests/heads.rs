//! WDL heads from games to the files of engines, and what is said of heads for engines, good and bad.

use std::path::Path;

use drawish::features;
use drawish::heads::{WdlHead, permille};
use drawish_core::{Board, Centipawns, Color, Heads};

use crate::run::Place;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
const FEN: &str = "8/5k2/8/4b3/3p4/1B1P4/5K2/8 w - - 0 60";

/// A place with the WDL head for this engine's own games as text, and the draw and gain heads of three corpora.
fn place_with_heads() -> Place {
    let place = Place::new();
    for name in ["drawish.wdl.toml", "pooled.heads.toml"] {
        place.put(name, std::fs::read(Path::new(ROOT).join("tables").join(name)).expect("shipped heads"));
    }
    place
}

fn head_of(place: &Place, name: &str) -> WdlHead {
    WdlHead::from_toml(&String::from_utf8(place.read(name)).expect("text")).expect("a WDL head")
}

/// What is fitted to the sample's games goes to engines as it is: integers and definition agree within a permille on positions of
/// games, with the clock run out, at evaluations of every size.
#[test]
fn a_fitted_head_is_written_in_every_form() {
    let place = Place::new();
    let sample = Path::new(ROOT).join("src/cli/demo/sample.pgn.zst");
    let outputs = "-o head.toml -o head.heads -o head.h -o head.rs -q";
    place.say(&format!("wdl head {} --every 40 {outputs}", sample.display())).ok();
    let (head, bytes) = (head_of(&place, "head.toml"), place.read("head.heads"));
    assert_eq!(bytes, head.to_binary().expect("a file"));
    let heads = Heads::from_bytes(&bytes).expect("heads");
    assert_eq!((heads.verify(), heads.rows()), (Ok(()), head.rows as u64));
    assert!(heads.draw().is_none() && heads.gain_head().is_none() && bytes.len() < 8_192, "{} bytes", bytes.len());
    let model = head.quantised().model().expect("a head");
    for fen in include_str!("../crates/heads/src/normalisation.fens").lines().step_by(5) {
        let board = Board::from_fen(fen).expect("a position of a game");
        for clock in [board.halfmoves(), 100] {
            let [white, black] = board.colors();
            let board = Board::from_roles(board.roles(), white, black, board.turn(), clock.into());
            let mut values = [0; features::COUNT];
            features::fill(&features::View::new(&board), &mut values);
            for eval in [0, 12, -35, 90, -240, 1_000, -2_500, 9_999, -9_999, 10_000, -32_000, i32::MIN, i32::MAX] {
                let expected = permille(model.wdl(&values, eval));
                let own = if board.turn() == Color::White { eval } else { eval.saturating_neg() };
                let found = heads.wdl(&board, Centipawns(own)).expect("a WDL head");
                let (win, loss) =
                    if board.turn() == Color::White { (found.win, found.loss) } else { (found.loss, found.win) };
                assert!(
                    win.abs_diff(expected.wins) <= 1 && loss.abs_diff(expected.losses) <= 1,
                    "{board:?} {eval}: {expected:?} {found:?}"
                );
            }
        }
    }
    let header = String::from_utf8(place.read("head.h")).expect("text");
    assert!(header.contains("drawish_data_head[DRAWISH_DATA_HEAD_LENGTH] = {") && header.contains("WDL head, drawish"));
    let module = String::from_utf8(place.read("head.rs")).expect("text");
    assert!(module.contains("pub static HEAD: drawish_core::Heads<'static>"), "{}", &module[..300]);
}

#[test]
fn heads_of_two_kinds_go_into_one_file() {
    let place = place_with_heads();
    place.say("wdl head drawish.wdl.toml -o wdl.heads").ok();
    assert_eq!(place.read("wdl.heads"), head_of(&place, "drawish.wdl.toml").to_binary().expect("a file"));
    place.say("wdl head drawish.wdl.toml --with pooled.heads.toml -o both.heads -o both.h -o copy.toml").ok();
    assert_eq!(head_of(&place, "copy.toml"), head_of(&place, "drawish.wdl.toml"));
    let (both, wdl) = (place.read("both.heads"), place.read("wdl.heads"));
    let pooled = std::fs::read(Path::new(ROOT).join("tables/pooled.heads")).expect("shipped heads");
    let [both, wdl, pooled] = [&both, &wdl, &pooled].map(|bytes| Heads::from_bytes(bytes).expect("heads"));
    assert_eq!((both.verify(), both.rows()), (Ok(()), wdl.rows() + pooled.rows()));
    let board = Board::from_fen(FEN).expect("a FEN");
    assert_eq!(both.wdl(&board, Centipawns(90)), wdl.wdl(&board, Centipawns(90)));
    assert_eq!((both.draw_score(&board), both.gain(&board)), (pooled.draw_score(&board), pooled.gain(&board)));

    let shown = place.say("inspect both.heads").ok().out();
    for part in ["draw head, gain head, WDL head", "WDL head: threshold", "knots", "reads material"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let value = place.say("inspect wdl.heads --json").ok().json();
    assert_eq!((&value["heads"], &value["rows"]), (&serde_json::json!(["WDL head"]), &serde_json::json!(wdl.rows())));
    assert_eq!(place.say("inspect drawish.wdl.toml --json").ok().json(), value, "a text is what it gives");
    let good = place.say("verify both.heads wdl.heads drawish.wdl.toml pooled.heads.toml").ok().out();
    assert!(good.contains("both.heads: good heads (draw head, gain head, WDL head), fitted to "), "{good}");
    // Both verbs name a command that works; of several files none.
    assert!(!good.contains("next:"), "{good}");
    let good = place.say("verify both.heads").ok().out();
    assert!(good.ends_with("\n\nnext: drawish inspect both.heads\n"), "{good}");
    let next = shown.lines().last().and_then(|line| line.strip_prefix("next: drawish ")).expect("a command");
    let words: Vec<&str> = next
        .split('"')
        .flat_map(|part| if part.contains('/') { vec![part] } else { part.split_whitespace().collect() })
        .collect();
    assert_eq!(words[..2], ["inspect", "both.heads"]);
    place.run(words).ok();

    // White's evaluation, whoever is to move, and the same of the text and of the binary form.
    for fen in [FEN, "8/5k2/8/4b3/3p4/1B1P4/5K2/8 b - - 0 60"] {
        let of = |args: &[&str]| place.run([args, &["--eval", "-140", "--json"]].concat()).ok().json()["wdl"].clone();
        let expected = of(&["wdl", "show", "drawish.wdl.toml", "--fen", fen]);
        assert_eq!(of(&["wdl", "show", "both.heads", "--fen", fen]), expected);
        assert_eq!(of(&["inspect", "both.heads", fen]), expected);
    }
    let said = place.run(["inspect", "both.heads", FEN, "--eval", "90"]).ok().out();
    assert!(
        ["draw head  drawScore", "gain head  ", "WDL head   wdl "].iter().all(|part| said.contains(part)),
        "{said}"
    );
}

/// Of a head only a position is asked: what is asked of models is refused, and an evaluation that was not given is named.
#[test]
fn a_head_says_which_evaluation_it_took() {
    let place = place_with_heads();
    place.say("wdl head drawish.wdl.toml -o wdl.heads").ok();
    let black = FEN.replace(" w ", " b ");
    for name in ["drawish.wdl.toml", "wdl.heads"] {
        for question in ["--internal=90", "--win=0.5", "--score=0.75", "--draw=0.5"] {
            let option = question.split('=').next().expect("an option");
            place.run(["wdl", "show", name, "--fen", FEN, question]).fails(2, &["--fen", option]);
            place.run(["wdl", "show", name, FEN, question]).fails(2, &[option]);
        }
        let said = place.run(["wdl", "show", name, "--fen", FEN]).ok().out();
        assert!(said.starts_with("evaluation 0 centipawns for White (default; give --eval)\n"), "{said}");
        let said = place.run(["wdl", "show", name, "--fen", &black, "--cp", "90"]).ok().out();
        let whose = "evaluation 90 centipawns for White; Black is to move, and the evaluation is White's\n";
        assert!(said.starts_with(whose), "{said}");
    }
    // The same keys mean the same in both forms.
    let of = |name: &str, key: &str| {
        let shown = place.run(["wdl", "show", name, "--fen", FEN, "--eval", "90", "--json"]).ok().json();
        shown[key].as_f64().expect("a number")
    };
    for key in ["threshold", "slope", "shift"] {
        let [text, bytes] = ["drawish.wdl.toml", "wdl.heads"].map(|name| of(name, key));
        assert!((text - bytes).abs() < 1e-6, "{key}: {text} {bytes}");
    }
    let said = place.run(["inspect", "wdl.heads", FEN]).ok().out();
    assert!(said.contains("White (default; give --eval)\n"), "{said}");
    let said = place.say("wdl collect x.pgn -o x.wdl --normalize-to-pawn-value 100").fails(2, &[]).err();
    assert!(said.contains("--normalize-to-pawn-value is an option of `drawish wdl fit`"), "{said}");
    let header = |line: &str| {
        place.say(line).ok();
        String::from_utf8(place.read("heads.h")).expect("text")
    };
    for line in ["wdl head drawish.wdl.toml -o heads.h", "tune pooled.heads.toml -o heads.h"] {
        if cfg!(feature = "frames") || line.starts_with("wdl") {
            assert!(header(line).contains("`drawish tune` or `drawish wdl head` writes by -o heads.h"), "{line}");
        }
    }
}

#[test]
fn what_moves_change_is_shown_of_heads_alone() {
    let place = place_with_heads();
    place.say("wdl head drawish.wdl.toml -o wdl.heads").ok();
    let shown = place.say("inspect pooled.heads.toml --moves").ok().out();
    let parts = ["legal moves of 2,045 positions", "pawn takes pawn", "ln g among the moves of a position"];
    assert!(parts.iter().all(|part| shown.contains(part)), "{shown}");
    let value = place.say("inspect pooled.heads.toml --moves --json").ok().json();
    let kinds = value["kinds"].as_array().expect("kinds");
    assert!(kinds.len() == 8 && kinds.iter().all(|kind| kind["ln_g"]["mean"].is_f64()), "{value}");
    place.say("inspect wdl.heads --moves").fails(1, &["expected a draw head or a gain head for --moves"]);
    place.put("human.table", std::fs::read(Path::new(ROOT).join("tables/human.table")).expect("a shipped table"));
    place.say("inspect human.table --moves").fails(1, &["only heads can be asked about moves"]);
}

#[test]
fn what_is_wrong_with_heads_is_named() {
    let place = place_with_heads();
    place.say("wdl head drawish.wdl.toml --with pooled.heads.toml -o good.heads").ok();
    let good = place.read("good.heads");
    let change = |at: usize, with: &[u8]| {
        let mut bytes = good.clone();
        bytes[at..at + with.len()].copy_from_slice(with);
        bytes
    };
    // Kind, shift and length of the block, then constant, parameters and the numbers of weights of each family.
    let (first_count, first_weight) = (64 + 8 + 12, 64 + 40);
    for (name, bytes, said) in [
        (
            "bit.heads",
            change(first_weight, &[good[first_weight] ^ 4]),
            "the file was changed after it was written, make or copy it again",
        ),
        ("version.heads", change(8, &[9, 0]), "expected heads of format version 1, found 9: make them again"),
        ("terms.heads", change(first_count, &[99, 0]), "is not known to this version of drawish: use a later one"),
        ("block.heads", change(64, &[77, 0]), "block kind 77 is not known"),
        ("cut.heads", good[..500].to_vec(), "found 500: the file is cut"),
        ("short.heads", good[..20].to_vec(), "found 20 bytes"),
        ("magic.heads", change(3, b"X"), "expected a table, counts, heads or WDL counts"),
        ("empty.heads", Vec::new(), "expected a table, counts, heads or WDL counts"),
    ] {
        place.put(name, bytes);
        place.run(["verify", name]).fails(1, &[name, said]);
        place.run(["inspect", name]).fails(1, &[name]);
        place.run(["wdl", "show", name, "--fen", FEN, "--eval", "7"]).fails(1, &[name]);
    }
    place.run(["inspect", "good.heads", "no fen"]).fails(1, &["\"no fen\": expected the FEN", "in quotes"]);
    place.run(["inspect", "good.heads", "8/8/8/8/8/8/8/4K3 w - - 0 1"]).fails(1, &["Black has 0 kings, expected 1"]);
    place.say("inspect good.heads --csv").fails(1, &["good.heads: heads have no cells"]);
    place.say("merge good.heads -o x.counts").fails(1, &["expected counts of structures, found heads"]);
    place
        .say("collect good.heads -o x.counts")
        .fails(1, &["good.heads", "not PGN but heads for engines: `drawish inspect`"]);
    place.say("wdl fit good.heads").fails(1, &["good.heads"]);
    std::fs::copy(Path::new(ROOT).join("tables/pooled.heads"), place.path("pooled.heads")).expect("a copy");
    place.say("report pooled.heads -o x.html").fails(1, &["pooled.heads", "drawish inspect"]);
    place
        .run(["wdl", "show", "pooled.heads", "--fen", FEN, "--eval", "7"])
        .fails(1, &["pooled.heads: expected a WDL head, found draw head, gain head; make one by `drawish wdl head`"]);
    place
        .say("wdl head pooled.heads.toml -o x.heads")
        .fails(1, &["pooled.heads.toml: expected the text of a WDL head", "found the text of a draw head"]);
    place.say("wdl head drawish.wdl.toml -o x.heads --compare").fails(1, &["leave out --compare"]);
    // What has no effect is refused.
    for option in ["--every 2", "--every 1", "--max-eval 1000", "--weigh game", "--fen-starts"] {
        let name = option.split(' ').next().expect("a word");
        let said = format!("{name} is about games");
        place.say(&format!("wdl head drawish.wdl.toml -o x.heads {option}")).fails(1, &[said.as_str()]);
    }
    place.say("wdl head drawish.wdl.toml -o x.heads --folds 3").fails(2, &["--compare"]);
    place.say("wdl head drawish.wdl.toml -o x.toml --with pooled.heads.toml").fails(1, &["--with is about .heads"]);
    place.say("wdl head drawish.wdl.toml -o x.docx").fails(1, &["x.docx", ".toml, .heads, .rs or .h"]);
    place.say("wdl head drawish.wdl.toml --with drawish.wdl.toml -o x.heads").fails(1, &["drawish.wdl.toml"]);
    assert!(!place.path("x.heads").exists());
}

/// A head of the same games is refused as the one that weights are held towards, before anything is written; judged on games held out,
/// the models' reliability is drawn.
#[test]
fn weights_are_held_towards_a_head_of_other_games_and_reliability_is_drawn() {
    let place = place_with_heads();
    let sample = Path::new(ROOT).join("src/cli/demo/sample.pgn.zst");
    let line = format!("wdl head {} --every 60", sample.display());
    place
        .say(&format!("{line} --towards drawish.wdl.toml -o x.toml"))
        .fails(1, &["the head that weights are held towards has seen sample.pgn.zst; take one of other games"]);
    assert!(!place.path("x.toml").exists());
    place.say(&format!("{line} --towards a.toml --of b.toml -o x.toml")).fails(2, &["--towards", "--of"]);
    place.say("wdl head drawish.wdl.toml --towards drawish.wdl.toml -o x.heads").fails(1, &["--towards"]);
    let said = place.say(&format!("{line} --compare --folds 2 --picture p.svg")).ok().out();
    let figure = |name: &str| said.lines().find(|line| line.starts_with(name)).map(str::to_owned).expect("a model");
    assert!(figure("WDL head").contains('+'), "{said}");
    let picture = String::from_utf8(place.read("p.svg")).expect("text");
    assert!(
        ["Stockfish's model", "WDL head", "forecast of draw"].iter().all(|part| picture.contains(part)),
        "{picture}"
    );
    // A fit and a comparison count the same weights.
    let fitted = place.say(&format!("{line} -o x.toml")).ok().out();
    let weights = figure("WDL head").split_whitespace().nth(2).map(str::to_owned).expect("a number");
    assert!(fitted.contains(&format!(", {weights} weights of 16 bits")), "{weights} in {fitted}");
    let alone = place.say(&format!("{line} --compare --folds 2 --json -q")).ok();
    assert_eq!(alone.err(), "");
    assert!(alone.json()["verdicts"].is_array());
    place.say(&format!("{line} --compare --picture p.docx")).fails(1, &["p.docx"]);
    place.say(&format!("{line} -o x.toml --picture p.svg")).fails(2, &["--compare"]);
}

/// What goes to standard output is the head alone: all that is said of it stands beside.
#[test]
fn a_head_on_standard_output_is_nothing_but_the_head() {
    let place = place_with_heads();
    let sample = Path::new(ROOT).join("src/cli/demo/sample.pgn.zst");
    let sample = sample.display();
    for line in [
        format!("wdl head {sample} --every 100 -o -"),
        format!("wdl head {sample} --every 100 --of drawish.wdl.toml -o -"),
        format!("wdl head {sample} --every 200 --compare --folds 2 -o -"),
    ] {
        let done = place.say(&line).ok();
        assert!(WdlHead::from_toml(&done.out()).is_ok(), "{line}: {}", &done.out()[..300]);
        assert!(done.err().contains("games read"), "{line}: {}", done.err());
    }
    let svg = place.say(&format!("wdl head {sample} --every 200 --compare --folds 2 --picture -")).ok();
    assert!(svg.out().starts_with("<svg") && svg.err().contains("ECE"), "{}", svg.err());
}
