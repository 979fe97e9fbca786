"""Values of command lines that send in files."""

import argparse

from events.rules.sizes import MOST_TIME


def minutes(text: str) -> int:
    """Return minutes or seconds of a time control. Raises ArgumentTypeError."""
    if not text.isdecimal() or len(text) > 4 or not 0 <= int(text) <= MOST_TIME:
        raise argparse.ArgumentTypeError(f"“{text}” is not a whole number from 0 to {MOST_TIME}")
    return int(text)


def start_and_id(text: str) -> tuple[int, str]:
    """Return the start number and the Chess SA id of `12=100000123`. Raises ArgumentTypeError."""
    number, _, player = text.partition("=")
    if not number.isdecimal() or len(number) > 5 or not player:
        raise argparse.ArgumentTypeError(f"“{text}”: write the start number and the Chess SA id as 12=100000123")
    return int(number), player
