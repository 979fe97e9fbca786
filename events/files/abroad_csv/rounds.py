"""Reads the line of a round in the form for results abroad. Pure."""

import re

from events.files.abroad_csv.results import FormCode, full_name
from events.files.collector import Report, quoted
from events.files.trf.player_fields import PLAYER_TITLES
from events.rules.abroad import FIDE_RATINGS, GameAbroad
from events.rules.federations import FEDERATIONS, PLACEHOLDERS
from events.rules.game_result import Result, mirrored
from events.rules.sizes import LONGEST_NAME
from players.identity import fold

_SCORES = {"1": 1.0, "1.0": 1.0, "0": 0.0, "0.0": 0.0, "=": 0.5, "0.5": 0.5, ".5": 0.5, "½": 0.5, "1/2": 0.5}
_PLAYED = {1.0: Result.WHITE_WINS, 0.5: Result.DRAW, 0.0: Result.BLACK_WINS}
_FORFEITED = {"+": Result.FORFEIT_WHITE_WINS, "-": Result.FORFEIT_BLACK_WINS}
_WITHOUT_OPPONENT = {1.0: Result.PAIRING_BYE, 0.5: Result.HALF_BYE, 0.0: Result.ZERO_BYE}
_WHITE, _BLACK, _NEITHER = ("w", "white"), ("b", "black"), ("-", "")


def read_round(line: int, number: int, cells: list[str], report: Report) -> GameAbroad | None:
    """Return a round from its cells after the number; None with a finding if it cannot be read."""
    result, colour, last_name, first_name, rating, title, federation = cells
    opponent = full_name(last_name, first_name)
    score = _SCORES.get(result.replace(",", "."))
    if score is None and result not in _FORFEITED:
        message = (
            f"The result {quoted(result)} is unknown. Write 1, = or 0, and of a game that was not played + or -, all from"
            " the player’s side."
        )
        report.add(FormCode.UNKNOWN_RESULT, message, line)
        return None
    if colour.casefold() in _NEITHER and not opponent and score is not None:
        if rating or title or federation:
            message = "A round without an opponent ends at the colour “-”. Name the opponent, or take the rest out."
            report.add(FormCode.BYE_WITH_OPPONENT, message, line)
            return None
        return GameAbroad(number, True, _WITHOUT_OPPONENT[score])
    if colour.casefold() not in _WHITE + _BLACK:
        message = (
            f"The colour {quoted(colour)} is unknown. Write W or B; of a round without an opponent “-” and nothing after"
            " it."
        )
        report.add(FormCode.UNKNOWN_COLOUR, message, line)
        return None
    if not fold(opponent):
        message = "The line names no opponent. Write the surname and the first name after the colour."
        report.add(FormCode.MISSING_OPPONENT, message, line)
        return None
    check_length(opponent, line, report)
    _check_title(line, title, report)
    white = colour.casefold() in _WHITE
    side = _FORFEITED[result] if score is None else _PLAYED[score]
    return GameAbroad(
        number,
        white,
        side if white else mirrored(side),
        opponent=opponent[:LONGEST_NAME],
        federation=_federation(line, federation, report),
        fide_rating=_rating(line, rating, report),
    )


def _check_title(line: int, title: str, report: Report) -> None:
    if title not in ("", "-") and title.upper() not in PLAYER_TITLES:
        message = (
            f"{quoted(title)} is no title of FIDE. After the colour come surname, first name, rating, title and"
            " federation; a cell that is not known stays blank."
        )
        report.add(FormCode.UNKNOWN_TITLE, message, line)


def _federation(line: int, text: str, report: Report) -> str:
    code = text.upper()
    if not code or code in FEDERATIONS or code in PLACEHOLDERS:
        return code
    message = f"FIDE knows no federation {quoted(text)}. Write its three letters, as in BOT, ENG, ESP."
    report.add(FormCode.UNKNOWN_FEDERATION, message, line)
    return ""


def _rating(line: int, text: str, report: Report) -> int | None:
    if text in ("", "-", "0"):
        return None
    least, most = FIDE_RATINGS
    if not re.fullmatch(r"[0-9]{1,4}", text) or not least <= int(text) <= most:
        message = f"The rating {quoted(text)} cannot be; a whole number from {least} to {most} can. Correct it."
        report.add(FormCode.BAD_RATING, message, line)
        return None
    return int(text)


def check_length(name: str, line: int, report: Report) -> None:
    """Find a name that is too long to be kept."""
    if len(name) > LONGEST_NAME:
        message = f"The name has {len(name)} characters, at most {LONGEST_NAME} are kept. Shorten it."
        report.add(FormCode.LONG_NAME, message, line)
