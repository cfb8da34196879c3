//! Positions without their games, and games that come again: what is made of their rows says so in JSON, in files and on pages, and
//! claims nothing of games that are not known.

#[cfg(feature = "frames")]
use std::path::Path;

use crate::run::Place;

const SAID: &str = "positions without their games: those of one game count as independent and stand on both sides of folds, so that gains are \
                    too large and errors too small; judge by games (PGN, binpack, viri)";

/// What pages claim of games held out.
const CLAIMS: [&str; 4] =
    ["robust to dependence", " games held out by ", "tenth of the games", "games that no fit has seen"];

/// Boards in the format of bullet with all results: kings, and pawns by the bits of a number.
fn boards(count: u32) -> Vec<u8> {
    let record = |number: u32| -> Vec<u8> {
        let files = number.wrapping_mul(2_654_435_769) >> 12;
        // The kings on e1 and e8, and pawns on the third and the sixth rank.
        let occupied = 1 << 4 | u64::from(files & 255) << 16 | u64::from(files >> 8 & 255) << 40 | 1 << 60;
        let mut men: Vec<u8> = vec![5];
        men.extend(vec![0; (files & 255).count_ones() as usize]);
        men.extend(vec![8; (files >> 8 & 255).count_ones() as usize]);
        men.extend([13].into_iter().chain([0; 16]));
        let halves = men.chunks_exact(2).take(16).map(|two| two[0] | two[1] << 4);
        let mut record: Vec<u8> = u64::to_le_bytes(occupied).into_iter().chain(halves).collect();
        record.resize(24, 0);
        let lead = (files & 255).count_ones() as i16 - (files >> 8 & 255).count_ones() as i16;
        record.extend((30 * lead).to_le_bytes());
        record.extend([(number % 3) as u8, 4, 60, 0, 0, 0]);
        record
    };
    (0..count).flat_map(record).collect()
}

/// The page of a file as Markdown, which shows this remark and claims nothing of games.
fn page(place: &Place, file: &str, remark: &str) -> String {
    place.say(&format!("report {file} -o page.md -q")).ok();
    let page = String::from_utf8(place.read("page.md")).expect("text");
    assert!(page.contains(remark), "{file}: {remark:?} in {page}");
    for claim in CLAIMS {
        assert!(!page.contains(claim), "{file}: {claim:?} in {page}");
    }
    page
}

#[test]
fn wdl_heads_of_boards_say_so() {
    let place = Place::new();
    place.put("a.bullet", boards(240));
    let compared = place.say("wdl head a.bullet --compare --folds 2 --json -o head.toml --picture head.svg").ok();
    let warnings = compared.json()["warnings"].clone();
    assert_eq!(warnings[0], format!("240 {SAID}"));
    place.put("compared.json", compared.out());
    let said = page(&place, "compared.json", SAID);
    assert!(said.contains("240 positions without their games, ") && !said.contains("of 240 games"), "{said}");
    let picture = String::from_utf8(place.read("head.svg")).expect("text");
    assert!(picture.contains("240 positions without their games") && !picture.contains("games held out"), "{picture}");
    // A file of an earlier build has the rule alone.
    let mut old = compared.json();
    old.as_object_mut().expect("an object").remove("warnings");
    place.put("old.json", old.to_string());
    page(&place, "old.json", "positions without their games: the intervals take positions for independent");
    // On the terminal.
    let text = place.say("wdl head a.bullet --compare --folds 2").ok().out();
    assert!(text.contains("judged on 240 positions without their games, "), "{text}");
    assert!(!text.contains("robust to dependence") && !text.contains("240 games and"), "{text}");
    // The head itself.
    let said = page(&place, "head.toml", SAID);
    assert!(said.contains("| games | not known |") && said.contains("| events | not known |"), "{said}");
    assert!(place.say("inspect head.toml").ok().out().contains(&format!("\nbeware: 240 {SAID}\n")));
    assert_eq!(place.say("inspect head.toml --json").ok().json()["warnings"][0], format!("240 {SAID}"));
}

#[test]
#[cfg(feature = "frames")]
fn rows_of_boards_say_so() {
    let place = Place::new();
    place.put("a.bullet", boards(240));
    place.say("positions a.bullet -o rows.parquet -q").ok();
    let said = page(&place, "rows.parquet", "240 positions without their games: the intervals take positions for");
    assert!(!said.contains("positions of one game as dependent"), "{said}");

    let text = place.say("evaluate rows.parquet --folds 2").ok().out();
    assert!(text.starts_with("240 rows without their games, 2 x 2 folds by structure: "), "{text}");
    let judged = place.say("evaluate rows.parquet --folds 2 --json --report out").ok();
    let tables = judged.json();
    for table in tables.as_object().expect("tables").values() {
        assert_eq!((&table["boards"], table.get("games")), (&240.into(), None));
        assert_eq!(table["warnings"][0], format!("240 {SAID}"));
    }
    place.put("judged.json", judged.out());
    let said = page(&place, "judged.json", SAID);
    assert!(said.contains("240 positions without their games, held out by structure: "), "{said}");
    assert!(!said.contains(" openings and "), "{said}");
    assert_eq!(said.matches(SAID).count(), 1, "once for both tables");
    let own = String::from_utf8(place.read("out/evaluation.html")).expect("text");
    assert!(own.contains(SAID) && CLAIMS.iter().all(|claim| !own.contains(claim)));
}

/// A few boards among more games are not lost in them.
#[test]
#[cfg(feature = "frames")]
fn boards_among_games_are_known_by_their_rule() {
    let place = Place::new();
    place.put("a.bullet", boards(24));
    place.say("positions a.bullet -o boards.parquet -q").ok();
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/cli/demo/sample.pgn.zst");
    place.run(["positions", sample.to_str().expect("a path"), "-o", "games.parquet", "-q"]).ok();
    place.say("tune games.parquet -o heads.toml -q").ok();
    let alone = place.say("evaluate games.parquet --heads heads.toml --json").ok().json();
    assert_eq!((alone["heads"].get("boards"), &alone["heads"]["games"]), (None, &alone["heads"]["rows"]));
    let mixed = place.say("evaluate games.parquet boards.parquet --heads heads.toml --json").ok();
    assert_eq!(mixed.json()["heads"]["boards"], 24);
    assert!(mixed.err().contains(&format!("24 {SAID}")), "{}", mixed.err());
    // Heads keep what was said at their fit.
    place.say("tune games.parquet boards.parquet -o mixed.toml -q").ok();
    let text = String::from_utf8(place.read("mixed.toml")).expect("text");
    let [heads, alone] = [text, String::from_utf8(place.read("heads.toml")).expect("text")]
        .map(|text| drawish::heads::HeadsFile::from_toml(&text).expect("heads"));
    assert!(heads.warnings.contains(&format!("24 {SAID}")), "{:?}", heads.warnings);
    assert!(!alone.warnings.iter().any(|warning| warning.contains(SAID)), "{:?}", alone.warnings);
    page(&place, "mixed.toml", SAID);
    assert!(place.say("inspect mixed.toml").ok().out().contains(&format!("\nbeware: 24 {SAID}\n")));
}

/// Games that come again under another name of their file: they say no more than once.
#[test]
#[cfg(feature = "frames")]
fn games_that_come_again_are_no_more_games() {
    let place = Place::new();
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/cli/demo/sample.pgn.zst");
    let games = zstd::decode_all(&std::fs::read(sample).expect("games")[..]).expect("text");
    place.put("one.pgn", &games);
    place.put("other.pgn", [&games[..], b"\n"].concat());
    place.say("positions one.pgn -o once.parquet -q").ok();
    place.say("positions one.pgn other.pgn -o twice.parquet -q").ok();
    let intervals = |name: &str| {
        place.say(&format!("report {name} -o page.html -o page.md -q")).ok();
        let page = String::from_utf8(place.read("page.html")).expect("text");
        let figures = page.split("\"band\":\"").skip(1).filter_map(|row| row.split_once(",\"n\":"));
        let figures: Vec<String> =
            figures.map(|(row, _)| row.to_owned()).filter(|row| row.contains("\"low\"")).collect();
        (figures, String::from_utf8(place.read("page.md")).expect("text"))
    };
    let ((once, said), (twice, said_of_copies)) = (intervals("once.parquet"), intervals("twice.parquet"));
    assert!(!once.is_empty() && once.iter().all(|row| twice.contains(row)), "{once:?}\n{twice:?}");
    let remark = "with the moves of an earlier one, or its first 60 half-moves";
    assert!(!said.contains(remark) && said_of_copies.contains(remark), "{said_of_copies}");

    place.say("tune once.parquet -o heads.toml -q").ok();
    let judged = place.say("evaluate twice.parquet --heads heads.toml --json").ok();
    let (rows, games) = (&judged.json()["heads"]["rows"], &judged.json()["heads"]["games"]);
    assert_eq!(rows.as_u64(), games.as_u64().map(|games| 2 * games));
    place.put("judged.json", judged.out());
    place.say("report judged.json -o page.md -q").ok();
    let page = String::from_utf8(place.read("page.md")).expect("text");
    assert!(page.contains("but not as independent; `drawish positions --dedupe=lines` leaves them out"), "{page}");
    assert!(
        page.contains(&format!(
            " positions of {} games of ",
            drawish::stats::numbers::grouped(games.as_u64().expect("a number"))
        )),
        "{page}"
    );
    assert!(page.contains("thousandths of a bit a position") && !page.contains("held out"), "{page}");
}
