"""What the tests share."""

import subprocess
import sys
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


def begin(*words: str) -> subprocess.Popen:
    return subprocess.Popen([sys.executable, "-m", "distributed.cli." + words[0], *words[1:]], stderr=subprocess.DEVNULL)


@pytest.fixture
def workers(tmp_path: Path):
    """A scheduler and two workers, each a process of its own, and a client."""
    distributed = pytest.importorskip("distributed")
    told = tmp_path / "scheduler.json"
    processes = [begin("dask_scheduler", "--port", "0", "--no-dashboard", "--scheduler-file", str(told))]
    for _ in range(2):
        processes.append(begin("dask_worker", "--scheduler-file", str(told), "--nthreads", "1", "--no-nanny", "--no-dashboard"))
    try:
        with distributed.Client(scheduler_file=str(told), timeout=60) as client:
            client.wait_for_workers(2, timeout=60)
            yield client, processes
    finally:
        for process in processes:
            process.kill()
            process.wait()
