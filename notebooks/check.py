"""What `check.sh` asks of the notebooks: they run, in time, and what is committed of them is small, whole and of no one machine."""

import re
import resource
import subprocess
import sys
import time
from pathlib import Path

import nbformat

LARGEST = 300_000  # bytes of a notebook with its outputs
SECONDS = 60  # of computing, so that a quick notebook does not fail on a busy machine
# Absolute paths of home and temporary directories, on any system, as JSON has them.
PLACES = re.compile(r"/(?:home|root|tmp|Users|var/folders)/|[A-Z]:\\\\")


def computing():
    """CPU seconds of the children that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def execute(path, into):
    """Runs a notebook in its directory and writes it with its outputs into another; returns what is wrong."""
    began, used = time.monotonic(), computing()
    ran = subprocess.run(
        [sys.executable, "-m", "nbconvert", "--to", "notebook", "--execute", "--ExecutePreprocessor.record_timing=False",
         "--ExecutePreprocessor.timeout=600", "--output-dir", into, str(path)],
        capture_output=True, text=True,
    )
    took, used = time.monotonic() - began, computing() - used
    print(f"{path.name}: {used:.1f} s of computing, {took:.1f} s in all", flush=True)
    if ran.returncode:
        return [f"a cell fails:\n{ran.stderr}"]
    join_streams(Path(into) / path.name)
    return [f"{used:.0f} s of computing, {SECONDS} s are allowed: use fewer games or nodes"] if used > SECONDS else []


def join_streams(path):
    """Joins what a cell printed in pieces, which are cut by chance: two runs then write the same file."""
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        joined = []
        for output in cell.get("outputs", []):
            if joined and output.output_type == joined[-1].output_type == "stream" and output.name == joined[-1].name:
                joined[-1].text += output.text
            else:
                joined.append(output)
        if cell.cell_type == "code":
            cell.outputs = joined
    nbformat.write(notebook, path)


def committed(path):
    """What is wrong with the notebook as it is."""
    wrong = []
    if path.stat().st_size > LARGEST:
        wrong.append(f"{path.stat().st_size:,} bytes, {LARGEST:,} are allowed: thin out what its charts draw")
    code = [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
    if [cell.execution_count for cell in code] != list(range(1, len(code) + 1)):
        wrong.append("cells were not run once each from the first to the last: run check.sh --write")
    if not any(cell.outputs for cell in code):
        wrong.append("there are no outputs: run check.sh --write")
    for cell in code:
        for output in cell.outputs:
            if output.output_type == "error":
                wrong.append(f"cell {cell.execution_count} ended in {output.ename}")
            if output.output_type == "stream" and output.name == "stderr":
                wrong.append(f"cell {cell.execution_count} warned: {output.text.strip()[:200]}")
    if found := PLACES.search(path.read_text()):
        wrong.append(f"names a place on one machine: {found[0]}")
    return wrong


def main():
    what, *rest = sys.argv[1:]
    into = rest.pop(0) if what == "execute" else None
    faults = 0
    for path in map(Path, rest):
        for fault in execute(path, into) if what == "execute" else committed(path):
            print(f"{path.name}: {fault}", file=sys.stderr)
            faults += 1
    sys.exit(1 if faults else 0)


main()
