"""Lists in stretches: keyset pages, whose cost does not grow with the depth."""

from config.lib.parsing import KEY_DIGITS, whole_number

PAGE_SIZE = 50


def position(text: str | None) -> int | None:
    """A place to go on from, as an address gives it; None for anything that is not a whole number of ours."""
    return whole_number(text or "", digits=KEY_DIGITS)
