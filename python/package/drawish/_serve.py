"""Runs the program again and again without starting Python each time.

A line of JSON on standard input is a run: ``words``, the ``place`` where it runs, the file for its ``errors``. The answer is a line with its
exit code. It ends with its input. Each run is a process of its own, so that what one leaves behind or dies of concerns no other.
"""

import json
import os
import sys

from ._drawish import main


def serve() -> None:
    for line in sys.stdin:
        asked = json.loads(line)
        child = os.fork()
        if child == 0:
            code = 1
            try:
                os.chdir(asked["place"])
                nothing = os.open(os.devnull, os.O_RDWR)
                errors = os.open(asked["errors"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)
                for number, file in enumerate((nothing, nothing, errors)):
                    os.dup2(file, number)
                code = main(["drawish", *asked["words"]])
            finally:
                os._exit(code)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


if __name__ == "__main__":
    serve()
