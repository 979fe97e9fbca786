"""What a check says of a file, a form or a registration. Pure values: no Django, no I/O."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """How far a finding holds up the submission."""

    ERROR = "error"  # nothing is saved until it is mended
    HOLD = "hold"  # an officer decides
    NOTE = "note"  # said, not asked


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a check found.

    `code` is a stable word for the kind of finding (`duplicate-number`), `message` says what was found, what was
    expected and how to mend it. `line` and `column` are 1-based places in the file, `end_column` is inclusive;
    None where the finding has no place. `article` names the article of the regulations, where one is due.
    """

    severity: Severity
    code: str
    message: str
    line: int | None = None
    column: int | None = None
    end_column: int | None = None
    article: str = ""

    @property
    def said(self) -> str:
        """The finding as one line with its place."""
        place = f"Line {self.line}" if self.line else ""
        place += f", column {self.column}" if self.line and self.column else ""
        article = f" (article {self.article})" if self.article else ""
        return f"{place + ': ' if place else ''}{self.message}{article}"

    def as_dict(self) -> dict[str, str | int | None]:
        """The finding as `manage.py read` prints it."""
        return {
            "severity": self.severity.value,
            "code": self.code,
            "line": self.line,
            "column": self.column,
            "message": self.message,
        }


def listed_rounds(numbers: Sequence[int]) -> str:
    """Rounds in a message: `round 3`, `rounds 1, 2, 7`."""
    return f"round{'s' if len(numbers) > 1 else ''} {listed([str(number) for number in numbers])}"


def listed(names: Sequence[str], most: int = 5) -> str:
    """Names in a message, the first few of many: `A, B, C, D, E and 7 more`."""
    shown = ", ".join(names[:most])
    return f"{shown} and {len(names) - most} more" if len(names) > most else shown
