//! What stands behind the header of a `.counts` file, and the only place that names bincode.

mod weight;

use bincode::config::{Configuration, Fixint, Limit, LittleEndian, NoLimit};
use bincode::{Decode, Encode};
use drawish_core::{Scheme, StructureIndex};

use super::counted::{CountsError, CountsFile, SAMPLE, Shard};
use super::{Counts, Wdl};
use crate::pgn::{Anomalies, Repeats};
use crate::sample::{Notices, SkipReason, Tally};

const ENCODING: Configuration<LittleEndian, Fixint, NoLimit> =
    bincode::config::standard().with_little_endian().with_fixed_int_encoding().with_no_limit();

/// Bodies of more bytes are those of runs that leave out repeated games, with eight bytes for each game.
const LARGEST_USUAL: usize = 1 << 28;
/// 64 GB, or as much as there is on small machines.
const LIMIT: usize = usize::MAX >> (usize::BITS / 64 * 28);

/// The encoding with a limit on what is made of it in memory: a forged length must not make the decoder ask for all of the machine.
const fn decoding<const BYTES: usize>() -> Configuration<LittleEndian, Fixint, Limit<BYTES>> {
    ENCODING.with_limit::<BYTES>()
}

/// What stands behind the header.
#[derive(Encode, Decode)]
pub(super) struct Body {
    made_by: Vec<String>,
    scheme: String,
    /// JSON; in version 1 the rule's line.
    rule: String,
    shards: Vec<ShardRecord>,
    cells: Vec<CellRecord>,
    seen: Vec<u64>,
}

#[derive(Encode, Decode)]
struct ShardRecord {
    name: String,
    digest: u128,
    file_bytes: u64,
    broken: Option<String>,
    counted: u64,
    positions: u64,
    /// By name, so that reasons can be added.
    skipped: Vec<(String, u64)>,
    result_token_differs: u64,
    ply_count_differs: u64,
    blank_line_in_game: u64,
    unreadable_tags: u64,
    stray_text: u64,
    broken_tags: u64,
    rescued_games: u64,
}

/// A cell with results.
#[derive(Encode, Decode)]
struct CellRecord {
    cell: u32,
    white_wins: u64,
    draws: u64,
    black_wins: u64,
}

impl Body {
    /// What the digest is made of: the body of version 1, without the builds and the state of a run.
    pub(super) fn of_digest(file: &CountsFile) -> Body {
        Body { made_by: Vec::new(), seen: Vec::new(), rule: file.rule.to_string(), ..Body::of(file) }
    }

    pub(super) fn encode(&self) -> Vec<u8> {
        bincode::encode_to_vec(self, ENCODING).expect("memory takes any body")
    }

    /// The body and what stands behind it.
    fn decode(bytes: &[u8]) -> Result<(Body, &[u8]), CountsError> {
        let decoded = if bytes.len() <= LARGEST_USUAL {
            bincode::decode_from_slice::<Body, _>(bytes, decoding::<{ 4 * LARGEST_USUAL }>())
        } else {
            bincode::decode_from_slice(bytes, decoding::<LIMIT>())
        };
        match decoded {
            Ok((body, used)) => Ok((body, &bytes[used..])),
            Err(error) => Err(CountsError::Body(error.to_string())),
        }
    }

    pub(super) fn of(file: &CountsFile) -> Body {
        Body {
            made_by: file.made_by.clone(),
            scheme: file.counts.scheme().name().to_owned(),
            rule: serde_json::to_string(&file.rule).expect("numbers, texts and names are JSON"),
            shards: file.shards.iter().map(ShardRecord::of).collect(),
            cells: file
                .counts
                .non_empty()
                .map(|(cell, wdl)| CellRecord {
                    cell: cell.0,
                    white_wins: wdl.wins,
                    draws: wdl.draws,
                    black_wins: wdl.losses,
                })
                .collect(),
            seen: file.seen.clone(),
        }
    }

    /// The file that a body of this version stands for.
    fn check(self, version: u32) -> Result<CountsFile, CountsError> {
        if self.weight() > u128::from(u64::MAX) {
            return Err(CountsError::Inconsistent(weight::TOO_MUCH.to_owned()));
        }
        let rule = match version {
            1 => self.rule.parse()?,
            _ => serde_json::from_str(&self.rule).map_err(|error| CountsError::Body(error.to_string()))?,
        };
        let Some(scheme) = Scheme::from_name(&self.scheme) else {
            return Err(CountsError::UnknownScheme(self.scheme));
        };
        let mut counts = Counts::new(scheme);
        for CellRecord { cell, white_wins, draws, black_wins } in self.cells {
            if cell >= scheme.cells() {
                return Err(CountsError::Inconsistent(format!("{scheme} has no cell {cell}")));
            }
            *counts.get_mut(StructureIndex(cell)) += Wdl { wins: white_wins, draws, losses: black_wins };
        }
        let shards = self.shards.into_iter().map(ShardRecord::check).collect::<Result<_, _>>()?;
        let file = CountsFile { made_by: self.made_by, rule, shards, counts, games: None, seen: self.seen };
        let (positions, results) = (file.tally().positions, file.counts.total().total());
        if positions != results {
            let contradiction = format!("its inputs gave {positions} positions, its cells contain {results} results");
            return Err(CountsError::Inconsistent(contradiction));
        }
        Ok(file)
    }
}

/// The body of a file, and the version that has room for all of it.
pub(super) fn encode(file: &CountsFile) -> (u32, Vec<u8>) {
    let mut bytes = Body::of(file).encode();
    let unpacked: Vec<Option<u128>> = file.shards.iter().map(|shard| shard.unpacked_digest).collect();
    // What earlier releases have written stays as it was.
    if file.games.is_none() && unpacked.iter().all(Option::is_none) {
        return (2, bytes);
    }
    bytes.extend(bincode::encode_to_vec(unpacked, ENCODING).expect("memory takes any body"));
    let Some(games) = &file.games else { return (3, bytes) };
    bytes.extend(bincode::encode_to_vec(games.parts(), ENCODING).expect("memory takes any body"));
    (4, bytes)
}

/// The file that the body of this version holds.
pub(super) fn decode(bytes: &[u8], version: u32) -> Result<CountsFile, CountsError> {
    let (body, mut rest) = Body::decode(bytes)?;
    let mut file = body.check(version)?;
    if version >= 3 {
        let decoded = bincode::decode_from_slice::<Vec<Option<u128>>, _>(rest, decoding::<LARGEST_USUAL>());
        let (unpacked, used) = decoded.map_err(|error| CountsError::Body(error.to_string()))?;
        if unpacked.len() != file.shards.len() {
            let (digests, inputs) = (unpacked.len(), file.shards.len());
            return Err(CountsError::Inconsistent(format!("{digests} digests of what {inputs} inputs contain")));
        }
        for (shard, digest) in file.shards.iter_mut().zip(unpacked) {
            shard.unpacked_digest = digest;
        }
        rest = &rest[used..];
    }
    if version >= 4 {
        let decoded = bincode::decode_from_slice::<(u32, Vec<(u64, u64)>), _>(rest, decoding::<LARGEST_USUAL>());
        let ((level, games), used) = decoded.map_err(|error| CountsError::Body(error.to_string()))?;
        let times: u128 = games.iter().map(|&(_, times)| u128::from(times)).sum();
        let is_small = games.len() <= SAMPLE && times <= u128::from(file.tally().counted());
        let games = Repeats::from_parts(level, games).filter(|_| is_small);
        let what = "its sample of games is none of those that it counted";
        file.games = Some(games.ok_or_else(|| CountsError::Inconsistent(what.to_owned()))?);
        rest = &rest[used..];
    }
    match rest.len() {
        0 => Ok(file),
        left => Err(CountsError::Body(format!("{left} bytes are left over"))),
    }
}

impl ShardRecord {
    fn of(shard: &Shard) -> ShardRecord {
        let Shard { name, digest, file_bytes, broken, tally, anomalies, .. } = shard.clone();
        let skipped = SkipReason::ALL.map(|reason| (reason.name().to_owned(), tally.skipped(reason)));
        ShardRecord {
            name,
            digest,
            file_bytes,
            broken,
            counted: tally.counted(),
            positions: tally.positions,
            skipped: skipped.into_iter().filter(|(_, games)| *games > 0).collect(),
            result_token_differs: tally.notices.result_token_differs,
            ply_count_differs: tally.notices.ply_count_differs,
            blank_line_in_game: anomalies.blank_line_in_game,
            unreadable_tags: anomalies.unreadable_tags,
            stray_text: anomalies.stray_text,
            broken_tags: anomalies.broken_tags,
            rescued_games: anomalies.rescued_games,
        }
    }

    fn check(self) -> Result<Shard, CountsError> {
        let mut tally = Tally::default();
        tally.count_many(self.counted);
        tally.positions = self.positions;
        tally.notices =
            Notices { result_token_differs: self.result_token_differs, ply_count_differs: self.ply_count_differs };
        for (name, games) in self.skipped {
            let reason = SkipReason::from_name(&name)
                .ok_or_else(|| CountsError::Inconsistent(format!("no reason to skip a game is called {name:?}")))?;
            tally.skip_many(reason, games);
        }
        Ok(Shard {
            name: self.name,
            digest: self.digest,
            unpacked_digest: None,
            file_bytes: self.file_bytes,
            broken: self.broken,
            tally,
            anomalies: Anomalies {
                blank_line_in_game: self.blank_line_in_game,
                unreadable_tags: self.unreadable_tags,
                stray_text: self.stray_text,
                broken_tags: self.broken_tags,
                rescued_games: self.rescued_games,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{Rule, Sampling};

    fn file() -> CountsFile {
        let mut file = CountsFile::new(Rule::default(), Scheme::Bg);
        let mut tally = Tally::default();
        tally.count_many(3);
        tally.positions = 3;
        tally.skip_many(SkipReason::TooShort, 5);
        tally.notices = Notices { result_token_differs: 1, ply_count_differs: 2 };
        let anomalies =
            Anomalies { blank_line_in_game: 3, unreadable_tags: 4, stray_text: 5, broken_tags: 6, rescued_games: 7 };
        let name = "a.pgn".to_owned();
        let broken = Some("cut".to_owned());
        file.add_shard(Shard { name, digest: 8, unpacked_digest: None, file_bytes: 9, broken, tally, anomalies });
        *file.counts.get_mut(StructureIndex(11)) = Wdl { wins: 1, draws: 2, losses: 0 };
        file
    }

    /// What the file says of itself in two places must agree.
    #[test]
    fn bodies_that_contradict_themselves() {
        let refused = |change: fn(&mut Body)| {
            let mut body = Body::of(&file());
            change(&mut body);
            body.check(2).expect_err("a contradiction").to_string()
        };
        assert_eq!(Body::of(&file()).check(2).expect("counts"), CountsFile { games: None, ..file() });
        for (said, change) in [
            ("bg has no cell 4096", (|body| body.cells[0].cell = 4096) as fn(&mut Body)),
            ("its inputs gave 3 positions, its cells contain 4 results", |body| body.cells[0].white_wins = 2),
            ("its inputs gave 2 positions, its cells contain 3 results", |body| body.shards[0].positions = 2),
            ("no reason to skip a game is called \"tired\"", |body| body.shards[0].skipped[0].0 = "tired".to_owned()),
            ("index scheme \"files\" is not known", |body| body.scheme = "files".to_owned()),
            ("the body cannot be decoded: ", |body| body.rule = "--sample at --at 50".to_owned()),
        ] {
            let refused = refused(change);
            assert!(refused.contains(said), "{refused}");
        }
        let mut last = Body::of(&file());
        last.cells[0].cell = 4095;
        assert!(last.check(2).is_ok());
    }

    /// Three results, three games and as many positions, five games skipped, two notices and five anomalies.
    #[test]
    fn the_weight_is_the_sum_of_all_numbers() {
        assert_eq!(Body::of(&file()).weight(), 3 + 3 + 3 + 5 + (1 + 2) + (3 + 4 + 5 + 6 + 7));
    }

    #[test]
    fn the_digest_is_of_what_was_counted() {
        let of = |change: fn(&mut CountsFile)| {
            let mut changed = file();
            change(&mut changed);
            changed.digest()
        };
        let same = file().digest();
        assert_eq!(of(|file| file.made_by = vec!["another".to_owned()]), same);
        assert_eq!(of(|file| file.seen = vec![1, 2]), same);
        assert_eq!(of(|file| file.games = None), same);
        assert_eq!(of(|file| file.shards[0].unpacked_digest = Some(1)), same);
        for change in [
            (|file| file.rule.sampling = Sampling::At { at: 49 }) as fn(&mut CountsFile),
            |file| file.shards[0].name = "b.pgn".to_owned(),
            |file| file.shards[0].digest = 9,
            |file| file.shards[0].broken = None,
            |file| file.shards[0].tally.skip(SkipReason::TooShort),
            |file| file.counts.get_mut(StructureIndex(11)).losses = 1,
        ] {
            assert_ne!(of(change), same);
        }
    }
}
