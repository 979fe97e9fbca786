"""Parses text of forms and addresses."""


def whole_number(text: str, *, digits: int) -> int | None:
    """Return a number of at most `digits` ASCII digits without a sign; None for anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= digits else None


def parse_pk(text: str) -> int:
    """Return the primary key in a text; 0, which no row has, if it is none."""
    return whole_number(text, digits=15) or 0
