"""Counts, WDL counts and rows of more games than one machine should read: shards on a Dask cluster, one result.

>>> from distributed import Client                                                                  # doctest: +SKIP
>>> from drawish import cluster                                                                     # doctest: +SKIP
>>> with Client("tcp://scheduler:8786") as client:                                                  # doctest: +SKIP
...     cluster.collect(client, ["s3://games/2025/*.pgn.zst"], "all.counts", options=["--dedupe"])  # doctest: +SKIP

A shard is a file, or part of a plain file that begins and ends between two games. A worker reads it with the program of its own
installation of this package and returns a file of a few kilobytes to megabytes. Those files stay in a directory beside the output until all
are there: a run that was interrupted goes on from them. They are put together by ``drawish merge``, which knows every input by the
digest of its bytes and refuses one that it already holds, so a shard that was read twice counts once. With whole files as shards the
output has the bytes that one machine writes when it reads the same files in their own directory.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any

import fsspec
from distributed import Client, as_completed

PACKED = (".gz", ".zst", ".bz2")
"""Endings of files that can only be read from their beginning."""

GAMES = tuple(f".pgn{packed}" for packed in ("", *PACKED))
"""Endings of the files that a directory is searched for."""

CHUNK = 1 << 22
"""Bytes that are copied at once."""


class ClusterError(Exception):
    """A run that has no result: its text names the shards or the workers, and what to do."""


@dataclass(frozen=True, order=True)
class Shard:
    """A file, or the games of a plain file that begin at byte ``start`` or later and before byte ``end``."""

    url: str
    size: int
    start: int = 0
    end: int | None = None
    state: str = ""
    """What differs when the file has changed, as far as its storage tells: times, tags of its content."""

    @property
    def name(self) -> str:
        """What the output calls the shard: the name of the file, with the bytes if it is a part."""
        name = PurePosixPath(self.url).name
        return name if self.end is None else f"{name}[{self.start}-{self.end}]"

    def key(self, command: Sequence[str], version: str) -> str:
        """The same for the same work, in whatever run."""
        text = json.dumps([self.url, self.size, self.start, self.end, self.state, list(command), version])
        return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


@dataclass
class Run:
    """What a run did."""

    output: Path
    shards: int
    """Shards in the output."""
    resumed: int
    """Of these, how many an earlier run had left."""
    seconds: float
    failed: dict[str, str] = field(default_factory=dict)
    """Shards that are missing from the output, with the message."""
    broken: dict[str, str] = field(default_factory=dict)
    """Shards that were read as far as they could be, with what the program says of them: damaged files, games that others swallowed."""


def collect(client: Client, urls: Iterable[str], output: str | os.PathLike[str], **settings: Any) -> Run:
    """Counts of pawn structures, as ``drawish collect`` makes them.

    ``options`` are those of the program, such as ``["--at", "20"]``; ``--dedupe`` knows only the games of its own shard. ``split`` is the
    size in bytes above which a plain file is read in parts (None: never), ``storage_options`` goes to fsspec, ``retries`` is how often a
    shard is tried again before it counts as failed, ``progress(done, all)`` is called after each shard. With ``keep_going`` the output is
    written without the shards that failed; without it, a failure raises `ClusterError` when all others are done, and the next run goes on.
    """
    return _run(client, ["collect"], ".counts", urls, output, **settings)


def wdl_collect(client: Client, urls: Iterable[str], output: str | os.PathLike[str], **settings: Any) -> Run:
    """Positions with evaluations counted for a WDL model, as ``drawish wdl collect`` does it; settings as in `collect`."""
    return _run(client, ["wdl", "collect"], ".wdl", urls, output, **settings)


def positions(client: Client, urls: Iterable[str], output: str | os.PathLike[str], **settings: Any) -> Run:
    """Rows of features, as ``drawish positions`` writes them: a directory with a Parquet file for each shard, which ``tune`` and ``evaluate``
    read together; settings as in `collect`."""
    return _run(client, ["positions"], ".parquet", urls, output, **settings)


def shards(urls: Iterable[str], split: int | None = 256 << 20, storage_options: dict[str, Any] | None = None) -> list[Shard]:
    """The shards of files, of patterns, and of directories with all below them, in the order of their names."""
    found: set[Shard] = set()
    for url in urls:
        system, path = fsspec.core.url_to_fs(url, **(storage_options or {}))
        if system.isdir(path):
            paths = [entry for entry in system.find(path) if entry.endswith(GAMES)]
        else:
            paths = system.glob(path) if any(mark in path for mark in "*?[") else [path]
        if not paths:
            raise ClusterError(f"{url}: no games there; expected files that end in {', '.join(GAMES)}")
        for one in paths:
            try:
                size, state = int(system.size(one)), system.ukey(one)
            except FileNotFoundError:
                raise ClusterError(f"{one}: there is no such file") from None
            name = system.unstrip_protocol(one)
            if split is None or size <= split or one.endswith(PACKED):
                found.add(Shard(name, size, state=state))
                continue
            bounds = [*range(0, size, split), size]
            found.update(Shard(name, size, start, end, state) for start, end in zip(bounds, bounds[1:]))
    names: dict[str, str] = {}
    for shard in sorted(found):
        other = names.setdefault(shard.name, shard.url)
        if other != shard.url:
            raise ClusterError(f"{shard.url} and {other} have the same name, by which the output knows them; give one of them another")
    return sorted(found)


def _program() -> list[str]:
    """The program of this installation; DRAWISH in the environment names another one."""
    named = os.environ.get("DRAWISH")
    return [named] if named else [sys.executable, "-m", "drawish"]


@cache
def version() -> str:
    """Version and build of the program that runs here."""
    return subprocess.run([*_program(), "--version"], capture_output=True, text=True, check=True).stdout.strip()


def read_shard(
    shard: Shard, command: Sequence[str], ending: str, storage_options: dict[str, Any] | None, wanted: str
) -> tuple[bytes, str]:
    """Runs on a worker: the bytes of the file that the program writes for a shard, and what it says of broken input."""
    # Workers may have joined after the run began.
    if version() != wanted:
        raise ClusterError(f"the worker on {socket.gethostname()} has {version()}, expected {wanted}: install the same version everywhere")
    with tempfile.TemporaryDirectory(prefix="drawish-") as place:
        games = Path(place, shard.name)
        local = shard.url.removeprefix("file://")
        if shard.end is None and shard.url.startswith("file://") and os.path.exists(local):
            games.symlink_to(local)
        else:
            with fsspec.open(shard.url, "rb", **(storage_options or {})) as file, games.open("wb") as copy:
                _copy(file, copy, shard)
        # A worker's threads are Dask's to give out: one for each task.
        words = [*_program(), *command, shard.name, "-o", f"result{ending}", "-q", "-j", "1"]
        done = subprocess.run(words, cwd=place, capture_output=True, text=True)
        result = Path(place, f"result{ending}")
        if not result.exists():
            raise ClusterError(done.stderr.strip() or f"the program ended with exit code {done.returncode}")
        # A shard in which nothing counts is no news; that all are like that, the sum shows.
        said = [line for line in done.stderr.splitlines() if "nothing was counted" not in line] if done.returncode else []
        return result.read_bytes(), "\n".join(said)


def _copy(file: Any, copy: Any, shard: Shard) -> None:
    """Copies the games that begin within a shard: from the first tag pair of a game in it to the first one behind it."""
    if shard.end is None:
        shutil.copyfileobj(file, copy, CHUNK)
        return
    mark = b"\n[Event "
    # A game begins behind a line end; one that begins at the very start of the shard has it in the byte before.
    place = max(shard.start - 1, 0)
    file.seek(place)
    begun, rest = shard.start == 0, b""
    while data := file.read(CHUNK):
        rest += data
        if not begun:
            found = rest.find(mark)
            if found < 0 or place + found + 1 >= shard.end:
                if found >= 0 or place + len(rest) > shard.end + len(mark):
                    return
                place, rest = place + len(rest) - len(mark) + 1, rest[-len(mark) + 1 :]
                continue
            place, rest, begun = place + found + 1, rest[found + 1 :], True
        # The next shard's first game begins behind the line end at `end - 1` or later.
        end = rest.find(mark, max(shard.end - 1 - place, 0))
        if end >= 0:
            copy.write(rest[: end + 1])
            return
        keep = len(mark) - 1
        copy.write(rest[:-keep])
        place, rest = place + len(rest) - keep, rest[-keep:]
    if begun:
        copy.write(rest)


def _run(
    client: Client,
    verb: list[str],
    ending: str,
    urls: Iterable[str],
    output: str | os.PathLike[str],
    *,
    options: Sequence[str] = (),
    split: int | None = 256 << 20,
    storage_options: dict[str, Any] | None = None,
    retries: int = 2,
    keep_going: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Run:
    begun = time.monotonic()
    output, command = Path(output), [*verb, *options]
    mine = version()
    try:
        found = client.run(version)
    except Exception as error:  # whatever keeps a worker from starting the program
        raise ClusterError(f"a worker cannot start drawish ({error}): install the same version everywhere") from error
    if not found:
        raise ClusterError("the cluster has no workers; start some with `dask worker SCHEDULER`")
    others = [f"{worker} has {other}" for worker, other in sorted(found.items()) if other != mine]
    if others:
        raise ClusterError(f"here is {mine}, but {'; '.join(others)}: install the same version everywhere")
    all_shards = shards(urls, split, storage_options)
    # Rows stay apart; counts are put together from what lies here until then.
    is_rows = ending == ".parquet"
    place = output if is_rows else output.with_name(output.name + ".shards")
    place.mkdir(parents=True, exist_ok=True)
    parts = {shard.key(command, mine): shard for shard in all_shards}
    files = {key: place / f"{f'{shard.name}.' if is_rows else ''}{key}{ending}" for key, shard in parts.items()}
    waiting = [key for key in parts if not files[key].exists()]
    resumed = len(parts) - len(waiting)
    tasks = {
        client.submit(read_shard, parts[key], command, ending, storage_options, mine, key=f"drawish-{key}", retries=retries): key
        for key in waiting
    }
    failed: dict[str, str] = {}
    broken: dict[str, str] = {}
    done = resumed
    for task in as_completed(tasks):
        key = tasks[task]
        try:
            content, said = task.result()
            if said:
                broken[parts[key].name] = said
                if not is_rows:
                    # Not where the next run looks: it reads the shard again, and says it again.
                    files[key] = files[key].with_suffix(f".broken{ending}")
            _write(files[key], content)
        except Exception as error:  # whatever the worker raised stands for that shard alone
            failed[parts[key].name] = str(error)
        task.release()
        done += 1
        if progress is not None:
            progress(done, len(parts))
    if failed and not keep_going or len(failed) == len(parts):
        said = "\n".join(f"{name}: {error}" for name, error in sorted(failed.items()))
        raise ClusterError(
            f"{len(failed)} of {len(parts)} shards failed; the others are kept in {place}, and the same run goes on from them:\n{said}"
        )
    whole = [files[key] for key in parts if files[key].exists()]
    if not is_rows:
        _merge(whole, output)
        shutil.rmtree(place)
    return Run(output, len(whole), resumed, time.monotonic() - begun, failed, broken)


def _write(path: Path, content: bytes) -> None:
    """A file is there as a whole or not at all."""
    part = path.with_suffix(".part")
    part.write_bytes(content)
    part.replace(path)


def _merge(parts: Sequence[Path], output: Path) -> None:
    """Puts files of counts together, some hundreds at once, so that no command line is too long."""
    with tempfile.TemporaryDirectory(prefix="drawish-") as place:
        waiting, number = list(parts), 0
        while True:
            some, waiting = waiting[:400], waiting[400:]
            result = output if not waiting else Path(place, f"{number}{output.suffix}")
            done = subprocess.run([*_program(), "merge", *some, "-o", result], capture_output=True, text=True)
            if done.returncode != 0:
                raise ClusterError(done.stderr.strip())
            if not waiting:
                return
            waiting, number = [result, *waiting], number + 1


VERBS = {"collect": collect, "wdl-collect": wdl_collect, "positions": positions}


def main(words: Sequence[str] | None = None) -> int:
    """The command ``drawish-cluster``."""
    reader = argparse.ArgumentParser(
        prog="drawish-cluster",
        description="Read games on a Dask cluster. Options that are not named here go to the program on the workers, such as --at 20.",
    )
    reader.add_argument("verb", choices=VERBS)
    reader.add_argument("files", nargs="+", metavar="URL", help="files, patterns or directories, as fsspec names them (paths, s3://...)")
    reader.add_argument("-o", "--output", required=True, help="where the result goes; for positions a directory")
    reader.add_argument("--scheduler", help="the address of the scheduler, such as tcp://host:8786; without it, a cluster on this machine")
    reader.add_argument("--split", type=int, default=256, metavar="MB", help="plain files above this size are read in parts [default: 256]")
    reader.add_argument("--keep-going", action="store_true", help="write the result without shards that failed")
    reader.add_argument("--storage-options", type=json.loads, metavar="JSON", help="what fsspec needs to open the files")
    asked, options = reader.parse_known_args(words)
    begun = time.monotonic()

    def progress(done: int, every: int) -> None:
        left = (time.monotonic() - begun) / done * (every - done)
        print(f"\r{done} of {every} shards, {left:.0f} s left ", end="", file=sys.stderr, flush=True)

    try:
        with Client(asked.scheduler) if asked.scheduler else Client(threads_per_worker=1) as client:
            run = VERBS[asked.verb](
                client, asked.files, asked.output, options=options, split=asked.split << 20, keep_going=asked.keep_going,
                storage_options=asked.storage_options, progress=progress,
            )
    except (ClusterError, OSError) as error:
        print(f"\ndrawish-cluster: {error}", file=sys.stderr)
        return 1
    finally:
        print(file=sys.stderr)
    earlier = f", {run.resumed} of them by an earlier run" if run.resumed else ""
    print(f"{run.output}: {run.shards} shards in {run.seconds:.1f} s{earlier}")
    for word, shards_of_it in (("missing", run.failed), ("broken", run.broken)):
        for name, error in sorted(shards_of_it.items()):
            print(f"{word}: {name}: {error}")
    return 1 if run.failed or run.broken else 0


if __name__ == "__main__":
    sys.exit(main())
