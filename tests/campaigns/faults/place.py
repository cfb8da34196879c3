"""Where a campaign works: the inputs, an empty directory for each run, and what must be found in it afterwards."""

import itertools
import os
import re
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from server import serve
from verbs import BOOK, EXPERIMENT, FILES, PARAMETERS, RULE, TERMS, verbs

HERE = Path(__file__).resolve().parent
GAMES = HERE.parents[2] / "src/cli/demo/sample.pgn.zst"
# No run takes longer, not even on a busy machine; one that does hangs.
PATIENCE = 300
# Done; or done with a match whose test decided otherwise.
WELL = (0, 3, 4)
# The name of a file in the making, for the instant before it replaces another.
MAKING = r"(^|/)\.drawish-\d+-[0-9a-f]{16}-\w{6}$"
BEFORE = b"as it was before\n"


class Finding(Exception):
    """What should not be."""


class Place:
    def __init__(self, program):
        self.program = str(Path(program).resolve())
        self.root = Path(tempfile.mkdtemp(prefix="drawish-faults-"))
        self.cwd = self.root / "run"
        self.cwd.mkdir()
        self.environment = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
        self.environment["FAULTS"] = str(self.root)
        text = subprocess.run([self.program, "relevance", "annotate", GAMES, "-o", "-", "-q"], capture_output=True, check=True).stdout
        games = [b"[Event " + game for game in text.split(b"[Event ")[1:]]
        for number in range(6):
            (self.root / f"games{number + 1}.pgn").write_bytes(b"".join(games[number * 500 : number * 500 + 500]))
        (self.root / "book.epd").write_text(BOOK)
        (self.root / "openings.pgn").write_bytes(b"".join(games[:20]))
        (self.root / "terms.txt").write_text(TERMS)
        (self.root / "parameters.txt").write_text(PARAMETERS)
        (self.root / "trial.toml").write_text(EXPERIMENT.replace("DIGEST", "0" * 32))
        self.verbs = [verb for verb in verbs(self.program, serve(games)) if self.has(verb)]
        if any(verb.name == "tune" for verb in self.verbs):
            self.needed(f"positions {FILES.replace('../', '')} -o rows.parquet {RULE}")
        self.needed("form -o form.toml")
        # The refusal of another book names the digest of this one.
        refused = self.run("experiment run trial.toml -q", cwd=self.root).stderr
        digest = next(word for word in re.findall(r"[0-9a-f]{32}", refused) if word != "0" * 32)
        (self.root / "trial.toml").write_text(EXPERIMENT.replace("DIGEST", digest))
        self.games = text

    def has(self, verb):
        """Whether the program has the verb, which may depend on how it was built."""
        return self.run(f"{' '.join(itertools.takewhile(str.isalpha, verb.command.split()))} --help").returncode == 0

    def needed(self, command):
        done = self.run(command, cwd=self.root)
        if done.returncode:
            raise SystemExit(f"{command}: {done.stderr}")

    def make_large(self):
        """As many games as make `wdl collect` keep its state on the way."""
        for number in range(1, 9):
            path = self.root / f"large{number}.pgn"
            if not path.exists():
                path.write_bytes(self.games.replace(b'[Event "', f'[Event "{number} '.encode()))

    def library(self, name):
        """One of the libraries in front of the system's calls."""
        path = self.root / f"{name}.so"
        if not path.exists():
            subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-Wall", "-o", path, HERE / f"{name}.c", "-ldl"], check=True)
        return str(path)

    def clear(self, verb, before=False):
        """Empties the directory but for what must lie there, and what lay there before."""
        for entry in self.cwd.iterdir():
            shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
        for name in verb.given:
            shutil.copy(self.root / name, self.cwd)
        if before and not verb.grows and not verb.shares:
            for name in verb.outputs:
                (self.cwd / name).write_bytes(self.before(verb))

    def before(self, verb):
        """What the outputs hold before some of the runs."""
        return (self.root / verb.before).read_bytes() if verb.before else BEFORE

    def begin(self, command, **more):
        return subprocess.Popen(
            [self.program, *command.split()], cwd=self.cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**self.environment, **{name: str(value) for name, value in more.items()}},
        )

    def run(self, command, cwd=None, front=(), **more):
        try:
            return subprocess.run(
                [*front, self.program, *command.split()], cwd=cwd or self.cwd, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                env={**self.environment, **{name: str(value) for name, value in more.items()}}, timeout=PATIENCE,
            )
        except subprocess.TimeoutExpired:
            raise Finding(f"it hangs: not done after {PATIENCE} s") from None

    def found(self, verb):
        """All files by their names, but for those that were given."""
        files = {str(file.relative_to(self.cwd)): file for file in sorted(self.cwd.rglob("*")) if file.is_file()}
        return {name: file.read_bytes() for name, file in files.items() if name not in verb.given}

    def undisturbed(self, verb, command=None):
        """What the command makes, and how long it takes."""
        self.clear(verb)
        begun = time.monotonic()
        done = self.run(command or verb.command)
        if done.returncode not in WELL:
            raise SystemExit(f"{verb.name} fails without any fault: {done.stderr}")
        seconds = time.monotonic() - begun
        found = self.found(verb)
        known = [name for name in found if name.split("/")[0] in verb.outputs]
        if known != list(found) or {name.split("/")[0] for name in known} != set(verb.outputs):
            raise SystemExit(f"{verb.name} makes {', '.join(found)}")
        return found, seconds

    def check_left(self, verb, wanted, before=False):
        """After a fault: outputs are absent, as before or whole, logs a beginning of the whole, and nothing else is left. Says whether
        there is anything to go on from."""
        state = False
        for name, content in self.found(verb).items():
            if re.search(MAKING, name):
                continue  # The next run removes it.
            whole = wanted.get(name.removesuffix(verb.keeps) if verb.keeps else name)
            if name in wanted:
                fine = content == wanted[name] or (before and content == self.before(verb)) or (verb.grows and whole.startswith(content))
                if not fine:
                    raise Finding(f"{name} ({len(content)} bytes) is neither absent nor whole")
                state |= verb.grows
            elif whole is not None:
                if verb.shares and not whole.startswith(content):
                    raise Finding(f"{name} is no beginning of the whole")
                state = True
            elif verb.grows and f"{name}.zst" in wanted:
                state = True  # A log that is packed when it is complete.
            else:
                raise Finding(f"left behind: {name}")
        return state

    def check_again(self, verb, wanted, state):
        """The same command makes what an undisturbed run makes, and nothing else."""
        done = self.run(f"{verb.command} {verb.resume}" if state else verb.command)
        if done.returncode not in WELL:
            raise Finding(f"cannot be run again: {done.stderr.strip()}")
        self.check_whole(verb, wanted)

    def check_whole(self, verb, *choices):
        found = self.found(verb)
        for name in set(found) | set(choices[0]):
            if name not in choices[0]:
                raise Finding(f"left behind: {name}")
            if name not in found:
                raise Finding(f"{name} is absent")
            if all(found[name] != wanted[name] for wanted in choices):
                raise Finding(f"{name} differs from that of an undisturbed run")

    def check_message(self, verb, wanted, done, *words):
        """One line says that it failed, and names a file and the cause."""
        lines = [line for line in done.stderr.splitlines() if any(word in line for word in words)]
        names = {Path(name).name for name in wanted} | {name.split("/")[0] for name in wanted}
        if done.returncode != 1 or len(lines) != 1 or not any(name in lines[0] for name in names):
            raise Finding(f"exit code {done.returncode}, no one message that names file and cause: {done.stderr.strip()!r}")

    def processes_left(self):
        """Processes of this campaign that are still there after a while."""
        mark = f"FAULTS={self.root}".encode()
        until = time.monotonic() + 10
        while True:
            left = []
            for entry in Path("/proc").glob("[0-9]*"):
                try:
                    if int(entry.name) != os.getpid() and mark in (entry / "environ").read_bytes().split(b"\0"):
                        left.append(entry.name)
                except OSError:
                    pass
            if not left or time.monotonic() > until:
                return left
            time.sleep(0.01)
