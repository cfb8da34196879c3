"""Counts and tables: the same as the program's, and as Arrow and numpy have them."""

import pickle
import subprocess
import sys
import threading

import drawish
import numpy
import polars
import pyarrow
import pytest


def plain(path):
    """The text of packed games."""
    with pyarrow.input_stream(path, compression="zstd") as stream:
        return stream.read()


def program(*arguments):
    return subprocess.run([sys.executable, "-m", "drawish", *map(str, arguments)], capture_output=True, text=True)


def test_the_same_bytes_as_the_program(sample, counts, tmp_path):
    done = program("collect", sample, "-o", tmp_path / "program.counts", "--quiet")
    assert done.returncode == 0, done.stderr
    counts.save(tmp_path / "module.counts")
    assert (tmp_path / "module.counts").read_bytes() == (tmp_path / "program.counts").read_bytes()
    assert program("table", tmp_path / "program.counts", "-o", tmp_path / "program.table", "--quiet").returncode == 0
    counts.table().save(tmp_path / "module.table")
    assert (tmp_path / "module.table").read_bytes() == (tmp_path / "program.table").read_bytes()


def test_threads_change_nothing(sample, counts):
    assert drawish.collect([sample], threads=1) == counts


def test_every_game_is_counted_or_skipped(counts):
    ledger = counts.ledger
    assert ledger["games"] == ledger["counted"] + sum(ledger["skipped"].values()) > 0
    assert counts.inputs[0]["games"] == ledger["games"]


def test_columns_are_those_of_the_arrays(counts):
    frame = counts.to_polars()
    assert frame.height == len(counts)
    for name, array in [("wins", counts.wins), ("draws", counts.draws), ("losses", counts.losses)]:
        assert array.dtype == numpy.uint64
        assert (frame[name].to_numpy() == array).all()
    assert tuple(int(array.sum()) for array in (counts.wins, counts.draws, counts.losses)) == counts.total


def test_arrow_takes_all_columns(counts):
    table = pyarrow.table(counts)
    assert table.equals(counts.to_arrow())
    assert [str(field.type) for field in table.schema] == ["uint32"] + 2 * ["string_view"] + 3 * ["uint64"]
    assert polars.from_arrow(table).equals(counts.to_polars())


def test_a_capsule_that_nobody_takes_is_released(counts):
    for _ in range(100):
        counts.__arrow_c_stream__()


def test_counts_are_added_and_no_input_twice(sample, counts, tmp_path):
    half = tmp_path / "half.pgn"
    half.write_bytes(plain(sample)[:1_000_000].rpartition(b"[Event ")[0])
    other = drawish.collect(half)
    both = counts + other
    assert both.total == tuple(one + two for one, two in zip(counts.total, other.total))
    assert both == other + counts
    with pytest.raises(drawish.Error, match="already in it: its games would be counted twice"):
        counts + counts


def test_another_rule_is_not_added(sample, counts):
    with pytest.raises(drawish.Error, match="counted by another rule"):
        counts + drawish.collect(sample, at=40)


def test_counts_are_pickled(counts):
    assert pickle.loads(pickle.dumps(counts)) == counts


def test_what_counts_is_said_by_keywords(sample, counts):
    everything = drawish.collect(sample, sample="every", from_move=30, min_moves=0, variant="any", dedupe=True)
    assert everything.ledger["positions"] > counts.ledger["positions"]
    assert "every" in everything.rule
    assert drawish.collect(sample, "ah").scheme == "ah"
    lines = drawish.collect(sample, dedupe="lines")
    assert lines.ledger["counted"] <= counts.ledger["counted"]
    assert "--dedupe=lines" in lines.rule


@pytest.mark.parametrize(
    ("keywords", "error", "text"),
    [
        ({"scheme": "xx"}, drawish.Error, "expected one of bg"),
        ({"smaple": 1}, TypeError, "unexpected keyword argument"),
        ({"sample": "never"}, drawish.Error, "expected at, one-random-ply, every or positions"),
        ({"from_move": 3}, drawish.Error, "from_move goes with"),
        ({"sample": "every", "at": 3}, drawish.Error, "it is from_move"),
        ({"min_elo": 2000, "max_elo": 1000}, drawish.Error, "no game could count"),
        ({"date_from": "2020-01"}, drawish.Error, "expected YYYY"),
        ({"date_from": "2020.13"}, drawish.Error, "expected YYYY"),
        ({"date_from": "2021", "date_to": "2020.05"}, drawish.Error, "no game could count"),
        ({"min_elo": "high"}, TypeError, "min_elo"),
        ({"at": 0}, drawish.Error, "numbered from 1"),
        ({"threads": 0}, drawish.Error, "expected 1 or more"),
        ({"variant": "go"}, drawish.Error, "expected one of standard"),
        ({"player": "("}, drawish.Error, "player="),
        ({"dedupe": "odd"}, drawish.Error, "expected True, False or"),
    ],
)
def test_wrong_keywords_are_refused(sample, keywords, error, text):
    with pytest.raises(error, match=text):
        drawish.collect(sample, **keywords)


def test_errors_have_the_text_of_the_program(tmp_path):
    missing = tmp_path / "missing.pgn"
    with pytest.raises(drawish.Error) as raised:
        drawish.collect(missing)
    done = program("collect", missing, "-o", tmp_path / "o.counts")
    assert done.stderr == f"drawish: {raised.value}\n"


def test_a_cut_input_is_a_warning_and_what_is_there_counts(sample, tmp_path):
    cut = tmp_path / "cut.pgn.zst"
    cut.write_bytes(sample.read_bytes()[:1_000_000])
    with pytest.warns(drawish.InputWarning, match="repair the file"):
        counts = drawish.collect(cut)
    assert counts.ledger["counted"] > 0
    assert counts.inputs[0]["broken"]
    done = program("collect", cut, "-o", tmp_path / "o.counts", "--quiet")
    assert done.stderr.splitlines()[0] == f"drawish: {counts.problems[0]}"


def test_progress_is_called_and_its_exception_ends_the_run(sample):
    seen = []
    drawish.collect(sample, progress=lambda read, games: seen.append((read, games)))
    assert seen[-1] == (sample.stat().st_size, 3000)

    def enough(read, games):
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        drawish.collect(sample, progress=enough)


INTERRUPTED = """
import os, signal, sys, threading, time
import drawish
def press():
    time.sleep(0.3)
    begun[0] = time.monotonic()
    os.kill(os.getpid(), signal.SIGINT)
begun = [None]
threading.Thread(target=press).start()
try:
    drawish.collect(sys.argv[1:], replay=True, sample="every")
except KeyboardInterrupt:
    print(f"interrupted {time.monotonic() - begun[0]}")
else:
    print("not interrupted")
"""


def test_an_interrupt_ends_the_run(sample, tmp_path):
    text = plain(sample)
    for number in range(12):
        (tmp_path / f"{number}.pgn").write_bytes(text + b"\n" * (number + 1))
    paths = [str(tmp_path / f"{number}.pgn") for number in range(12)]
    done = subprocess.run([sys.executable, "-c", INTERRUPTED, *paths], capture_output=True, text=True)
    assert done.stdout.startswith("interrupted"), done
    assert float(done.stdout.split()[1]) < 2
    assert done.stderr == ""


def test_other_threads_run_meanwhile(sample):
    ticks, done = [0], threading.Event()

    def tick():
        while not done.is_set():
            ticks[0] += 1

    thread = threading.Thread(target=tick)
    thread.start()
    drawish.collect(sample, replay=True)
    done.set()
    thread.join()
    assert ticks[0] > 1000


def test_a_table_answers_and_is_written_in_every_format(counts, tmp_path):
    table = counts.table()
    fen = "8/pp3kpp/2p1p3/3p4/3P4/2P1P3/PP3KPP/8 w - - 0 40"
    found = table.lookup(fen)
    assert found["probability"] == table.probability(fen) == table.probabilities[found["cell"]]
    assert found["low"] <= found["probability"] <= found["high"]
    assert table.draw_scores[found["cell"]] == found["draw_score"]
    assert table.scales[found["cell"]] == found["scale"]
    assert table.to_polars().height == len(table) == len(counts)
    for ending in ["table", "h", "rs", "json", "csv", "parquet", "u16", "i16", "u8", "toml"]:
        table.save(tmp_path / f"pawns.{ending}")
    again = drawish.Table.load(tmp_path / "pawns.table")
    assert again.to_bytes() == table.to_bytes()
    assert (again.probabilities == table.probabilities).all()
    assert polars.read_parquet(tmp_path / "pawns.parquet").equals(table.to_polars())
    with pytest.raises(drawish.Error, match="only written as .table"):
        again.save(tmp_path / "again.h")
    with pytest.raises(drawish.Error, match="ending of the name chooses the format"):
        table.save(tmp_path / "pawns.xls")
    assert len(table.to_bytes(slim=True)) < len(table.to_bytes())
    assert pickle.loads(pickle.dumps(table)).to_bytes() == table.to_bytes()


def test_a_damaged_file_is_named(counts, tmp_path):
    path = tmp_path / "cut.counts"
    path.write_bytes(counts.to_bytes()[:-1])
    with pytest.raises(drawish.Error, match="cut.counts: expected .* bytes"):
        drawish.Counts.load(path)
    (tmp_path / "changed.table").write_bytes(counts.table().to_bytes()[:-1] + b"x")
    with pytest.raises(drawish.Error, match="changed.table"):
        drawish.Table.load(tmp_path / "changed.table")


def test_what_is_no_fen_is_refused(counts):
    with pytest.raises(drawish.Error, match="not a FEN"):
        counts.lookup("nothing")
