"""Measures what docs/guides/cluster.md states: `python python/figures.py [--games FILE.pgn] [--book FILE] [part...]`.

Needs the wheel with its extra `cluster`. CPU seconds hardly depend on what else the machine does; wall times do, so a part that needs a quiet
machine prints the load, too. Parts: module, shard, workers, tasks, play; all of them without arguments.
"""

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import drawish
import psutil
from distributed import Client, LocalCluster, wait
from drawish import _drawish, cluster
from drawish.cluster import playing, reading, workers

ROUNDS = 5
MOVES = " ".join(f"{2 * move + 1}. Nf3 Nf6 {2 * move + 2}. Ng1 Ng8" for move in range(20))
GAME = '[Event "{number}"]\n[Site "?"]\n[Result "1/2-1/2"]\n\n' + MOVES + " 1/2-1/2\n\n"
ARMS = ({"arm": "draw-table", "table": "human", "name": "table", "hash": 16}, {"arm": "none", "name": "plain", "hash": 16})


def local(number: int) -> Client:
    """A cluster of so many processes with one thread each; the scheduler is in this process."""
    return Client(LocalCluster(n_workers=number, threads_per_worker=1, processes=True, dashboard_address=None))


def children() -> float:
    """CPU seconds of ended child processes."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def cpu_of(words: list[str]) -> float:
    """CPU seconds of a command."""
    before = children()
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
    return children() - before


def load() -> str:
    return f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"


def module(asked: argparse.Namespace, place: Path) -> None:
    """`drawish.collect` against `drawish collect`, in turns, one thread each."""
    call = f"import drawish; drawish.collect({str(asked.games)!r}, threads=1).save({str(place / 'a.counts')!r})"
    program = [*workers.program(), "collect", asked.games, "-j", "1", "-q", "-o", str(place / "b.counts")]
    pairs = [(cpu_of([sys.executable, "-c", call]), cpu_of(program)) for _ in range(ROUNDS)]
    for name, times in zip(("drawish.collect", "the program"), zip(*pairs)):
        print(f"module: {name}: CPU s {' '.join(f'{one:.2f}' for one in times)}, median {statistics.median(times):.3f}")
    print(f"module: ratio of each pair, median {statistics.median(a / b for a, b in pairs):.3f}")


def shard(asked: argparse.Namespace, place: Path) -> None:
    """What a shard costs beside reading its games: shards of one game each."""
    for number in range(240):
        (place / f"{number:03}.pgn").write_text(GAME.format(number=number))
    names = [str(place / f"{number:03}.pgn") for number in range(240)]
    few, many, costs = names[:40], names[40:], []
    with local(1) as client:
        cluster.collect(client, few, place / "few.counts")
        for at in range(ROUNDS):
            some = many[at::ROUNDS]
            wall, here = time.monotonic(), time.process_time()
            cluster.collect(client, some, place / f"{at}.counts")
            costs.append(((time.monotonic() - wall) / len(some), (time.process_time() - here) / len(some)))
        client.cluster.close()
    walls, heres = zip(*costs)
    print(f"shard: wall ms {' '.join(f'{1e3 * one:.0f}' for one in walls)}, median {1e3 * statistics.median(walls):.0f} ({load()})")
    print(f"shard: of scheduler and client CPU ms, median {1e3 * statistics.median(heres):.1f}")
    some = cluster.shards(many[:50])
    reading.read_shard(some[0], ["collect"], ".counts", None, workers.version())
    server = psutil.Process(workers._of_thread.server.pid)

    def used() -> float:
        times = server.cpu_times()
        return time.process_time() + times.user + times.system + times.children_user + times.children_system

    before = used()
    for one in some:
        reading.read_shard(one, ["collect"], ".counts", None, workers.version())
    print(f"shard: of worker and program CPU ms, mean of {len(some)}: {1e3 * (used() - before) / len(some):.1f}")
    start = statistics.median(cpu_of([*workers.program(), "--version"]) for _ in range(ROUNDS))
    print(f"shard: start of the program CPU ms, median {1e3 * start:.0f}")
    merged = cpu_of([*workers.program(), "merge", *(str(place / f"{at}.counts") for at in range(ROUNDS)), "-o", str(place / "x.counts")])
    print(f"shard: merging CPU ms a file, {1e3 * merged / ROUNDS:.1f} with the start of the program")


def of_workers(asked: argparse.Namespace, place: Path) -> None:
    """Two workers against one, on parts of 16 MB."""
    walls: dict[int, list[float]] = {1: [], 2: []}
    for number in (1, 2):
        with local(number) as client:
            cluster.collect(client, [asked.games], place / "warm.counts", split=16 << 20)
            for _ in range(ROUNDS):
                run = cluster.collect(client, [asked.games], place / "x.counts", split=16 << 20)
                walls[number].append(run.seconds)
            client.cluster.close()
        print(f"workers: {number}: s {' '.join(f'{one:.2f}' for one in walls[number])}, {run.shards} shards ({load()})")
    print(f"workers: 2 against 1: {statistics.median(walls[1]) / statistics.median(walls[2]):.2f} (medians), best {min(walls[1]) / min(walls[2]):.2f}")


def tasks(asked: argparse.Namespace, place: Path) -> None:
    """What the scheduler can do: tasks without work."""
    with local(2) as client:
        for _ in range(3):
            wall, here = time.monotonic(), time.process_time()
            wait(client.map(abs, range(2000), pure=False))
            print(f"tasks: {2000 / (time.monotonic() - wall):.0f} a second, {2000 / (time.process_time() - here):.0f} a CPU second of the scheduler")
        client.cluster.close()


def play(asked: argparse.Namespace, place: Path) -> None:
    """Games: CPU time of one, and what the client does with a pair."""
    for nodes, pairs in ((1000, 40), (5000, 10)):
        log = place / f"{nodes}.jsonl"
        openings = asked.book or 8
        terms = {"openings": openings, "nodes": nodes, "seed": 1, "pairs": pairs}
        begun = time.process_time()
        ready = _drawish.ReadyMatch.between(*ARMS, **terms)
        start = time.process_time() - begun
        begun = time.process_time()
        ready.play(1, pairs, log)
        each = (time.process_time() - begun) / (2 * pairs)
        print(f"play: {nodes} nodes: CPU s a game {each:.4f} over {2 * pairs} games; to get ready {start:.2f}")
        times = []
        for at in range(ROUNDS):
            gathered = _drawish.Gathered(place / f"{nodes}-{at}.jsonl", ready.header(), pairs)
            begun = time.process_time()
            gathered.add(log.read_bytes())
            times.append((time.process_time() - begun) / pairs)
        size = log.stat().st_size / pairs
        print(f"play: {nodes} nodes: gathering a pair, CPU µs median {1e6 * statistics.median(times):.0f}; {size:.0f} bytes")
    playing.MOST = 1
    with local(1) as client:
        terms = {"openings": 8, "nodes": 1, "seed": 1}
        cluster.play(client, *ARMS, place / "warm.jsonl", pairs=10, **terms)
        wall, here = time.monotonic(), time.process_time()
        cluster.play(client, *ARMS, place / "ranges.jsonl", pairs=100, **terms)
        wall, here = (time.monotonic() - wall) / 100, (time.process_time() - here) / 100
        print(f"play: a range of one pair at one node: wall ms {1e3 * wall:.0f} ({load()}), of scheduler and client CPU ms {1e3 * here:.1f}")
        client.cluster.close()


PARTS = {"module": module, "shard": shard, "workers": of_workers, "tasks": tasks, "play": play}


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("part", nargs="*", choices=[*PARTS, []], help="what is measured")
    reader.add_argument("--games", default=None, help="plain PGN for module and workers")
    reader.add_argument("--book", default=None, help="openings for play [default: random]")
    asked = reader.parse_args()
    print(f"drawish {drawish.__version__}, {workers.version()}")
    with tempfile.TemporaryDirectory() as place:
        for part in asked.part or PARTS:
            directory = Path(place, part)
            directory.mkdir()
            if part in ("module", "workers") and asked.games is None:
                reader.error(f"{part} needs --games FILE.pgn")
            PARTS[part](asked, directory)


if __name__ == "__main__":
    main()
