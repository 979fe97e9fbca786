"""Collects the findings of one reading; many findings of a kind become one with a count. Pure."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from events.rules.findings import Finding, Severity

MOST_ERRORS = 10_000  # of a reading
MAX_LISTED = 20  # errors, and holds, of one kind that a report lists singly
_MAX_QUOTED = 60  # characters of the file in a message


class Kind(Protocol):
    """A kind of finding: `Code` for tournament files and lists of players, and other readers' own."""

    @property
    def value(self) -> str:
        """Its stable name."""

    @property
    def severity(self) -> Severity:
        """How far it holds things up."""


def quoted(text: str) -> str:
    """Return text of the file in quotes for a message, cut if it is long. Characters that cannot be printed are escaped."""
    return f"“{quotable(text)}”"


def quotable(text: str) -> str:
    """Return text of the file as `quoted` does, without the quotes."""
    shown = text[:_MAX_QUOTED]
    if not shown.isprintable():
        shown = "".join(char if char.isprintable() else repr(char)[1:-1] for char in shown)
    return f"{shown}{'…' if len(text) > _MAX_QUOTED else ''}"


def _most_listed(code: Kind) -> int:
    return 1 if code.severity is Severity.NOTE else MAX_LISTED


class Report:
    """Collects findings. Of each code it lists one note, or up to MAX_LISTED errors or holds, and counts the rest."""

    def __init__(self) -> None:
        self.headings: Sequence[str] = ()  # of the columns, in a table whose places are line and column
        self.errors = 0  # so far
        self._listed: dict[Kind, list[Finding]] = {}
        self._counts: dict[Kind, int] = {}

    def add(
        self,
        code: Kind,
        message: str,
        line: int | None = None,
        column: int | None = None,
        end_column: int | None = None,
    ) -> None:
        """Add a finding with its message and its place in the file, 1-based, `end_column` inclusive."""
        if not self.counts(code):
            heading = self.headings[column - 1] if column and column <= len(self.headings) else ""
            self.take(
                code, Finding(code.severity, code.value, message, line, column, end_column, heading=quotable(heading))
            )

    def take(self, code: Kind, finding: Finding) -> None:
        """Add a finding that is made already."""
        if not self.counts(code):
            self._counts[code] = self._counts.get(code, 0) + 1
            if code.severity is Severity.ERROR:
                self.errors += 1
            self._listed.setdefault(code, []).append(finding)

    @property
    def is_full(self) -> bool:
        """Whether there are so many errors that what is read is not read on: none of it is taken."""
        return self.errors >= MOST_ERRORS

    def counts(self, code: Kind) -> bool:
        """Count a further finding of a kind of which no more are listed, and return True: it needs no message. Return False if
        it is to be added. For what a list of 50,000 lines may have on each."""
        count = self._counts.get(code, 0)
        if count < _most_listed(code):
            return False
        self._counts[code] = count + 1
        if code.severity is Severity.ERROR:
            self.errors += 1
        return True

    def findings(self) -> tuple[Finding, ...]:
        """Return errors, then holds, then notes; each by place in the file."""
        findings = [finding for code in self._listed for finding in self._counted(code)]
        order = list(Severity)
        findings.sort(key=lambda finding: (order.index(finding.severity), finding.line or 0, finding.column or 0))
        return tuple(findings)

    def _counted(self, code: Kind) -> list[Finding]:
        listed, count = self._listed[code], self._counts[code]
        if count == len(listed):
            return listed
        last = listed[-1]
        if last.severity is Severity.NOTE:
            text = f"{last.message} Found {count} times; this is the first."
        else:
            text = f"{last.message} {count - len(listed)} more of this kind follow and are not listed."
        return [*listed[:-1], replace(last, message=text)]


class Silent(Report):
    """Collects nothing: for a reading whose findings would all have one cause, which is reported already."""

    def counts(self, code: Kind) -> bool:
        """Return True: no finding is added, and none needs a message."""
        return True
