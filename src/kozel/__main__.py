"""`python -m kozel`, and the command `kozel`."""

from __future__ import annotations

import sys


def main() -> int:
    """Run the command line; the exit status of `interface.md`."""
    from kozel.cli.main import run  # the import of everything else happens under its care

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
