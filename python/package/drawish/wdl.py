"""WDL models: from games with evaluations to the chances of win, draw and loss.

>>> counts = drawish.wdl.collect(sample)
>>> model = drawish.wdl.fit(counts, pawn_value=100)
>>> model.save(directory / "model.json")

The WDL head reads the whole board beside the evaluation, see ``positions``, ``compare_head`` and ``fit_head``.
"""

from ._drawish import (
    Head,
    Model,
    WdlCounts as Counts,
    WdlPositions as Positions,
    collect_wdl as collect,
    compare_head,
    fit_head,
    fit_wdl as fit,
    wdl_positions as positions,
)

__all__ = ["Counts", "Head", "Model", "Positions", "collect", "compare_head", "fit", "fit_head", "positions"]
