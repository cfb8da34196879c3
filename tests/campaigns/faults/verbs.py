"""The verbs of the campaigns: commands, outputs, and what the next run goes on from."""

from dataclasses import dataclass


@dataclass
class Verb:
    """A verb, run in an empty directory beside its inputs."""

    name: str
    command: str
    # Files, or directories of files.
    outputs: tuple
    # The outputs grow: what a fault leaves of them is the beginning of the whole.
    grows: bool = False
    # A file with this ending beside an output is the state from which the next run goes on.
    keeps: str = ""
    # What the next run adds to the command where there is something to go on from.
    resume: str = ""
    # Other work with the same outputs.
    other: str = ""
    # Inputs that must lie in the same directory as the outputs.
    given: tuple = ()
    # What the outputs hold before some of the runs, if not any text: a file of the campaign.
    before: str = ""
    # Kills come after this share of the time that a run takes: before, there is nothing that they could leave.
    late: float = 0.0
    # Only for these parts.
    parts: str = "kill crash short full nospace readonly twice clocks"
    # Two runs share the work and both end well, or the second is refused.
    shares: bool = False


FILES = " ".join(f"../games{number}.pgn" for number in range(1, 7))
FEW = "../games2.pgn ../games3.pgn"
LARGE = " ".join(f"../large{number}.pgn" for number in range(1, 9))
RULE = "-q --min-moves 0 --at 20"
# Games so short that a campaign of hundreds of matches ends.
PLAY = "--openings ../openings.pgn --plies 8 --seed 1 --max-moves 25 -q"


def arm(name, nodes, option="--engine"):
    return f"{option} arm=none name={name} hash=1 nodes={nodes}"


def verbs(program, address):
    """All verbs, of which `download` asks the server at an address."""
    uci = f"--engine cmd={program} args=uci option.Hash=1"
    return [
        Verb("collect", f"collect {FILES} -o a.counts {RULE}", ("a.counts",), keeps=".partial", other=f"collect {FEW} -o a.counts {RULE}"),
        Verb(
            "wdl collect", f"wdl collect {FILES} -o a.wdl -o a.json -q", ("a.wdl", "a.json"), keeps=".partial",
            other=f"wdl collect {FEW} -o a.wdl -o a.json -q",
        ),
        # Enough for it to keep its state, which it does after each 64 MiB.
        Verb(
            "wdl 80 MB", f"wdl collect {LARGE} -o a.wdl -o a.json -q", ("a.wdl", "a.json"), keeps=".partial", late=0.7, parts="kill",
        ),
        Verb("positions", f"positions {FILES} -o a.parquet {RULE}", ("a.parquet",), other=f"positions {FEW} -o a.parquet {RULE}"),
        Verb("tune", "tune ../rows.parquet --terms ../terms.txt -o a.toml -o a.heads -q", ("a.toml", "a.heads")),
        Verb("annotate", "relevance annotate ../games1.pgn -o a.pgn -q", ("a.pgn",), before="games1.pgn"),
        Verb(
            "match", f"match {arm('a', 40)} {arm('b', 30)} --allow-equal {PLAY} --pairs 12 --log a.jsonl --pgn a.pgn",
            ("a.jsonl", "a.pgn"), grows=True, resume="--resume",
        ),
        Verb(
            "match by UCI", f"match {uci} name=a nodes=40 {uci} name=b nodes=30 --date 2000.01.01 {PLAY} --pairs 4 --log a.jsonl --pgn a.pgn",
            ("a.jsonl", "a.pgn"), grows=True, resume="--resume",
        ),
        Verb(
            "gauntlet", f"gauntlet {arm('a', 40)} {arm('b', 30)} {arm('c', 20, '--opponent')} --allow-equal {PLAY} --pairs 5 --logs logs",
            ("logs",), grows=True,
        ),
        Verb(
            "tournament",
            f"tournament {arm('a', 40)} {arm('b', 30)} {arm('c', 20)} --allow-equal {PLAY} --pairs 5 --log a.jsonl --pgn a.pgn",
            ("a.jsonl", "a.pgn"), grows=True, resume="--resume",
        ),
        Verb("experiment", "experiment run trial.toml -q -j 1", ("trial",), grows=True, given=("trial.toml", "book.epd"), late=0.75),
        Verb(
            "spsa",
            f"spsa --engine arm=form form=../form.toml hash=1 nodes=40 --parameters ../parameters.txt {PLAY} --pairs 12 --log a.jsonl -o tuned.toml",
            ("a.jsonl", "tuned.toml"), grows=True, resume="--resume",
        ),
        Verb(
            "download", f"wdl download --base {address} --path pgns --retry-wait 0.01 --timeout 10 -q", ("pgns",), keeps=".partial", shares=True,
        ),
    ]


def timed(program):
    """A match by the clock, which a clock that jumps must not decide."""
    engine = f"--engine cmd={program} args=uci"
    return (
        f"match {engine} name=a option.Hash=1 {engine} name=b option.Hash=2 --each tc=0.5+0.01 --time-margin 5000 --openings ../book.epd "
        "--seed 1 -q --pairs 1 --max-moves 20 --log a.jsonl"
    )


# A small experiment; DIGEST is that of its book.
EXPERIMENT = """\
title = "A trial"
question = "Is it worth anything?"
registered = "before its games"
match = { book = "book.epd", book-xxh3 = "DIGEST", seed = 7, nodes = 40, pairs = 3 }
judgement = { margin = 3.0, level = 0.05, elo0 = 0.0, elo1 = 5.0 }
baseline = { name = "none", what = "as it is", settings = { arm = "none", hash = 1 } }
[[arm]]
name = "constant"
role = "control"
what = "must be 0"
settings = { arm = "constant", hash = 1 }
[[arm]]
name = "table"
what = "a table"
settings = { arm = "draw-table", table = "rival", taper = false, hash = 1 }
"""
BOOK = """\
rnbqkbnr/ppp1p1pp/8/3p1p2/3P4/2N5/PPP1PPPP/R1BQKBNR w KQkq - 0 3
rnbqkb1r/pppp1ppp/8/4P3/4n3/8/PPP2PPP/RNBQKBNR w KQkq - 1 4
rnbqkbnr/pp1p1p1p/4p1p1/2p5/4P3/2N2N2/PPPP1PPP/R1BQKB1R w KQkq - 0 4
r1bqkbnr/pppp2pp/2n2p2/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 3
"""
TERMS = """\
material_diff
pawns
phase
opposite_bishops
"""
PARAMETERS = """\
per_pawn, float, 7, 0, 20, 4, 0.02
base, float, 36, 0, 64, 10, 0.02
"""
