"""WDL models: from games with evaluations to the chances of win, draw and loss.

>>> counts = drawish.wdl.collect(sample)
>>> model = drawish.wdl.fit(counts, pawn_value=100)
>>> model.save(directory / "model.json")
"""

from ._drawish import Model, WdlCounts as Counts, collect_wdl as collect, fit_wdl as fit

__all__ = ["Counts", "Model", "collect", "fit"]
