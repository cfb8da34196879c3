"""Rows of positions: as a stream and as a file."""

import os

import drawish
import polars
import pyarrow
import pyarrow.parquet
import pytest

RULE = {"sample": "one-random-ply", "from_move": 8, "min_moves": 0}


def test_the_stream_has_the_rows_of_the_file(sample, tmp_path):
    stream = drawish.positions(sample, **RULE)
    assert stream.ledger is None
    frame = stream.to_polars()
    assert stream.ledger["counted"] == frame.height > 0
    written = drawish.positions(sample, tmp_path / "rows.parquet", **RULE)
    assert written.path == tmp_path / "rows.parquet"
    assert written.ledger == stream.ledger
    assert polars.read_parquet(written.path).equals(frame)
    assert pyarrow.table(stream).num_rows == frame.height


def test_what_is_wrong_with_an_input_is_warned_of(sample, tmp_path):
    cut = tmp_path / "cut.pgn.zst"
    cut.write_bytes(sample.read_bytes()[:1_000_000])
    for take in [drawish.Positions.to_polars, drawish.Positions.to_arrow]:
        rows = drawish.positions(cut, **RULE)
        with pytest.warns(drawish.InputWarning, match="repair the file"):
            assert take(rows).shape[0] > 0
        assert len(rows.problems) == 1


def test_places_lead_back_to_the_game(sample, tmp_path):
    frame = drawish.positions(sample, places=True, **RULE).to_polars()
    assert frame.columns[-3:] == ["input", "number", "fen"]
    written = drawish.positions(sample, tmp_path / "rows.parquet", places=True, **RULE)
    assert polars.read_parquet(written.path).equals(frame)
    without = drawish.positions(sample, **RULE).to_polars()
    assert frame.drop("input", "number", "fen").equals(without)
    assert frame["number"].is_sorted() and frame["input"].unique().to_list() == [os.path.basename(sample)]
    moves = [int(fen.split()[5]) for fen in frame["fen"].head(100)]
    assert moves == [1 + ply // 2 for ply in frame["ply"].head(100)]


def test_a_stream_may_be_left(sample):
    for _ in range(5):
        reader = pyarrow.RecordBatchReader.from_stream(drawish.positions(sample, sample="every", from_move=1, min_moves=0))
        assert reader.read_next_batch().num_rows >= 65_536
        del reader


def test_an_input_is_not_overwritten(sample):
    with pytest.raises(drawish.Error):
        drawish.positions(sample, sample)


def test_progress_ends_a_file_that_is_then_not_there(sample, tmp_path):
    def enough(read, games):
        raise LookupError

    with pytest.raises(LookupError):
        drawish.positions(sample, tmp_path / "rows.parquet", sample="every", progress=enough)
    assert list(tmp_path.iterdir()) == []
