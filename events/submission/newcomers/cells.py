"""Reads what is typed, or pasted, into the cells of new players. Nothing is written."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.utils.translation import gettext

from config.lib import formatting
from config.lib.days import is_birth_year
from config.lib.names import composed, unseen
from events.files.csv.values import read_sex
from events.files.dates import read_birth
from events.files.day_order import day_first, stands_first
from events.rules.corrections import BIRTH_DATE, FIDE_ID, FIRST_NAME, GENDER, PLAYER, REGION
from events.rules.player_details import has_full_first_name
from events.rules.sizes import LONGEST_PLACE
from players.identity import FIDE_ID_DIGITS, FIRST_FIDE_ID, fold, is_chess_sa_id
from players.merged import by_fide_id, player_of

GIVEN, BIRTH, SEX, REGION_CELL, ID = FIRST_NAME.code, BIRTH_DATE.code, GENDER.code, REGION.code, "id"
COLUMNS = (GIVEN, BIRTH, SEX, REGION_CELL, ID)  # the cells of a row, from left to right
WHO, OTHER = "who", "other"  # a line's chosen candidate, and the name or id of somebody else
LONGEST_CELL = 200


@dataclass(frozen=True, slots=True)
class Reading:
    """What a cell says: the kind of answer with its value, or the problem in the reader's language.

    Both are blank where the file says it already. `shown`: the value in English words.
    """

    kind: str = ""
    value: str = ""
    shown: str = ""
    problem: str = ""


def cell_of(field: str) -> tuple[str, str]:
    """Return column and start number of a field `birth-3`."""
    column, _, start = field.partition("-")
    return column, start


def known_order(births: Iterable[str]) -> str:
    """Return in which order dates that can be two days are read among others: day first, if another one has it and none has
    the month first; None if they do not tell."""
    orders = {stands_first(text) for text in births}
    return "day" if "day" in orders and "month" not in orders else ""


def read_cell(
    column: str,
    text: str,
    line: Mapping[str, Any],
    *,
    regions: Mapping[str, str],
    today: date,
    order: str = "",
) -> Reading:
    """Read a cell of a line of a report's `lines`. `regions`: code → name; `order`: which of day
    and month stands first in dates that can be two days, "" if it is not known."""
    if column == BIRTH:
        return _birth(text, line, today, order)
    if column == SEX:
        return _sex(text, line)
    if column == GIVEN:
        return _given(text) if line["given"] else Reading()
    return _region(text, line, regions) if column == REGION_CELL else _id(text, line)


def _birth(text: str, line: Mapping[str, Any], today: date, order: str) -> Reading:
    if stands_first(text) == "":
        if not order:
            return Reading(problem=gettext("Day or month first? Write it as 2008-03-24."))
        text = day_first(text) if order == "month" else text
    birth = read_birth(text)
    if birth is None or birth.year is None:
        return Reading(problem=gettext("No date of birth: write it as 2008-03-24."))
    if birth.day is None:
        return Reading(problem=gettext("The year alone: give the whole date, as 2008-03-24."))
    day = birth.day
    if not is_birth_year(day.year) or day > today:
        message = gettext("%(name)s was not born on %(day)s: correct the date of birth.")
        return Reading(problem=message % {"name": line["name"], "day": formatting.day(day)})
    if line["born"] == f"{day:%Y/%m/%d}":
        return Reading()
    if len(line["born"]) > 4:
        return Reading(problem=gettext("The file says %(day)s: correct one of the two.") % {"day": line["born"]})
    if line["year"] and line["year"] != day.year:
        message = gettext("The file says that the year is %(year)s: correct one of the two.")
        return Reading(problem=message % {"year": line["year"]})
    # The year alone: who serves at the event reads what was answered, too.
    return Reading(BIRTH_DATE.code, day.isoformat(), f"date of birth in {day.year}")


def _sex(text: str, line: Mapping[str, Any]) -> Reading:
    sex = read_sex(text)
    if not sex:
        return Reading(problem=gettext("Write M or F."))
    if line["sex"] and line["sex"] != sex:
        return Reading(problem=gettext("The file says %(sex)s: correct one of the two.") % {"sex": line["sex"]})
    return Reading() if line["sex"] else Reading(GENDER.code, sex, f"gender {sex}")


def _given(text: str) -> Reading:
    name = composed(" ".join(text.split()))
    if unseen(name) or not has_full_first_name(name):
        return Reading(problem=gettext("Give at least one first name in full, not its initial."))
    if len(name) > LONGEST_PLACE:
        return Reading(problem=gettext("Write at most %(most)s characters.") % {"most": LONGEST_PLACE})
    return Reading(FIRST_NAME.code, name, f"full first name {name}")


def _region(text: str, line: Mapping[str, Any], regions: Mapping[str, str]) -> Reading:
    codes = {fold(name): code for code, name in regions.items()} | {fold(code): code for code in regions}
    code = codes.get(fold(text)) or codes.get(fold(text.partition(" ")[0]))
    if code is None:
        return Reading(problem=gettext("No region has this code or name."))
    if line["region"].strip().upper() == code:
        return Reading()
    return Reading(REGION.code, code, f"{code} {regions[code]}")


def _id(text: str, line: Mapping[str, Any]) -> Reading:
    digits = "".join(text.split())
    if digits in (line["national_id"], line["fide_id"]):
        return Reading()
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= FIDE_ID_DIGITS):
        return Reading(problem=gettext("No id: nine digits (Chess SA), or a FIDE id."))
    if is_chess_sa_id(digits) and (player := player_of(digits)):
        return Reading(PLAYER.code, player.number, str(player))
    if is_chess_sa_id(digits):
        return Reading(problem=gettext("Not on the register. A new player gets the next free id: leave it blank."))
    number = int(digits)
    if number < FIRST_FIDE_ID:
        return Reading(problem=gettext("A FIDE id is a number from %(first)s on.") % {"first": FIRST_FIDE_ID})
    if known := by_fide_id([number]).get(number):
        return Reading(PLAYER.code, known.number, str(known))
    if line["fide_id"]:
        return Reading(problem=gettext("The file says %(id)s: correct one of the two.") % {"id": line["fide_id"]})
    return Reading(FIDE_ID.code, str(number), f"FIDE id {number}")


def columns_with_room(line: Mapping[str, Any]) -> Collection[str]:
    """Return the columns in which something may be given of a new player: the file does not say it."""
    room = {GIVEN: line["given"], BIRTH: len(line["born"]) <= 4, SEX: not line["sex"], REGION_CELL: True}
    room[ID] = not line["fide_id"]
    return [column for column in COLUMNS if room[column]]
