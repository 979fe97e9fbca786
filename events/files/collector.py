"""The findings of one reading, kept short: many findings of a kind become one with a count. Pure."""

from events.files.codes import SEVERITIES, Code
from events.rules.findings import Finding, Severity

SHOWN = 20  # errors and holds of one kind that a report gives one by one


_QUOTED = 60  # characters of the file that a message repeats at the most


def quoted(text: str) -> str:
    """A piece of the file as a message shows it, cut when it is long."""
    return repr(text) if len(text) <= _QUOTED else f"{text[:_QUOTED]!r}…"


class Report:
    """Collects findings. A note is given once with the number of its kind, an error or a hold up to `SHOWN` times."""

    def __init__(self) -> None:
        self._shown: dict[Code, list[Finding]] = {}
        self._counts: dict[Code, int] = {}

    def add(
        self,
        code: Code,
        message: str,
        line: int | None = None,
        column: int | None = None,
        end_column: int | None = None,
    ) -> None:
        """Record a finding: its message and its place, 1-based, `end_column` inclusive."""
        self._counts[code] = self._counts.get(code, 0) + 1
        shown = self._shown.setdefault(code, [])
        severity = SEVERITIES[code]
        if len(shown) < (1 if severity is Severity.NOTE else SHOWN):
            shown.append(Finding(severity, code.value, message, line, column, end_column))

    @property
    def errors(self) -> int:
        """How many errors have been recorded so far."""
        return sum(count for code, count in self._counts.items() if SEVERITIES[code] is Severity.ERROR)

    def findings(self) -> tuple[Finding, ...]:
        """Errors first, then holds, then notes; within these by place in the file."""
        found = [finding for code in self._shown for finding in self._counted(code)]
        order = list(Severity)
        found.sort(key=lambda finding: (order.index(finding.severity), finding.line or 0, finding.column or 0))
        return tuple(found)

    def _counted(self, code: Code) -> list[Finding]:
        shown, count = self._shown[code], self._counts[code]
        if count == len(shown):
            return shown
        last = shown[-1]
        if last.severity is Severity.NOTE:
            text = f"{last.message} Found {count} times; this is the first."
        else:
            text = f"{last.message} {count - len(shown)} more of this kind follow and are not listed."
        counted = Finding(last.severity, last.code, text, last.line, last.column, last.end_column)
        return [*shown[:-1], counted]
