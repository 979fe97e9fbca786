#!/usr/bin/env python
"""Django's command line."""

import os
import signal
import sys
from types import FrameType


def _quit(number: int, frame: FrameType | None) -> None:
    os.write(2, b"\nStopped.\n")
    os._exit(130)


def main() -> None:
    """Run a management command. What stands in its way is said in one line; `--traceback` shows all of it."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    if sys.argv[1:2] == ["serve"]:
        # An exception would be lost when it comes while a module is read, or while Python tidies up.
        signal.signal(signal.SIGINT, _quit)
    try:
        from django.core.management import execute_from_command_line

        execute_from_command_line(sys.argv)
    except KeyboardInterrupt:
        print("\nStopped.", file=sys.stderr)
        sys.exit(130)
    except Exception as error:
        from config.startup_errors import startup_error

        said = None if "--traceback" in sys.argv else startup_error(error)
        if said is None:
            raise
        sys.exit(said)


if __name__ == "__main__":
    main()
