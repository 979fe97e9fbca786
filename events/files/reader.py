"""Reads a tournament file of any known format, recognised by content and not by name, without exceptions. Pure."""

from collections.abc import Callable, Iterable, Iterator

from config.lib.names import shown, unseen
from events.files.checks import within_limits
from events.files.codes import Code
from events.files.collector import Report, quoted
from events.files.csv.reader import read_csv
from events.files.csv.table import is_csv
from events.files.other_formats import describe_signature, describe_text, is_markup, wrong_format
from events.files.swissperfect.archive import is_swissperfect, open_archive
from events.files.swissperfect.reader import read_swissperfect
from events.files.text import Text, read_text
from events.files.trf.lines import is_trf
from events.files.trf.reader import read_trf
from events.files.tunx import MAGIC, read_tunx
from events.rules.findings import Finding, Severity, listed
from events.rules.limits import MAX_BYTES, MAX_LINES
from events.rules.tournament import Tournament

WITHOUT_LINES = frozenset({"TUNX", "SwissPerfect"})  # formats that are not text
UNKNOWN = "unknown"  # format and encoding of an unreadable file


def read(content: bytes, filename: str = "", fallback_encoding: str = "cp1252") -> Tournament:
    """Return the tournament in a file with its findings. Never raises.

    TRF16, TRF26, TUNX, SwissPerfect's zip and CSV of results are read. Any other file gives a tournament without players
    and an error that says what the file seems to be. `filename` is for messages only; `fallback_encoding` is for text that
    is not UTF-8.
    """
    report = Report()
    parse = _choose_parser(content, filename, fallback_encoding, report)
    return within_limits(parse(), report) if parse else _nothing(report)


def refusal(content: bytes, filename: str = "") -> str:
    """Return why bytes are not a tournament file and what to send instead; "" if they seem to be one. Parses nothing."""
    report = Report()
    return "" if _choose_parser(content, filename, "cp1252", report) else report.findings()[0].message


def _choose_parser(
    content: bytes, filename: str, fallback_encoding: str, report: Report
) -> Callable[[], Tournament] | None:
    """Return the parser of the bytes; None, with an error in the report, if they are not a tournament file."""
    called = quoted(filename) if filename else "The file"
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
    if is_swissperfect(content):
        archive = open_archive(content, report)
        return (lambda: read_swissperfect(archive, fallback_encoding, report)) if archive else None
    if description := describe_signature(content):
        report.add(Code.WRONG_FORMAT, wrong_format(description))
        return None
    return _choose_text_parser(read_text(content, fallback_encoding), called, report)


def unreadable(reason: str) -> Tournament:
    """Return an empty tournament for a file that could not be opened, with the reason as its finding."""
    report = Report()
    report.add(Code.UNREADABLE_FILE, f"The file cannot be opened: {reason}.")
    return _nothing(report)


def _choose_text_parser(text: Text, called: str, report: Report) -> Callable[[], Tournament] | None:
    if len(text.lines) > MAX_LINES:
        message = f"{called} has more than {MAX_LINES} lines, which no tournament needs. Send the tournament alone."
        report.add(Code.TOO_MANY_LINES, message, MAX_LINES + 1)
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
    """Return file name, format, encoding, counts and findings for JSON. `forfeits` and `byes` count player-rounds."""
    return {
        "file": shown(filename),
        "format": tournament.format,
        "encoding": tournament.encoding,
        "name": shown(tournament.name),
        "players": len(tournament.entrants),
        "rounds": tournament.rounds,
        "played_games": tournament.played_games,
        "forfeits": tournament.forfeit_slots,
        "byes": tournament.bye_slots,
        "findings": [
            finding.as_dict()
            for finding in (
                *tournament.findings,
                *texts_left_out(tournament, [entrant.name for entrant in tournament.entrants]),
            )
        ],
    }


def texts_left_out(tournament: Tournament, names: Iterable[str]) -> Iterator[Finding]:
    """Yield a note on the texts of a file that are kept without the characters in them that cannot be seen.

    `names`: those of the players whom it is about.
    """
    arbiters = (tournament.chief_arbiter, *tournament.deputy_arbiters)
    teams = (team.name for team in tournament.teams)
    texts = (tournament.name, tournament.city, *arbiters, *teams, *tournament.tie_breaks, *names)
    if found := [shown(text) for text in texts if unseen(text)]:
        message = f"Kept without the characters that cannot be seen: {listed(found)}."
        yield Finding(Severity.NOTE, "unseen-left-out", message)
