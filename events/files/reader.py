"""Reading a tournament file, whatever it is: recognised by its content, never by its name, and never an exception. Pure."""

from collections.abc import Callable

from events.files.codes import Code
from events.files.collector import Report
from events.files.csv.reader import read_csv
from events.files.csv.table import is_csv
from events.files.detect import describe_signature, describe_text, is_markup, wrong_format
from events.files.text import Text, read_text
from events.files.trf.lines import is_trf
from events.files.trf.reader import read_trf
from events.files.tunx import MAGIC, read_tunx
from events.rules.findings import Finding
from events.rules.limits import MAX_BYTES, MAX_LINES
from events.rules.tournament import Tournament

UNKNOWN = "unknown"  # format and encoding of what cannot be read


def read(content: bytes, filename: str = "", fallback_encoding: str = "cp1252") -> Tournament:
    """The tournament that the bytes of a file hold, with everything that was found on the way.

    TRF16, TRF26, TUNX and a CSV of results are read. Anything else gives a tournament without players and an error that
    says what the file seems to be. `filename` is for the messages only; `fallback_encoding` is for text that is not UTF-8.
    """
    report = Report()
    parse = _recognised(content, filename, fallback_encoding, report)
    return parse() if parse else _nothing(report)


def refusal(content: bytes, filename: str = "") -> str:
    """Why bytes are no tournament file, and what to send instead; empty when they can be read. Nothing is parsed."""
    report = Report()
    return "" if _recognised(content, filename, "cp1252", report) else report.findings()[0].message


def _recognised(
    content: bytes, filename: str, fallback_encoding: str, report: Report
) -> Callable[[], Tournament] | None:
    """What reads the bytes; None, and an error in the report, when they are no tournament file."""
    called = f"{filename!r}" if filename else "The file"
    if not content.strip(b"\0 \t\r\n\x1a\xef\xbb\xbf\xfe\xff"):
        report.add(Code.EMPTY_FILE, f"{called} is empty. Export it again and look whether it has a size.")
        return None
    if len(content) > MAX_BYTES:
        report.add(
            Code.FILE_TOO_LARGE,
            f"{called} has more than {MAX_BYTES} bytes, which no tournament needs. Send the tournament file alone.",
        )
        return None
    if content.startswith(MAGIC):
        return lambda: read_tunx(content, report)
    if description := describe_signature(content):
        report.add(Code.WRONG_FORMAT, wrong_format(description))
        return None
    return _recognised_lines(read_text(content, fallback_encoding), called, report)


def unreadable(reason: str) -> Tournament:
    """The tournament of a file that could not be opened, with the reason as its finding."""
    report = Report()
    report.add(Code.UNREADABLE_FILE, f"The file cannot be opened: {reason}.")
    return _nothing(report)


def _recognised_lines(text: Text, called: str, report: Report) -> Callable[[], Tournament] | None:
    if len(text.lines) > MAX_LINES:
        report.add(
            Code.TOO_MANY_LINES,
            f"{called} has {len(text.lines)} lines, a tournament file at most {MAX_LINES}. Send the tournament alone.",
            MAX_LINES + 1,
        )
        return None
    if not is_markup(text.lines):
        if is_trf(text):
            return lambda: read_trf(text, report)
        if is_csv(text):
            return lambda: read_csv(text, report)
    report.add(Code.WRONG_FORMAT, wrong_format(describe_text(text.lines)))
    return None


def _nothing(report: Report) -> Tournament:
    findings: tuple[Finding, ...] = report.findings()
    return Tournament(format=UNKNOWN, encoding=UNKNOWN, findings=findings)


Findings = list[dict[str, str | int | None]]


def summary(filename: str, tournament: Tournament) -> dict[str, str | int | Findings]:
    """File, format, encoding, name, figures and findings. `forfeits` and `byes` count player-rounds."""
    return {
        "file": filename,
        "format": tournament.format,
        "encoding": tournament.encoding,
        "name": tournament.name,
        "players": len(tournament.entrants),
        "rounds": tournament.rounds,
        "played_games": tournament.played_games,
        "forfeits": tournament.forfeit_slots,
        "byes": tournament.bye_slots,
        "findings": [finding.as_dict() for finding in tournament.findings],
    }
