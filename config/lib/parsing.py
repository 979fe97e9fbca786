"""Parses text of forms and addresses."""

KEY_DIGITS = 15  # more than the key of any row has
BIGINT_DIGITS = 18  # that a column of big integers can be asked for


def whole_number(text: str, *, digits: int) -> int | None:
    """Return a number of at most `digits` ASCII digits without a sign; None for anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= digits else None


def parse_pk(text: str) -> int:
    """Return the primary key in a text; 0, which no row has, if it is none."""
    return whole_number(text, digits=KEY_DIGITS) or 0
