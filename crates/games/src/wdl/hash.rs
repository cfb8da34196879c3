//! Hashes of games, by which copies are found and games are divided into blocks.

use shakmaty::san::San;

use super::BLOCKS;

/// So many first half-moves tell to which block a game belongs. Games that differ only later, such as those that engines repeat but for
/// the end, are not independent.
pub(super) const LINE: u64 = 32;

/// Adds a value to a hash: multiplication spreads it upwards, rotation brings it back down.
#[inline]
pub(super) fn mix(hash: u64, value: u64) -> u64 {
    (hash.rotate_left(23) ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Lets every bit of a hash depend on every other (the finalizer of MurmurHash3): without it the block would depend on the
/// last moves more than on the others.
fn finish_hash(hash: u64) -> u64 {
    let hash = (hash ^ hash >> 33).wrapping_mul(0xff51_afd7_ed55_8ccd);
    let hash = (hash ^ hash >> 33).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    hash ^ hash >> 33
}

/// The block of a game by the hash of its first moves.
pub(super) fn block_of(hash: u64) -> usize {
    const BLOCKS_AS_U64: u64 = BLOCKS as u64;
    usize::try_from(finish_hash(hash) % BLOCKS_AS_U64).unwrap_or_default()
}

/// A move as a number.
#[inline]
pub(super) fn san_code(san: San) -> u64 {
    match san {
        San::Normal { role, file, rank, to, promotion, capture } => {
            let file = file.map_or(8, u64::from);
            let rank = rank.map_or(8, u64::from);
            role as u64
                | u64::from(u32::from(to)) << 4
                | file << 12
                | rank << 16
                | promotion.map_or(0, |role| role as u64) << 20
                | u64::from(capture) << 24
        }
        San::Castle(side) => 1 << 32 | side as u64,
        San::Put { .. } | San::Null => 1 << 33,
    }
}
