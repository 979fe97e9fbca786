"""Reads the files of a SwissPerfect tournament: its settings, its players and its results. Pure.

The format is not documented; its meaning is what public notes and files agree on. Scores are in half points. Of the types of a
score three are known: 1 with the pieces or the bye of the pairing, 34 forfeited, 35 a point without an opponent.
"""

import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from config.lib.formatting import one_line
from events.files.checks import check_ids, check_name, check_pairing_byes, check_rounds
from events.files.codes import Code
from events.files.collector import Report, quoted
from events.files.dates import Birth, read_birth, stand_in_message
from events.files.encodings import check_encoding, sample_names
from events.files.swissperfect.archive import Archive, Member
from events.files.swissperfect.dbase import Record, read_table
from events.files.text import Coding, coding_of
from events.files.trf.player_fields import federation_of
from events.rules.game_result import FORFEITS, PENALISED, Result
from events.rules.limits import LONGEST_TEXT, MAX_PLAYERS, MAX_RATING, MAX_ROUNDS
from events.rules.tournament import Entrant, Pairing, Tournament
from players.identity import FIDE_ID_DIGITS, FIRST_FIDE_ID

FORMAT = "SwissPerfect"
_PLAYER_COLUMNS = (
    "ID", "START_NO", "SURNAME", "FIRSTNAME", "FEDER", "CLUB", "INTL_RTG", "LOC_RTG", "INTL_ID", "LOC_ID", "TITLE", "SEX",
    "BIRTH_DATE", "BONUS",
)  # fmt: skip
_GAME_COLUMNS = ("ROUND", "WHITE", "BLACK", "W_SCORE", "B_SCORE", "W_TYPE", "B_TYPE")
_TITLES = dict(zip("0123456", ("", "GM", "WGM", "IM", "WIM", "FM", "WFM"), strict=True))
_SEXES = {"0": "", "1": "M", "2": "F"}
_SECTION, _DETAILS = "[tournament info]", frozenset({"name", "arbiter", "rounds"})  # of the settings
_LONGEST_VALUE = 10 * LONGEST_TEXT  # letters of a detail that are looked at
PLAYED, FORFEITED, WITHOUT_OPPONENT = 1, 34, 35  # types of a score
_RESULTS = {  # half points of White and Black → result with the pieces
    (2, 0): Result.WHITE_WINS,
    (0, 2): Result.BLACK_WINS,
    (1, 1): Result.DRAW,
    (0, 0): Result.BOTH_LOSE,
    (1, 0): Result.WHITE_HALF,
    (0, 1): Result.BLACK_HALF,
}
_FORFEITS = {
    (2, 0): Result.FORFEIT_WHITE_WINS,
    (0, 2): Result.FORFEIT_BLACK_WINS,
    (0, 0): Result.FORFEIT_BOTH_LOSE,
}
_BYES = {0: Result.ZERO_BYE, 1: Result.HALF_BYE, 2: Result.PAIRING_BYE}  # half points → bye


@dataclass(frozen=True, slots=True)
class _Game:
    """A record of the results in whole numbers: its round, the two players' own numbers, 0 for none, scores and types."""

    record: Record
    round: int
    sides: tuple[int, int]
    scores: tuple[int, int]
    types: tuple[int, int]


def read_swissperfect(archive: Archive, fallback_encoding: str, report: Report) -> Tournament:
    """Return the tournament of a SwissPerfect zip. Unreadable parts are left out, with an error in the report."""
    players = read_table(archive.players, _PLAYER_COLUMNS, report)
    games = read_table(archive.games, _GAME_COLUMNS, report)
    values = (value for record in players for value in record.values.values())
    coding = coding_of(
        io.BytesIO(b"\n".join((archive.settings.content.replace(b"\0", b""), *values))), fallback_encoding
    )
    numbers = _start_numbers(archive.players, players, report)
    entrants = tuple(
        _entrant(numbers[record.number], record, coding.encoding, report)
        for record in players
        if record.number in numbers
    )
    if not entrants:
        report.add(Code.NO_PLAYERS, "The file has no player. Save the tournament with its players.")
    tournament = _with_settings(
        Tournament(format=FORMAT, encoding=coding.encoding, entrants=entrants), archive.settings, coding, report
    )
    own = {_whole(record.values["ID"]): numbers[record.number] for record in players if record.number in numbers}
    pairings = _pairings(games, own, archive.players.name, report) if entrants else []
    tournament = replace(
        tournament,
        rounds=max((pairing.round for pairing in pairings), default=0),
        pairings=tuple(pairings),
        forfeit_slots=sum(pairing.result in FORFEITS for pairing in pairings),
        bye_slots=sum(pairing.black is None for pairing in pairings),
    )
    check_ids(entrants, report)
    check_rounds(tournament, None, report)
    samples = sample_names(coding, (*(entrant.name for entrant in entrants), tournament.name, tournament.chief_arbiter))
    check_encoding(coding, samples, report)
    return replace(tournament, sample_names=samples, findings=report.findings())


def _with_settings(tournament: Tournament, settings: Member, coding: Coding, report: Report) -> Tournament:
    details = _details(settings.content.decode(coding.encoding, errors="replace").replace("\0", ""))
    rounds = details.get("rounds", "")
    planned = int(rounds) if rounds.isascii() and rounds.isdecimal() and len(rounds) < 5 else 0
    if rounds and not planned:
        message = f"The number of rounds {quoted(rounds)} is no number of rounds; it is left out."
        report.add(Code.UNREADABLE_VALUE, message)
    needed = {"name": details.get("name"), "chief arbiter": details.get("arbiter")}
    missing = [called for called, value in needed.items() if not value]
    # the program knows neither place, nor days, nor time control
    missing += ["city", "federation", "start", "end", "time control"]
    report.add(Code.MISSING_RECORD, f"The file does not say, or leaves blank: {', '.join(missing)}.")
    return replace(
        tournament,
        name=details.get("name", ""),
        chief_arbiter=details.get("arbiter", ""),
        planned_rounds=planned or None,
    )


def _details(settings: str) -> dict[str, str]:
    """Return the values of `_DETAILS` in the settings' section about the tournament."""
    details: dict[str, str] = {}
    within = False
    for line in io.StringIO(settings, newline=None):
        if line.startswith("["):
            within = line.strip().lower() == _SECTION
        elif within and "=" in line:
            key, _, value = line.partition("=")
            if (name := key.strip().lower()) in _DETAILS:
                details.setdefault(name, " ".join(value[:_LONGEST_VALUE].split()))
    return details


def _whole(value: bytes) -> int:
    """Return a whole number from 1 on that the columns can hold; 0 for anything else."""
    return int(value) if value.isdigit() and len(value) <= 5 else 0


def _is_whole(value: bytes) -> bool:
    """Return whether a cell has a number that `_whole` reads, 0 and none among them."""
    return not value or (value.isdigit() and len(value) <= 5)


def _start_numbers(table: Member, players: list[Record], report: Report) -> dict[int, int]:
    """Return the start numbers of the players by record: those of the lists or, if these do not tell, the program's own."""
    numbers: dict[int, int] = {}
    own: dict[int, int] = {}  # the program's own number → record
    for record in players:
        number = _whole(record.values["ID"])
        if not 1 <= number <= MAX_PLAYERS:
            message = (
                f"{record.place}: the player’s number {_shown(record, 'ID')} is no number from 1 to {MAX_PLAYERS}."
            )
            report.add(Code.BAD_START_NUMBER, message)
        elif number in own:
            message = f"{record.place}: the player’s number {number} is that of record {own[number]}, too."
            report.add(Code.DUPLICATE_START_NUMBER, message)
        else:
            own[number], numbers[record.number] = record.number, number
    listed = {record.number: _whole(record.values["START_NO"]) for record in players if record.number in numbers}
    if len(set(listed.values())) == len(listed) and all(1 <= number <= MAX_PLAYERS for number in listed.values()):
        return listed
    message = f"{table.name} does not give every player a start number; the program’s own numbers are taken instead."
    report.add(Code.OTHER_NUMBERS, message)
    return numbers


def _shown(record: Record, column: str) -> str:
    return quoted(record.values[column].decode("latin-1"))


def _entrant(number: int, record: Record, encoding: str, report: Report) -> Entrant:
    texts = {column: " ".join(one_line(_decoded(value, encoding)).split()) for column, value in record.values.items()}
    last, first = texts["SURNAME"], texts["FIRSTNAME"]
    if texts["BONUS"].strip("0."):
        bonus = quoted(texts["BONUS"])
        message = f"{record.place}: player {number} has a bonus of {bonus}, points without a game; it is not read."
        report.add(Code.BONUS, message)
    local, international = (_rating(record, column, report) for column in ("LOC_RTG", "INTL_RTG"))
    birth = _birth(record, texts["BIRTH_DATE"], report)
    fide_id = texts["INTL_ID"]
    figures = fide_id.lstrip("0")
    known = fide_id.isascii() and fide_id.isdecimal() and len(figures) <= FIDE_ID_DIGITS
    known = known and int(fide_id) >= FIRST_FIDE_ID
    if figures and not known:
        message = (
            f"{record.place}: {quoted(fide_id)} is no FIDE id, a number from {FIRST_FIDE_ID} on of {FIDE_ID_DIGITS} figures at"
            " the most; it is left out."
        )
        report.add(Code.UNREADABLE_VALUE, message)
    entrant = Entrant(
        number=number,
        name=f"{last}, {first}" if first else last,
        last_name=last,
        first_name=first,
        sex=_coded(record, "SEX", _SEXES, "sex", report),
        title=_coded(record, "TITLE", _TITLES, "title", report),
        rating=international or local,
        federation=federation_of(texts["FEDER"], None, report, None),
        club=texts["CLUB"],
        fide_id=str(int(fide_id)) if known else "",
        national_id=texts["LOC_ID"] if texts["LOC_ID"].strip("0") else "",
        national_rating=local,
        birth_year=birth.year,
        birth_date=birth.day,
    )
    check_name(entrant, f"{record.place}: player {number}", report)
    return entrant


def _decoded(value: bytes, encoding: str) -> str:
    return value.decode(encoding, errors="replace")


def _coded(record: Record, column: str, meanings: Mapping[str, str], called: str, report: Report) -> str:
    code = record.values[column].decode("latin-1") or "0"
    if code not in meanings:
        message = f"{record.place}: the {called} {quoted(code)} is unknown; it is left out."
        report.add(Code.UNREADABLE_VALUE, message)
    return meanings.get(code, "")


def _rating(record: Record, column: str, report: Report) -> int | None:
    value = record.values[column]
    if value and not value.isdigit():
        message = f"{record.place}: the rating {_shown(record, column)} is no number; it is left out."
        report.add(Code.UNREADABLE_RATING, message)
    rating = _whole(value)
    if rating > MAX_RATING or (value.isdigit() and not _is_whole(value)):
        message = (
            f"{record.place}: the rating {_shown(record, column)} is none of four figures at the most; it is left out."
        )
        report.add(Code.UNREADABLE_RATING, message)
        return None
    return rating or None


def _birth(record: Record, text: str, report: Report) -> Birth:
    birth = read_birth(text)
    if birth is None:
        message = (
            f"{record.place}: the birth date {quoted(text)} cannot be read, YYYYMMDD was expected; it is left out."
        )
        report.add(Code.UNREADABLE_BIRTH_DATE, message)
    elif birth.stand_in:
        report.add(Code.UNKNOWN_BIRTH_DATE, stand_in_message(quoted(text), f"{record.place}: "))
    return birth or Birth()


def _pairings(records: Iterable[Record], own: Mapping[int, int], players: str, report: Report) -> list[Pairing]:
    """Return the pairings by round, with each player at most once in a round. `own`: number in the program → start number."""
    pairings: list[Pairing] = []
    paired: dict[tuple[int, int], int] = {}  # round, start number → record
    for record in records:
        game = _game(record, report)
        if game is None:
            continue
        stranger = next((side for side in game.sides if side and side not in own), None)
        if stranger is not None:
            message = f"{record.place}: {players} has no player with the number {stranger}."
            report.add(Code.OPPONENT_NOT_IN_FILE, message)
            continue
        white, black = (own.get(side) for side in game.sides)
        if white == black:
            report.add(Code.SELF_PAIRING, f"{record.place}: White and Black are the same player.")
            continue
        sides = [number for number in (white, black) if number is not None]
        again = next((number for number in sides if (game.round, number) in paired), None)
        if again is not None:
            message = (
                f"{record.place}: player {again} is paired in round {game.round} already, by record "
                f"{paired[game.round, again]}. Correct the round or the player in SwissPerfect, and pack the files again."
            )
            report.add(Code.PAIRED_TWICE, message)
            continue
        paired.update({(game.round, number): record.number for number in sides})
        if white is None or black is None:
            pairings.append(Pairing(game.round, sides[0], None, _bye(game, 0 if black is None else 1, report)))
        else:
            pairings.append(Pairing(game.round, white, black, _result(game, report)))
    _check_pairings(pairings, report)
    return sorted(pairings, key=lambda pairing: pairing.round)


def _game(record: Record, report: Report) -> _Game | None:
    """Return a record of a game or bye; None, with a finding, for one without player, round or scores."""
    for column in _GAME_COLUMNS[1:]:
        if not _is_whole(record.values[column]):
            called = "player’s number" if column in ("WHITE", "BLACK") else "score or its type"
            code = Code.OPPONENT_NOT_IN_FILE if column in ("WHITE", "BLACK") else Code.UNKNOWN_RESULT
            report.add(code, f"{record.place}: the {called} {_shown(record, column)} is no whole number. Correct it.")
            return None
    values = [_whole(record.values[column]) for column in _GAME_COLUMNS]
    number, white, black, *rest = values
    if not white and not black:
        report.add(Code.EMPTY_RECORD, f"{record.place} names no player; it is not read.")
        return None
    if not 1 <= number <= MAX_ROUNDS:
        message = f"{record.place}: the round {_shown(record, 'ROUND')} is no number from 1 to {MAX_ROUNDS}."
        report.add(Code.BAD_ROUND, message)
        return None
    return _Game(record, number, (white, black), (rest[0], rest[1]), (rest[2], rest[3]))


def _result(game: _Game, report: Report) -> Result | None:
    place, types = game.record.place, set(game.types)
    if types == {0} and game.scores == (0, 0):
        message = (
            f"{place}: the game of round {game.round} has no result. Enter it, or say that the game was adjourned."
        )
        report.add(Code.UNFINISHED_GAME, message)
        return None
    if types not in ({PLAYED}, {FORFEITED}):
        _unknown_type(game, report)
        return None
    result = (_RESULTS if types == {PLAYED} else _FORFEITS).get(game.scores)
    if result is None:
        shown = " and ".join(f"{score / 2:g}" for score in game.scores)
        message = f"{place}: the points {shown} of one game do not go together. Correct the one that is wrong."
        report.add(Code.ILLEGAL_RESULT_PAIR, message)
    elif result in PENALISED:
        message = (
            f"{place}: the game of round {game.round} ended {result.value}, which only an arbiter’s penalty explains; an "
            "officer decides what is rated."
        )
        report.add(Code.PENALTY_RESULT, message)
    return result


def _bye(game: _Game, side: int, report: Report) -> Result:
    """Return the bye of a record with one player, White (0) or Black (1)."""
    score, type_ = game.scores[side], game.types[side]
    if type_ == WITHOUT_OPPONENT and score == 2:
        message = f"{game.record.place}: a point without an opponent, of type {type_}, is read as a full-point bye."
        report.add(Code.LEGACY_BYE, message)
        return Result.FULL_BYE
    if type_ not in (PLAYED, WITHOUT_OPPONENT) or score not in _BYES:
        _unknown_type(game, report)
    return _BYES.get(score, Result.ZERO_BYE)


def _unknown_type(game: _Game, report: Report) -> None:
    shown = " and ".join(str(type_) for type_ in game.types)
    message = (
        f"{game.record.place}: the result has SwissPerfect’s types {shown}, whose meaning is not known here; ask the "
        "arbiter for the result."
    )
    report.add(Code.UNKNOWN_RESULT_CODE, message)


def _check_pairings(pairings: list[Pairing], report: Report) -> None:
    rounds = {pairing.round for pairing in pairings}
    left_out = [number for number in range(1, max(rounds, default=0)) if number not in rounds]
    if left_out:
        message = f"The results go up to round {max(rounds)}, but there is none of round {left_out[0]}."
        report.add(Code.ROUND_LEFT_OUT, message)
    for number in sorted(rounds):
        check_pairing_byes([pairing for pairing in pairings if pairing.round == number], report)
