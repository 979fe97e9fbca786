#!/usr/bin/env python
"""Django's command line."""

import os
import signal
import sys
from types import FrameType
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from django.core.management.base import CommandParser


def _quit(number: int, frame: FrameType | None) -> None:
    os.write(2, b"\nStopped.\n")
    os._exit(130)


def _wrong_words(parser: "CommandParser", message: str) -> NoReturn:
    from django.core.management.base import CommandError

    if not parser.called_from_command_line:
        raise CommandError(f"Error: {message}")
    parser.exit(1, f"{parser.prog}: {message}. “{parser.prog} --help” says what it takes.\n")


def main() -> None:
    """Run a management command. Words that it does not take, and an error of the set-up, end it with one line and
    status 1; `--traceback` shows all of it. Without a reader of its output it ends quietly with 141, as other programs do."""
    for word in sys.argv:
        if any("\ud800" <= letter <= "\udfff" for letter in word):  # which no database keeps, and no terminal shows
            sys.exit(f"{word!r} is not written in UTF-8. Write it so.")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    if sys.argv[1:2] == ["serve"]:
        # KeyboardInterrupt could be swallowed while a module is imported or Python shuts down.
        signal.signal(signal.SIGINT, _quit)
    try:
        from django.core.management import execute_from_command_line
        from django.core.management.base import CommandParser

        CommandParser.error = _wrong_words  # type: ignore[assignment, method-assign]  # of Django's own commands, too
        try:
            execute_from_command_line(sys.argv)
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        # Who read the output has gone, as `| head`. What is left of it would be written once more at the end of Python.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        sys.exit(141)
    except KeyboardInterrupt:
        print("\nStopped.", file=sys.stderr)
        sys.exit(130)
    except Exception as error:
        from config.startup_errors import startup_error

        message = None if "--traceback" in sys.argv else startup_error(error, sys.argv[1])
        if message is None:
            raise
        sys.exit(message)


if __name__ == "__main__":
    main()
