"""Playing matches on a cluster: range of pairs -> its log -> the log of the match."""

from __future__ import annotations

import json
import os
import tempfile
import threading
import time
import uuid
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from distributed import Client, Future, as_completed, get_worker

from .. import Error, Match, _drawish
from . import workers
from .workers import ClusterError

RANGE = 10.0
"""Seconds that a range of pairs is to last: what a killed worker or a decided test loses at most."""

RATE = 40
"""Ranges a second that all workers end at most, for the sake of the scheduler: many workers play longer ranges."""

MOST = 1000
"""Pairs of a range at most, however fast they are played."""

AHEAD = 2
"""Ranges for each thread of the cluster that are handed out or wait for an earlier one."""

Standing = Callable[[dict[str, Any]], object]


class _Cancelled(Exception):
    """Nobody wants this range any more."""


def play(
    client: Client,
    first: Mapping[str, Any],
    second: Mapping[str, Any],
    log: str | os.PathLike[str],
    *,
    openings: int | str | os.PathLike[str],
    sprt: tuple[float, float] | Mapping[str, Any] | None = None,
    seed: int | None = None,
    retries: int = 2,
    progress: Standing | None = None,
    **terms: Any,
) -> Match:
    """Plays a match on a cluster; arguments as in `drawish.play`, among them ``pairs``, ``nodes`` and ``depth``.

    The log is required: finished pairs are written there in their order, and a match that was interrupted goes on from it. Where moves
    are limited by nodes or depth it has the bytes that one machine writes, and ``sprt`` ends the match at the same pair; ranges behind that
    pair are cancelled. Programs and files of openings are looked for by their paths on every worker, and a worker where
    they are others is refused. Each thread of a worker plays one game at a time. ``progress(standing)`` is called after each range.
    """
    log = Path(log)
    if isinstance(openings, (str, os.PathLike)):
        openings = os.path.abspath(openings)
    if seed is None:
        seed = _seed_of(log)
    settings = {"openings": openings, "seed": seed, **{name: value for name, value in terms.items() if value is not None}}
    plan = {"match": [_absolute(first), _absolute(second)], "settings": settings}
    return _play(client, plan, log, sprt=sprt, fault_limit=10, retries=retries, progress=progress)


def experiment(
    client: Client,
    file: str | os.PathLike[str],
    *,
    books: str | os.PathLike[str] | None = None,
    only: list[str] | None = None,
    retries: int = 2,
    progress: Callable[[str, dict[str, Any]], object] | None = None,
) -> dict[str, Path]:
    """Plays what is missing of an experiment, as ``drawish experiment run`` does it: the logs of its arms, by their names.

    The arms are played one after the other, and have the logs of one machine; complete ones are packed. File, tables, heads and book are
    looked for by their paths on every worker; ``books`` is where the book is, ``only`` names some of the arms.
    ``progress(arm, standing)`` is called after each range of pairs.
    """
    file = Path(os.path.abspath(file))
    try:
        arms = _drawish.experiment_arms(file)
        names = {arm["name"] for arm in arms}
        if unknown := sorted(set(only or ()) - names):
            raise ClusterError(f"there is no arm {unknown[0]}; there are {', '.join(sorted(names))}")
        logs = {}
        for arm in arms:
            name = arm["name"]
            if only and name not in only:
                continue
            if arm["complete"]:
                logs[name] = Path(arm["log"])
                continue
            plan = {"experiment": str(file), "arm": name, "books": os.path.abspath(books) if books is not None else None}

            def tell(standing: dict[str, Any], name: str = name) -> None:
                if progress is not None:
                    progress(name, standing)

            _play(client, plan, _drawish.unpack_arm(file, name), sprt=None, fault_limit=0, retries=retries, progress=tell)
            logs[name] = Path(_drawish.pack_arm(file, name))
    except Error as error:
        raise ClusterError(str(error)) from error
    return logs


def _seed_of(log: Path) -> int:
    """The seed of the match that the log holds, or a new one."""
    try:
        with log.open() as lines:
            return int(json.loads(lines.readline())["seed"])
    except (OSError, ValueError, KeyError, TypeError):
        return time.time_ns() % 1_000_000


def _absolute(engine: Mapping[str, Any]) -> dict[str, Any]:
    """The engine with its files named from the root, since workers run in directories of their own."""
    paths = {}
    for key in ("cmd", "dir", "heads", "form", "table"):
        value = engine.get(key)
        # A bare command is looked for by the system, a bare table may be one that the program has.
        if value is not None and (key == "dir" or os.sep in os.fspath(value) or key != "cmd" and os.path.exists(value)):
            paths[key] = os.path.abspath(value)
    return {**engine, **paths}


_lock = threading.Lock()


@lru_cache(maxsize=2)
def _ready_once(plan: str) -> _drawish.ReadyMatch:
    asked = json.loads(plan)
    if "experiment" in asked:
        return _drawish.ReadyMatch.of_experiment(asked["experiment"], asked["arm"], asked["books"])
    first, second = asked["match"]
    return _drawish.ReadyMatch.between(first, second, **asked["settings"])


def _ready(plan: str) -> _drawish.ReadyMatch:
    """The match, whose openings are read and whose arms are loaded once in a process."""
    with _lock:
        return _ready_once(plan)


def begin_match(plan: str, wanted: str) -> tuple[str, int]:
    """Runs on a worker: the first line of the log, and the pairs of the match."""
    workers.held_to(wanted)
    try:
        match = _ready(plan)
        return match.header(), match.pairs
    except (Error, TypeError) as error:
        raise ClusterError(str(error)) from None


def play_range(plan: str, first: int, last: int, wanted: str) -> tuple[bytes, float]:
    """Runs on a worker: the log of a range of pairs, and the seconds that it took."""
    workers.held_to(wanted)
    worker = get_worker()
    key = worker.get_current_task()

    def look(_: int) -> None:
        task = worker.state.tasks.get(key)
        if task is None or task.state == "cancelled":
            raise _Cancelled

    try:
        match = _ready(plan)
        begun = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="drawish-") as place:
            log = Path(place, "range.jsonl")
            match.play(first, last, log, look)
            return log.read_bytes(), time.monotonic() - begun
    except Error as error:
        raise ClusterError(str(error)) from None


def _play(
    client: Client,
    asked: Mapping[str, Any],
    log: Path,
    *,
    sprt: tuple[float, float] | Mapping[str, Any] | None,
    fault_limit: int,
    retries: int,
    progress: Standing | None,
) -> Match:
    version = workers.check(client)
    plan = json.dumps(asked, default=str)
    run = uuid.uuid4().hex
    # What cannot begin fails in the same way on every attempt.
    header, pairs = client.submit(begin_match, plan, version, key=f"drawish-match-{run}").result()
    try:
        gathered = _drawish.Gathered(log, header, pairs, sprt, fault_limit)
        ranges = _Ranges(client, plan, version, run, retries, gathered.wanted, pairs)
        try:
            while not gathered.is_over:
                gathered.add(ranges.next())
                if progress is not None:
                    progress(gathered.standing())
        finally:
            ranges.cancel()
        return gathered.finish()
    except Error as error:
        raise ClusterError(f"{error}; what is in {log} is kept, and the same run goes on from it") from error


class _Ranges:
    """The logs of ranges in the order of their pairs, of which some are being played ahead."""

    def __init__(self, client: Client, plan: str, version: str, run: str, retries: int, wanted: int, pairs: int) -> None:
        self.client, self.plan, self.version, self.run, self.retries = client, plan, version, run, retries
        self.wanted, self.begin, self.pairs = wanted, wanted, pairs
        self.playing: dict[Future, tuple[int, int]] = {}
        self.held: dict[int, tuple[int, bytes]] = {}
        self.tasks = as_completed(loop=client.loop)
        self.rate: float | None = None
        self.threads, self.looked = 1, float("-inf")

    def next(self) -> bytes:
        """The log of the next range."""
        while self.wanted not in self.held:
            self._hand_out()
            task = next(self.tasks)
            first, last = self.playing.pop(task)
            try:
                log, seconds = task.result()
            except Exception as error:  # whatever the worker raised
                raise ClusterError(
                    f"pairs {first} to {last} cannot be played; those before are in the log, and the same run goes on from it: {error}"
                ) from error
            finally:
                task.release()
            rate = (last - first + 1) / max(seconds, 1e-3)
            self.rate = rate if self.rate is None else 0.8 * self.rate + 0.2 * rate
            self.held[first] = (last, log)
        last, log = self.held.pop(self.wanted)
        self.wanted = last + 1
        return log

    def _hand_out(self) -> None:
        """Keeps all threads busy, but does not run far ahead of a range that takes long."""
        if time.monotonic() - self.looked > 5:
            # Workers come and go.
            self.threads, self.looked = max(1, sum(self.client.nthreads().values())), time.monotonic()
        while self.begin <= self.pairs and len(self.playing) + len(self.held) < AHEAD * self.threads:
            # The last ranges are short, so that all workers end at about the same time.
            seconds = max(RANGE, self.threads / RATE)
            size = min(int((self.rate or 0) * seconds), (self.pairs - self.begin + 1) // (AHEAD * self.threads), MOST)
            last = self.begin + max(size, 1) - 1
            task = self.client.submit(
                play_range, self.plan, self.begin, last, self.version, key=f"drawish-pairs-{self.run}-{self.begin}", retries=self.retries
            )
            self.playing[task] = (self.begin, last)
            self.tasks.add(task)
            self.begin = last + 1

    def cancel(self) -> None:
        """Ends what is still being played."""
        self.client.cancel(list(self.playing))
        self.playing.clear()
