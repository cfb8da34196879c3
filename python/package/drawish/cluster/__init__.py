"""Counts, WDL counts and rows of more games than one machine should read, and matches that one machine should not play: on a Dask
cluster, with the bytes of one machine.

>>> from distributed import Client                                                                  # doctest: +SKIP
>>> from drawish import cluster                                                                     # doctest: +SKIP
>>> with Client("tcp://scheduler:8786") as client:                                                  # doctest: +SKIP
...     cluster.collect(client, ["s3://games/2025/*.pgn.zst"], "all.counts", options=["--dedupe"])  # doctest: +SKIP

A shard is a file, or part of a plain file that begins and ends between two games. A worker reads it with the program of its own
installation of this package and returns a file of a few kilobytes to megabytes. Those files stay in a directory beside the output until all
are there: a run that was interrupted goes on from them. They are put together by ``drawish merge``, which knows every input by the
digest of its bytes and refuses one that it already holds, so a shard that was read twice counts once. With whole files as shards the
output has the bytes that one machine writes when it reads the same files in their own directory.

A match is played in ranges of pairs, whose logs are put together in the order of the pairs: see `play` and `experiment`.
"""

from .command import main
from .playing import experiment, play
from .reading import Run, collect, positions, wdl_collect
from .shard import GAMES, PACKED, Shard, shards
from .workers import ClusterError, version

__all__ = [
    "GAMES",
    "PACKED",
    "ClusterError",
    "Run",
    "Shard",
    "collect",
    "experiment",
    "main",
    "play",
    "positions",
    "shards",
    "version",
    "wdl_collect",
]
