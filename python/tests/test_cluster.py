"""Shards on a Dask cluster of processes: the bytes of one machine, whatever is killed on the way."""

import os
import signal
import struct
import subprocess
import tarfile
import time
from pathlib import Path

import pytest

pytest.importorskip("distributed")

from drawish import cluster  # noqa: E402  (only where Dask is)
from drawish.cluster import reading, shard, workers as versions  # noqa: E402

GAME = """[Event "Match {number}"]
[Site "?"]
[Date "2026.11.22"]
[Round "{number}"]
[White "One"]
[Black "Other"]
[Result "{result}"]

{moves} {result}

"""


def games(first: int, count: int) -> str:
    """Games of some lengths in which knights go to and fro, with an evaluation at each move."""
    text = []
    for number in range(first, first + count):
        moves = []
        for move in range(1, 4 + number % 7):
            white, black = ("Nf3", "Nf6") if move % 2 else ("Ng1", "Ng8")
            moves.append(f"{move}. {white} {{+0.{number % 90 + 10}/9 0.1s}} {black} {{-0.20/8 0.1s}}")
        text.append(GAME.format(number=number, moves=" ".join(moves), result=("1-0", "0-1", "1/2-1/2")[number % 3]))
    return "".join(text)


OPTIONS = ["--min-moves", "0", "--at", "3"]


def alone(place: Path, *words: str) -> bytes:
    """What one machine writes."""
    done = subprocess.run([*versions.program(), *words, "-q"], cwd=place, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return (place / words[words.index("-o") + 1]).read_bytes()


@pytest.fixture
def place(tmp_path: Path) -> Path:
    for number in range(12):
        (tmp_path / f"part-{number:02}.pgn").write_text(games(100 * number, 100))
    return tmp_path


def cells(place: Path, name: str) -> list[bytes]:
    """The table of some counts, without what it says of its inputs."""
    table = alone(place, "table", f"{name}.counts", "-o", f"{name}.csv")
    return [line for line in table.splitlines() if not line.startswith(b"#")]


def test_a_killed_worker_changes_no_byte(place: Path, workers) -> None:
    client, processes = workers
    killed = []

    def kill(done: int, every: int) -> None:
        if done == 3:
            os.kill(processes[1].pid, signal.SIGKILL)
            killed.append(done)

    run = cluster.collect(client, [f"{place}/part-*.pgn"], place / "all.counts", options=OPTIONS, progress=kill)
    assert killed and run.shards == 12 and not run.failed
    names = [f"part-{number:02}.pgn" for number in range(12)]
    assert (place / "all.counts").read_bytes() == alone(place, "collect", *names, *OPTIONS, "-o", "one.counts")
    cluster.wdl_collect(client, [str(place)], place / "all.wdl")
    assert (place / "all.wdl").read_bytes() == alone(place, "wdl", "collect", *names, "-o", "one.wdl")
    assert not list(place.glob("*.shards"))


def test_what_fails_is_named_and_the_rest_is_kept(place: Path, workers, monkeypatch: pytest.MonkeyPatch) -> None:
    client, _ = workers
    gone = cluster.Shard((place / "part-99.pgn").as_uri(), 9)
    listed = cluster.shards
    monkeypatch.setattr(reading, "shards", lambda *given: [*listed(*given), gone])
    with pytest.raises(cluster.ClusterError, match=r"1 of 13 shards failed") as failed:
        cluster.collect(client, [str(place)], place / "all.counts", options=OPTIONS)
    assert "part-99.pgn: " in str(failed.value) and str(place / "all.counts.shards") in str(failed.value)
    assert not (place / "all.counts").exists()
    run = cluster.collect(client, [str(place)], place / "all.counts", options=OPTIONS, keep_going=True)
    assert (run.shards, run.resumed, [*run.failed]) == (12, 12, ["part-99.pgn"])
    assert not (place / "all.counts.shards").exists()


def test_a_broken_file_is_named(place: Path, workers) -> None:
    client, _ = workers
    (place / "part-05.pgn").unlink()
    (place / "part-05.pgn.gz").write_bytes(b"\x1f\x8b no gzip file")
    run = cluster.collect(client, [str(place)], place / "all.counts", options=OPTIONS)
    assert (run.shards, run.failed, [*run.broken]) == (12, {}, ["part-05.pgn.gz"])
    assert "part-05.pgn.gz: invalid gzip header" in run.broken["part-05.pgn.gz"]


def test_another_version_is_refused_by_name(place: Path, workers, monkeypatch: pytest.MonkeyPatch) -> None:
    client, _ = workers
    monkeypatch.setattr(versions, "version", lambda: "drawish 0.0.1")
    monkeypatch.setattr(client, "run", lambda _: {"tcp://here:1": "drawish 0.0.1", "tcp://there:2": "drawish 9.9.9"})
    with pytest.raises(cluster.ClusterError, match="tcp://there:2 has drawish 9.9.9: install the same version"):
        cluster.collect(client, [str(place)], place / "all.counts")


def test_a_worker_that_joins_late_is_held_to_the_version(place: Path) -> None:
    one = cluster.shards([str(place / "part-00.pgn")])[0]
    with pytest.raises(cluster.ClusterError, match=r"the worker on .* has drawish .*, expected drawish 9\.9\.9"):
        reading.read_shard(one, ["collect"], ".counts", None, "drawish 9.9.9")


def test_a_file_that_changed_is_read_again(place: Path) -> None:
    file = place / "part-00.pgn"
    before = cluster.shards([str(file)])[0]
    assert before.key(["collect"], "x") == cluster.shards([str(file)])[0].key(["collect"], "x")
    text = file.read_text().replace("1-0", "0-1", 1)
    file.write_text(text)
    os.utime(file, (1, 1))
    after = cluster.shards([str(file)])[0]
    assert after.size == before.size and after.key(["collect"], "x") != before.key(["collect"], "x")


def test_parts_hold_each_game_once(tmp_path: Path) -> None:
    text = games(0, 200).encode()
    file = tmp_path / "all.pgn"
    file.write_bytes(text)
    starts = [at for at in range(len(text)) if text.startswith(b"[Event ", at)]
    # Cuts everywhere around the beginning of a game, and sizes that leave parts without any.
    for split in [7, 100, 331, *range(starts[3] - 9, starts[3] + 9), len(text) - 1]:
        parts = []
        for one in cluster.shards([str(file)], split):
            copy = tmp_path / "copy"
            with file.open("rb") as whole, copy.open("wb") as part:
                shard.copy_games(whole, part, one)
            part = copy.read_bytes()
            wanted = [start for start in starts if one.start <= start < one.end]
            assert part.count(b"[Event ") == len(wanted) and part.startswith(b"[Event ") == bool(wanted)
            parts.append(part)
        assert b"".join(parts) == text


def test_parts_of_a_file_give_the_counts_of_the_file(tmp_path: Path, workers) -> None:
    client, _ = workers
    (tmp_path / "all.pgn").write_text(games(0, 300))
    run = cluster.collect(client, [str(tmp_path / "all.pgn")], tmp_path / "parts.counts", options=OPTIONS, split=20_000)
    assert run.shards > 3
    alone(tmp_path, "collect", "all.pgn", *OPTIONS, "-o", "one.counts")
    assert cells(tmp_path, "parts") == cells(tmp_path, "one")


def test_an_archive_is_a_shard(place: Path, workers) -> None:
    client, _ = workers
    names = sorted(file.name for file in place.glob("part-*.pgn"))
    for archive, members in (("a.tar", names[:5]), ("b.tar", names[5:])):
        with tarfile.open(place / archive, "w") as tar:
            for name in members:
                tar.add(place / name, name)
                (place / name).unlink()
    run = cluster.collect(client, [str(place)], place / "all.counts", options=OPTIONS, split=1000)
    assert run.shards == 2
    assert (place / "all.counts").read_bytes() == alone(place, "collect", "a.tar", "b.tar", *OPTIONS, "-o", "one.counts")


def test_boards_are_read_in_parts(tmp_path: Path, workers) -> None:
    client, _ = workers
    # White's king on e1, Black's on e8 and a pawn of White on the second rank: squares, men, score, result, both kings.
    boards = [
        struct.pack("<Q16shBBB3s", 1 << 4 | 1 << 8 + number % 8 | 1 << 60, bytes([5, 13]), 20, number % 3, 4, 4, b"")
        for number in range(100)
    ]
    (tmp_path / "boards.data").write_bytes(b"".join(boards))
    run = cluster.collect(client, [str(tmp_path / "boards.data")], tmp_path / "parts.counts", split=1000)
    assert run.shards == 4 and not run.broken
    alone(tmp_path, "collect", "boards.data", "-o", "one.counts")
    assert cells(tmp_path, "parts") == cells(tmp_path, "one")


def test_rows_are_a_file_for_each_shard(place: Path, workers) -> None:
    client, _ = workers
    run = cluster.positions(client, [str(place)], place / "rows", options=OPTIONS)
    assert run.shards == 12 and len(list((place / "rows").glob("*.parquet"))) == 12
    again = cluster.positions(client, [str(place)], place / "rows", options=OPTIONS)
    assert again.resumed == 12


def test_the_command_says_what_is_missing(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cluster.main(["collect", str(place / "none.pgn"), "-o", str(place / "x.counts")]) == 1
    assert "none.pgn: there is no such file" in capsys.readouterr().err
    begun = time.monotonic()
    assert cluster.main(["collect", str(place), "-o", str(place / "x.counts"), *OPTIONS]) == 0
    assert f"{place / 'x.counts'}: 12 shards" in capsys.readouterr().out and time.monotonic() - begun < 120
