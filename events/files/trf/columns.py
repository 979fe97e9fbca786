"""The columns of record 001 between its fields, by which misaligned lines are recognised. Pure."""

import re

GUARDS = (14, 48, 53, 57, 69, 80, 85)  # 1-based; blank on a well aligned line
_POINTS = re.compile(r" *\d{1,2}[.,]\d")


def misplaced_columns(text: str) -> list[int]:
    """Return the guard columns that are not blank."""
    return [column for column in GUARDS if text[column - 1 : column].strip()]


def looks_like_player(text: str) -> bool:
    """Return whether a line has the start number, name and points of a player in their columns, whatever its tag."""
    return (
        text[:3].isdecimal()
        and text[4:8].strip().isdecimal()
        and bool(text[14:47].strip())
        and _POINTS.fullmatch(text[80:84]) is not None
        and not misplaced_columns(text)
    )


def shift_hint(text: str) -> str:
    """Return a hint if one to three blanks more or fewer, before or after the name, would align the line, else ""."""
    for start in (14, 47):
        for width in (1, 2, 3):
            if text[start : start + width].isspace() and not misplaced_columns(text[:start] + text[start + width :]):
                return f" It seems to be shifted to the right by {width}."
            if not misplaced_columns(text[:start] + " " * width + text[start:]):
                return f" It seems to be shifted to the left by {width}."
    return ""
