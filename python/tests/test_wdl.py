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


@pytest.fixture(scope="module")
def positions(sample):
    return drawish.wdl.positions(sample, every=16)


def test_a_wdl_head_is_fitted_kept_and_asked(positions, tmp_path):
    assert positions.ledger["games"] == positions.ledger["counted"] == 3000 >= positions.games > 2900
    assert len(positions) == sum(positions.total) > 10_000
    head = drawish.wdl.fit_head(positions)
    for ending in ["toml", "heads", "h", "rs"]:
        head.save(tmp_path / f"mine.{ending}")
    fen = "8/5k2/8/4b3/3p4/1B1P4/5K2/8 w - - 0 60"
    asked = head.heads()
    assert asked.kinds == ["wdl"]
    assert asked.wdl(fen, 90) == drawish.Heads.load(tmp_path / "mine.heads").wdl(fen, 90)
    again = drawish.wdl.Head.load(tmp_path / "mine.toml")
    assert again.to_dict() == head.to_dict() == pickle.loads(pickle.dumps(head)).to_dict()
    # Any number of threads fits the same.
    assert drawish.wdl.fit_head(positions, threads=1).to_toml() == head.to_toml()
    with pytest.raises(drawish.Error, match="has seen"):
        drawish.wdl.fit_head(positions, towards=head)


def test_a_wdl_head_is_judged_on_games_held_out(positions):
    compared = drawish.wdl.compare_head(positions, folds=2, folds_by="game")
    stockfish, head = compared["verdicts"]
    assert head["name"] == "WDL head" and head["bits"] < stockfish["bits"]
    assert head["gain"]["millibits"] > 2 * head["gain"]["error"] > 0
    assert compared["positions"] <= len(positions)


@pytest.mark.parametrize(
    ("keywords", "text"),
    [
        ({"every": 0}, "expected 1 or more"),
        ({"from_move": 0}, "numbered from 1"),
        ({"weigh": "result"}, "expected game or position"),
        ({"max_eval": 1}, "expected 50 to 2000"),
        ({"variant": "atomic"}, "expected one of"),
    ],
)
def test_wrong_keywords_of_positions_are_refused(sample, keywords, text):
    with pytest.raises(drawish.Error, match=text):
        drawish.wdl.positions(sample, **keywords)


def test_wrong_keywords_of_comparisons_are_refused(positions):
    with pytest.raises(drawish.Error, match="expected opening-event or game"):
        drawish.wdl.compare_head(positions, folds_by="player")
    with pytest.raises(drawish.Error, match="expected 2 to 20"):
        drawish.wdl.compare_head(positions, folds=1)
    with pytest.raises(drawish.Error, match=r"\.toml, \.heads, \.h or \.rs"):
        drawish.wdl.fit_head(positions).save("head.txt")


def test_pawns_in_the_place_of_centipawns_are_named():
    heads = drawish.Heads.load(HEADS)
    start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    for evals in (0.5, [20, 0.5]):
        with pytest.raises(TypeError, match=r"centipawns, as whole numbers, found 0\.5: 50 if that is in pawns"):
            heads.expected(start, evals)
    with pytest.raises(TypeError, match="50 for half a pawn"):
        heads.wdl(start, "half a pawn")


def test_a_file_of_another_kind_is_named(sample, tmp_path):
    drawish.collect(sample).save(tmp_path / "games.counts")
    (tmp_path / "heads.toml").write_text('format = "heads"\nversion = 1\n')
    (tmp_path / "head.toml").write_text('format = "wdl-head"\nversion = 1\n')
    (tmp_path / "empty").write_text("")
    loaders = {
        drawish.Counts: r"expected counts of structures \(.counts\)",
        drawish.Table: r"expected a table \(.table\)",
        drawish.Heads: r"expected heads for engines \(.heads\), as `drawish tune rows.parquet -o x.heads`",
        drawish.wdl.Counts: r"expected WDL counts \(.wdl\)",
        drawish.wdl.Model: r"expected a WDL model \(.json\)",
        drawish.wdl.Head: r"expected the text of a WDL head \(.toml\)",
    }
    for loader, wanted in loaders.items():
        with pytest.raises(drawish.Error, match=rf"heads.toml: {wanted}.*found the text of heads: `drawish tune"):
            loader.load(tmp_path / "heads.toml")
        with pytest.raises(drawish.Error, match=rf"empty: {wanted}.*found an empty file"):
            loader.load(tmp_path / "empty")
        if loader is not drawish.Counts:
            with pytest.raises(drawish.Error, match=rf"{wanted}.*found counts of structures: drawish.Counts.load"):
                loader.load(tmp_path / "games.counts")
    with pytest.raises(drawish.Error, match="found the text of a WDL head: drawish.wdl.Head.load reads it"):
        drawish.Heads.load(tmp_path / "head.toml")


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


def test_evaluations_are_read_from_a_named_view(tmp_path):
    moves = ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6"]
    head = '[White "A"]\n[Black "B"]\n[Result "1-0"]\n\n'
    for name, signs in [("white.pgn", "++"), ("mover.pgn", "+-")]:
        said = " ".join(f"{move} {{{signs[at % 2]}1.{at}0/20 1s}}" for at, move in enumerate(moves))
        (tmp_path / name).write_text(f"{head}{said} 1-0\n")
    white, mover = tmp_path / "white.pgn", tmp_path / "mover.pgn"

    def counted(path, **view):
        return drawish.wdl.collect(path, **view).to_polars().rows()

    assert counted(white, eval_view="white") == counted(mover) == counted(mover, eval_view="mover") != counted(white)
    rule = {"sample": "every", "from_move": 1, "min_moves": 0}
    rows = [drawish.positions(path, eval_view=view, **rule).to_polars() for path, view in [(white, "white"), (mover, "auto")]]
    assert rows[0]["eval_cp"].to_list() == rows[1]["eval_cp"].to_list() == [100, 110, 120, 130, 140, 150]
    # An analyst's stand behind the move that reaches the position.
    said = [f"{move} {{[%eval {'-' if at % 2 else ''}1.{at}]}}" for at, move in enumerate(moves)]
    mover.write_text(f"{head}{' '.join(said)} 1-0\n")
    rows = drawish.positions(mover, eval_view="mover", **rule).to_polars()
    assert rows["eval_cp"].to_list() == [None, 100, 110, 120, 130, 140]
    (tmp_path / "a.binpack").write_bytes(b"")
    for read in [drawish.wdl.collect, drawish.positions, drawish.wdl.positions]:
        with pytest.raises(drawish.Error, match="expected one of auto, white, mover"):
            read(white, eval_view="black")
        with pytest.raises(drawish.Error, match="says from which view"):
            read(tmp_path / "a.binpack", eval_view="mover")
    with pytest.raises(drawish.Error, match="static_evaluation does not read"):
        drawish.positions(white, static_evaluation=True, eval_view="white")
