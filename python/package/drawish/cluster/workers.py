"""What runs on a worker: the drawish of its own installation, which must be the same everywhere."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from distributed import Client


class ClusterError(Exception):
    """A run that has no result: its text names the shards or the workers, and what to do."""


def program() -> list[str]:
    """The program of this installation; DRAWISH in the environment names another one."""
    named = os.environ.get("DRAWISH")
    return [named] if named else [sys.executable, "-m", "drawish"]


@cache
def version() -> str:
    """Version and build of the program that runs here."""
    return subprocess.run([*program(), "--version"], capture_output=True, text=True, check=True).stdout.strip()


_of_thread = threading.local()


def run(words: Sequence[str], place: str) -> tuple[int, str]:
    """Runs the program in a directory: its exit code, and what it says on standard error. It is forked from a process that has loaded it
    before, one for each thread, which saves the start of Python in every run."""
    if os.environ.get("DRAWISH") or not hasattr(os, "fork"):
        done = subprocess.run([*program(), *words], cwd=place, capture_output=True, text=True)
        return done.returncode, done.stderr
    server = getattr(_of_thread, "server", None)
    if server is None or server.poll() is not None:
        command = [sys.executable, "-m", "drawish._serve"]
        server = _of_thread.server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    errors = Path(place, "errors.txt")
    server.stdin.write(json.dumps({"words": words, "place": place, "errors": str(errors)}) + "\n")
    server.stdin.flush()
    answer = server.stdout.readline()
    if not answer:
        raise ClusterError("the process that runs the program has died; the next attempt starts another")
    return int(answer), errors.read_text(errors="replace")


def held_to(wanted: str) -> None:
    """Raises unless this installation is that version: a worker may have joined after the run began."""
    if version() != wanted:
        raise ClusterError(f"the worker on {socket.gethostname()} has {version()}, expected {wanted}: install the same version everywhere")


def check(client: Client) -> str:
    """The version that is here and on all workers; raises if there are others, or no workers."""
    mine = version()
    try:
        found = client.run(version)
    except Exception as error:  # whatever keeps a worker from starting the program
        raise ClusterError(f"a worker cannot start drawish ({error}): install the same version everywhere") from error
    if not found:
        raise ClusterError("the cluster has no workers; start some with `dask worker SCHEDULER`")
    others = [f"{worker} has {other}" for worker, other in sorted(found.items()) if other != mine]
    if others:
        raise ClusterError(f"here is {mine}, but {'; '.join(others)}: install the same version everywhere")
    return mine
