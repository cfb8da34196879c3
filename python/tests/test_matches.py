"""Verdicts and matches."""

import json
import subprocess
import sys

import drawish
import pytest

PAIRS = [50, 287, 610, 387, 73]
TABLE = {"arm": "draw-table", "table": "rival", "hash": 1, "name": "table"}
PLAIN = {"arm": "none", "hash": 1, "name": "plain"}
TERMS = {"openings": 6, "nodes": 50, "seed": 7}


def test_figures_are_those_of_the_program():
    done = subprocess.run(
        [sys.executable, "-m", "drawish", "sprt", "[50, 287, 610, 387, 73]", "--elo0", "0", "--elo1", "5", "--json"],
        capture_output=True,
        text=True,
    )
    printed = json.loads(done.stdout)
    verdict = drawish.sprt(PAIRS, elo0=0, elo1=5)
    assert verdict.decision == "H1"
    for name in ["elo", "elo_error", "nelo", "los", "llr", "lower", "upper", "games", "counts", "sequential"]:
        assert getattr(verdict, name) == printed[name], name


def test_results_come_in_every_form(tmp_path):
    path = tmp_path / "printed.txt"
    path.write_text("Ptnml(0-2): [50, 287, 610, 387, 73]")
    verdict = drawish.sprt(PAIRS)
    assert drawish.sprt(path).elo == drawish.sprt(str(path)).elo == drawish.sprt(path.read_text()).elo == verdict.elo
    both = drawish.sprt([PAIRS, path])
    assert both.games == 2 * verdict.games
    assert both.same_match > 0.5
    assert drawish.sprt([591, 2163, 716]).kind == "games"
    assert drawish.sprt(PAIRS, equivalence=3).equivalence["p"] > 0.05
    assert verdict.llr is None
    with pytest.raises(AttributeError):
        verdict.lrr


STOPPED = [[19, 16, 58, 24, 35], [6, 3, 8, 2, 11]]


@pytest.mark.parametrize("runs", [STOPPED, STOPPED + STOPPED[:1], STOPPED[:1], [[591, 2163, 716], [16, 63, 91]]])
@pytest.mark.parametrize("keywords", [{}, {"elo0": 0, "elo1": 40}, {"elo0": 0, "elo1": 40, "model": "logistic"}])
def test_counts_are_judged_as_the_same_counts_in_a_text_are(runs, keywords):
    def text(run):
        return str(run) if len(run) == 5 else "W: {} D: {} L: {}".format(*run)

    found = drawish.sprt(runs, **keywords).to_dict()
    assert found == drawish.sprt([text(run) for run in runs], **keywords).to_dict()
    assert any("the same counts as result 1" in remark for remark in found["remarks"]) == (len(runs) == 3)


def test_counts_are_those_of_the_side_that_others_name(tmp_path):
    log = tmp_path / "log.jsonl"
    drawish.play(TABLE, PLAIN, pairs=4, log=log, **TERMS)
    verdict = drawish.sprt([PAIRS, log], first="plain")
    assert any("plain" in remark and "names no sides" in remark for remark in verdict.remarks), verdict.remarks


@pytest.mark.parametrize(
    ("results", "keywords", "text"),
    [
        ([1, 2], {}, "expected 5 of pairs"),
        (PAIRS, {"elo0": 0}, "both elo0 and elo1"),
        (PAIRS, {"alpha": 0.001}, "alpha, beta and model are those of a test"),
        ("LLR: 2.95 (-2.94, 2.94) [0.00, 5.00]\nPtnml(0-2): 1, 2, 9, 4, 1", {"model": "logistic"}, "give these, too"),
        (PAIRS, {"elo0": 5, "elo1": 0}, "."),
        (PAIRS, {"elo0": 0, "elo1": 5, "model": "mine"}, "expected one of"),
        (PAIRS, {"equivalence": -1}, "not a margin"),
        ("nothing was played", {}, "."),
        ([], {}, "."),
    ],
)
def test_wrong_results_are_refused(results, keywords, text):
    with pytest.raises(drawish.Error, match=text):
        drawish.sprt(results, **keywords)


@pytest.mark.parametrize(
    ("results", "text"),
    [
        (b"abc", "bytes are no results"),
        (bytearray(b"abcde"), "bytes are no results"),
        ([PAIRS, memoryview(b"abc")], "bytes are no results"),
        ([-1, 2, 3], "-1: expected counts, which are whole numbers from 0"),
        ([1, 2.5, 3], "expected counts, which are whole numbers from 0"),
        ({"a": 1}, "expected counts"),
        (None, "None: expected counts"),
    ],
)
def test_what_cannot_be_results_is_refused(results, text):
    with pytest.raises(TypeError, match=text):
        drawish.sprt(results)


def test_a_list_that_holds_itself_ends():
    endless = []
    endless.append(endless)
    deep = PAIRS
    for _ in range(100_000):
        deep = [deep]
    for results in [endless, deep]:
        with pytest.raises(drawish.Error, match="give one list"):
            drawish.sprt(results)
    assert drawish.sprt([[PAIRS]]).games == drawish.sprt(PAIRS).games


def test_the_log_names_the_test(tmp_path):
    log = tmp_path / "tested.jsonl"
    test = {"elo0": -200 + 1, "elo1": -100, "alpha": 0.4, "beta": 0.4}
    played = drawish.play(TABLE, PLAIN, pairs=12, log=log, sprt=test, **TERMS)
    assert played.test == {"model": "normalized", **test}
    assert 2 * 12 > played.games
    verdict = drawish.sprt(log)
    assert (verdict.test_from, verdict.llr, verdict.decision) == ("log", played.llr, played.decision)
    assert drawish.sprt(log, elo0=0, elo1=5).test_from == "arguments"
    with pytest.warns(drawish.InputWarning, match="the test of the log applies"):
        assert drawish.play(TABLE, PLAIN, pairs=12, log=log, resume=True, **TERMS).games == played.games
    with pytest.warns(drawish.InputWarning, match="error rates do not hold"):
        drawish.play(TABLE, PLAIN, pairs=12, log=log, resume=True, sprt=(0, 5), **TERMS)
    whole = drawish.play(TABLE, PLAIN, pairs=12, log=log, resume=True, sprt=False, **TERMS)
    assert (whole.games, whole.llr, whole.test) == (24, None, None)
    judged = drawish.sprt(log)
    assert (judged.llr, judged.pairs_after_decision) == (played.llr, 12 - played.games // 2)


def test_openings_that_are_left_out_are_said(tmp_path):
    book = tmp_path / "book.epd"
    book.write_text("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n4k3/8/8/8/8/8/8/K7/8 w - - 0 1\n4k3/8/8/8/8/8/3P4/4K3 w - - 0 1\n")
    with pytest.warns(drawish.InputWarning, match="opening"):
        assert drawish.play(TABLE, PLAIN, pairs=2, **{**TERMS, "openings": str(book)}).games == 4


def test_a_match_is_resumed_and_judged_by_its_log(tmp_path):
    log = tmp_path / "match.jsonl"
    standings = []
    drawish.play(TABLE, PLAIN, pairs=4, log=log, **TERMS, progress=standings.append)
    assert standings[-1]["games"] == 8
    log.write_text("".join(log.read_text().splitlines(keepends=True)[:-2]))
    assert drawish.sprt(log).games == 4
    played = drawish.play(TABLE, PLAIN, pairs=4, log=log, resume=True, **TERMS)
    assert played.games == 8
    assert sum(played.pentanomial) == 4
    assert len(log.read_text().splitlines()) >= 5
    assert drawish.sprt(log).elo == played.elo
    assert drawish.play(TABLE, PLAIN, pairs=4, workers=1, **TERMS).to_dict()["pentanomial"] == played.pentanomial
    assert [side["name"] for side in played.setup["sides"]] == ["table", "plain"]


def test_games_and_dialogue_are_written_as_wished(tmp_path):
    program = {"cmd": sys.executable, "args": ["-m", "drawish", "uci"], "name": "one", "options": {"Hash": 1}}
    other = {**program, "name": "two", "options": {"Hash": 2}}
    pgn, dialogue = tmp_path / "games.pgn", tmp_path / "dialogue.log"
    files = {"pgn": pgn, "pgn_append": True, "engine_log": dialogue}
    terms = {"openings": 6, "pairs": 1, "seed": 7, "tc": "1+0.05"}
    drawish.play(program, other, pgn_with=["nps", "timeleft"], **files, **terms)
    first = pgn.read_text()
    assert "nps=" in first and "tl=" in first and "hashfull=" not in first
    assert "one <--- go wtime 1000" in dialogue.read_text()
    with pytest.raises(drawish.Error, match="is not empty: .* by engine_log_append=True"):
        drawish.play(program, other, **files, **terms)
    drawish.play(program, other, pgn_min=True, engine_log_append=True, **files, **terms)
    assert pgn.read_text().startswith(first)
    assert "{" not in pgn.read_text()[len(first) :]
    assert dialogue.read_text().count("the clock begins") == 2


@pytest.mark.parametrize(
    ("keywords", "text"),
    [
        ({"pgn_with": ["speed"]}, "pgn_with=\"speed\": expected nps, hashfull"),
        ({"pgn_with": ["timeleft"]}, "no engine has a clock"),
        ({"pgn_append": True}, "name it by pgn"),
        ({"engine_log": "dialogue.log"}, "have no dialogue"),
    ],
)
def test_wrong_wishes_for_games_are_refused(tmp_path, monkeypatch, keywords, text):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(drawish.Error, match=text):
        drawish.play(TABLE, PLAIN, pairs=1, **keywords, **TERMS)
    assert not list(tmp_path.iterdir())


def test_one_of_several_engines_is_judged(tmp_path):
    def game(white, black, result):
        tags = f'[Event "e"]\n[Round "1"]\n[White "{white}"]\n[Black "{black}"]\n[Result "{result}"]\n'
        return f'{tags}[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n\n1. e4 {result}\n\n'

    file = tmp_path / "three.pgn"
    file.write_text(game("a", "b", "1-0") + game("b", "a", "1/2-1/2") + game("c", "a", "1-0") + game("a", "c", "1-0"))
    assert drawish.sprt(file, first="a", against="b").games == 2
    assert drawish.sprt(file, first="a", against="all").games == drawish.sprt(file, first="a", against=["b", "c"]).games == 4
    with pytest.raises(drawish.Error, match="found 3 engines"):
        drawish.sprt(file)


def test_a_test_ends_a_match():
    played = drawish.play(TABLE, PLAIN, pairs=3, sprt=(0, 5), **TERMS)
    assert played.decision in ("H0", "H1", "continue")
    named = drawish.play(TABLE, PLAIN, pairs=3, sprt={"elo0": 0, "elo1": 5, "model": "logistic"}, **TERMS)
    assert named.llr is not None


def test_an_exception_ends_a_match_and_its_log_is_whole(tmp_path):
    log = tmp_path / "match.jsonl"

    def enough(standing):
        raise LookupError(standing["games"])

    with pytest.raises(LookupError):
        drawish.play(TABLE, PLAIN, pairs=400, log=log, **TERMS, progress=enough)
    assert drawish.sprt(log).games > 0


@pytest.mark.parametrize(
    ("engine", "error", "text"),
    [
        ({}, drawish.Error, "expected cmd"),
        ({"cmd": "./no-such-engine"}, drawish.Error, "no-such-engine"),
        ({"cmd": "x", "arm": "none"}, drawish.Error, "not both"),
        ({"arm": "nothing"}, drawish.Error, "no arm is called"),
        ({"amr": "none"}, TypeError, "no setting"),
        ({"arm": "none", "nodes": 0}, drawish.Error, "above 0"),
        ({"arm": "none", "tc": "never"}, drawish.Error, "."),
    ],
)
def test_wrong_engines_are_refused(engine, error, text):
    with pytest.raises(error, match=text):
        drawish.play(engine, PLAIN, pairs=1, **TERMS)


def test_resuming_needs_a_log():
    with pytest.raises(drawish.Error, match="needs the log"):
        drawish.play(TABLE, PLAIN, resume=True, pairs=1, **TERMS)
