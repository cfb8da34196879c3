"""How drawish is a chess position? Games to tables, heads and WDL models for an engine, and to their Elo.

>>> counts = drawish.collect(sample)
>>> table = counts.table()
>>> table.save(directory / "pawns.table")
"""

from . import wdl
from ._drawish import (
    Counts,
    Error,
    Heads,
    InputWarning,
    Match,
    Positions,
    Table,
    Verdict,
    __version__,
    collect,
    play,
    positions,
    sprt,
)

__all__ = [
    "Counts",
    "Error",
    "Heads",
    "InputWarning",
    "Match",
    "Positions",
    "Table",
    "Verdict",
    "__version__",
    "collect",
    "play",
    "positions",
    "sprt",
    "wdl",
]
