"""Files of games in shards, which workers read one by one."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

import fsspec

from .workers import ClusterError

PACKED = (".gz", ".zst", ".bz2")
"""Endings of files that can only be read from their beginning."""

GAMES = (*(f".pgn{packed}" for packed in ("", *PACKED)), ".tar")
"""Endings of the files that a directory is searched for."""

BOARDS = (".bullet", ".data")
"""Endings of files of boards, which have 32 bytes each and can be cut between any two of them."""

BOARD = 32

BLOCKS = (".binpack",)
"""Endings of files of blocks, each with its length in front, which can be cut between any two of them."""

MAGIC = b"BINP"
HEADER = 8
"""Bytes of a block before its chains: `MAGIC`, and how many bytes follow, as 32 bits, little-endian."""

LONGEST_BLOCK = 100 << 20
"""The reader takes none that is longer."""

WHOLE = (*PACKED, ".tar", ".viri", ".vf")
"""Endings of the files that are one shard each. A game of viriformat has no length in front and nothing by which its beginning is known,
so the next one is found only from the file's first byte on."""

HEADS = (b"\x1f\x8b", b"\x28\xb5\x2f\xfd", *(bytes([0x50 + kind, 0x2A, 0x4D, 0x18]) for kind in range(16)), b"BZh")
"""What packed games begin with, whatever their names: the program goes by these bytes, too."""

CHUNK = 1 << 22
"""Bytes that are copied at once."""


@dataclass(frozen=True, order=True)
class Shard:
    """A file, or the games of a plain file that begin at byte ``start`` or later and before byte ``end``; of training data the bytes."""

    url: str
    size: int
    start: int = 0
    end: int | None = None
    state: str = ""
    """What differs when the file has changed, as far as its storage tells: times, tags of its content."""

    @property
    def name(self) -> str:
        """What the output calls the shard: the name of the file, with the bytes if it is a part."""
        path = PurePosixPath(self.url)
        if self.end is None:
            return path.name
        part = f"[{self.start}-{self.end}]"
        # The ending of training data says its format.
        return f"{path.stem}{part}{path.suffix}" if _ends(path.name, BOARDS + BLOCKS) else f"{path.name}{part}"

    def key(self, command: Sequence[str], version: str) -> str:
        """The same for the same work, in whatever run."""
        text = json.dumps([self.url, self.size, self.start, self.end, self.state, list(command), version])
        return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


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
            bounds = [] if split is None or size <= split or _ends(one, WHOLE) else _bounds(system, one, size, split)
            if len(bounds) < 3:
                found.add(Shard(name, size, state=state))
                continue
            found.update(Shard(name, size, start, end, state) for start, end in zip(bounds, bounds[1:]))
    names: dict[str, str] = {}
    plain: dict[str, str] = {}
    for shard in sorted(found):
        # The parts of a file do not show that another holds the same, packed.
        twin = plain.setdefault(shard.url.removesuffix(next((one for one in PACKED if shard.url.endswith(one)), "")), shard.url)
        if twin != shard.url:
            raise ClusterError(f"{twin} and {shard.url} look like the same games, compressed and not; leave one of them out")
        other = names.setdefault(shard.name, shard.url)
        if other != shard.url:
            raise ClusterError(f"{shard.url} and {other} have the same name, by which the output knows them; give one of them another")
    return sorted(found)


def _ends(name: str, endings: tuple[str, ...]) -> bool:
    """Whether a name has one of these endings, in letters of either case, as for the program."""
    return name.lower().endswith(endings)


def _bounds(system: Any, path: str, size: int, split: int) -> list[int]:
    """Where a file is cut, from 0 to its size; one of packed games nowhere else."""
    if _ends(path, BOARDS):
        return [*range(0, size, max(split // BOARD, 1) * BOARD), size]
    with system.open(path, "rb") as file:
        if _ends(path, BLOCKS):
            # Every cut is the beginning of a block, so that both parts beside it agree on it whatever the file holds.
            return sorted({0, size, *(block_from(file, at, size) for at in range(split, size, split))})
        packed = file.read(max(map(len, HEADS))).startswith(HEADS)
    return [0, size] if packed else [*range(0, size, split), size]


def block_from(file: Any, at: int, size: int) -> int:
    """Where the first block of a binpack at byte ``at`` or later begins; the size of the file if none does. What looks like the beginning
    of a block is one if the block ends where the next one begins, or with the file."""
    place, rest = at, b""
    file.seek(place)
    while data := file.read(CHUNK):
        rest += data
        behind, found = file.tell(), rest.find(MAGIC)
        while found >= 0:
            if _is_block(file, place + found, size):
                return place + found
            found = rest.find(MAGIC, found + 1)
        file.seek(behind)
        keep = len(MAGIC) - 1
        place, rest = place + max(len(rest) - keep, 0), rest[-keep:]
    return size


def _is_block(file: Any, at: int, size: int) -> bool:
    file.seek(at)
    header = file.read(HEADER)
    length = int.from_bytes(header[len(MAGIC) :], "little")
    end = at + HEADER + length
    if len(header) < HEADER or length > LONGEST_BLOCK or end > size:
        return False
    file.seek(end)
    return end == size or file.read(len(MAGIC)) == MAGIC


def copy_games(file: Any, copy: Any, shard: Shard) -> None:
    """Copies the games that begin within a shard: from the first tag pair of a game in it to the first one behind it; of training data,
    which is cut between two records, the bytes."""
    if shard.end is None:
        shutil.copyfileobj(file, copy, CHUNK)
        return
    if _ends(shard.url, BOARDS + BLOCKS):
        file.seek(shard.start)
        for place in range(shard.start, shard.end, CHUNK):
            copy.write(file.read(min(CHUNK, shard.end - place)))
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
