"""The command ``drawish``."""

import sys

from ._drawish import main


def run() -> None:
    """Do what the command line says."""
    sys.exit(main())


if __name__ == "__main__":
    run()
