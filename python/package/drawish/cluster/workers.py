"""What runs on a worker: the drawish of its own installation, which must be the same everywhere."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from functools import cache

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
