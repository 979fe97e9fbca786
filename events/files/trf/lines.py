"""Sorts the lines of a TRF by tag. Pure.

Sources: FIDE TRF16 (2015), TRF26 (FIDE Council, 12 May 2025), JaVaFo's TRF(x), bbpPairings' TRF(bx).
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from events.files.checks import plain_line
from events.files.codes import Code
from events.files.collector import Report, quoted
from events.files.text import Text
from events.files.trf.columns import looks_like_player
from events.rules.federations import FEDERATIONS
from events.rules.limits import MOST_RECORDS

PLAYER_TAG = "001"
# Free text from column 5 on; more blanks or tabs before it are accepted.
TEXT_TAGS = frozenset(
    {"012", "022", "032", "042", "052", "062", "072", "082", "092", "102", "112", "122", "142", "192", "222"}
)
COLUMN_TAGS = frozenset({"013", "132", "310"})
# Records that the bureau does not use; they are stored unchanged.
KEPT_TAGS = frozenset({"152", "162", "172", "182", "202", "212", "352", "362"}) | frozenset(
    {"240", "250", "260", "299", "300", "320", "330", "801", "802", "DAT"}
)
_EXTENSIONS = {"XX": frozenset("RCZSAPYBMTGK"), "BB": frozenset("WDLZFU")}
_ONLY_26 = frozenset({"142", "152", "162", "172", "182", "192", "202", "212", "222", "310", "300", "320", "330"}) | (
    frozenset({"240", "250", "260", "299", "352", "362", "801", "802"})
)
_DRAFT = "TRF 2025 sample"


@dataclass(frozen=True, slots=True)
class TrfLine:
    """A line of the file with its number, 1-based."""

    number: int
    text: str


@dataclass(slots=True)
class Records:
    """The lines of a TRF by tag, in order. `national`: lines tagged with a federation (NRS); `extra`: unused lines."""

    by_tag: dict[str, list[TrfLine]] = field(default_factory=dict)
    national: list[TrfLine] = field(default_factory=list)
    extra: list[str] = field(default_factory=list)
    draft: bool = False

    def of(self, tag: str) -> list[TrfLine]:
        """Return the lines with a tag, in order."""
        return self.by_tag.get(tag, [])

    @property
    def format(self) -> str:
        """TRF25 for FIDE's draft, TRF26 if the file has a record that only TRF26 knows, else TRF16."""
        if self.draft:
            return "TRF25"
        return "TRF26" if self.national or not _ONLY_26.isdisjoint(self.by_tag) else "TRF16"


def is_trf(text: Text) -> bool:
    """Return whether a text has a player or a tournament record."""
    tags = TEXT_TAGS | {PLAYER_TAG, "132"}
    return any(line[:3] in tags and line[3:4] in " \t" for line in text.lines)


def sort_lines(text: Text, report: Report) -> Records:
    """Return the lines by tag, without blank ones; unknown lines are reported and stored in `extra`."""
    records = Records()
    adapted = False
    for line in _clean(text.lines, report):
        if line.text.startswith("###"):
            records.draft |= _DRAFT in line.text
            adapted |= "TRF26" in line.text
            records.extra.append(line.text)
        elif tag := _tag(line, report):
            _file(records, tag, line, report)
        elif looks_like_player(line.text):
            message = (
                f"The line has the form of a player’s, but begins with {line.text[:3]} instead of 001. Correct it."
            )
            report.add(Code.MISTYPED_PLAYER_LINE, message, line.number, 1, 3)
            records.extra.append(line.text)
        else:
            message = (
                f"The line begins with {quoted(line.text[:3])}, no record that is known here; it is kept as a comment."
            )
            report.add(Code.UNKNOWN_LINE, message, line.number, 1)
            records.extra.append(line.text)
    records.draft &= not adapted
    if records.draft:  # what is written from it is TRF26, and must not call itself the draft
        records.extra = [line for line in records.extra if not (line.startswith("###") and _DRAFT in line)]
    return records


def _file(records: Records, tag: str, line: TrfLine, report: Report) -> None:
    if tag in FEDERATIONS:
        records.national.append(_untabbed(line, report, columns=True))
        return
    columns = tag == PLAYER_TAG or tag in COLUMN_TAGS
    lines = records.by_tag.setdefault(tag, [])
    if len(lines) == MOST_RECORDS and tag in TEXT_TAGS | COLUMN_TAGS:
        message = (
            f"Record {tag} stands more than {MOST_RECORDS} times, which no tournament needs; the rest is not read."
        )
        report.add(Code.TOO_MANY_RECORDS, message, line.number, 1, 3)
        return
    lines.append(_untabbed(line, report, columns) if tag not in KEPT_TAGS else line)
    if tag in KEPT_TAGS or (tag[:2] in _EXTENSIONS and tag != "XXR"):
        records.extra.append(line.text)
        if "\t" in line.text:
            _untabbed(line, report, columns=False)


def _clean(lines: list[str], report: Report) -> Iterator[TrfLine]:
    for number, line in enumerate(lines, 1):
        text = plain_line(number, line, report)
        if text and not text.isspace():
            yield TrfLine(number, text)


def _untabbed(line: TrfLine, report: Report, columns: bool) -> TrfLine:
    text = line.text.rstrip()
    if "\t" not in line.text:
        return line
    column = line.text.index("\t") + 1
    if columns and "\t" in text:
        message = (
            "The line has a tab where columns are counted, so its fields cannot be told apart. Export the file again "
            "and do not open it in an editor that turns blanks into tabs."
        )
        report.add(Code.TAB_IN_COLUMNS, message, line.number, column)
        return line
    report.add(Code.TAB, "The line has a tab; it is read as a blank.", line.number, column)
    return TrfLine(line.number, text.replace("\t", " "))


def _tag(line: TrfLine, report: Report) -> str:
    text = line.text
    tag = text[:3]
    if tag == PLAYER_TAG and text[3:8].isdecimal():
        return tag  # a start number of five figures
    if text[3:4] in ("", " ", "\t") and _is_known(tag, text):
        return tag
    indented = text.lstrip()
    if text[0] in " \t" and indented[:3] in TEXT_TAGS and indented[3:4] in (" ", "\t"):
        report.add(Code.INDENTED_RECORD, f"Record {indented[:3]} is indented; it is read.", line.number, 1)
        return indented[:3]
    return ""


def _is_known(tag: str, text: str) -> bool:
    if tag == PLAYER_TAG or tag in TEXT_TAGS or tag in COLUMN_TAGS or tag in KEPT_TAGS:
        return True
    if tag in FEDERATIONS:
        return text[4:8].strip().isdecimal()
    return tag[2:] in _EXTENSIONS.get(tag[:2], frozenset())


def content_of(line: TrfLine) -> str:
    """Return the text of a record from column 5 on, stripped."""
    return line.text.lstrip()[3:].strip()
