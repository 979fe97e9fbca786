"""Findings: what a rule reports about a file, a form, a registration or an event. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from config.lib.names import shown


class Severity(StrEnum):
    """How far a finding holds things up."""

    ERROR = "error"  # blocks until it is corrected
    HOLD = "hold"  # open: an officer decides
    NOTE = "note"  # for information


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding of a rule.

    `code`: a stable name of the kind of finding (`duplicate-number`); `message`: what was found, what was expected and how
    to correct it, with signs for characters that cannot be seen (`shown`); `article`: of the regulations, or "".

    Its place, if it has one: `line` and `column` of a file, 1-based, `end_column` inclusive, in a table with the `heading` of
    the column; `lines`: all of them, if it is about several, of which `line` is the first; `field`: name of a form’s field;
    `section`: primary key of a section. `correction`: the code of the kind of answer that settles it on the page
    (`events.rules.corrections`); "" if only a corrected file or an officer does.
    """

    severity: Severity
    code: str
    message: str
    line: int | None = None
    column: int | None = None
    end_column: int | None = None
    article: str = ""
    field: str = ""
    section: int | None = None
    correction: str = ""
    heading: str = ""
    lines: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "message", shown(self.message))
        object.__setattr__(self, "heading", shown(self.heading))

    @property
    def place(self) -> str:
        """The place in the file in words: `Line 3, column 7`, in a table `Line 3, column “Born”`; `Lines 10–49`; or ""."""
        if len(self.lines) > 1:
            return f"Lines {spans(self.lines)}"
        if not self.line:
            return ""
        column = f"“{self.heading}”" if self.heading else self.column
        return f"Line {self.line}, column {column}" if column else f"Line {self.line}"

    @property
    def as_sentence(self) -> str:
        """The message with its article, to show at a field."""
        return f"{self.message.removesuffix('.')} (article {self.article})." if self.article else self.message

    @property
    def as_line(self) -> str:
        """The finding on one line, with its place in the file."""
        article = f" (article {self.article})" if self.article else ""
        return f"{self.place + ': ' if self.place else ''}{self.message}{article}"

    def as_dict(self) -> dict[str, str | int | None]:
        """Return the finding as `manage.py read` prints it."""
        return {
            "severity": self.severity.value,
            "code": self.code,
            "line": self.line,
            "column": self.column,
            "message": self.message,
        }


def field_error(field: str, code: str, message: str, article: str = "") -> Finding:
    """Return an error at a field of a form."""
    return Finding(Severity.ERROR, code, message, article=article, field=field)


def several(numbers: Iterable[int | None]) -> tuple[int, ...]:
    """Return the lines of a finding about several, from those of its players, of which a format may have none."""
    return tuple(number for number in numbers if number)


def spans(numbers: Sequence[int], most: int = 5) -> str:
    """Return numbers in words for a message, at most `most` spans: `10–49`, `10, 12–14, 20`, `1, 3, 5, 7, 9, …`."""
    found: list[list[int]] = []
    for number in sorted(set(numbers)):
        if found and number == found[-1][1] + 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    shown = [str(first) if first == last else f"{first}–{last}" for first, last in found[:most]]
    return ", ".join([*shown, "…"] if len(found) > most else shown)


def listed_rounds(numbers: Sequence[int]) -> str:
    """Return rounds in words for a message: `round 3`, `rounds 1, 2, 7`."""
    return f"round{'s' if len(numbers) > 1 else ''} {listed([str(number) for number in numbers])}"


def listed(names: Sequence[str], most: int = 5) -> str:
    """Return names for a message, at most the first `most`: `A, B, C, D, E and 7 more`."""
    shown = ", ".join(names[:most])
    return f"{shown} and {len(names) - most} more" if len(names) > most else shown
