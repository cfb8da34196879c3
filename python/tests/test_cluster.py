"""Shards on a Dask cluster of processes: the bytes of one machine, whatever is killed on the way."""

import gzip
import json
import os
import signal
import struct
import subprocess
import tarfile
import time
from pathlib import Path

import drawish
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


def ledger(place: Path, name: str) -> dict:
    """What became of all games of some counts, in whatever files they were."""
    done = subprocess.run([*versions.program(), "inspect", name, "--json"], cwd=place, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert sum(one["games"] for one in found["inputs"]) == found["games"]
    # The digest covers the inputs.
    del found["inputs"], found["content_xxh3_128"]
    return found


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


def other_view(count: int) -> str:
    """Games whose evaluations are White's, in a style that has those of the mover."""
    moves = " ".join(f"{move}. {white} {{+3.{move}0/9 0.1s}} {black} {{+3.{move}0/8 0.1s}}" for move, (white, black) in
                     enumerate([("Nf3", "Nf6"), ("Ng1", "Ng8")] * 4, 1))
    return "".join(GAME.format(number=number, moves=moves, result="1-0") for number in range(count))


@pytest.mark.parametrize("read", [cluster.wdl_collect, cluster.positions])
def test_what_the_program_warns_of_is_said(place: Path, workers, read, capsys: pytest.CaptureFixture[str]) -> None:
    client, _ = workers
    for number in range(7):
        (place / f"part-{number:02}.pgn").write_text(other_view(40 + number))
    options = OPTIONS if read is cluster.positions else []
    with pytest.warns(drawish.InputWarning) as warned:
        run = read(client, [str(place)], place / "out.wdl", options=options)
    assert [*run.warned] == [f"part-{number:02}.pgn" for number in range(7)] and not run.broken
    messages = [str(one.message) for one in warned]
    assert len(messages) == 6 and all("other view" in one or "view of" in one for one in messages[:5]), messages
    assert messages[5] == "2 more shards: the same as of the last one, with other numbers"
    # Whole files, as before.
    if read is cluster.wdl_collect:
        assert cluster.main(["wdl-collect", str(place), "-o", str(place / "again.wdl")]) == 0
        assert "drawish-cluster: part-00.pgn: " in capsys.readouterr().err


def test_warnings_of_an_earlier_run_are_said_again(place: Path, workers, monkeypatch: pytest.MonkeyPatch) -> None:
    client, _ = workers
    (place / "part-03.pgn").write_text(other_view(40))
    gone = cluster.Shard((place / "part-99.pgn").as_uri(), 9)
    listed = cluster.shards
    monkeypatch.setattr(reading, "shards", lambda *given: [*listed(*given), gone])
    with pytest.raises(cluster.ClusterError):
        cluster.wdl_collect(client, [str(place)], place / "out.wdl")
    with pytest.warns(drawish.InputWarning, match=r"^part-03\.pgn: "):
        run = cluster.wdl_collect(client, [str(place)], place / "out.wdl", keep_going=True)
    assert run.resumed == 12 and [*run.warned] == ["part-03.pgn"]


def test_a_file_and_its_packed_copy_are_refused(place: Path) -> None:
    (place / "part-05.pgn.gz").write_bytes(gzip.compress((place / "part-05.pgn").read_bytes()))
    for split in [None, 1000]:
        with pytest.raises(cluster.ClusterError, match=r"part-05\.pgn and .*part-05\.pgn\.gz look like the same games"):
            cluster.shards([str(place)], split)


def test_names_that_look_like_options_are_names(place: Path, workers) -> None:
    client, _ = workers
    (place / "part-05.pgn").rename(place / "--at=20.pgn")
    run = cluster.collect(client, [str(place)], place / "all.counts", options=OPTIONS)
    assert (run.shards, run.failed, run.broken) == (12, {}, {})


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
    assert ledger(tmp_path, "parts.counts") == ledger(tmp_path, "one.counts")


def test_parts_within_a_game_are_no_broken_files(tmp_path: Path, workers) -> None:
    client, _ = workers
    (tmp_path / "all.pgn").write_text(games(0, 12))
    # Shorter than a game, so that none begins in some of the parts.
    run = cluster.collect(client, [str(tmp_path / "all.pgn")], tmp_path / "parts.counts", options=OPTIONS, split=150)
    assert run.shards == 12 and not run.broken and not run.failed
    alone(tmp_path, "collect", "all.pgn", *OPTIONS, "-o", "one.counts")
    assert ledger(tmp_path, "parts.counts") == ledger(tmp_path, "one.counts")
    run = cluster.wdl_collect(client, [str(tmp_path / "all.pgn")], tmp_path / "parts.wdl", split=150)
    alone(tmp_path, "wdl", "collect", "all.pgn", "-o", "one.wdl")
    one, parts_of_it = (drawish.wdl.Counts.load(tmp_path / name) for name in ("one.wdl", "parts.wdl"))
    assert not run.broken and parts_of_it.positions == one.positions > 0 and parts_of_it.to_polars().equals(one.to_polars())


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
    assert ledger(tmp_path, "parts.counts") == ledger(tmp_path, "one.counts")


def chain(number: int, trap: bool = False) -> bytes:
    """A chain of one move of a king: positions, results and evaluations differ from number to number. A trap has within it what looks like
    the beginning of a block."""
    occupied = 1 << 4 | 1 << 8 + number % 8 | 1 << 48 + number % 5 | 1 << 60
    men = bytes([10 | 0 << 4, 1 | 11 << 4]) + bytes(14)
    move = (4 << 8 | 3 << 2).to_bytes(2, "big")
    rest = b"BINP" + bytes([number % 7, 0]) if trap else struct.pack(">HHH", 2 * number % 900, (number % 3) << 14 | number % 90, 0)
    return struct.pack(">Q", occupied) + men + move + rest + bytes(2)


def blocks(lengths: list[int]) -> list[bytes]:
    """Blocks of so many chains."""
    made, number = [], 0
    for length in lengths:
        body = b"".join(chain(number + place, place % 11 == 5) for place in range(length))
        number += length
        made.append(b"BINP" + struct.pack("<I", len(body)) + body)
    return made


EVERY = ["--sample", "every", "--from", "1", "--min-moves", "0", "--fen-starts"]


def parts(file: Path, split: int | None) -> list[bytes]:
    """What the shards of a file are copied as, in their order."""
    found = []
    for one in cluster.shards([str(file)], split):
        copy = file.with_name("copy")
        with file.open("rb") as whole, copy.open("wb") as part:
            shard.copy_games(whole, part, one)
        found.append(copy.read_bytes())
        assert one.end is None or Path(one.name).suffix == file.suffix or file.suffix == ".pgn"
    return found


def test_binpacks_are_cut_between_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = blocks([30, 1, 0, 200, 7, 7, 1, 90])
    whole, borders, at = b"".join(made), [], 0
    for block in made:
        borders.append(at)
        at += len(block)
    file = tmp_path / "all.binpack"
    file.write_bytes(whole)
    assert whole.count(b"BINP") > len(made)
    # Read in small steps too, so that what a block begins with lies across two of them.
    for step in (1 << 22, 5, 64):
        monkeypatch.setattr(shard, "CHUNK", step)
        with file.open("rb") as source:
            for at in [*range(0, len(whole), 499 if step < 99 else 37), *borders, *(border + 1 for border in borders), len(whole)]:
                wanted = next((border for border in borders if border >= at), len(whole))
                assert shard.block_from(source, at, len(whole)) == wanted, (step, at)
    monkeypatch.setattr(shard, "CHUNK", 1 << 22)
    sums = [sum(map(len, made[:number])) for number in range(len(made) + 1)]
    for count in range(1, 8):
        found = parts(file, -(-len(whole) // count))
        assert b"".join(found) == whole and len(found) <= count
        assert all(part.startswith(b"BINP") for part in found)
    assert [len(part) for part in parts(file, 1)] == [after - before for before, after in zip(sums, sums[1:])]
    assert parts(file, len(whole)) == parts(file, None) == [whole]
    # One that ends within a block: its last part is what no block begins in.
    file.write_bytes(whole[:-3])
    assert b"".join(parts(file, 500)) == whole[:-3]
    file.write_bytes(b"")
    assert parts(file, 500) == [b""]


def test_binpacks_in_parts_give_the_counts_of_the_file(tmp_path: Path, workers) -> None:
    client, _ = workers
    (tmp_path / "all.binpack").write_bytes(b"".join(blocks([30, 1, 200, 7, 7, 1, 90])))
    alone(tmp_path, "collect", "all.binpack", *EVERY, "-o", "one.counts")
    for split in (1, 3000, 6000):
        run = cluster.collect(client, [str(tmp_path / "all.binpack")], tmp_path / "parts.counts", options=EVERY, split=split)
        assert run.shards > 1 and not run.broken
        assert cells(tmp_path, "parts") == cells(tmp_path, "one")
        assert ledger(tmp_path, "parts.counts") == ledger(tmp_path, "one.counts")
        (tmp_path / "parts.counts").unlink()
    assert ledger(tmp_path, "one.counts")["games"] == 336
    alone(tmp_path, "wdl", "collect", "all.binpack", "-o", "one.wdl")
    cluster.wdl_collect(client, [str(tmp_path / "all.binpack")], tmp_path / "parts.wdl", split=3000)
    one, all_parts = (drawish.wdl.Counts.load(tmp_path / name) for name in ("one.wdl", "parts.wdl"))
    assert all_parts.positions == one.positions > 0 and all_parts.to_polars().equals(one.to_polars())


def test_what_cannot_be_cut_is_a_shard(tmp_path: Path) -> None:
    packed = gzip.compress(games(0, 50).encode())
    # The program goes by the bytes of PGN and by the name of training data, in letters of either case.
    contents = {"a.pgn": packed, "b.pgn.gz": packed, "c.viri": b"v" * 999, "d.VF": b"v" * 999, "e.data.zst": b"e" * 999, "f.TAR": b"f" * 999}
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
        assert parts(tmp_path / name, 100) == [content], name
        assert [one.name for one in cluster.shards([str(tmp_path / name)], 100)] == [name]
    (tmp_path / "g.DATA").write_bytes(bytes(320))
    assert [len(part) for part in parts(tmp_path / "g.DATA", 100)] == [96, 96, 96, 32]


def test_boards_in_parts_are_those_of_the_file(tmp_path: Path) -> None:
    whole = bytes(range(256)) * 4
    file = tmp_path / "boards.bullet"
    for size in (1024, 1023, 32, 31, 0):
        file.write_bytes(whole[:size])
        for split in (1, 31, 32, 33, 300, 1000, 1024, 5000):
            found = parts(file, split)
            assert b"".join(found) == whole[:size] and all(len(part) % 32 == 0 for part in found[:-1])


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
