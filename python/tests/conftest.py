"""What the tests share."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "src" / "cli" / "demo" / "sample.pgn.zst"
HEADS = ROOT / "tables" / "human.heads"


@pytest.fixture(scope="session")
def sample() -> Path:
    """Games that the engine of drawish has played against itself, with evaluations."""
    return SAMPLE


@pytest.fixture(scope="session")
def counts(sample):
    import drawish

    return drawish.collect(sample)
