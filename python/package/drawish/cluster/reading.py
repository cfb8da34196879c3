"""Reading games on a cluster: shard -> small file -> the sum of all."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import fsspec
from distributed import Client, as_completed

from .. import InputWarning
from . import workers
from .shard import Shard, copy_games, shards
from .workers import ClusterError


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
    warned: dict[str, str] = field(default_factory=dict)
    """Shards that were read to a good end, with what the program warns of, such as evaluations that have another view. Each is an
    `drawish.InputWarning`, too; of rows that an earlier run has left nothing is known."""


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
    read together; settings as in `collect`. With the option ``--places`` games are counted from the beginning of each shard."""
    return _run(client, ["positions"], ".parquet", urls, output, **settings)


def read_shard(
    shard: Shard, command: Sequence[str], ending: str, storage_options: dict[str, Any] | None, wanted: str
) -> tuple[bytes, str, bool]:
    """Runs on a worker: the bytes of the file that the program writes for a shard, what it says of it, and whether that is of broken input; no
    bytes where no game begins in it."""
    workers.held_to(wanted)
    with tempfile.TemporaryDirectory(prefix="drawish-") as place:
        games = Path(place, shard.name)
        local = shard.url.removeprefix("file://")
        if shard.end is None and shard.url.startswith("file://") and os.path.exists(local):
            games.symlink_to(local)
        else:
            with fsspec.open(shard.url, "rb", **(storage_options or {})) as file, games.open("wb") as copy:
                copy_games(file, copy, shard)
            # In a part that lies within a game none begins: there is nothing to count, and no file is broken.
            if shard.end is not None and not games.stat().st_size:
                return b"", "", False
        # A worker's threads are Dask's to give out: one for each task.
        # Counts of a shard in which nothing counts hold the account of its games.
        kept = [] if ending == ".parquet" else ["--keep-empty"]
        code, said = workers.run([*command, *kept, "-o", f"result{ending}", "-q", "-j", "1", "--", shard.name], place)
        result = Path(place, f"result{ending}")
        if not result.exists() and ending == ".parquet" and "nothing was used" in said:
            return b"", "\n".join(line for line in said.splitlines() if "nothing was used" not in line), True
        if not result.exists():
            raise ClusterError(said.strip() or f"the program ended with exit code {code}")
        # A shard in which nothing counts is no news; that all are like that, the sum shows.
        news = [line for line in said.splitlines() if "nothing was counted" not in line]
        return result.read_bytes(), "\n".join(news), code != 0


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
    mine = workers.check(client)
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
    # Beside the counts of a shard lies what the program has warned of.
    warned = {parts[key].name: _said(files[key]).read_text() for key in parts if not is_rows and _said(files[key]).exists()}
    done, empty = resumed, 0
    for task in as_completed(tasks):
        key = tasks[task]
        try:
            content, said, is_broken = task.result()
            if said and not is_broken:
                warned[parts[key].name] = said
                if not is_rows:
                    _write(_said(files[key]), said.encode())
            elif said:
                broken[parts[key].name] = said
                if not is_rows:
                    # Not where the next run looks: it reads the shard again, and says it again.
                    files[key] = files[key].with_suffix(f".broken{ending}")
            if content:
                _write(files[key], content)
            else:
                empty += 1
        except Exception as error:  # whatever the worker raised stands for that shard alone
            failed[parts[key].name] = str(error)
        task.release()
        done += 1
        if progress is not None:
            progress(done, len(parts))
    if failed and not keep_going or len(failed) + empty == len(parts):
        said = "\n".join(f"{name}: {error}" for name, error in sorted(failed.items()))
        raise ClusterError(
            f"{len(failed)} of {len(parts)} shards failed; the others are kept in {place}, and the same run goes on from them:\n{said}"
        )
    whole = [files[key] for key in parts if files[key].exists()]
    if not is_rows:
        _merge(whole, output)
        shutil.rmtree(place)
    warned = dict(sorted(warned.items()))
    for line in _without_repetition(warned):
        warnings.warn(line, InputWarning, stacklevel=3)
    return Run(output, len(whole), resumed, time.monotonic() - begun, failed, broken, warned)


MOST_SHOWN = 5
"""Of so many shards the same is said one by one."""


def _without_repetition(said: dict[str, str]) -> Iterator[str]:
    """What is said of shards, of which thousands may have the same but for its numbers."""
    kinds: dict[str, list[str]] = {}
    for name, lines in said.items():
        for line in lines.splitlines():
            line = line.removeprefix("drawish: ")
            kinds.setdefault(re.sub(r"[\d,.]", "", line.replace(name, "")), []).append(line)
    for lines in kinds.values():
        yield from lines[:MOST_SHOWN]
        if len(lines) > MOST_SHOWN:
            yield f"{len(lines) - MOST_SHOWN:,} more shards: the same as of the last one, with other numbers"


def _said(path: Path) -> Path:
    return path.with_suffix(".said")


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
            done = subprocess.run([*workers.program(), "merge", *some, "-o", result], capture_output=True, text=True)
            if done.returncode != 0:
                raise ClusterError(done.stderr.strip())
            if not waiting:
                return
            waiting, number = [result, *waiting], number + 1
