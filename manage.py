#!/usr/bin/env python
"""Django's command line."""

import os
import sys


def main() -> None:
    """Run a management command. What stands in its way is said in one line; `--traceback` shows all of it."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    try:
        from django.core.management import execute_from_command_line

        execute_from_command_line(sys.argv)
    except KeyboardInterrupt:
        print("\nStopped.", file=sys.stderr)
        sys.exit(130)
    except Exception as error:
        from config.hindrances import hindrance

        said = None if "--traceback" in sys.argv else hindrance(error)
        if said is None:
            raise
        sys.exit(said)


if __name__ == "__main__":
    main()
