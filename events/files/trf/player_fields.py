"""Reads the fields of a player's line: sex, title, rating, federation, ids, birth date, points. Pure."""

import re

from events.files.codes import Code
from events.files.collector import Report, quoted
from events.files.dates import Birth, read_birth, stand_in_message
from events.rules.federations import FEDERATIONS, PLACEHOLDERS
from players.identity import FIRST_FIDE_ID

PLAYER_TITLES = frozenset({"GM", "IM", "FM", "CM", "WGM", "WIM", "WFM", "WCM"})
# Titles of TRF06, still written by most programs; m is an International Master.
OLD_TITLES = {
    "g": "GM",
    "m": "IM",
    "f": "FM",
    "c": "CM",
    "gf": "WGM",
    "mf": "WIM",
    "ff": "WFM",
    "cf": "WCM",
    "wg": "WGM",
    "wm": "WIM",
    "wf": "WFM",
    "wc": "WCM",
}
_SEXES = {"m": "M", "w": "F", "": "", "M": "M", "W": "F", "F": "F", "f": "F", "u": "", "U": "", "-": ""}


def sex_of(text: str, line: int, report: Report) -> str:
    """Return `M`, `F` or "" from column 10."""
    if text not in ("m", "w", ""):
        message = f"Column 10 holds {quoted(text)} for the sex, m or w was expected; it is read."
        report.add(Code.SEX_SPELLING, message, line, 10)
    return _SEXES.get(text, "")


def title_of(text: str, line: int, report: Report) -> str:
    """Return a FIDE title in full letters from columns 11-13, or "" with a finding."""
    if not text or text in PLAYER_TITLES:
        return text
    title = OLD_TITLES.get(text.lower(), text.upper())
    if title in PLAYER_TITLES:
        report.add(Code.OLD_TITLE, f"The title {quoted(text)} is read as {title}.", line, 11, 13)
        return title
    report.add(Code.UNKNOWN_TITLE, f"The title {quoted(text)} is no FIDE title; it is left out.", line, 11, 13)
    return ""


def rating_of(text: str, line: int, report: Report) -> int | None:
    """Return a rating from columns 49-52; None for blank or 0 (unrated), or with a finding."""
    if text and not (text.isascii() and text.isdecimal()):
        report.add(Code.UNREADABLE_RATING, f"The rating {quoted(text)} is no number; it is left out.", line, 49, 52)
        return None
    return int(text) or None if text else None


def federation_of(text: str, line: int | None, report: Report, column: int | None = 54) -> str:
    """Return a federation's code that begins in `column`; an unknown code is reported and returned, too."""
    code = text.upper()
    if code and code not in FEDERATIONS and code not in PLACEHOLDERS:
        message = f"{quoted(text)} is no federation that FIDE knows, a code of three letters was expected."
        report.add(Code.UNKNOWN_FEDERATION, message, line, column, column + max(3, len(text)) - 1 if column else None)
        return text
    return code


def identifier_of(text: str, line: int, report: Report) -> tuple[str, str]:
    """Return (FIDE id, national id) from columns 58-68, one of them "": FIDE's are numbers from FIRST_FIDE_ID on."""
    if not text.strip("0"):
        return "", ""
    if text.isascii() and text.isdecimal() and int(text) >= FIRST_FIDE_ID:
        return str(int(text)), ""
    message = f"The FIDE number {quoted(text)} is read as a national one: FIDE’s are numbers from 100000 on."
    report.add(Code.NATIONAL_ID_IN_FIDE_COLUMN, message, line, 58, 68)
    return "", text


def birth_of(text: str, line: int, report: Report) -> Birth:
    """Return a date or year of birth from columns 70-79; an empty `Birth` if it is blank, or with a finding."""
    birth = read_birth(text)
    if birth is None:
        message = f"The birth date {quoted(text)} cannot be read, YYYY/MM/DD was expected; it is left out."
        report.add(Code.UNREADABLE_BIRTH_DATE, message, line, 70, 79)
        return Birth()
    if birth.stand_in:
        report.add(Code.UNKNOWN_BIRTH_DATE, stand_in_message(quoted(text)), line, 70, 79)
    elif text and not birth.canonical:
        report.add(
            Code.BIRTH_DATE_FORMAT, f"The birth date {quoted(text)} is read; YYYY/MM/DD was expected.", line, 70, 79
        )
    return birth


def points_of(text: str, line: int, report: Report) -> float | None:
    """Return the points from columns 81-84; None with a finding."""
    if re.fullmatch(r"\d{1,3}(?:[.,]\d{0,2})?|[.,]\d{1,2}", text):
        if "," in text:
            report.add(Code.POINTS_SPELLING, f"The points {quoted(text)} have a comma; they are read.", line, 81, 84)
        return float(text.replace(",", "."))
    halves = re.fullmatch(r"(\d{0,3})½", text)
    if halves:
        report.add(
            Code.POINTS_SPELLING, f"The points {quoted(text)} have a sign for the half; they are read.", line, 81, 84
        )
        return int(halves[1] or 0) + 0.5
    message = f"The points {quoted(text)} cannot be read, a number such as 4.5 was expected; they are left out."
    report.add(Code.UNREADABLE_POINTS, message, line, 81, 84)
    return None
