//! Counts are a commutative monoid, and files come back as they were written.

use drawish_core::{Scheme, StructureIndex};
use drawish_games::counts::{CountsError, CountsFile, MergeError, Shard, Wdl};
use drawish_games::pgn::Anomalies;
use drawish_games::sample::{Rule, Sampling, SkipReason, Tally};
use proptest::collection::vec;
use proptest::prelude::*;

/// Counts of one input whose games fall into some cells; every digest is different unless chosen.
fn file(digest: u128, cells: &[(u32, u64, u64, u64)]) -> CountsFile {
    let mut file = CountsFile::new(Rule::default(), Scheme::Bg);
    file.made_by = vec!["drawish test".to_owned()];
    let mut tally = Tally::default();
    for &(cell, wins, draws, losses) in cells {
        let wdl = Wdl { wins, draws, losses };
        *file.counts.get_mut(StructureIndex(cell % 4096)) += wdl;
        tally.count_many(wdl.total());
        tally.positions += wdl.total();
    }
    tally.skip_many(SkipReason::TooShort, digest as u64 % 1000);
    tally.notices.ply_count_differs = digest as u64 % 7;
    let anomalies = Anomalies { stray_text: digest as u64 % 5, ..Anomalies::default() };
    let broken = digest.is_multiple_of(3).then(|| "cut".to_owned());
    file.add_shard(Shard {
        name: format!("{digest:x}.pgn"),
        digest,
        unpacked_digest: digest.is_multiple_of(5).then_some(!digest),
        file_bytes: 1 + digest as u64 % 99,
        broken,
        tally,
        anomalies,
    });
    file
}

prop_compose! {
    fn any_file()(digest: u128, cells in vec((0u32..4096, 0u64..1000, 0u64..1000, 0u64..1000), 0..40)) -> CountsFile {
        file(digest, &cells)
    }
}

fn sum(mut one: CountsFile, other: &CountsFile) -> CountsFile {
    one.merge(other.clone()).expect("different inputs");
    one
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn merging_is_associative_and_commutative_and_has_an_identity(a in any_file(), b in any_file(), c in any_file()) {
        prop_assume!(a.shards != b.shards && b.shards != c.shards && a.shards != c.shards);
        prop_assert_eq!(sum(sum(a.clone(), &b), &c), sum(a.clone(), &sum(b.clone(), &c)));
        prop_assert_eq!(sum(a.clone(), &b).to_bytes(), sum(b.clone(), &a).to_bytes());
        let nothing = CountsFile { made_by: a.made_by.clone(), ..CountsFile::new(a.rule.clone(), Scheme::Bg) };
        prop_assert_eq!(sum(a.clone(), &nothing), a.clone());
        prop_assert_eq!(sum(nothing, &a), a);
    }

    #[test]
    fn a_file_comes_back_as_it_was(a in any_file(), seen in vec(any::<u64>(), 0..9)) {
        let a = CountsFile { seen, ..a };
        prop_assert_eq!(CountsFile::from_bytes(&a.to_bytes()).expect("what was written"), a);
    }

    #[test]
    fn damage_is_found(a in any_file(), place: prop::sample::Index, bit in 0u8..8) {
        let good = a.to_bytes();
        let mut flipped = good.clone();
        flipped[place.index(good.len())] ^= 1 << bit;
        prop_assert!(CountsFile::from_bytes(&flipped).is_err());
        prop_assert!(CountsFile::from_bytes(&good[..place.index(good.len())]).is_err());
        let mut longer = good;
        longer.push(0);
        let is_length = matches!(CountsFile::from_bytes(&longer), Err(CountsError::Length { .. }));
        prop_assert!(is_length);
    }

    #[test]
    fn any_bytes_are_refused_without_harm(mut bytes in vec(any::<u8>(), 0..300)) {
        prop_assert!(CountsFile::from_bytes(&bytes).is_err());
        // With a good header before them, too: the lengths inside are forged, then.
        let mut forged = b"DRAWCNT\0".to_vec();
        forged.extend(2u32.to_le_bytes());
        forged.extend(crc32fast::hash(&bytes).to_le_bytes());
        forged.extend((bytes.len() as u64).to_le_bytes());
        forged.append(&mut bytes);
        prop_assert!(CountsFile::from_bytes(&forged).is_err());
    }
}

#[test]
fn a_claim_of_endless_length_is_refused() {
    let mut body = u64::MAX.to_le_bytes().to_vec();
    body.extend([0; 64]);
    let mut bytes = b"DRAWCNT\0".to_vec();
    bytes.extend(1u32.to_le_bytes());
    bytes.extend(crc32fast::hash(&body).to_le_bytes());
    bytes.extend((body.len() as u64).to_le_bytes());
    bytes.extend(body);
    assert!(matches!(CountsFile::from_bytes(&bytes), Err(CountsError::Body(_))));
}

#[test]
fn what_does_not_belong_together_is_not_merged() {
    let one = file(1, &[(5, 1, 2, 3)]);
    let same_input = file(1, &[(9, 1, 0, 0)]);
    assert_eq!(
        one.clone().merge(same_input),
        Err(MergeError::SameShard { name: "1.pgn".to_owned(), as_name: "1.pgn".to_owned(), digest: 1 })
    );
    let other_scheme = CountsFile::new(one.rule.clone(), Scheme::Ah);
    assert_eq!(one.clone().merge(other_scheme), Err(MergeError::Scheme { ours: Scheme::Bg, theirs: Scheme::Ah }));
    let other_rule = CountsFile::new(Rule { sampling: Sampling::At { at: 40 }, ..Rule::default() }, Scheme::Bg);
    let error = one.clone().merge(other_rule).expect_err("another rule");
    assert_eq!(error.to_string(), "counted by another rule: at: expected 50, found 40");
    // Empty files are all alike, but there is nothing in them to count twice.
    let empty = |name: &str| {
        let mut file = CountsFile::new(one.rule.clone(), Scheme::Bg);
        file.add_shard(Shard {
            name: name.to_owned(),
            digest: 0,
            unpacked_digest: None,
            file_bytes: 0,
            broken: None,
            tally: Tally::default(),
            anomalies: Anomalies::default(),
        });
        file
    };
    assert_eq!(sum(empty("a"), &empty("b")).shards.len(), 2);
}

/// The layout of a version, byte by byte.
fn layout(version: u32, rule: &str, unpacked: Option<u128>) -> Vec<u8> {
    let mut expected = b"DRAWCNT\0".to_vec();
    let mut body = Vec::new();
    let text = |body: &mut Vec<u8>, text: &str| {
        body.extend((text.len() as u64).to_le_bytes());
        body.extend(text.as_bytes());
    };
    let numbers =
        |body: &mut Vec<u8>, numbers: &[u64]| numbers.iter().for_each(|number| body.extend(number.to_le_bytes()));
    numbers(&mut body, &[1]);
    text(&mut body, "drawish test");
    text(&mut body, "bg");
    text(&mut body, rule);
    numbers(&mut body, &[1]);
    text(&mut body, "102.pgn");
    body.extend(0x0102u128.to_le_bytes());
    numbers(&mut body, &[1 + 0x0102 % 99]);
    body.push(1);
    text(&mut body, "cut");
    // Counted, positions, then the reasons by name, two notices and five anomalies.
    numbers(&mut body, &[24, 24, 1]);
    text(&mut body, "too-short");
    numbers(&mut body, &[0x0102, 0, 0x0102 % 7, 0, 0, 0x0102 % 5, 0, 0]);
    numbers(&mut body, &[1]);
    body.extend(3963u32.to_le_bytes());
    numbers(&mut body, &[7, 8, 9, 0]);
    if let Some(digest) = unpacked {
        numbers(&mut body, &[1]);
        body.push(1);
        body.extend(digest.to_le_bytes());
    }
    expected.extend(version.to_le_bytes());
    expected.extend(crc32fast::hash(&body).to_le_bytes());
    expected.extend((body.len() as u64).to_le_bytes());
    expected.extend(body);
    expected
}

/// If this fails, the version must change.
#[test]
fn versions_of_the_file_format() {
    let file = CountsFile { games: None, ..file(0x0102, &[(3963, 7, 8, 9)]) };
    let json = concat!(
        r#"{"sample":"at","at":50,"min_moves":60,"variant":"standard","fen_starts":false,"dedupe":false,"replay":false,"#,
        r#""filters":{"min_elo":null,"max_elo":null,"max_elo_difference":null,"player":null,"white":null,"black":null,"#,
        r#""event":null,"date_from":null,"date_to":null,"time_control":null,"termination":"regular","min_plies":0}}"#
    );
    assert_eq!(file.to_bytes(), layout(2, json, None));
    let line = "--sample at --at 50 --min-moves 60 --variant standard --termination regular";
    let of_version_1 = CountsFile::from_bytes(&layout(1, line, None)).expect("version 1");
    assert_eq!(of_version_1, file);
    // The digest is what it was when files were of version 1: tables hold it.
    assert_eq!(of_version_1.digest(), file.digest());
    // Version 3 is for compressed inputs.
    let mut compressed = file.clone();
    compressed.shards[0].unpacked_digest = Some(77);
    assert_eq!(compressed.to_bytes(), layout(3, json, Some(77)));
    assert_eq!(CountsFile::from_bytes(&layout(3, json, Some(77))).expect("version 3"), compressed);
    assert_eq!(compressed.digest(), file.digest());
    let error = CountsFile::from_bytes(&layout(3, json, None)).expect_err("no digests").to_string();
    assert!(error.contains("cannot be decoded"), "{error}");
    let error = CountsFile::from_bytes(&layout(2, json, Some(77))).expect_err("too long").to_string();
    assert!(error.contains("25 bytes are left over"), "{error}");
    // Version 4 has the sample of games: here two, of which one came twice.
    let mut body = layout(2, json, None)[24..].to_vec();
    body.extend(1_u64.to_le_bytes());
    body.push(0);
    body.extend(3_u32.to_le_bytes());
    [2_u64, 8, 1, 24, 2].iter().for_each(|number| body.extend(number.to_le_bytes()));
    let mut bytes = [&b"DRAWCNT\0"[..], &4_u32.to_le_bytes(), &crc32fast::hash(&body).to_le_bytes()].concat();
    bytes.extend((body.len() as u64).to_le_bytes());
    bytes.extend(&body);
    let sampled = CountsFile::from_bytes(&bytes).expect("version 4");
    assert_eq!((sampled.repeated_games(), sampled.to_bytes()), (8, bytes));
    assert_eq!((sampled.digest(), CountsFile { games: None, ..sampled }), (file.digest(), file));
    let shipped = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tables/human.counts")).expect("counts");
    let shipped = CountsFile::from_bytes(&shipped).expect("counts of any version");
    assert_eq!(format!("{:032x}", shipped.digest()), "068302cddaa6eda0b70012d315f2c712");
}
