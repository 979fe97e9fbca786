"""Reads record 001 of a TRF: a player's line by its columns. Pure.

Columns are characters, 1-based and inclusive (FIDE TRF16, TRF26, record 001).
"""

from dataclasses import dataclass, field

from events.files.codes import Code
from events.files.collector import Report, Silent, quoted
from events.files.trf import player_fields
from events.files.trf.cells import TrfCell, read_rounds
from events.files.trf.columns import misplaced_columns, shift_hint
from events.files.trf.lines import TrfLine
from events.rules.limits import MAX_PLAYERS
from events.rules.tournament import Entrant

_NAME_GUARDS = frozenset({14, 48})


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """A 001 line: its number in the file, the player, and the rounds by number. `whole` is False if its columns cannot be
    read."""

    line: int
    entrant: Entrant
    cells: dict[int, TrfCell] = field(default_factory=dict)
    rounds: int = 0
    whole: bool = True


def read_player(line: TrfLine, utf8: bool, kept: dict[str, TrfCell], report: Report) -> PlayerLine | None:
    """Return a player's line; None without a start number. `utf8`: columns may have been counted in bytes of UTF-8; `kept`:
    cells of the lines before (`read_rounds`)."""
    if "\t" in line.text:
        number = line.text[4:8].strip()
        name = line.text[14:47].split("\t")[0].strip()
        if not number.isdecimal() or not 1 <= int(number) <= MAX_PLAYERS:
            return None
        return PlayerLine(line.number, Entrant(int(number), name, name, "", line=line.number), whole=False)
    number_read = _start_number(line, report)
    if number_read is None:
        return None
    text, in_bytes, whole = _aligned(line, utf8, report)
    row = _Row(text, in_bytes, line.number, report if whole else Silent())
    cells, rounds = read_rounds(text, line.number, kept, report) if whole else ({}, 0)
    return PlayerLine(line.number, row.entrant(number_read), cells, rounds, whole)


def _start_number(line: TrfLine, report: Report) -> int | None:
    text = line.text
    number = text[4:8].strip()
    if (text[3:4] + text[8:9]).strip() and text[3:9].strip().isdecimal():
        message = (
            f"The start number {text[3:9].strip()} has more than four figures; 1 to 9999 fit in columns 5-8. "
            "Split the tournament."
        )
        report.add(Code.BAD_START_NUMBER, message, line.number, 4, 9)
        return None
    if not number.isdecimal() or not number.isascii() or int(number) == 0:
        message = f"Columns 5-8 hold {quoted(number)}, a start number from 1 to 9999 was expected."
        report.add(Code.BAD_START_NUMBER, message, line.number, 5, 8)
        return None
    return int(number)


def _aligned(line: TrfLine, utf8: bool, report: Report) -> tuple[str, bool, bool]:
    """Return the line to cut into fields, whether a column is a byte, and whether the columns can be read."""
    text = line.text
    wrong = misplaced_columns(text)
    if not wrong:
        return text, False, True
    if utf8 and not text.isascii():
        in_bytes = text.encode().decode("latin-1")
        if not misplaced_columns(in_bytes):
            message = "The columns after the name were counted in bytes, not in characters; the line is read so."
            report.add(Code.BYTE_COLUMNS, message, line.number, 15)
            return in_bytes, True, True
    if wrong == [80] and _late_birth_date(text):
        message = "The birth date stands one column to the right of columns 70-79; it is read."
        report.add(Code.BIRTH_DATE_FORMAT, message, line.number, 70, 80)
        return text, False, True
    if set(wrong) <= _NAME_GUARDS:
        message = "The name leaves its columns 15-47 by one; the line is read, as all else stands right."
        report.add(Code.NAME_BEYOND_COLUMNS, message, line.number, wrong[0])
        return text, False, True
    message = (
        f"Column {wrong[0]} must be blank, found {quoted(text[wrong[0] - 1])}: the fields of this line do not stand in their "
        f"columns.{shift_hint(text)} Correct the line or export the file again."
    )
    report.add(Code.MISALIGNED_LINE, message, line.number, wrong[0])
    return text, False, False


def _late_birth_date(text: str) -> bool:
    return text[69:70] == " " and text[70:80].strip("0123456789/.-") == "" and not text[80:81].strip()


@dataclass(frozen=True, slots=True)
class _Row:
    """The fields of a line by column."""

    text: str
    in_bytes: bool
    line: int
    report: Report

    def cut(self, first: int, last: int) -> str:
        part = self.text[first - 1 : last].strip()
        return part.encode("latin-1").decode(errors="replace") if self.in_bytes else part

    def entrant(self, number: int) -> Entrant:
        name = self.cut(14, 48)
        last, comma, first = name.partition(",")
        if name and not comma:
            message = f"{quoted(name)} has no comma between last and first name; all of it is taken as the last name."
            self.report.add(Code.NAME_WITHOUT_COMMA, message, self.line, 15, 47)
        fide_id, national_id = player_fields.identifier_of(self.cut(58, 68), self.line, self.report)
        birth = player_fields.birth_of(self.cut(70, 80), self.line, self.report)
        rank = self.cut(86, 89)
        if not rank.strip("0") or not rank.isdecimal():
            self.report.add(Code.MISSING_RANK, f"Player {number} has no rank in columns 86-89.", self.line, 86, 89)
        return Entrant(
            number=number,
            name=name,
            last_name=last.strip(),
            first_name=first.strip(),
            sex=player_fields.sex_of(self.cut(10, 10), self.line, self.report),
            title=player_fields.title_of(self.cut(11, 13), self.line, self.report),
            rating=player_fields.rating_of(self.cut(49, 52), self.line, self.report),
            federation=player_fields.federation_of(self.cut(54, 56), self.line, self.report),
            fide_id=fide_id,
            national_id=national_id,
            birth_year=birth.year,
            birth_date=birth.day,
            points=player_fields.points_of(self.cut(81, 84), self.line, self.report),
            rank=(int(rank) or None) if rank.isdecimal() else None,
            line=self.line,
        )
