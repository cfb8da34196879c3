//! What runs keep to go on from.

use std::collections::BTreeMap;
use std::fs;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use drawish_games::collect::{Collect, Collected};
use drawish_games::counts::{CountsFile, Shard};
use drawish_games::pgn::{Input, OddWords};
use drawish_games::wdl::{self, WdlFile};
use serde_json::json;

use super::{games::all_positions, temporary};

const GAMES: &str = "[Event \"a\"]\n[Result \"1-0\"]\n\n1. e4 {+0.31/20} e5 {-0.25/19} 2. a4 {0.20/18} h5 {0.00/17} 1-0\n\n\
    [Event \"b\"]\n[Result \"1/2-1/2\"]\n\n1. d4 {+0.11/20} d5 {-0.15/19} 2. c4 {+M9/18} dxc4 {-M8/17} 1/2-1/2\n";

/// State of both verbs that keep some, of a run over [`GAMES`], changed at a few places and with right checksums: the run that finds it
/// goes on from it or says why it cannot, and where nothing is changed it ends as an undisturbed one. The first byte chooses the verb.
pub fn kept(data: &[u8]) {
    let Some((verb, edits)) = data.split_first() else { return };
    let (games, state) = (temporary("pgn"), temporary("partial"));
    fs::write(&games, GAMES).expect("a temporary file");
    if verb % 2 == 0 {
        static WHOLE: OnceLock<(Vec<u8>, CountsFile)> = OnceLock::new();
        let (whole, file) = WHOLE.get_or_init(|| {
            let _ = fs::remove_file(&state);
            let collected = collect(&games, &state).expect("no state yet");
            (account_of_collect(&collected), collected.file)
        });
        fs::write(&state, edited_account(whole, edits, edited_counts)).expect("a temporary file");
        let found = collect(&games, &state);
        assert!(!edits.is_empty() || found.is_some_and(|found| found.resumed == 1 && found.file == *file));
    } else {
        static WHOLE: OnceLock<(Vec<u8>, WdlFile)> = OnceLock::new();
        let (whole, file) = WHOLE.get_or_init(|| {
            let _ = fs::remove_file(&state);
            let collected = count(&games, &state).expect("no state yet");
            (account(&collected), collected.file)
        });
        fs::write(&state, edited_account(whole, edits, edited_wdl)).expect("a temporary file");
        let found = count(&games, &state);
        assert!(!edits.is_empty() || found.is_some_and(|found| found.resumed == 1 && found.file == *file));
    }
    for path in [games, state] {
        let _ = fs::remove_file(path);
    }
}

/// The state that `collect` keeps when it goes on to another input.
fn account_of_collect(collected: &Collected) -> Vec<u8> {
    let digest = |shard: &Shard| format!("{:032x}", shard.digest);
    let of_input = json!({ "ends_whole": true, "odd_words": OddWords::default() });
    let inputs: BTreeMap<_, _> = collected.file.shards.iter().map(|shard| (digest(shard), &of_input)).collect();
    let account = json!({ "inputs": inputs, "repeats": collected.repeats }).to_string();
    of_parts(b"DRAWCNP\0", account.as_bytes(), &collected.file.to_bytes())
}

/// The state that `wdl collect` keeps, which it does only of inputs that take long: its account as JSON, and its counts.
fn account(collected: &wdl::Collected) -> Vec<u8> {
    let provenance = &collected.file.provenance;
    let mut rule = json!(provenance.rules[0]);
    rule["replay"] = json!(false);
    let cuts: Vec<_> = collected.cuts.iter().map(|(_, cut)| cut).collect();
    let input = json!({
        "record": provenance.inputs[0], "tally": collected.tally, "anomalies": collected.anomalies, "ends_whole": true,
        "odd_words": OddWords::default(), "cuts": cuts, "engines": collected.engines,
    });
    let account = json!({
        "made_by": provenance.made_by[0], "rule": rule, "inputs": [input], "repeats": collected.repeats,
    });
    let account = account.to_string();
    of_parts(b"DRAWWDP\0", account.as_bytes(), &collected.file.to_bytes())
}

fn of_parts(magic: &[u8], account: &[u8], counts: &[u8]) -> Vec<u8> {
    let (length, crc) = (account.len() as u32, crc32fast::hash(account));
    [magic, &length.to_le_bytes()[..], &crc.to_le_bytes(), account, counts].concat()
}

fn inputs(games: &Path) -> Vec<Input> {
    vec![Input::File(PathBuf::from(games))]
}

fn collect(games: &Path, state: &Path) -> Option<Collected> {
    let run = Collect::new(inputs(games)).rule(all_positions(false)).checkpoint(state).threads(NonZero::<usize>::MIN);
    run.run().ok()
}

fn count(games: &Path, state: &Path) -> Option<wdl::Collected> {
    wdl::Collect::new(inputs(games)).checkpoint(state).threads(NonZero::<usize>::MIN).run().ok()
}

/// A `.counts` file with these edits and the length and checksum that belong to them.
fn edited_counts(whole: &[u8], edits: &[u8]) -> Vec<u8> {
    let mut bytes = [&whole[..24], &edited(&whole[24..], edits)].concat();
    let (crc, length) = (crc32fast::hash(&bytes[24..]), bytes.len() as u64 - 24);
    bytes[12..16].copy_from_slice(&crc.to_le_bytes());
    bytes[16..24].copy_from_slice(&length.to_le_bytes());
    bytes
}

/// A `.wdl` file, edited in the same way.
fn edited_wdl(whole: &[u8], edits: &[u8]) -> Vec<u8> {
    let mut bytes = [&whole[..16], &edited(&whole[16..], edits)].concat();
    let crc = crc32fast::hash(&bytes[16..]);
    bytes[12..16].copy_from_slice(&crc.to_le_bytes());
    bytes
}

/// A state, edited in its account and, by the edits from the middle on, in its counts.
fn edited_account(whole: &[u8], edits: &[u8], edited_counts: fn(&[u8], &[u8]) -> Vec<u8>) -> Vec<u8> {
    let length = u32::from_le_bytes(whole[8..12].try_into().expect("four bytes"));
    let (account, counts) = whole[16..].split_at(length as usize);
    let (of_account, of_counts) = edits.split_at(edits.len() / 8 * 4);
    of_parts(&whole[..8], &edited(account, of_account), &edited_counts(counts, of_counts))
}

/// The bytes after edits of four bytes each: a place of two bytes, what is done there, and a value.
fn edited(whole: &[u8], edits: &[u8]) -> Vec<u8> {
    let mut bytes = whole.to_vec();
    for edit in edits.chunks_exact(4) {
        let place = usize::from(u16::from_le_bytes([edit[0], edit[1]])) % (bytes.len() + 1);
        match edit[2] % 4 {
            0 => bytes.insert(place, edit[3]),
            1 if place < bytes.len() => bytes[place] = edit[3],
            2 if place < bytes.len() => drop(bytes.remove(place)),
            3 => bytes.truncate(place),
            _ => {}
        }
    }
    bytes
}
