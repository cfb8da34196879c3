"""The command ``drawish-cluster``, for people who write no Python."""

from __future__ import annotations

import argparse
import json
import sys
import time
import warnings
from collections.abc import Sequence
from typing import Any

from distributed import Client

from .. import InputWarning, Match
from .playing import experiment, play
from .reading import collect, positions, wdl_collect
from .workers import ClusterError

READING = {"collect": collect, "wdl-collect": wdl_collect, "positions": positions}

UNDECIDED = 4
"""Exit code when the match has ended and the test is undecided, as that of ``drawish match``."""

SCHEDULER = "the address of the scheduler, such as tcp://host:8786; without it, a cluster on this machine"


def main(words: Sequence[str] | None = None) -> int:
    """The command ``drawish-cluster``."""
    words = sys.argv[1:] if words is None else list(words)
    verbs = {**dict.fromkeys(READING, _read), "play": _play, "experiment": _experiment}
    reader = argparse.ArgumentParser(
        prog="drawish-cluster",
        description="Read games or play matches on a Dask cluster. `drawish-cluster VERB --help` lists the options of a verb.",
    )
    reader.add_argument("verb", choices=verbs)
    verb = reader.parse_args(words[:1]).verb
    try:
        return verbs[verb](verb, words[1:])
    except (ClusterError, OSError) as error:
        print(f"\ndrawish-cluster: {error}", file=sys.stderr)
        return 1


def _client(scheduler: str | None) -> Client:
    return Client(scheduler) if scheduler else Client(threads_per_worker=1)


def _say(text: str) -> None:
    print(f"\r{text} ", end="", file=sys.stderr, flush=True)


def _read(verb: str, words: Sequence[str]) -> int:
    reader = argparse.ArgumentParser(
        prog=f"drawish-cluster {verb}",
        description="Options that are not named here go to the program on the workers, such as --at 20.",
    )
    reader.add_argument("files", nargs="+", metavar="URL", help="files, patterns or directories, as fsspec names them (paths, s3://...)")
    reader.add_argument("-o", "--output", required=True, help="where the result goes; for positions a directory")
    reader.add_argument("--scheduler", help=SCHEDULER)
    reader.add_argument("--split", type=int, default=256, metavar="MB", help="plain files above this size are read in parts [default: 256]")
    reader.add_argument("--keep-going", action="store_true", help="write the result without shards that failed")
    reader.add_argument("--storage-options", type=json.loads, metavar="JSON", help="what fsspec needs to open the files")
    asked, options = reader.parse_known_args(words)
    begun = time.monotonic()

    def progress(done: int, every: int) -> None:
        _say(f"{done} of {every} shards, {(time.monotonic() - begun) / done * (every - done):.0f} s left")

    warned = []
    try:
        with _client(asked.scheduler) as client, warnings.catch_warnings():
            warnings.simplefilter("always", InputWarning)
            # Those of other libraries are theirs.
            show = warnings.showwarning
            warnings.showwarning = lambda message, category, *rest: (
                warned.append(message) if issubclass(category, InputWarning) else show(message, category, *rest)
            )
            run = READING[verb](
                client, asked.files, asked.output, options=options, split=asked.split << 20, keep_going=asked.keep_going,
                storage_options=asked.storage_options, progress=progress,
            )
    finally:
        print(file=sys.stderr)
    for message in warned:
        print(f"drawish-cluster: {message}", file=sys.stderr)
    earlier = f", {run.resumed} of them by an earlier run" if run.resumed else ""
    print(f"{run.output}: {run.shards} shards in {run.seconds:.1f} s{earlier}")
    for word, shards_of_it in (("missing", run.failed), ("broken", run.broken)):
        for name, error in sorted(shards_of_it.items()):
            print(f"{word}: {name}: {error}")
    return 1 if run.failed or run.broken else 0


def _play(verb: str, words: Sequence[str]) -> int:
    reader = argparse.ArgumentParser(
        prog=f"drawish-cluster {verb}",
        description="Play a match on a cluster, with the log and the verdict of one machine. The same command resumes it.",
        epilog="Exit codes: 0 H1 was accepted, or all games of a match without a test were played; 3 H0 was accepted; 4 the test is undecided; "
        "1 failed; 2 wrong usage.",
    )
    reader.add_argument(
        "--engine", nargs="+", action="append", required=True, metavar="KEY=VALUE", help="as for drawish match: cmd=./new name=new option.Hash=16, or arm="
    )
    reader.add_argument("--each", nargs="+", default=[], metavar="KEY=VALUE", help="settings of both engines")
    reader.add_argument("--openings", required=True, metavar="FILE", help="openings: EPD, FEN or PGN, or random:PLIES")
    reader.add_argument("--log", required=True, metavar="FILE", help="log of every finished pair, as JSON lines")
    reader.add_argument("--pairs", type=int, metavar="N", help="pairs of games to play at most; without it, one for each opening")
    reader.add_argument("--nodes", type=int, metavar="N", help="nodes for each move")
    reader.add_argument("--depth", type=int, metavar="N", help="depth for each move")
    reader.add_argument("--seed", type=int, metavar="N", help="seed for the opening order [default: random]")
    reader.add_argument("--sprt", nargs="+", metavar="KEY=VALUE", help="stop when a test is decided: elo0= elo1= [alpha=] [beta=] [model=]")
    reader.add_argument("--repeat-openings", action="store_true", help="repeat the openings from the first if there are fewer than pairs")
    reader.add_argument("--allow-equal", action="store_true", help="play even if both arms search alike")
    reader.add_argument("--scheduler", help=SCHEDULER)
    asked = reader.parse_args(words)
    if len(asked.engine) != 2:
        reader.error(f"{len(asked.engine)} engines are given; a match needs --engine twice")
    engines = [_engine(reader, [*asked.each, *engine]) for engine in asked.engine]
    openings: int | str = asked.openings
    if asked.openings.startswith("random:"):
        plies = asked.openings.removeprefix("random:")
        if not plies.isdecimal():
            reader.error(f"--openings {asked.openings}: expected half-moves, as in random:8")
        openings = int(plies)
    if unknown := {key for key, _ in _pairs(reader, asked.sprt or [])} - {"elo0", "elo1", "alpha", "beta", "model"}:
        reader.error(f"--sprt has no {min(unknown)}=; known are elo0=, elo1=, alpha=, beta= and model=")
    sprt = {key: value if key == "model" else _number(reader, key, value) for key, value in _pairs(reader, asked.sprt or [])}
    try:
        with _client(asked.scheduler) as client:
            played = play(
                client, *engines, asked.log, openings=openings, pairs=asked.pairs, nodes=asked.nodes, depth=asked.depth, seed=asked.seed,
                sprt=sprt or None, repeat_openings=asked.repeat_openings, allow_equal=asked.allow_equal, progress=lambda at: _say(_standing(at)),
            )
    finally:
        print(file=sys.stderr)
    print(_result(played))
    return {None: 0, "H1": 0, "H0": 3}.get(played.decision, UNDECIDED)


def _experiment(verb: str, words: Sequence[str]) -> int:
    reader = argparse.ArgumentParser(
        prog=f"drawish-cluster {verb}",
        description="Play what is missing of an experiment on a cluster, with the logs of one machine. `drawish experiment` judges them.",
    )
    reader.add_argument("file", metavar="FILE.toml", help="the file of the experiment")
    reader.add_argument("--books", metavar="DIR", help="where the book is; without it, beside the file")
    reader.add_argument("--only", nargs="+", metavar="ARM", help="only these arms")
    reader.add_argument("--scheduler", help=SCHEDULER)
    asked = reader.parse_args(words)
    try:
        with _client(asked.scheduler) as client:
            logs = experiment(
                client, asked.file, books=asked.books, only=asked.only, progress=lambda arm, at: _say(f"{arm}: {_standing(at)}")
            )
    finally:
        print(file=sys.stderr)
    for arm, log in logs.items():
        print(f"{arm}: {log}")
    return 0


def _standing(at: dict[str, Any]) -> str:
    llr = "" if at["llr"] is None else f", LLR {at['llr']:.2f}"
    return f"{at['pair']} of {at['pairs']} pairs, Elo {at['elo']:.1f}{llr}"


def _result(played: Match) -> str:
    error = "" if played.elo_error is None else f" +/- {played.elo_error:.1f}"
    # After a stop Elo is too far from 0.
    verdict = "" if played.decision is None else f", LLR {played.llr:.2f}: {played.decision} (drawish sprt LOG corrects Elo for the stop)"
    lines = [f"{played.games} games, {played.wins} won, {played.draws} drawn, {played.losses} lost, Elo {played.elo:.1f}{error}{verdict}"]
    if played.repeated_pairs:
        pairs = played.games // 2
        lines.append(f"{played.repeated_pairs} of {pairs} pairs are the same games as an earlier one: Elo leaves them out")
    for side, faults in zip(played.setup["sides"], played.faults, strict=True):
        if faults:
            lines.append(f"Lost by faults of {side['name']}: {', '.join(f'{games} {end}' for end, games in faults.items())}")
    return "\n".join(lines)


def _pairs(reader: argparse.ArgumentParser, words: Sequence[str]) -> list[tuple[str, str]]:
    """``key=value`` each."""
    for word in words:
        if "=" not in word:
            reader.error(f"{word!r}: expected key=value")
    return [(key, value) for key, _, value in (word.partition("=") for word in words)]


def _number(reader: argparse.ArgumentParser, key: str, value: str, kind: type = float) -> Any:
    try:
        return kind(value)
    except ValueError:
        reader.error(f"{key}={value}: expected a number")


def _engine(reader: argparse.ArgumentParser, words: Sequence[str]) -> dict[str, Any]:
    """An engine as `drawish.play` takes it."""
    engine: dict[str, Any] = {}
    for key, value in _pairs(reader, words):
        if key.startswith("option."):
            engine.setdefault("options", {})[key.removeprefix("option.")] = value
        elif key == "args":
            engine[key] = value.split()
        elif key == "restart":
            engine[key] = value in ("on", "true")
        elif key in ("nodes", "depth"):
            engine[key] = _number(reader, key, value, int)
        elif key == "movetime":
            engine[key] = _number(reader, key, value)
        else:
            engine[key] = value
    return engine
