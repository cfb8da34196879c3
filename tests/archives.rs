//! Archives in the place of directories: the same games, the same counts, and what is said of what else they hold. And what
//! the program says of training data; what it counts of them is tested with the library.

use tar::{Builder, EntryType, Header};

use crate::collect::{bzip2, gzip};
use crate::run::Place;

/// A drawn game of so many half-moves.
fn draw(plies: usize) -> String {
    let shuffle = ["Nf3", "Nf6", "Ng1", "Ng8"];
    let moves: Vec<_> = (0..plies).map(|ply| shuffle[ply % 4]).collect();
    format!("[Event \"a\"]\n[Result \"1/2-1/2\"]\n\n{} 1/2-1/2\n\n", moves.join(" "))
}

/// A header and data for each member; the end mark last.
fn archive(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut builder = Builder::new(Vec::new());
    for (name, content) in members {
        add(&mut builder, name, EntryType::Regular, content);
    }
    builder.into_inner().expect("an archive in memory")
}

fn add(builder: &mut Builder<Vec<u8>>, name: &str, kind: EntryType, content: &[u8]) {
    let mut header = Header::new_gnu();
    header.set_size(content.len() as u64);
    header.set_mode(0o644);
    header.set_entry_type(kind);
    builder.append_data(&mut header, name, content).expect("a member");
}

/// An archive with names that writers of archives refuse.
fn dots(members: &[(&str, usize)]) -> Vec<u8> {
    let mut builder = Builder::new(Vec::new());
    for &(name, plies) in members {
        let content = draw(plies);
        let mut header = Header::new_gnu();
        header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_size(content.len() as u64);
        header.set_entry_type(EntryType::Regular);
        header.set_cksum();
        builder.append(&header, content.as_bytes()).expect("a member");
    }
    builder.into_inner().expect("an archive in memory")
}

fn members() -> Vec<(String, Vec<u8>)> {
    let long = format!("{}/long.pgn", "directory/".repeat(20));
    vec![
        ("b/one.pgn.gz".to_owned(), gzip((draw(119) + &draw(140)).as_bytes())),
        ("a/two.pgn.bz2".to_owned(), bzip2(draw(121).as_bytes())),
        ("three.pgn.zst".to_owned(), zstd::encode_all(draw(20).as_bytes(), 3).expect("zstd")),
        (long, draw(130).repeat(9000).into_bytes()),
    ]
}

#[test]
fn an_archive_counts_as_its_directory_does() {
    let place = Place::new();
    let members = members();
    let listed: Vec<_> = members.iter().map(|(name, content)| (name.as_str(), &content[..])).collect();
    place.put("games.tar", archive(&listed));
    for (name, content) in &members {
        place.put(&format!("games/{name}"), content);
    }
    for verb in ["collect", "wdl collect"] {
        let ending = if verb == "collect" { "counts" } else { "json" };
        let of = |input: &str| place.say(&format!("{verb} {input} -o {input}.{ending} --json"));
        if verb == "collect" {
            let (archive, directory) = (of("games.tar").ok().json(), of("games").ok().json());
            for key in ["games", "counted", "skipped", "draws"] {
                assert_eq!(archive[key], directory[key], "{key}");
            }
            let (archived, plain) = (archive["inputs"].as_array().expect("inputs"), directory["inputs"].as_array());
            for (archived, plain) in archived.iter().zip(plain.expect("inputs")) {
                assert_eq!(archived["xxh3_128"], plain["xxh3_128"]);
                let (name, last) =
                    (archived["name"].as_str().expect("a name"), plain["name"].as_str().expect("a name"));
                assert!(name.starts_with("games.tar: ") && name.ends_with(last), "{name}");
            }
        } else {
            // No evaluation stands in these games, so nothing is counted, but all are read.
            assert_eq!(of("games.tar").json()["games"], of("games").json()["games"]);
        }
    }
    // A directory holds what its archives hold; the same bytes are told from others wherever they lie.
    place.put("both/games.tar", archive(&listed));
    place.put("both/copy.pgn.gz", &members[0].1);
    let done = place.say("collect both -o both.counts --json").ok();
    assert!(done.err().contains("b/one.pgn.gz: the same content as copy.pgn.gz"), "{}", done.err());
    assert_eq!(done.json()["counted"], 9003);
    place.say("collect games.tar -o games.tar").fails(1, &["games.tar"]);
}

#[test]
fn what_an_archive_holds_besides_is_said() {
    let place = Place::new();
    let mut builder = Builder::new(Vec::new());
    add(&mut builder, "notes.txt", EntryType::Regular, b"nothing");
    add(&mut builder, "a.pgn", EntryType::Regular, draw(20).as_bytes());
    add(&mut builder, "a.pgn", EntryType::Regular, draw(119).as_bytes());
    let mut link = Header::new_gnu();
    link.set_entry_type(EntryType::Symlink);
    link.set_size(0);
    builder.append_link(&mut link, "link.pgn", "a.pgn").expect("a link");
    place.put("x.tar", builder.into_inner().expect("an archive"));
    let done = place.say("collect x.tar -o x.counts --json").ok();
    assert!(done.err().contains("x.tar: notes.txt and 2 other members passed over"), "{}", done.err());
    assert_eq!((&done.json()["games"], &done.json()["counted"]), (&1.into(), &1.into()), "the last a.pgn stays");
    assert_eq!(done.json()["passed_over"][0]["members"], serde_json::json!(["notes.txt", "a.pgn", "link.pgn"]));
}

/// Games in a directory that are packed otherwise are not passed over in silence.
#[test]
fn packings_that_are_not_read_are_named() {
    let place = Place::new();
    std::fs::create_dir_all(place.path("games/below")).expect("directories");
    place.put("games/a.pgn", draw(6));
    place.put("games/b.PGN.xz", b"\xfd7zXZ\0\0\x04");
    place.put("games/below/c.pgn.zip", b"PK\x03\x04\x14\0");
    place.put("games/notes.zip", b"PK\x03\x04\x14\0");
    let done = place.say("collect games -o a.counts --at 1 --min-moves 0");
    let said = ["b.PGN.xz", "compressed with xz: decompress it first", "c.pgn.zip", "a zip archive: unpack it first"];
    let done = done.fails(1, &said);
    assert!(!done.err().contains("notes.zip"), "no file of games: {}", done.err());
    assert_eq!(place.say("inspect a.counts --json").ok().json()["games"].as_u64(), Some(1));
}

/// Read as one text, the members of an archive would lose their first tags, such as the variant.
#[test]
fn a_packed_archive_is_no_text() {
    let place = Place::new();
    let packed = zstd::encode_all(&archive(&[("a.pgn", draw(6).as_bytes())])[..], 1).expect("bytes in memory");
    let file = std::fs::File::open(place.put("games.pgn.zst", &packed)).expect("a file");
    let mut command = place.command(["collect", "-", "-o", "a.counts", "--at", "1", "--min-moves", "0"]);
    let done = crate::run::Done(command.stdin(file).output().expect("the program runs"));
    done.fails(1, &["standard input: a tar archive: unpack it"]);
    assert!(!place.path("a.counts").exists());
    place
        .say("collect games.pgn.zst -o a.counts --at 1 --min-moves 0")
        .fails(1, &["games.pgn.zst: a tar archive: unpack it"]);
    // A file that cannot be unpacked is broken as before.
    place.put("cut.pgn.zst", &packed[..packed.len() - 9]);
    place.say("collect cut.pgn.zst -o a.counts --at 1 --min-moves 0").fails(1, &["cut.pgn.zst: "]);
}

#[test]
fn cut_and_damaged_archives_lose_only_what_is_lost() {
    let place = Place::new();
    let (first, second) = (draw(119), draw(120).repeat(40));
    let whole = archive(&[("1.pgn", first.as_bytes()), ("2.pgn", second.as_bytes())]);
    let data = second.len();
    let ledger = |name: &str| {
        let done = place.say(&format!("wdl collect {name} -o x.wdl --json")).fails(1, &[]);
        done.json()["files_read"].clone()
    };
    let second_at = 512 + first.len().next_multiple_of(512) + 512;

    place.put("inside.tar", &whole[..second_at + data / 2]);
    let missing = format!("inside.tar: 2.pgn: the archive is cut: the last {} bytes", data - data / 2);
    let done = place.say("collect inside.tar -o x.counts --json").fails(1, &[&missing]);
    assert!(done.json()["counted"].as_u64() > Some(10), "the games before the cut count");
    assert_eq!(ledger("inside.tar"), serde_json::json!({ "whole": 1, "in_part": 1, "not": 0 }));
    let said = place.say("wdl collect inside.tar -o x.wdl").fails(1, &[]).out();
    assert!(said.contains("  read in part") && said.contains("the games before the break count"), "{said}");
    // An interrupted run knows it again.
    place.put("between.tar", &whole[..second_at - 512]);
    let lost =
        format!("between.tar: from byte {0} on: the archive ends at byte {0} without its end mark", second_at - 512);
    let done = place.say("collect between.tar -o x.counts --json").fails(1, &[&lost]);
    assert_eq!(done.json()["counted"], 1);
    assert_eq!(ledger("between.tar"), serde_json::json!({ "whole": 1, "in_part": 0, "not": 1 }));

    let mut damaged = whole.clone();
    damaged[second_at - 512 + 10] ^= 1;
    place.put("damaged.tar", damaged);
    let lost = format!("damaged.tar: from byte {0} on: the archive is cut or damaged at byte {0}", second_at - 512);
    let done = place.say("collect damaged.tar -o x.counts --json").fails(1, &[&lost]);
    assert_eq!(done.json()["counted"], 1);

    // A header that is all zeros looks like the end mark; several archives in one file have an end mark between them.
    let mut zeroed = whole.clone();
    zeroed[second_at - 512..second_at].fill(0);
    place.put("zeroed.tar", zeroed);
    place.put("both.tar", [whole.as_slice(), &whole].concat());
    place.put("half.tar", &whole[..whole.len() - 512]);
    for (name, said, counted) in [
        (
            "zeroed.tar",
            format!("the archive goes on at byte {second_at} behind its end mark, at byte {}", second_at - 512),
            1,
        ),
        ("both.tar", format!("the archive goes on at byte {} behind its end mark", whole.len()), 41),
        ("half.tar", "without its end mark".to_owned(), 41),
    ] {
        let done = place.say(&format!("collect {name} -o x.counts --json")).fails(1, &[&said]);
        assert_eq!(done.json()["counted"], counted, "{name}");
    }
    // Names that lead out of the archive are names of their own: nothing is written there.
    place.put("dots.tar", dots(&[("a.pgn", 119), ("../a.pgn", 120), ("x/../a.pgn", 121)]));
    assert_eq!(place.say("collect dots.tar -o x.counts --json").ok().json()["counted"], 3);

    place.put("empty.tar", archive(&[]));
    place.say("collect empty.tar -o x.counts").fails(1, &["empty.tar: no .pgn", "in this archive"]);
    place.put("nothing.tar", "");
    place.say("collect nothing.tar -o x.counts").fails(1, &["nothing.tar: no .pgn", "in this archive"]);
    place.put("text.tar", draw(119));
    place.say("collect text.tar -o x.counts").fails(1, &["text.tar: the archive is cut or damaged at byte 0"]);
    place.put("packed.tar.gz", gzip(&whole));
    let mut cut = gzip(second.as_bytes());
    cut.truncate(cut.len() - 9);
    place.put("cut.pgn.gz", cut);
    assert_eq!(ledger("cut.pgn.gz"), serde_json::json!({ "whole": 0, "in_part": 1, "not": 0 }));
    place.say("collect packed.tar.gz -o x.counts").fails(1, &["packed.tar.gz: a compressed archive"]);
    place.put("hidden.pgn", &whole);
    place.say("collect hidden.pgn -o x.counts").fails(1, &["hidden.pgn: a tar archive"]);
    // Beside other files a damaged archive is one input of many.
    place.put("many/text.tar", draw(119));
    place.put("many/a.pgn", draw(119));
    let done = place.say("collect many -o x.counts --json").fails(1, &["text.tar: from byte 0 on"]);
    assert_eq!(done.json()["counted"], 1);
}

#[test]
fn metadata_are_looked_for_in_the_archive() {
    let place = Place::new();
    let game = "[Event \"a\"]\n[Result \"1-0\"]\n\n1. e4 {+0.35/18 1s} e5 {+0.10/17 1s} 1-0\n";
    let metadata = |book: &str| format!("{{\"args\": {{\"book\": \"{book}\"}}}}");
    place.put(
        "tests.tar",
        archive(&[
            ("day/abc.json", metadata("wanted").as_bytes()),
            ("day/abc-1.pgn", game.as_bytes()),
            ("day/def.json", metadata("other").as_bytes()),
            ("day/def-1.pgn", game.as_bytes()),
            ("day/ghi-1.pgn", game.as_bytes()),
        ]),
    );
    let done = place.say("wdl collect tests.tar -o x.json --match-book wanted --json").ok();
    assert_eq!(done.json()["games"], 1, "{}", done.json());
    // Standard input has none, so that nothing of it passes a limit on them.
    let mut command = place.command(["wdl", "collect", "-", "-o", "y.json", "--match-book", "wanted"]);
    let input = std::fs::File::open(place.put("a.pgn", game)).expect("a file");
    let done = crate::run::Done(command.stdin(input).output().expect("the program runs"));
    done.fails(1, &["every file was left out by the filters on metadata"]);
}

/// Training data of the seeds for the fuzzer, whose first byte says the format.
fn training_data(name: &str) -> Vec<u8> {
    let corpus = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus/training");
    std::fs::read(corpus.join(name)).expect("a seed")[1..].to_vec()
}

#[test]
fn rules_that_cannot_be_applied_to_training_data_are_refused_by_name() {
    let place = Place::new();
    place.put("a.binpack", training_data("binpack"));
    place.put("a.viri.gz", gzip(&training_data("viri")));
    place.put("a.data", training_data("bullet"));
    place.put("a.pgn", draw(119));
    for (input, options, said) in [
        ("a.binpack", "--min-elo 2000 --termination x", "--min-elo, --termination cannot be applied to a.binpack"),
        ("a.data", "--player x", "--player cannot be applied to a.data: training data have no tags"),
        ("a.data", "--dedupe --min-moves 3", "--min-moves, --dedupe cannot be applied to a.data: it holds positions"),
        ("a.data", "--sample at --at 20", "--at, --sample cannot be applied to a.data"),
        ("a.data a.pgn", "", "a.data holds positions without games, other inputs hold games: --sample positions"),
    ] {
        place.say(&format!("collect {input} -o x.counts {options}")).fails(2, &[said]);
    }
    place.say("wdl collect a.data -o x.json").fails(1, &["a.data: positions without games or move numbers"]);
    place
        .say("wdl collect a.binpack -o x.json --match-engine x")
        .fails(1, &["--match-engine cannot be applied to a.binpack"]);

    let boards = place.say("collect a.data -o boards.counts --json").ok().json();
    assert_eq!((&boards["games"], &boards["positions"]), (&20.into(), &20.into()));
    assert_eq!(boards["rule"], "--sample positions --min-moves 0 --variant any --fen-starts --termination any");
    let both = place.say("collect a.data a.pgn -o both.counts --sample positions --json").ok().json();
    assert_eq!(both["positions"], 20 + 119);
    // The same games in two formats.
    let of = |input: &str| {
        place.say(&format!("collect {input} -o {input}.counts --sample every --from 2 --min-moves 0 --json"))
    };
    let (binpack, viri) = (of("a.binpack").ok().json(), of("a.viri.gz").ok().json());
    for key in ["games", "counted", "positions", "draws", "white_wins", "cells"] {
        assert_eq!(binpack[key], viri[key], "{key}");
    }
    // A name that says something else.
    place.put("a2.pgn", training_data("binpack"));
    place.say("collect a2.pgn -o x.counts").fails(1, &["a2.pgn: a binpack"]);
    place.put("dir/a.binpack", training_data("binpack"));
    place.say("collect dir -o x.counts").fails(1, &["no .pgn", "name training data by a pattern"]);
}

/// What `wdl head` cannot ask of positions without games it refuses by name, and a file that is cut is named even if nothing
/// of it can be used.
#[test]
fn a_wdl_head_from_training_data() {
    let place = Place::new();
    place.put("a.bullet", training_data("bullet"));
    place.put("a.pgn", draw(119));
    for (input, options, said) in [
        ("a.bullet", "--from 8", "--from cannot be applied to a.bullet: it holds positions without games"),
        (
            "a.bullet a.pgn",
            "--variant any --no-fen-starts",
            "--variant, --no-fen-starts cannot be applied to a.bullet: it holds positions",
        ),
        ("a.pgn a.bullet", "", "a.bullet holds positions without games, other inputs hold games"),
    ] {
        place.say(&format!("wdl head {input} -o x.toml {options}")).fails(1, &[said]);
    }
    let binpack = training_data("binpack");
    place.put("cut.binpack", &binpack[..binpack.len() - 1]);
    place
        .say("wdl head cut.binpack -o x.toml")
        .fails(1, &["cut.binpack: ", "is cut", "nothing was used: no game was read", "there is nothing to fit"]);
}
