"""Matches on a cluster: the log of one machine, whatever is killed on the way."""

import json
import os
import re
import signal
import subprocess
import sys
import time
import types
from pathlib import Path

import drawish
import pytest

pytest.importorskip("distributed")

from drawish import cluster  # noqa: E402  (only where Dask is)
from drawish.cluster import command, playing, workers as versions  # noqa: E402

TABLE = {"arm": "draw-table", "table": "rival", "hash": 1, "name": "table"}
PLAIN = {"arm": "none", "hash": 1, "name": "plain"}
TERMS = {"openings": 6, "nodes": 100, "seed": 7}

BOOK = """rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -
rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -
rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq -
rnbqkb1r/pppppppp/5n2/8/3P4/8/PPP1PPPP/RNBQKBNR w KQkq -
"""

EXPERIMENT = """
title = "t"
question = "q"
registered = "2026-11-22"
match = {{ book = "b.epd", book-xxh3 = "{digest}", seed = 1, nodes = 100, pairs = 4, moves-of-every = 2 }}
judgement = {{ margin = 3.0, level = 0.05, elo0 = 0.0, elo1 = 5.0 }}
baseline = {{ name = "none", what = "as it is", settings = {{ arm = "none", hash = 1 }} }}
[[arm]]
name = "table"
what = "a table"
settings = {{ arm = "draw-table", table = "rival", hash = 1 }}
[[arm]]
name = "control"
role = "control"
what = "the same"
pairs = 3
settings = {{ arm = "none", hash = 1 }}
"""


def alone(log: Path, first=TABLE, second=PLAIN, **terms) -> bytes:
    """The log of one machine."""
    drawish.play(first, second, log=log, workers=1, **{**TERMS, **terms})
    return log.read_bytes()


def test_a_killed_worker_changes_no_byte(tmp_path: Path, workers) -> None:
    client, processes = workers
    seen = []

    def kill(standing: dict) -> None:
        seen.append(standing["pair"])
        if standing["pair"] >= 4 and processes[1].poll() is None:
            os.kill(processes[1].pid, signal.SIGKILL)
            processes[1].wait()

    log = tmp_path / "all.jsonl"
    played = cluster.play(client, TABLE, PLAIN, log, pairs=24, **TERMS, progress=kill)
    assert processes[1].poll() is not None and seen == sorted(seen) and seen[-1] == 24
    assert played.games == 48
    assert log.read_bytes() == alone(tmp_path / "one.jsonl", pairs=24)


def test_a_test_ends_at_the_same_pair(tmp_path: Path, workers) -> None:
    client, _ = workers
    sprt = {"elo0": 0, "elo1": 120, "alpha": 0.3, "beta": 0.3}
    log = tmp_path / "all.jsonl"
    played = cluster.play(client, TABLE, PLAIN, log, pairs=60, sprt=sprt, **TERMS)
    assert played.decision in ("H0", "H1") and 2 <= played.games < 120
    whole = alone(tmp_path / "one.jsonl", pairs=60, sprt=sprt)
    assert log.read_bytes() == whole
    again = cluster.play(client, TABLE, PLAIN, log, pairs=60, sprt=sprt, **TERMS)
    assert again.to_dict() == played.to_dict() and log.read_bytes() == whole


def test_a_range_that_nobody_wants_ends(tmp_path: Path, workers) -> None:
    client, _ = workers
    (tmp_path / "b.epd").write_text(BOOK)
    # It would take for hours.
    settings = {"openings": str(tmp_path / "b.epd"), "seed": 1, "nodes": 1000, "pairs": 1_000_000, "repeat_openings": True}
    plan = json.dumps({"match": [TABLE, PLAIN], "settings": settings})
    task = client.submit(playing.play_range, plan, 1, 1_000_000, cluster.version(), key="long")

    def busy(wanted: bool) -> None:
        until = time.monotonic() + 60
        while any(client.run(lambda dask_worker: bool(dask_worker.active_threads)).values()) != wanted:
            assert time.monotonic() < until, "the range is still being played" if not wanted else "the range does not begin"
            time.sleep(0.2)

    busy(True)
    client.cancel([task])
    busy(False)


def test_an_interrupted_match_goes_on(tmp_path: Path, workers) -> None:
    client, _ = workers
    log = tmp_path / "all.jsonl"

    def enough(standing: dict) -> None:
        raise LookupError(standing["pair"])

    with pytest.raises(LookupError):
        cluster.play(client, TABLE, PLAIN, log, pairs=12, **TERMS, progress=enough)
    begun = log.read_bytes()
    assert begun.count(b"\n") >= 2
    log.write_bytes(begun + b'{"pair":')
    unseeded = {name: value for name, value in TERMS.items() if name != "seed"}
    played = cluster.play(client, TABLE, PLAIN, log, pairs=12, **unseeded)
    assert played.games == 24 and log.read_bytes() == alone(tmp_path / "one.jsonl", pairs=12)
    with pytest.raises(cluster.ClusterError, match="the log of another match: sides.1.limits"):
        cluster.play(client, TABLE, PLAIN, log, pairs=12, **{**TERMS, "nodes": 101})


def test_programs_of_the_workers_play(tmp_path: Path, workers) -> None:
    client, _ = workers
    command, *args = [*versions.program(), "uci"]
    first = {"cmd": command, "args": args, "name": "one", "options": {"Hash": 1}}
    second = {**first, "name": "two", "options": {"Hash": 2}}
    cluster.play(client, first, second, tmp_path / "all.jsonl", pairs=3, **TERMS)
    whole = alone(tmp_path / "one.jsonl", first, second, pairs=3)

    # The first line has the day, on which all others depend.
    def pairs(log: bytes) -> list:
        return [{**json.loads(line), "chain": None} for line in log.splitlines()[1:]]

    assert pairs((tmp_path / "all.jsonl").read_bytes()) == pairs(whole)


def test_what_cannot_be_played_is_named(tmp_path: Path, workers) -> None:
    client, _ = workers
    log = tmp_path / "all.jsonl"
    for engine, terms, text in [
        ({"cmd": "./no-such-engine", "name": "x"}, {}, "no-such-engine"),
        ({"amr": "none"}, {}, "no setting"),
        (TABLE, {"openings": str(tmp_path / "none.epd")}, "none.epd"),
        (TABLE, {"nodes": None}, "nothing limits"),
    ]:
        with pytest.raises(cluster.ClusterError, match=text):
            cluster.play(client, engine, PLAIN, log, pairs=2, **{**TERMS, **terms})
    assert not log.exists()


def test_an_experiment_has_the_logs_of_one_machine(tmp_path: Path, workers) -> None:
    client, _ = workers
    files = []
    for name in ("here", "there"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "b.epd").write_text(BOOK)
        files.append(tmp_path / name / "e.toml")
        files[-1].write_text(EXPERIMENT.format(digest="00"))
    with pytest.raises(cluster.ClusterError, match="written for a book with XXH3 00") as failed:
        cluster.experiment(client, files[0])
    digest = re.search(r"this one has ([0-9a-f]{32})", str(failed.value))[1]
    for file in files:
        file.write_text(EXPERIMENT.format(digest=digest))
    with pytest.raises(cluster.ClusterError, match="no arm tables; there are control, table"):
        cluster.experiment(client, files[0], only=["tables"])
    seen = []
    logs = cluster.experiment(client, files[0], only=["table"])
    assert [*logs] == ["table"]
    logs = cluster.experiment(client, files[0], progress=lambda arm, standing: seen.append((arm, standing["pair"])))
    assert {arm for arm, _ in seen} == {"control"} and seen[-1] == ("control", 3)
    done = subprocess.run([*versions.program(), "experiment", "run", files[1], "-q"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    for arm in ("table", "control"):
        assert logs[arm] == tmp_path / "here" / "e" / f"{arm}.jsonl.zst"
        assert logs[arm].read_bytes() == (tmp_path / "there" / "e" / f"{arm}.jsonl.zst").read_bytes()


def test_the_result_names_faults_and_repeated_games() -> None:
    figures = {"games": 6, "wins": 1, "draws": 2, "losses": 3, "elo": -120.0, "elo_error": None, "decision": None, "llr": None}
    sides = {"sides": [{"name": "new"}, {"name": "old"}]}
    played = types.SimpleNamespace(**figures, setup=sides, repeated_pairs=1, faults=[{"stall": 2, "crash": 1}, {}])
    assert command._result(played).splitlines() == [
        "6 games, 1 won, 2 drawn, 3 lost, Elo -120.0",
        "1 of 3 pairs are the same games as an earlier one: Elo leaves them out",
        "Lost by faults of new: 2 stall, 1 crash",
    ]
    figures = types.SimpleNamespace(**figures, setup=sides, repeated_pairs=0, faults=[{}, {}])
    assert command._result(figures) == "6 games, 1 won, 2 drawn, 3 lost, Elo -120.0"


def test_the_command_plays(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    words = ["--engine", "arm=draw-table", "table=rival", "name=table", "--engine", "arm=none", "name=plain", "--each", "hash=1"]
    words += ["--openings", "random:6", "--nodes", "100", "--seed", "7", "--pairs", "3"]
    assert cluster.main(["play", *words, "--log", str(tmp_path / "all.jsonl")]) == 0
    assert capfd.readouterr().out.startswith("6 games, ")
    done = subprocess.run(
        [*versions.program(), "match", *words, "--log", str(tmp_path / "one.jsonl"), "-q"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "all.jsonl").read_bytes() == (tmp_path / "one.jsonl").read_bytes()
    with pytest.raises(SystemExit):
        cluster.main(["play", "--engine", "arm=none", "--openings", "random:6", "--log", "x.jsonl"])
    assert "a match needs --engine twice" in capfd.readouterr().err
