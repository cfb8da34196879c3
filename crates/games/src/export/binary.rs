//! Tables as plain little-endian bytes.

use drawish_core::table::{CRC_OFFSET, FLAG_DEPENDENT, FLAG_EVIDENCE, HEADER_LEN, MAGIC, VERSION, checksum, file_len};

use super::Table;

/// A `.table` file; its layout is documented in [`drawish_core::table`].
pub(super) fn table(table: &Table, evidence: bool) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(file_len(table.cells.len(), evidence));
    bytes.extend(MAGIC);
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend((HEADER_LEN as u16).to_le_bytes());
    bytes.extend(table.scheme.id().to_le_bytes());
    bytes.extend(table.estimator.id().to_le_bytes());
    bytes.extend(table.scheme.cells().to_le_bytes());
    let flags = [(evidence, FLAG_EVIDENCE), (table.provenance.is_dependent, FLAG_DEPENDENT)];
    let flags = flags.into_iter().filter(|(is_set, _)| *is_set).map(|(_, flag)| flag);
    bytes.extend(flags.sum::<u32>().to_le_bytes());
    bytes.extend(table.positions.to_le_bytes());
    bytes.extend(table.base.0.to_le_bytes());
    bytes.extend([0; 6]);
    bytes.extend(table.provenance.counts_digest.to_le_bytes());
    bytes.extend([0; 8]);
    bytes.extend(probabilities(table));
    bytes.extend(draw_scores(table));
    bytes.extend(scale_factors(table));
    if evidence {
        bytes.extend(table.cells.iter().flat_map(|cell| cell.low.0.to_le_bytes()));
        bytes.extend(table.cells.iter().flat_map(|cell| cell.high.0.to_le_bytes()));
        bytes.extend(table.cells.iter().flat_map(|cell| cell.positions.to_le_bytes()));
    }
    let crc = checksum(&bytes);
    bytes[CRC_OFFSET..CRC_OFFSET + 4].copy_from_slice(&crc.to_le_bytes());
    bytes
}

pub(super) fn probabilities(table: &Table) -> Vec<u8> {
    table.cells.iter().flat_map(|cell| cell.values.probability.0.to_le_bytes()).collect()
}

pub(super) fn draw_scores(table: &Table) -> Vec<u8> {
    table.cells.iter().flat_map(|cell| cell.values.draw_score.0.to_le_bytes()).collect()
}

pub(super) fn scale_factors(table: &Table) -> Vec<u8> {
    table.cells.iter().map(|cell| cell.values.scale.0).collect()
}
