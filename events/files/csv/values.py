"""Reads the cells of a CSV of results: ids, birth dates, ratings, rounds, results. Pure.

Spreadsheets spoil cells: they drop leading zeros of ids, write long numbers as 1.8E+08, turn 1/2 into a date and leave
formulas. Each such cell is a finding; an id is never guessed, since it could be another person's.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta

from config.lib.spreadsheets import text_of_cell
from events.files.codes import Code
from events.files.collector import Report, quotable, quoted
from events.files.csv.table import CsvRow
from events.files.dates import Birth, read_birth, read_date, stand_in_message
from events.files.day_order import DayOrder
from events.files.trf.player_fields import PLAYER_TITLES
from events.rules.federations import FEDERATIONS, PLACEHOLDERS
from events.rules.findings import Severity
from events.rules.game_result import Result
from events.rules.limits import MAX_PLAYERS, MAX_ROUNDS
from players.identity import CHESS_SA_DIGITS, FIRST_FIDE_ID

_LONGEST_FIDE_ID = 10
_BLANK = frozenset({"", "-", "0", "n/a"})
_UNKNOWN_BIRTH = Birth()
_ROUND = re.compile(r"(?:round|rd|r|ronde)?[ .]*([0-9]{1,5})(?:[.,]0+)?", re.IGNORECASE)
_START_NUMBER, _RATING = re.compile(r"([0-9]{1,4})(?:[.,]0*)?"), re.compile(r"([0-9]{1,4})(?:[.,]0+)?")
_TWO_SCORES = re.compile(r"(?:[0-9]+|1/2)-(?:[0-9]+|1/2)")
_SEXES = dict.fromkeys(("m", "male", "man", "boy", "manlik", "seun"), "M") | dict.fromkeys(
    ("f", "w", "v", "female", "woman", "girl", "vroulik", "vrou", "dogter", "meisie"), "F"
)
_YES, _NO = frozenset({"", "yes", "y", "true", "1"}), frozenset({"no", "n", "false", "0"})
_FORMULA = re.compile(
    r"=\s*[A-Za-z$(@]|@\s*[A-Za-z]|[+-]\s*\$?[A-Za-z]{1,3}\$?\d|[+-]\s*[A-Za-z]+\(|#[A-Za-z/0]+[!?]|#N/A"
)
_SPECIAL = "=@+-#'"  # with which a cell begins that is a formula or an error, or is kept as text
_KEPT_AS_TEXT = re.compile(r'="([^"]*)"')
_BESIDE_AN_ID = re.compile(r"\s|^'|[.,]0+$")
_POWER = re.compile(r"[+-]?\d+(?:[.,]\d+)?[eE][+-]?\d+")
_MONTHS = "jan feb mar apr may mei jun jul aug sep oct okt nov dec des"
_DATE_LIKE = re.compile(
    rf"\d{{1,4}}[-/. ](?:{_MONTHS.replace(' ', '|')}|\d{{1,2}}[-/. ]\d{{2,4}})|4\d{{4}}", re.IGNORECASE
)

_DAY_NUMBER = re.compile(r"[1-4]\d{4}(?:\.0+)?")  # from 1927 to 2036
_FIRST_DAY = date(1899, 12, 30)  # number 0 of spreadsheets

_DASHES = str.maketrans({**dict.fromkeys("–—−‐‑:", "-"), "½": "1/2"})
_RESULTS: dict[str, Result] = {
    "1-0": Result.WHITE_WINS,
    "1/0": Result.WHITE_WINS,
    "0-1": Result.BLACK_WINS,
    "0/1": Result.BLACK_WINS,
    "1/2-1/2": Result.DRAW,
    "1/2": Result.DRAW,
    "=-=": Result.DRAW,
    "=": Result.DRAW,
    "draw": Result.DRAW,
    "0-0": Result.BOTH_LOSE,
    "1/2-0": Result.WHITE_HALF,
    "0-1/2": Result.BLACK_HALF,
    "+--": Result.FORFEIT_WHITE_WINS,
    "+-": Result.FORFEIT_WHITE_WINS,
    "+/-": Result.FORFEIT_WHITE_WINS,
    "--+": Result.FORFEIT_BLACK_WINS,
    "-+": Result.FORFEIT_BLACK_WINS,
    "-/+": Result.FORFEIT_BLACK_WINS,
    "---": Result.FORFEIT_BOTH_LOSE,
    "-/-": Result.FORFEIT_BOTH_LOSE,
    "bye": Result.PAIRING_BYE,
    "pab": Result.PAIRING_BYE,
    "u": Result.PAIRING_BYE,
    "f": Result.FULL_BYE,
    "h": Result.HALF_BYE,
    "z": Result.ZERO_BYE,
    **{result.value: result for result in Result},
}
_FORFEITED = {
    Result.WHITE_WINS: Result.FORFEIT_WHITE_WINS,
    Result.BLACK_WINS: Result.FORFEIT_BLACK_WINS,
    Result.BOTH_LOSE: Result.FORFEIT_BOTH_LOSE,
}
_FORFEIT_MARK = re.compile(r"\(?(?:forfeit|ff|f|wo|w/o)\)?")
# Scores of White only.
_LONE = {"1": Result.WHITE_WINS, "0": Result.BLACK_WINS, "+": Result.FORFEIT_WHITE_WINS}
_UNFINISHED = frozenset({"", "*", "adjourned", "postponed"})


def looks_like_date(text: str) -> bool:
    """Return whether a spreadsheet may have made a date of what stood there."""
    return _DATE_LIKE.match(text) is not None


def text_of(row: CsvRow, name: str, report: Report) -> str:
    """Return a cell's text; "" with a finding if it is a formula or a spreadsheet's error."""
    value = row.value(name)
    text = text_in(value)
    if text is None and not report.counts(Code.FORMULA_CELL):
        message = f"The cell {quoted(value)} is a spreadsheet’s formula or error, not a value. Enter the value itself."
        report.add(Code.FORMULA_CELL, message, *row.place(name))
    return text or ""


def text_in(value: str) -> str | None:
    """Return the text of what stands in a cell; None of a formula or a spreadsheet's error."""
    if not value or value[0] not in _SPECIAL:
        return value
    if quoted_text := _KEPT_AS_TEXT.fullmatch(value):
        return quoted_text[1].strip()
    return None if _FORMULA.match(value) else text_of_cell(value)


def round_of(row: CsvRow, report: Report) -> int | None:
    """Return the number of the round, 1 to MAX_ROUNDS; None with a finding."""
    text = text_of(row, "round", report)
    match = _ROUND.fullmatch(text)
    number = int(match[1]) if match else 0
    if not text and row.value("round"):
        return None
    if not number:
        if not report.counts(Code.BAD_ROUND):
            message = f"The round {quoted(text)} is no number from 1 on. Enter the number of the round."
            report.add(Code.BAD_ROUND, message, *row.place("round"))
        return None
    if number > MAX_ROUNDS:
        if not report.counts(Code.TOO_MANY_ROUNDS):
            message = f"Round {number}: a file may have {MAX_ROUNDS} rounds. Correct the number."
            report.add(Code.TOO_MANY_ROUNDS, message, *row.place("round"))
        return None
    return number


def start_number_of(row: CsvRow, name: str, text: str, report: Report) -> int | None:
    """Return a start number, 1 to MAX_PLAYERS; None if it is blank, or with a finding."""
    if text in _BLANK:
        return None
    match = _START_NUMBER.fullmatch(text)
    if not match or not 1 <= int(match[1]) <= MAX_PLAYERS:
        if not report.counts(Code.BAD_START_NUMBER):
            message = f"The start number {quoted(text)} is no number from 1 to {MAX_PLAYERS}."
            report.add(Code.BAD_START_NUMBER, message, *row.place(name))
        return None
    return int(match[1])


def identifier_of(row: CsvRow, name: str, kind: str, text: str, report: Report) -> tuple[str, str]:
    """Return (Chess SA id, FIDE id) of a cell, one of them "". `kind`: `national_id`, `fide_id`, or `id`, by length."""
    plain = text if text.isalnum() else _BESIDE_AN_ID.sub("", text)
    if not plain or plain.casefold() in _BLANK:
        return "", ""
    if _POWER.fullmatch(plain):
        if not report.counts(Code.SPOILED_NUMBER):
            message = (
                f"A spreadsheet has turned an id into {quoted(text)} and may have lost its last figures. Make the column text"
                " and enter the ids again."
            )
            report.add(Code.SPOILED_NUMBER, message, *row.place(name))
        return "", ""
    if not (plain.isascii() and plain.isdecimal()):
        if not report.counts(Code.BAD_ID):
            message = f"{quoted(text)} is no id: {CHESS_SA_DIGITS} figures (Chess SA) or a FIDE number were expected."
            report.add(Code.BAD_ID, message, *row.place(name))
        return "", ""
    if plain != text and not report.counts(Code.ID_SPELLING):
        report.add(Code.ID_SPELLING, f"The id {quoted(text)} is read as {quotable(plain)}.", *row.place(name))
    if len(plain) == CHESS_SA_DIGITS and kind != "fide_id":
        return plain, ""
    if kind == "national_id" and len(plain) < CHESS_SA_DIGITS:
        if not report.counts(Code.ID_WITHOUT_ZEROS):
            message = (
                f"The Chess SA id {plain} has {len(plain)} figures instead of {CHESS_SA_DIGITS}: a spreadsheet drops zeros at"
                f" the front. It is read as {plain:0>{CHESS_SA_DIGITS}}; make the column text."
            )
            report.add(Code.ID_WITHOUT_ZEROS, message, *row.place(name))
        return f"{plain:0>{CHESS_SA_DIGITS}}", ""
    if kind != "national_id" and len(plain) <= _LONGEST_FIDE_ID and int(plain) >= FIRST_FIDE_ID:
        if kind == "id" and not report.counts(Code.ID_TAKEN_AS_FIDE):
            message = (
                f"The id {plain} has {len(plain)} figures and is taken as FIDE’s; Chess SA’s have {CHESS_SA_DIGITS}. If it is"
                " one that has lost a zero at its front, make the column text and enter it again."
            )
            report.add(Code.ID_TAKEN_AS_FIDE, message, *row.place(name))
        return "", str(int(plain))
    if not report.counts(Code.BAD_ID):
        message = (
            f"The id {quoted(plain)} has {len(plain)} figures: {CHESS_SA_DIGITS} (Chess SA) or a FIDE number from"
            f" {FIRST_FIDE_ID} on were expected. A spreadsheet drops zeros at the front: make the column text and enter the id"
            " again."
        )
        report.add(Code.BAD_ID, message, *row.place(name))
    return "", ""


def rating_of(row: CsvRow, name: str, report: Report) -> int | None:
    """Return a rating as a whole number; None for blank or 0 (unrated), or with a finding."""
    text = text_of(row, name, report)
    if text in _BLANK:
        return None
    match = _RATING.fullmatch(text)
    if match is None and not report.counts(Code.UNREADABLE_RATING):
        message = f"The rating {quoted(text)} is no whole number of four figures at the most; it is left out."
        report.add(Code.UNREADABLE_RATING, message, *row.place(name))
    return int(match[1]) or None if match else None


def birth_of(
    row: CsvRow,
    name: str,
    report: Report,
    *,
    spoiled: Code = Code.UNREADABLE_BIRTH_DATE,
    order: DayOrder | None = None,
) -> Birth:
    """Return a date or year of birth; an empty `Birth` if it is blank, or with a finding: `spoiled` where a spreadsheet
    has left no date. `order` tells whether the day or the month stands first; without it the day does."""
    text = text_of(row, name, report)
    birth = read_birth(text) if text else _UNKNOWN_BIRTH
    if birth is None:
        _report_birth(row, name, text, spoiled, report)
        return _UNKNOWN_BIRTH
    if birth.day and order is not None:
        meant = order.read(text, birth.day, row.place(name), report)
        if meant is None:
            return Birth()
        if meant != birth.day:
            birth = replace(birth, day=meant)
    if birth.stand_in and spoiled.severity is not Severity.ERROR:  # lists of players write it for every unknown one
        report.add(Code.UNKNOWN_BIRTH_DATE, stand_in_message(quoted(text)), *row.place(name))
    if birth.day and text != birth.day.isoformat() and not report.counts(Code.BIRTH_DATE_FORMAT):
        message = f"The birth date {quoted(text)} is read as {birth.day.isoformat()}; YYYY-MM-DD was expected."
        report.add(Code.BIRTH_DATE_FORMAT, message, *row.place(name))
    return birth


def _report_birth(row: CsvRow, name: str, text: str, spoiled: Code, report: Report) -> None:
    counts_days, too_narrow = bool(_DAY_NUMBER.fullmatch(text)), not text.strip("#")
    code = spoiled if counts_days or too_narrow else Code.UNREADABLE_BIRTH_DATE
    if report.counts(code):
        return
    left_out = "" if spoiled.severity is Severity.ERROR else "; it is left out"
    if counts_days:
        day = _FIRST_DAY + timedelta(days=int(text.partition(".")[0]))
        message = (
            f"{quoted(text)} is how a spreadsheet counts days, perhaps {day.isoformat()}{left_out}. Format the column"
            " of birth dates as YYYY-MM-DD and save the list again."
        )
    elif too_narrow:
        message = (
            f"{quoted(text)} is what a spreadsheet shows of a date in too narrow a column{left_out}. Widen the column of"
            " birth dates, format it as YYYY-MM-DD and save the list again."
        )
    else:
        message = f"The birth date {quoted(text)} cannot be read, YYYY-MM-DD or YYYY was expected; it is left out."
    report.add(code, message, *row.place(name))


def read_sex(text: str) -> str | None:
    """Return `M` or `F`, "" for a blank; None for what is neither."""
    return "" if text in _BLANK else _SEXES.get(text.casefold())


def sex_of(row: CsvRow, name: str, report: Report) -> str:
    """Return `M`, `F` or ""."""
    text = text_of(row, name, report)
    sex = read_sex(text)
    if sex is None and not report.counts(Code.SEX_SPELLING):
        report.add(Code.SEX_SPELLING, f"The sex {quoted(text)} is neither M nor F; it is left out.", *row.place(name))
    return sex or ""


def title_of(row: CsvRow, name: str, report: Report) -> str:
    """Return a FIDE title or ""."""
    text = text_of(row, name, report)
    if text in _BLANK or text.upper() in PLAYER_TITLES:
        return "" if text in _BLANK else text.upper()
    if not report.counts(Code.UNKNOWN_TITLE):
        report.add(Code.UNKNOWN_TITLE, f"The title {quoted(text)} is no FIDE title; it is left out.", *row.place(name))
    return ""


def federation_of(text: str, place: Callable[[], tuple[int, int | None, int | None]], report: Report) -> str:
    """Return a federation's code that FIDE knows, or "". `place`: what finds its place, which few need."""
    code = text.upper()
    if not code or code in FEDERATIONS or code in PLACEHOLDERS:
        return code
    if not report.counts(Code.UNKNOWN_FEDERATION):
        message = (
            f"{quoted(text)} is no federation that FIDE knows, a code of three letters was expected; it is left out."
        )
        report.add(Code.UNKNOWN_FEDERATION, message, *place())
    return ""


def day_of(text: str, place: tuple[int, int | None, int | None], report: Report) -> date | None:
    """Return a date or None, with a finding unless it is written YYYY-MM-DD."""
    if not text:
        return None
    read = read_date(text)
    if read is None:
        if not report.counts(Code.UNREADABLE_DATE):
            message = f"The date {quoted(text)} cannot be read, YYYY-MM-DD was expected; it is left out."
            report.add(Code.UNREADABLE_DATE, message, *place)
        return None
    if text != read.day.isoformat() and not report.counts(Code.DATE_FORMAT):
        message = f"The date {quoted(text)} is read as {read.day.isoformat()}; YYYY-MM-DD was expected."
        report.add(Code.DATE_FORMAT, message, *place)
    return read.day


def colour_known(row: CsvRow, report: Report) -> bool:
    """Return whether the colours are known: yes unless the cell says no."""
    text = text_of(row, "colour_known", report)
    if text.casefold() not in _YES | _NO and not report.counts(Code.UNKNOWN_COLOUR):
        message = f"{quoted(text)} does not say whether the colours are known: yes or no was expected. They are taken as known."
        report.add(Code.UNKNOWN_COLOUR, message, *row.place("colour_known"))
    return text.casefold() not in _NO


def is_lone(row: CsvRow) -> bool:
    """Return whether the result is a score of White only."""
    return row.value("result") in _LONE


def result_of(row: CsvRow, report: Report) -> tuple[Result | None, bool]:
    """Return the result, None for a game without one, and whether the cell could be read."""
    text = text_of(row, "result", report)
    if _FORMULA.match(row.value("result")) and not text:
        return None, False
    plain = _plain(text.removeprefix("'"))
    if plain in _UNFINISHED:
        return None, True
    if plain in _LONE:
        if not report.counts(Code.RESULT_SPELLING):
            message = f"The result {quoted(text)} is read from White’s side, as {_LONE[plain].value}."
            report.add(Code.RESULT_SPELLING, message, *row.place("result"))
        return _LONE[plain], True
    if plain in _RESULTS:
        return _RESULTS[plain], True
    played = _FORFEITED.get(_RESULTS.get(_FORFEIT_MARK.sub("", plain), Result.DRAW))
    if played is not None and _FORFEIT_MARK.search(plain):
        return played, True
    if _TWO_SCORES.fullmatch(plain):
        if not report.counts(Code.ILLEGAL_RESULT_PAIR):
            message = (
                f"The result {quoted(text)} gives two scores that do not go together. Correct the one that is wrong."
            )
            report.add(Code.ILLEGAL_RESULT_PAIR, message, *row.place("result"))
        return None, False
    if not report.counts(Code.UNKNOWN_RESULT):
        spoiled = " A spreadsheet has made a date of it, perhaps of 1/2." if _DATE_LIKE.match(plain) else ""
        message = (
            f"The result {quoted(text)} is unknown; 1-0, 0-1 or 1/2-1/2 for games, +-- or --+ for forfeits, bye, bye-half or "
            f"bye-zero without an opponent were expected.{spoiled}"
        )
        report.add(Code.UNKNOWN_RESULT, message, *row.place("result"))
    return None, False


def _plain(text: str) -> str:
    """Return a result in normal spelling: `0,5 : 0,5` and `½–½` become `1/2-1/2`."""
    if len(text) > 40:
        return text[:40]
    plain = re.sub(r"\s", "", text.casefold()).translate(_DASHES)
    plain = re.sub(r"(?<![\d.,])0?[.,]50*(?!\d)", "1/2", plain)
    return re.sub(r"(?<![\d.,])([01])[.,]0+(?!\d)", r"\1", plain)
