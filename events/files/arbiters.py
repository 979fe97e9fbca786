"""Arbiters as files write them: `IA Grace Tenza (14300001)`. Pure."""

import re
from dataclasses import dataclass

# Code → its name; the codes are those of `events.models.ArbiterTitle`.
TITLES = {
    "SS": "School Supervisor",
    "TS": "Tournament Supervisor",
    "CPA": "Candidate Provincial Arbiter",
    "PA": "Provincial Arbiter",
    "NA": "National Arbiter",
    "FA": "FIDE Arbiter",
    "IA": "International Arbiter",
}
_SPELLINGS = {name.casefold(): code for code, name in TITLES.items()} | {
    code.casefold(): code for code in TITLES
} | {"candidate provincial": "CPA", "provincial": "PA", "national": "NA", "fide": "FA", "international": "IA"}  # fmt: skip
_LONGEST = 200


@dataclass(frozen=True, slots=True)
class ArbiterText:
    """An arbiter as a file names him: title code, id (whose is not said) and name, each as far as it is there."""

    name: str
    title: str = ""
    id: str = ""


def read_title(text: str) -> str | None:
    """The code of an arbiter's title, given as a code or in words; None when it is none."""
    return _SPELLINGS.get(" ".join(text.replace(".", "").split()).casefold())


def plain_name(text: str) -> str:
    """A name with the first name first: `Tenza, Grace` is `Grace Tenza`."""
    last, comma, first = (part.strip() for part in " ".join(text.split()).partition(","))
    return f"{first} {last}" if comma and first and "," not in first else " ".join(text.split())


def read_arbiter(text: str) -> ArbiterText:
    """Name, title and id of an arbiter in a file. A title stands first, an id last, in brackets or bare."""
    rest, number = text[:_LONGEST].strip(), ""
    if found := re.search(r"[\[(]?\s*(?:FIDE|ID|No|[:.# ])*\s*([0-9]{4,11})\s*[\])]?\s*$", rest, re.IGNORECASE):
        rest, number = rest[: found.start()].rstrip(" ,;("), found[1].lstrip("0")
    words, title = rest.split(), ""
    for count in (3, 2, 1):
        code = _title_of(" ".join(words[:count]).rstrip(",:")) if len(words) > count else ""
        if code:
            title, words = code, words[count:]
            break
    if not title and len(words) > 1 and words[-1] in TITLES:
        title, words = words[-1], [*words[:-2], words[-2].rstrip(",")]
    return ArbiterText(plain_name(" ".join(words)), title, number)


def _title_of(text: str) -> str:
    """Before a name a title is whole, or a code in capitals: `National`, `Fide` and `Pa` are names too."""
    if text in TITLES:
        return text
    code = read_title(text)
    return code if code and text.casefold() == TITLES[code].casefold() else ""


def split_persons(text: str) -> tuple[str, ...]:
    """The persons of a list, parted by `;`, or by commas where each part has a first and a last name.

    `Last, First` stays one person.
    """
    if ";" in text:
        return tuple(part for part in (part.strip() for part in text.split(";")) if part)
    parts = [part.strip() for part in text.split(",")]
    if len(parts) > 1 and all(len(part.split()) > 1 for part in parts):
        return tuple(parts)
    return (text.strip(),) if text.strip() else ()
