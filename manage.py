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
    """Run a management command. An error of the set-up ends it with one line; `--traceback` shows all of it."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    if sys.argv[1:2] == ["serve"]:
        # KeyboardInterrupt could be swallowed while a module is imported or Python shuts down.
        signal.signal(signal.SIGINT, _quit)
    try:
        from django.core.management import execute_from_command_line

        execute_from_command_line(sys.argv)
    except KeyboardInterrupt:
        print("\nStopped.", file=sys.stderr)
        sys.exit(130)
    except Exception as error:
        from config.startup_errors import startup_error

        message = None if "--traceback" in sys.argv else startup_error(error)
        if message is None:
            raise
        sys.exit(message)


if __name__ == "__main__":
    main()
