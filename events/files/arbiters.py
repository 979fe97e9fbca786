"""Reads arbiters as files write them: `IA Grace Tenza (14300001)`. Pure."""

import re
from dataclasses import dataclass

from events.rules.limits import MOST_DEPUTIES

# Code → name. The codes are those of `events.models.ArbiterTitle`.
ARBITER_TITLES = {
    "SS": "School Supervisor",
    "TS": "Tournament Supervisor",
    "CPA": "Candidate Provincial Arbiter",
    "PA": "Provincial Arbiter",
    "NA": "National Arbiter",
    "FA": "FIDE Arbiter",
    "IA": "International Arbiter",
}
_SPELLINGS = {name.casefold(): code for code, name in ARBITER_TITLES.items()} | {
    code.casefold(): code for code in ARBITER_TITLES
} | {"candidate provincial": "CPA", "provincial": "PA", "national": "NA", "fide": "FA", "international": "IA"}  # fmt: skip
_LONGEST = 200
_MOST_PARTS = 10 * MOST_DEPUTIES  # some may be blank


@dataclass(frozen=True, slots=True)
class ArbiterText:
    """An arbiter in a file: name, title code and id, "" where missing. The id is FIDE's or national; files do not say."""

    name: str
    title: str = ""
    id: str = ""


def read_title(text: str) -> str | None:
    """Return the code of an arbiter's title, given as a code or in words; None for any other text."""
    return _SPELLINGS.get(" ".join(text.replace(".", "").split()).casefold())


def plain_name(text: str) -> str:
    """Return a name with the first name first: `Tenza, Grace` becomes `Grace Tenza`."""
    last, comma, first = (part.strip() for part in " ".join(text.split()).partition(","))
    return f"{first} {last}" if comma and first and "," not in first else " ".join(text.split())


def read_arbiter(text: str) -> ArbiterText:
    """Return the arbiter in a text. A title comes first, or in capitals last; an id follows, with or without brackets."""
    # Hazard: of blanks in a row each could be any of three parts of what is before an id.
    text_left, number = " ".join(text[:_LONGEST].split()), ""
    if id_match := re.search(r"[\[(]?\s*(?:FIDE|ID|No|[:.# ])*\s*([0-9]{4,11})\s*[\])]?\s*$", text_left, re.IGNORECASE):
        text_left, number = text_left[: id_match.start()].rstrip(" ,;("), id_match[1].lstrip("0")
    parts, title = text_left.split(), ""
    for count in (3, 2, 1):
        code = _title_of(" ".join(parts[:count]).rstrip(",:")) if len(parts) > count else ""
        if code:
            title, parts = code, parts[count:]
            break
    if not title and len(parts) > 1 and parts[-1] in ARBITER_TITLES:
        title, parts = parts[-1], [*parts[:-2], parts[-2].rstrip(",")]
    return ArbiterText(plain_name(" ".join(parts)), title, number)


def _title_of(text: str) -> str:
    """Return the code of a title before a name: a code in capitals or a full title; `National` and `Pa` are names too."""
    if text in ARBITER_TITLES:
        return text
    code = read_title(text)
    return code if code and text.casefold() == ARBITER_TITLES[code].casefold() else ""


def split_persons(text: str) -> tuple[str, ...]:
    """Return the persons of a list, separated by `;`, or by commas if each part has at least two words.

    `Last, First` is therefore one person. Of more than are read the rest is one.
    """
    if ";" in text:
        return tuple(part for part in (part.strip() for part in text.split(";", _MOST_PARTS)) if part)
    parts = [part.strip() for part in text.split(",", _MOST_PARTS)]
    if len(parts) > 1 and all(len(part.split()) > 1 for part in parts):
        return tuple(parts)
    return (text.strip(),) if text.strip() else ()
