"""WDL counts and models, and heads."""

import pickle

import drawish
import pytest
from conftest import HEADS


@pytest.fixture(scope="module")
def wdl_counts(sample):
    return drawish.wdl.collect(sample)


@pytest.fixture(scope="module")
def model(wdl_counts):
    return drawish.wdl.fit(wdl_counts, pawn_value=100, errors=False)


def test_counts_are_kept_and_not_added_twice(wdl_counts, tmp_path):
    for ending in ["wdl", "json", "parquet"]:
        wdl_counts.save(tmp_path / f"games.{ending}")
    assert drawish.wdl.Counts.load(tmp_path / "games.wdl") == wdl_counts
    assert pickle.loads(pickle.dumps(wdl_counts)) == wdl_counts
    assert wdl_counts.to_polars()["count"].sum() == wdl_counts.positions > 0
    with pytest.raises(drawish.Error, match="would be counted twice"):
        wdl_counts + wdl_counts


def test_a_model_is_that_of_its_parameters(model, tmp_path):
    a, b = model.win_rate_params(58)
    win, draw, loss = model.wdl(a, 58)
    assert win == pytest.approx(0.5)
    assert win + draw + loss == pytest.approx(1)
    assert b > 0
    assert model.to_cp(a, 58) == pytest.approx(100)
    assert model.to_internal(100, 58) == pytest.approx(a)
    for ending in ["json", "h", "rs"]:
        model.save(tmp_path / f"model.{ending}")
    again = drawish.wdl.Model.load(tmp_path / "model.json")
    assert again.win_rate_params(40) == pytest.approx(model.win_rate_params(40))
    assert pickle.loads(pickle.dumps(model)).win_rate_params(40) == again.win_rate_params(40)


@pytest.mark.parametrize(
    ("keywords", "text"),
    [
        ({"shape": "line"}, "expected cubic, rational or spline"),
        ({"pawn_value": -1}, "expected a number above 0"),
        ({"mom": "age"}, "expected material or move"),
        ({"method": "guess"}, "unknown method"),
        ({"eval_max": float("nan")}, "expected a number above 0"),
        ({"material_min": 78, "material_max": 17}, "."),
    ],
)
def test_wrong_keywords_are_refused(wdl_counts, keywords, text):
    with pytest.raises(drawish.Error, match=text):
        drawish.wdl.fit(wdl_counts, **keywords)


def test_heads_answer_one_and_many():
    heads = drawish.Heads.load(HEADS)
    start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    ending = "8/5k2/8/3p4/3P4/8/4K3/8 w - - 0 1"
    assert "draw" in heads.kinds
    one, other = heads.draw_score(start), heads.draw_score(ending)
    assert heads.draw_score([start, ending]) == [one, other]
    assert heads.expected(start, 0) == 0.5
    assert heads.expected([start, start], [100, -100])[0] > 0.5
    assert heads.expected(start, [-50, 0, 50]) == heads.expected([start] * 3, [-50, 0, 50])
    with pytest.raises(drawish.Error, match="as many of each"):
        heads.expected([start, ending], [1, 2, 3])
    with pytest.raises(drawish.Error, match="not a FEN"):
        heads.draw_score("e4")
    if "wdl" in heads.kinds:
        assert sum(heads.wdl(start, 50)) == 1000
    else:
        with pytest.raises(drawish.Error, match="no WDL head"):
            heads.wdl(start, 50)
    assert drawish.Heads.from_bytes(heads.to_bytes()).kinds == heads.kinds
