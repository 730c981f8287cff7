"""`python -m kozel`, and the command `kozel`."""

from __future__ import annotations

import sys


def main() -> int:
    """Run the command line; the exit status of `interface.md`."""
    try:
        from kozel.cli.main import run  # the import of everything else happens under its care
    except ImportError as error:
        from kozel.cli import doctor

        return doctor.without_packages(sys.argv[1:], error)
    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
