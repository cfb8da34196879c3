"""Kills and faults: what stays of a run that is killed, out of disk, not allowed to write, beside another, or whose calls or clocks fail.

    python3 tests/campaigns/faults target/release/drawish [--times 50] [--only kill,short,...] [--verbs collect,match,...]

Each verb works on the games that the project ships, `download` asks a server on loopback. Wanted after every fault: an output is absent,
as it was before, or byte for byte that of an undisturbed run; a log is a beginning of that; no other file is left but the state that the
next run goes on from; the same command then gives the undisturbed output; and one message names the file and the cause. The parts:

kill      kill -9 at a random moment, often again while the next run resumes, and no process stays
crash     kill -9 before each call that changes the disk, or after half of a write, in half of the turns in the next run as well
short     most reads and writes do only a part, or are interrupted, and a timer interrupts what the program waits for
full      a disk (tmpfs) that is too small, by pages, then enlarged for the next run
nospace   from each call on that changes the disk those that need room find none, in half of the turns in the next run as well
readonly  an ordinary user in a directory of somebody else
twice     two runs at once: from the same moment, a moment later, or with other inputs and the same outputs
clocks    the time of day jumps by hours to decades, forwards and backwards

Counts are printed for each verb: runs, how many of them the fault has hit, how many of these left something to go on from (for twice: in
how many one of the two was refused). The exit code is 1 if anything else was found. Verbs that the program was built without are left out;
parts that need root (full, readonly) or a C compiler (crash, short, nospace, clocks) are skipped, and say so, where these are absent.
"""

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from place import PATIENCE, WELL, Finding, Place
from verbs import timed

PARTS = ("kill", "crash", "short", "full", "nospace", "readonly", "twice", "clocks")
PAGE = 4096


class Campaign:
    def __init__(self, place, times, names):
        self.place, self.times, self.findings = place, times, 0
        self.names = names

    def each(self, part, turns):
        """For each verb so many turns, which `turns` makes from the verb, what it should write, and how long it takes."""
        for verb in self.place.verbs:
            if part not in verb.parts.split() or (self.names and verb.name not in self.names):
                continue
            if "large" in verb.command:
                self.place.make_large()
            wanted, seconds = self.place.undisturbed(verb)
            turn = turns(verb, wanted, seconds)
            found, hits, states, runs = [], 0, 0, 0
            # A turn that the fault has missed, since the run had ended, does not count; but some verbs are never hit.
            while hits < self.times and runs < 3 * self.times:
                runs += 1
                try:
                    hit, state = turn(runs)
                    hits, states = hits + bool(hit), states + bool(hit and state)
                except Finding as finding:
                    hits += 1
                    found.append(str(finding))
                if part not in ("kill", "twice") and runs == self.times:
                    break
            self.tell(part, verb.name, f"{runs} runs, {hits} hit, {states} with something to go on from", found)

    def tell(self, part, name, counts, found):
        self.findings += len(found)
        kinds = {finding: found.count(finding) for finding in found}
        tail = "".join(f"\n    {count} x {finding}" for finding, count in list(kinds.items())[:5])
        print(f"{part:9} {name:12} {counts}; {len(found)} findings{tail}", flush=True)

    def kill(self):
        place, chance = self.place, random.Random(2013)

        def turns(verb, wanted, seconds):
            def turn(number):
                before = number % 2 == 0
                place.clear(verb, before)
                hits, state = 0, False
                for _ in range(chance.choice((1, 1, 2, 3))):
                    run = place.begin(f"{verb.command} {verb.resume}" if state else verb.command)
                    time.sleep((verb.late + chance.random() * (1 - verb.late)) * seconds)
                    run.send_signal(signal.SIGKILL)
                    run.communicate(timeout=PATIENCE)
                    hit = run.returncode == -signal.SIGKILL
                    if left := place.processes_left():
                        raise Finding(f"processes stay: {len(left)}")
                    state = place.check_left(verb, wanted, before)
                    if not hit:
                        break
                    hits += 1
                if hits:
                    place.check_again(verb, wanted, state)
                return hits, state

            return turn

        self.each("kill", turns)

    def changes(self, verb):
        """Calls of a verb that change the disk: one for each turn, all of them in turn if they are fewer."""
        count = self.place.root / "count"
        self.place.clear(verb)
        self.place.run(verb.command, LD_PRELOAD=self.place.library("calls"), CALLS=count)
        changes = int(count.read_text())
        return [1 + (turn % changes if changes <= self.times else changes * turn // self.times) for turn in range(self.times)]

    def crash(self):
        place, chance = self.place, random.Random(1871)
        library = self.place.library("calls")

        def turns(verb, wanted, _seconds):
            changes = self.changes(verb)

            def turn(number):
                before, at, torn = chance.random() < 0.5, changes[number - 1], {"TORN": 1} if chance.random() < 0.5 else {}
                place.clear(verb, before)
                hits, state = 0, False
                for when in (at, 1 + at // 2)[: chance.choice((1, 2))]:
                    run = place.run(f"{verb.command} {verb.resume}" if state else verb.command, LD_PRELOAD=library, DIE=when, **torn)
                    hits += run.returncode == -signal.SIGKILL
                    state = place.check_left(verb, wanted, before)
                place.check_again(verb, wanted, state)
                return hits, state

            return turn

        self.each("crash", turns)

    def short(self):
        place = self.place
        library = self.place.library("calls")

        def turns(verb, wanted, _seconds):
            def turn(number):
                place.clear(verb, number % 2 == 0)
                done = place.run(verb.command, LD_PRELOAD=library, SHORT=number)
                if done.returncode not in WELL:
                    raise Finding(f"it ends: {done.stderr.strip()}")
                place.check_whole(verb, wanted)
                return True, False

            return turn

        self.each("short", turns)

    def after_no_room(self, verb, wanted, done, before):
        """What must be there after a disk was full, and that the next run has the undisturbed output."""
        place = self.place
        if done.returncode in WELL:
            place.check_whole(verb, wanted)
            return False, False
        state = place.check_left(verb, wanted, before)
        place.check_message(verb, wanted, done, "No space left", "no room")
        return True, state

    def full(self):
        place = self.place
        if os.geteuid() != 0:
            print("full      skipped: only root can make a small disk")
            return

        def disk(*options):
            if subprocess.run(["mount", "-t", "tmpfs", *options, "tmpfs", place.cwd], capture_output=True).returncode:
                raise SystemExit("full: no disk can be mounted here")

        def turns(verb, wanted, _seconds):
            pages = sum(-(-len(content) // PAGE) for content in wanted.values())

            def turn(number):
                before = number % 2 == 0
                disk("-o", "size=1g")
                try:
                    place.clear(verb, before)
                    taken = sum(-(-file.stat().st_size // PAGE) for file in place.cwd.iterdir())
                    room = 1 + pages * (number - 1) // self.times
                    disk("-o", f"remount,size={PAGE * (taken + room)}")
                    done = place.run(verb.command)
                    hit, state = self.after_no_room(verb, wanted, done, before)
                    disk("-o", "remount,size=1g")
                    if hit:
                        place.check_again(verb, wanted, state)
                    return hit, state
                finally:
                    subprocess.run(["umount", place.cwd], check=True)

            return turn

        self.each("full", turns)

    def nospace(self):
        place, chance = self.place, random.Random(1793)
        library = self.place.library("calls")

        def turns(verb, wanted, _seconds):
            changes = self.changes(verb)

            def turn(number):
                before, at = chance.random() < 0.5, changes[number - 1]
                place.clear(verb, before)
                done = place.run(verb.command, LD_PRELOAD=library, FULL=at)
                hit, state = self.after_no_room(verb, wanted, done, before)
                if hit and chance.random() < 0.5:
                    done = place.run(f"{verb.command} {verb.resume}" if state else verb.command, LD_PRELOAD=library, FULL=1 + at // 2)
                    again, state = self.after_no_room(verb, wanted, done, before)
                else:
                    again = hit
                if again:
                    place.check_again(verb, wanted, state)
                return hit, state

            return turn

        self.each("nospace", turns)

    def readonly(self):
        place = self.place
        if os.geteuid() != 0 or shutil.which("setpriv") is None:
            print("readonly  skipped: it needs root and setpriv, to run as another user")
            return
        place.root.chmod(0o755)

        def turns(verb, wanted, _seconds):
            def turn(number):
                before = number % 2 == 0
                place.clear(verb, before)
                there = place.found(verb)
                done = place.run(verb.command, front=["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"])
                if place.found(verb) != there:
                    raise Finding("something was written")
                place.check_message(verb, wanted, done, "ermission")
                return True, False

            return turn

        self.each("readonly", turns)

    def twice(self):
        place, chance = self.place, random.Random(1997)

        def turns(verb, wanted, seconds):
            choices = [wanted] + ([place.undisturbed(verb, verb.other)[0]] if verb.other else [])

            def turn(number):
                place.clear(verb)
                with_other = bool(verb.other) and number % 3 == 0
                first = place.begin(verb.command)
                second = verb.command
                if number % 3 == 2 or (with_other and number % 2):
                    time.sleep(chance.random() * seconds * 0.8)
                    if place.found(verb):
                        second += f" {verb.resume}"
                overlap = first.poll() is None
                other = place.begin(verb.other if with_other else second)
                runs = []
                for run in (first, other):
                    try:
                        _, said = run.communicate(timeout=PATIENCE)
                    except subprocess.TimeoutExpired:
                        first.kill()
                        other.kill()
                        raise Finding("two runs hang") from None
                    runs.append(subprocess.CompletedProcess(run.args, run.returncode, None, said))
                if all(run.returncode not in WELL for run in runs):
                    raise Finding(f"neither ends: {[run.stderr.strip() for run in runs]}")
                for run in runs:
                    if run.returncode not in WELL:
                        place.check_message(verb, {**wanted, **{name + ".partial": b"" for name in wanted}}, run, "drawish: ")
                place.check_whole(verb, *choices[: 2 if with_other else 1])
                return overlap, any(run.returncode not in WELL for run in runs)

            return turn

        self.each("twice", turns)

    def clocks(self):
        place = self.place
        library = self.place.library("clocks")
        count = place.root / "count"
        readings = {}

        def turns(verb, wanted, _seconds):
            def turn(number):
                place.clear(verb, number % 2 == 0)
                done = place.run(verb.command, LD_PRELOAD=library, CLOCKS=number, CALLS=count)
                if done.returncode not in WELL:
                    raise Finding(f"it ends: {done.stderr.strip()}")
                place.check_whole(verb, wanted)
                readings[verb.name] = int(count.read_text())
                return readings[verb.name], False

            return turn

        self.each("clocks", turns)
        if self.names and "match by tc" not in self.names:
            return
        found, hits = [], 0
        for number in range(self.times):
            place.clear(place.verbs[0])
            done = place.run(timed(place.program), LD_PRELOAD=library, CLOCKS=number, CALLS=count)
            log = place.cwd / "a.jsonl"
            if done.returncode not in WELL or not log.exists() or '"end":"time"' in log.read_text():
                found.append(f"a game by the clock: {done.stderr.strip()}")
            hits += int(count.read_text()) > 0
        self.tell("clocks", "match by tc", f"{self.times} runs, {hits} hit", found)


def main():
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("program")
    reader.add_argument("--times", type=int, default=50)
    reader.add_argument("--only", default=",".join(PARTS))
    reader.add_argument("--verbs", default="", help="names, between commas")
    asked = reader.parse_args()
    place = Place(asked.program)
    campaign = Campaign(place, asked.times, [name for name in asked.verbs.split(",") if name])
    compiler = shutil.which("cc") and sys.platform.startswith("linux")
    try:
        for part in asked.only.split(","):
            if part in ("crash", "short", "nospace", "clocks") and not compiler:
                print(f"{part:9} skipped: it needs Linux and a C compiler")
                continue
            getattr(campaign, part)()
    finally:
        shutil.rmtree(place.root, ignore_errors=True)
    sys.exit(1 if campaign.findings else 0)


if __name__ == "__main__":
    main()
