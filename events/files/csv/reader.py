"""Reads a CSV of results: details of the event, then a line for each game or bye, with players by id or name. Pure.

The columns are those of `events/files/csv/table.py`; `events/files/csv/template.py` writes an empty one.
"""

from collections import defaultdict
from dataclasses import dataclass, replace
from datetime import date

from events.files.arbiters import split_persons
from events.files.checks import check_dates, check_ids, check_numbers, check_pairing_byes, check_rounds
from events.files.codes import Code
from events.files.collector import Report, quoted
from events.files.csv.players import Mention, number_players, read_mention, says_bye
from events.files.csv.table import BLACK, WHITE, CsvRow, CsvTable, names_player, read_table
from events.files.csv.values import colour_known, day_of, federation_of, is_lone, result_of, round_of, text_of
from events.files.encodings import check_encoding, sample_names
from events.files.text import Text
from events.files.time_control_text import read_free, read_several
from events.rules.game_result import BYES, FORFEITS, PENALISED, Result, mirrored
from events.rules.tournament import Pairing, Tournament

_EXPECTED = {  # details of the tournament → their names in messages
    "name": "name",
    "city": "city",
    "federation": "federation",
    "starts": "start",
    "ends": "end",
    "chief_arbiter": "chief arbiter",
}
# The meaning of a score without an opponent, if the file calls it a bye …
_BYE_BY_SCORE = {
    Result.WHITE_WINS: Result.PAIRING_BYE,
    Result.FORFEIT_WHITE_WINS: Result.PAIRING_BYE,
    Result.DRAW: Result.HALF_BYE,
    Result.BLACK_WINS: Result.ZERO_BYE,
    Result.FORFEIT_BLACK_WINS: Result.ZERO_BYE,
    Result.FORFEIT_BOTH_LOSE: Result.ZERO_BYE,
    Result.BOTH_LOSE: Result.ZERO_BYE,
}
# … and if it does not.
_SCORE_WITHOUT_OPPONENT = {Result.PAIRING_BYE: Result.FULL_BYE, Result.HALF_BYE: Result.HALF_BYE}


@dataclass(frozen=True, slots=True)
class _Line:
    """A readable line of the table; `white` and `black` are indices of mentions."""

    row: CsvRow
    round: int
    white: int | None
    black: int | None
    result: Result | None
    colour_known: bool


def read_csv(text: Text, report: Report) -> Tournament:
    """Return the tournament of a CSV. Unreadable parts are left out, with an error in the report."""
    tournament = Tournament(format="CSV", encoding=text.encoding)
    table = read_table(text, report)
    if table is not None:
        tournament = _with_details(tournament, table, report)
        if _has_columns(table, report):
            tournament = _with_games(tournament, table, report)
            _check_end(text, table, report)
            check_ids(tournament.entrants, report)
            check_numbers([entrant.number for entrant in tournament.entrants], report)
            check_rounds(tournament, table.detail_lines.get("rounds"), report)
        check_dates(
            tournament.starts, tournament.ends, tournament.round_dates, (table.detail_lines.get("starts"), None), report
        )
    names = (entrant.name for entrant in tournament.entrants)
    samples = sample_names(text, (*names, tournament.name, tournament.city, tournament.chief_arbiter))
    check_encoding(text, samples, report)
    return replace(tournament, sample_names=samples, findings=report.findings())


def _has_columns(table: CsvTable, report: Report) -> bool:
    """Return whether the heading has the columns that a game needs; report each that is missing."""
    columns = table.heading.columns
    needed = {
        "round": "round" in columns,
        "white_id or white": names_player(columns, WHITE),
        "black_id or black": names_player(columns, BLACK),
        "result": "result" in columns,
    }
    for name, present in needed.items():
        if not present:
            needs = "round, white_id or white, black_id or black, and result"
            message = f"The heading has no column {name}. The table needs {needs}."
            report.add(Code.MISSING_COLUMN, message, table.heading.line)
    return all(needed.values())


def _with_details(tournament: Tournament, table: CsvTable, report: Report) -> Tournament:
    details, lines = table.details, table.detail_lines
    missing = [called for key, called in _EXPECTED.items() if not details.get(key)]
    if missing:
        report.add(Code.MISSING_RECORD, f"The file does not say, or leaves blank: {', '.join(missing)}.")
    control_text = details.get("time_control", "")
    control = read_free(control_text)
    if control_text and control is None:
        message = f"The time control {quoted(control_text)} is not certain; state the base time and the increment."
        report.add(Code.TIME_CONTROL_UNREAD, message, lines["time_control"])
    planned = details.get("rounds", "")
    whole = planned.isascii() and planned.isdecimal() and len(planned) < 5 and int(planned) > 0
    if planned and not whole:
        message = f"The number of rounds {quoted(planned)} is no number of rounds; it is left out."
        report.add(Code.UNREADABLE_VALUE, message, lines["rounds"])
    return replace(
        tournament,
        name=details.get("name", ""),
        city=details.get("city", ""),
        federation=federation_of(
            details.get("federation", ""), lambda: (lines.get("federation", 0), None, None), report
        ),
        starts=day_of(details.get("starts", ""), (lines.get("starts", 0), None, None), report),
        ends=day_of(details.get("ends", ""), (lines.get("ends", 0), None, None), report),
        planned_rounds=int(planned) if whole else None,
        kind=details.get("kind", ""),
        chief_arbiter=details.get("chief_arbiter", ""),
        deputy_arbiters=split_persons(details.get("deputy_arbiters", "")),
        time_control_text=control_text,
        time_control=control,
        time_controls=read_several(control_text),
    )


def _with_games(tournament: Tournament, table: CsvTable, report: Report) -> Tournament:
    mentions: list[Mention] = []
    lines: list[_Line] = []
    days: dict[int, date] = {}
    for row in table.rows:
        errors = report.errors
        white, black = _side(row, WHITE, mentions, report), _side(row, BLACK, mentions, report)
        unread = report.errors > errors and (white is None or black is None)
        number = round_of(row, report)
        if number is None or unread:
            continue
        _add_day(row, number, days, report)
        if line := _line(row, number, white, black, report):
            lines.append(line)
    entrants, numbers = number_players(mentions, report)
    if not entrants:
        report.add(Code.NO_PLAYERS, "The table has no player. Enter a line for every game and bye.")
    pairings = _pairings(lines, numbers, report)
    rounds = max((pairing.round for pairing in pairings), default=0)
    return replace(
        tournament,
        rounds=rounds,
        round_dates=tuple(days.get(number) for number in range(1, rounds + 1)) if days else (),
        entrants=entrants,
        pairings=tuple(pairings),
        forfeit_slots=2 * sum(pairing.result in FORFEITS for pairing in pairings),
        bye_slots=sum(pairing.black is None for pairing in pairings),
    )


def _side(row: CsvRow, side: str, mentions: list[Mention], report: Report) -> int | None:
    """Append the player whom the line names on a side to the mentions and return the index; None if it names none."""
    mention = read_mention(row, side, report)
    if mention is None:
        return None
    mentions.append(mention)
    return len(mentions) - 1


def _add_day(row: CsvRow, number: int, days: dict[int, date], report: Report) -> None:
    day = day_of(text_of(row, "date", report), row.place("date"), report)
    if day and days.setdefault(number, day) != day:
        message = (
            f"Round {number} is of {day.isoformat()} here and of {days[number].isoformat()} on an earlier line, which is "
            "taken for the round."
        )
        report.add(Code.ROUND_DATES_DIFFER, message, *row.place("date"))


def _line(row: CsvRow, number: int, white: int | None, black: int | None, report: Report) -> _Line | None:
    result, readable = result_of(row, report)
    if white is None and black is None:
        message = "The line names neither White nor Black: enter their ids or names."
        report.add(Code.MISSING_NAME, message, *row.place("white_id" if "white_id" in row.columns else "white_name"))
        return None
    if not readable:
        return None
    if white is not None and black is not None:
        return _game(row, number, white, black, result, report)
    bye = _bye(row, mirrored(result) if white is None and result else result, white is None, report)
    return _Line(row, number, black if white is None else white, None, bye, True) if bye else None


def _game(row: CsvRow, number: int, white: int, black: int, result: Result | None, report: Report) -> _Line | None:
    place = row.place("result")
    if result in BYES:
        message = (
            f"The line names two players and the result {quoted(row.value('result'))}, but a bye has no opponent. Give the "
            "result of the game, or leave Black blank."
        )
        report.add(Code.BYE_WITH_OPPONENT, message, *place)
        return None
    if result is None:
        message = f"The game of round {number} has no result. Enter it, or say that the game was adjourned."
        report.add(Code.UNFINISHED_GAME, message, *place)
    elif result in PENALISED:
        message = (
            f"The game of round {number} ended {quoted(row.value('result'))}, which only an arbiter’s penalty explains; an "
            "officer decides what is rated. Two who both stayed away have ---."
        )
        report.add(Code.PENALTY_RESULT, message, *place)
    return _Line(row, number, white, black, result, colour_known(row, report))


def _bye(row: CsvRow, result: Result | None, without_white: bool, report: Report) -> Result | None:
    """Return the bye of a line with one player; None, with an error, if it has neither bye nor result."""
    place = row.place("result")
    if result in BYES:
        return result
    called_bye = says_bye(row, WHITE if without_white else BLACK)
    if result is None:
        if called_bye:
            return Result.PAIRING_BYE
        message = "The line has one player and no result. Name the opponent, or enter bye, bye-half or bye-zero."
        report.add(Code.UNKNOWN_RESULT, message, *place)
        return None
    bye = _BYE_BY_SCORE.get(result)
    if called_bye and bye:
        return bye
    if bye is Result.ZERO_BYE:
        report.add(Code.LEGACY_BYE, f"{quoted(row.value('result'))} without an opponent is read as bye-zero.", *place)
        return bye
    message = (
        f"The line has the result {quoted(row.value('result'))} but one player only; bye, bye-half or bye-zero, or the "
        "opponent was expected. It is taken as a bye and not rated."
    )
    report.add(Code.RESULT_WITHOUT_OPPONENT, message, *place)
    return _SCORE_WITHOUT_OPPONENT.get(bye, Result.ZERO_BYE) if bye else Result.ZERO_BYE


def _pairings(lines: list[_Line], numbers: list[int | None], report: Report) -> list[Pairing]:
    """Return the pairings by round and White's number, with each player at most once in a round."""
    rounds: defaultdict[int, list[Pairing]] = defaultdict(list)
    line_of: dict[tuple[int, int], int] = {}
    for line in lines:
        sides = [numbers[side] for side in (line.white, line.black) if side is not None]
        if None in sides or not _is_free(line, [number for number in sides if number is not None], line_of, report):
            continue
        white, black, result = sides[0], sides[1] if len(sides) > 1 else None, line.result
        assert white is not None  # noqa: S101 for the type checker: there is no None in `sides`
        if black is not None and not line.colour_known and white > black:
            white, black, result = black, white, mirrored(result) if result else None
        place = line.row.place("result")
        rounds[line.round].append(Pairing(line.round, white, black, result, line.colour_known, *place[:2]))
    last = max(rounds, default=0)
    left_out = [number for number in range(1, last + 1) if number not in rounds]
    if left_out:
        message = f"The table goes up to round {last}, but has no line of round {left_out[0]}. Enter it or correct the numbers."
        report.add(Code.ROUND_LEFT_OUT, message, rounds[last][0].line)
    for number in sorted(rounds):
        check_pairing_byes(rounds[number], report)
    return [
        pairing for number in sorted(rounds) for pairing in sorted(rounds[number], key=lambda pairing: pairing.white)
    ]


def _is_free(line: _Line, sides: list[int], line_of: dict[tuple[int, int], int], report: Report) -> bool:
    """Return whether the players of a line differ and are not yet paired in the round; else report it."""
    place = line.row.place("round")
    if len(set(sides)) < len(sides):
        message = f"Round {line.round}: White and Black are the same player. Correct one of them."
        report.add(Code.SELF_PAIRING, message, *place)
        return False
    for number in sides:
        if (first := line_of.get((line.round, number))) is not None:
            message = (
                f"Round {line.round}: player {number} stands on line {first} already. Correct the round or the player, or "
                "delete one of the lines."
            )
            report.add(Code.PAIRED_TWICE, message, *place)
            return False
    line_of.update({(line.round, number): line.row.line for number in sides})
    return True


def _check_end(text: Text, table: CsvTable, report: Report) -> None:
    """Report a cut-off file: its last line has no line break and stops within or before the result."""
    if text.ends_with_line_break or not table.rows or table.rows[-1].line != len(text.lines):
        return
    last, before = table.rows[-1], table.rows[:-1]
    needed = table.heading.reach
    short = len(last.cells) < needed and all(len(row.cells) >= needed for row in before)
    if before and (short or (is_lone(last) and not any(is_lone(row) for row in before))):
        message = "The last line stops in the middle: the file was cut off on its way. Send it again."
        report.add(Code.TRUNCATED_FILE, message, last.line, len(last.text) or 1)
