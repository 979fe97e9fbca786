"""Reading what somebody typed, or wrote into an address."""


def whole_number(text: str, *, digits: int) -> int | None:
    """A number of at most so many ASCII digits, without a sign; None for anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= digits else None


def parse_pk(text: str) -> int:
    """The key of a row as a form or an address writes it; 0, which no row has, for anything else."""
    return whole_number(text, digits=15) or 0
