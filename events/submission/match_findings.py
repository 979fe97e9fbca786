"""What a file's matches with the register leave for its uploader or an officer to decide (articles 14, 56)."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from datetime import date

from config.lib import formatting
from config.lib.names import wrong_in_list, wrong_words
from config.lib.texts import shortened
from events.rules.constants import HOME
from events.rules.corrections import PLAYER
from events.rules.findings import Finding, Severity, listed, several
from events.rules.tournament import Entrant
from events.submission.hints import COMMAND_HINTS, MessageHints
from events.submission.known_players import MOST_OF_A_NAME
from events.submission.matching import CHOSEN, NEWCOMER, Match
from events.submission.persons import chess_sa_id, known_person, person_of, without_day
from players.id_bearers import known_as
from players.identity import (
    BirthAgreement,
    Strength,
    birth_agreement,
    fold,
    is_chess_sa_id,
    name_key,
    names_agree,
    without_birth_date,
)

_MOST_NAMED = 10
_LONGEST_NAME = 80  # as the register has it


def match_findings(
    matches: Sequence[Match],
    *,
    create: bool,
    new: Collection[int] = (),
    hints: MessageHints = COMMAND_HINTS,
    ends: date | None = None,
) -> list[Finding]:
    """Return findings on what the uploader must decide or correct about the players, grouped by kind.

    `create`: the uploader confirms that all players who are not certainly known are new; `new`: the start numbers of those
    whom he confirms one by one; `ends`: the section's last day, None if it is not known.
    """
    confirmed = {match.entrant.number for match in matches if create or match.entrant.number in new}
    return [
        *_unknown([match for match in matches if match.entrant.number not in confirmed], hints),
        *_not_looked_up(matches, confirmed, hints),
        *(
            _open_question(match, create=match.entrant.number in confirmed, hints=hints)
            for match in matches
            if match.player is None and match.candidates
        ),
        *_on_the_register(matches),
        *_dead(matches, ends),
        *_erased(matches),
        *_strangers([match for match in matches if match.player is None], confirmed),
    ]


def _on_the_register(matches: Sequence[Match]) -> Iterable[Finding]:
    """Yield findings on lines that are players on the register."""
    found = [match for match in matches if match.player is not None]
    yield from _on_two_lines(found)
    for match in found:
        if match.reason == NEWCOMER:
            message = f"{_who(match)} is {match.player}, who was new in another section of the event, too."
            yield _finding(match, Severity.NOTE, "player-newcomer", message, "56")
    yield from _other_details(found)
    for match in found:
        number = chess_sa_id(match.entrant)
        if match.player and number and number.lstrip("0") != match.player.number.lstrip("0"):
            message = (
                f"{_who(match)} has Chess SA id {_id_said(number)} in the file and is taken for {known_as(match.player)}:"
                f" {without_birth_date(match.reason)}. Correct the id in the file, or an officer decides."
            )
            yield _finding(match, Severity.HOLD, "player-id-differs", message, "14.4")
    moved = [match for match in found if match.id_moved]
    if moved:
        message = (
            f"{formatting.count(len(moved), 'line')} with the player’s Chess SA id in the column for FIDE ids; it is read as"
            f" the Chess SA id that it is: {listed([_who(match) for match in moved])}."
        )
        yield _finding(moved[0], Severity.NOTE, "id-in-fide-column", message, "14.4")
    without_id = [match for match in found if match.reason and not chess_sa_id(match.entrant)]
    if without_id:
        message = (
            f"{formatting.count(len(without_id), 'line')} without a Chess SA id: who they are is shown among the players found"
            " on the register, and confirmed with the declaration."
        )
        yield _finding(without_id[0], Severity.NOTE, "ids-on-register", message, "14.4")


def _on_two_lines(found: Sequence[Match]) -> Iterable[Finding]:
    counted = Counter(match.player.pk for match in found if match.player)
    for match in found:
        if match.player and counted[match.player.pk] > 1:
            answer = "Take one of the two answers back" if match.reason == CHOSEN else "Correct the ids in the file"
            message = (
                f"{_who(match)} is {known_as(match.player)}, and so is another line of the file:"
                f" {without_birth_date(match.reason)}. {answer}, so that each"
                " player stands once."
            )
            yield _finding(match, Severity.ERROR, "player-twice", message, "14.4")


def _other_details(found: Sequence[Match]) -> Iterable[Finding]:
    """Yield findings on births, and on the gender of chosen players, that are not the register's.

    Hazard: a message says no more of the register's birth date than that it differs, and whether in the year (article 16).
    """
    other_days = []
    for match in found:
        player, line = match.player, person_of(match.entrant)
        if player is None or match.reason == NEWCOMER or player.erased_at is not None:
            continue
        known = known_person(player)
        if not match.by_day:
            known = without_day(known)
        agreement = birth_agreement(line, known)
        differs = agreement in (BirthAgreement.OTHER_YEAR, BirthAgreement.OTHER_DAY)
        if match.reason == CHOSEN:
            sex = bool(line.sex and player.sex and line.sex != player.sex)
            name = "the name" if fold(match.entrant.name) and not names_agree(line, known) else ""
            detail = "the date of birth" if differs else "the gender" if sex else name
            if detail:
                message = (
                    f"{_who(match)} is {player}, as the uploader says, and {detail} in the file is not the register’s. Correct"
                    " it in the file, or an officer corrects the register."
                )
                yield _finding(match, Severity.HOLD, "player-differs", message, "14")
        elif agreement is BirthAgreement.OTHER_YEAR:
            message = (
                f"{_who(match)} is {player} by the id, and was born in another year than on the register. Correct the year in"
                " the file, or the id; or an officer corrects the register."
            )
            yield _finding(match, Severity.HOLD, "birth-year-differs", message, "14.2")
        elif differs:
            other_days.append(match)
    if other_days:
        message = (
            f"Born on another day of the year than on the register: {listed([_who(match) for match in other_days])}. They are"
            " taken by their ids. Correct the day in the file, or have the register corrected."
        )
        yield _finding(other_days[0], Severity.NOTE, "birth-day-differs", message, "14.2")


def _dead(matches: Sequence[Match], ends: date | None) -> Iterable[Finding]:
    """Yield a finding for each player who died before the section's last day, or in its year.

    Hazard: the day is not told. Whoever sends files with one last day after the other would find it out, but for the year,
    which is public.
    """
    for match in matches:
        died = match.player.died_on if match.player else None
        if match.player and died and ends and died.year <= ends.year:
            message = (
                f"{_who(match)} is {known_as(match.player)}, who died in {died.year}; the section ended on"
                f" {formatting.day(ends)}. Correct the id, if somebody else played; else an officer decides."
            )
            yield _finding(match, Severity.HOLD, "player-died", message, "14.4")


def _erased(matches: Sequence[Match]) -> Iterable[Finding]:
    """Yield a finding for each player whose data was erased: his id in a file may be his, or a slip.

    Hazard: the pseudonym beside the name in the file would tell the uploader who he is on the lists.
    """
    for match in matches:
        if match.player is not None and match.player.erased_at is not None:
            message = (
                f"{_who(match)} has the Chess SA id of a player whose data was erased at his wish. Correct the id, or say"
                " that the player is new; else an officer decides."
            )
            yield _finding(match, Severity.HOLD, "player-erased", message, "14.4")


def _strangers(strangers: Sequence[Match], confirmed: Collection[int]) -> Iterable[Finding]:
    """Yield findings on lines that are no player on the register, as far as is known."""
    for match in strangers:
        if not match.candidates and not fold(match.entrant.name):
            message = (
                f"{_who(match)} is not on the register, and the file gives no name. Correct the id, or give the name."
            )
            yield _finding(match, Severity.ERROR, "player-nameless", message, "14.1")
    for match in strangers:
        if max(len(match.entrant.last_name), len(match.entrant.first_name)) > _LONGEST_NAME:
            message = (
                f"{_who(match)[:_LONGEST_NAME]}…: a last name and a first name have at most {_LONGEST_NAME} letters each."
                " Shorten it."
            )
            yield _finding(match, Severity.ERROR, "player-name-long", message, "14.1")
    for match in strangers:
        names = match.entrant.last_name, match.entrant.first_name
        if problem := next(filter(None, map(wrong_in_list, names)), "") or wrong_words(" ".join(names)):
            message = f"Start number {match.entrant.number}: the name of a new player. {problem}"
            yield _finding(match, Severity.ERROR, "player-name-letters", message, "14.1")
    for match in strangers:
        number = chess_sa_id(match.entrant)
        if number and not is_chess_sa_id(number):
            message = (
                f"{_who(match)} has Chess SA id {_id_said(number)}, where nine digits were expected. It is not taken: a new"
                " player gets the next free number."
            )
            yield _finding(match, Severity.NOTE, "id-not-taken", message, "56")
    for label, ids in (
        ("Chess SA id", [chess_sa_id(match.entrant) for match in strangers]),
        ("FIDE id", [match.entrant.fide_id for match in strangers]),
    ):
        counted = Counter(ids)
        for match, number in zip(strangers, ids, strict=True):
            if number and counted[number] > 1:
                message = f"{_who(match)} has {label} {_id_said(number)}, and so has another line. Correct the ids in the file."
                yield _finding(match, Severity.ERROR, "id-twice", message, "14.4")
    settled = [match for match in strangers if not match.candidates or match.entrant.number in confirmed]
    yield from _newcomers_twice(settled)
    doubtful = [match for match in settled if _may_be_chess_sa_id(match.entrant)]
    if doubtful:
        lines = listed([f"{match.entrant.fide_id}, {_who(match)}" for match in doubtful])
        message = (
            f"Nine digits, as Chess SA’s ids have, in the column for FIDE ids, of {formatting.count(len(doubtful), 'player')}"
            f" not known on the register: {lines}. Correct the id in the file; as it stands, a new player gets it as FIDE id."
        )
        yield _finding(doubtful[0], Severity.HOLD, "id-of-nobody", message, "14.4")


def _newcomers_twice(newcomers: Sequence[Match]) -> Iterable[Finding]:
    """Yield a finding for each line whose name a line before it has, unless the births differ."""
    # Start number and birth by name and kind of birth: births of one name are not compared two by two.
    first: dict[tuple[str, object], tuple[int, date | int | None]] = {}
    for match in newcomers:
        person = person_of(match.entrant)
        name, born = name_key(person), person.birth_date or person.birth_year
        if not name:
            continue
        other = next((first[name, kind] for kind in _kinds_asked(born) if (name, kind) in first), None)
        if other is None:
            first |= {(name, kind): (match.entrant.number, born) for kind in _kinds_told(born)}
            continue
        known_as_one = f"{_who(match)} has the name of start number {other[0]}"
        if born == other[1] and isinstance(born, date):
            message = (
                f"{known_as_one} and was born on the same day: one new player would be registered twice. Leave one of the"
                " lines out, or correct the name or the birth date."
            )
            yield _finding(match, Severity.ERROR, "newcomer-twice", message, "14.4")
        else:
            message = (
                f"{known_as_one}, and no birth date tells the two new players apart. Give both birth dates, or an officer"
                " decides whether they are two."
            )
            yield _finding(match, Severity.HOLD, "newcomers-alike", message, "14.4")


def _kinds_told(born: date | int | None) -> tuple[object, ...]:
    """Return the kinds of births that a birth date, a year or no birth is one of: itself, in its year, any."""
    if born is None:
        return None, "any"
    return born, ("in", born.year if isinstance(born, date) else born), "any"


def _kinds_asked(born: date | int | None) -> tuple[object, ...]:
    """Return the kinds of births that may be the birth of a line."""
    if isinstance(born, date):
        return born, born.year, None
    return (("in", born), None) if born else ("any",)


def _may_be_chess_sa_id(entrant: Entrant) -> bool:
    return is_chess_sa_id(entrant.fide_id) and entrant.federation in ("", HOME) and not entrant.national_id


def _unknown(matches: Iterable[Match], hints: MessageHints) -> Iterable[Finding]:
    """Yield one finding for all lines without a candidate: a region's first file may have a hundred of them."""
    unknown = [match for match in matches if match.unknown and fold(match.entrant.name)]
    if not unknown:
        return
    names = ", ".join(_who(match) for match in unknown[:_MOST_NAMED])
    if len(unknown) == 1:
        message = (
            f"{names} is not on the register. Confirm that the player is new ({hints.create}), or give the Chess SA id"
        )
    else:
        more = f" and {len(unknown) - _MOST_NAMED} more" if len(unknown) > _MOST_NAMED else ""
        message = (
            f"{len(unknown)} players are not on the register: {names}{more}. Confirm that they are new ({hints.create}), or"
            f" give their Chess SA ids"
        )
    message = f"{message} in the file."
    yield _finding(unknown, Severity.ERROR, "player-unknown", message, "56", correction=PLAYER.code)


def _not_looked_up(matches: Sequence[Match], confirmed: Collection[int], hints: MessageHints) -> Iterable[Finding]:
    """Yield a finding for each name that too many lines bear: an error until it is said who they are, then a hold."""
    names: dict[str, list[Match]] = {}
    for match in matches:
        if match.not_looked_up:
            names.setdefault(fold(match.entrant.name), []).append(match)
    for bearers in names.values():
        for is_new in (False, True):
            lines = [match for match in bearers if (match.entrant.number in confirmed) is is_new]
            if not lines:
                continue
            numbers = listed([str(match.entrant.number) for match in lines])
            who = f"{lines[0].entrant.called} (start number{'s' if len(lines) > 1 else ''} {numbers})"
            if is_new:
                message = f"{who}: new by the uploader’s answer, and not looked up by name on the register. {_WHY}"
                yield _finding(lines, Severity.HOLD, "name-not-looked-up", message, "56")
            else:
                answer = hints.match.format(lines[0].entrant.number)
                message = f"{who}: not looked up by name. {_WHY} Give the Chess SA ids in the file, or say {answer} who it is."
                yield _finding(lines, Severity.ERROR, "name-not-looked-up", message, "14.4", correction=PLAYER.code)


_WHY = (
    f"More than {MOST_OF_A_NAME} lines bear the name without an id that tells them apart, or bear the id: with a birth date on"
    " each they would find out the register’s."
)


def _open_question(match: Match, *, create: bool, hints: MessageHints) -> Finding:
    best = match.candidates[0]
    others = "".join(f" or {known_as(other.player)}" for other in match.candidates[1:3])
    message = f"{_who(match)} may be {known_as(best.player)}{others}: {without_birth_date(best.likelihood.reason)}."
    if create and best.likelihood.strength is not Strength.AGAINST:
        taken = f"{message} Taken for a new player, as the uploader confirms."
        return _finding(match, Severity.HOLD, "player-alike", taken, "56")
    message += (
        f" Say which {hints.match.format(match.entrant.number)}, or correct the id, the name or the birth date, in the file or"
        f" on the register, so that they agree."
    )
    return _finding(match, Severity.ERROR, "player-uncertain", message, "14", correction=PLAYER.code)


def _finding(
    about: Match | Sequence[Match], severity: Severity, code: str, message: str, article: str, *, correction: str = ""
) -> Finding:
    """Return a finding about a line of the file, or about several."""
    matches = [about] if isinstance(about, Match) else about
    lines = several(match.entrant.line for match in matches)
    return Finding(
        severity, code, message, line=matches[0].entrant.line, article=article, correction=correction, lines=lines
    )


def _id_said(number: str) -> str:
    """Return an id for a message: in some formats it may be a text of any length."""
    return shortened(number, 20)


def _who(match: Match) -> str:
    """Return who a line is; by the start number alone, if he may be a player whose data was erased (`called_by_id`)."""
    if match.player is None and any(candidate.player.erased_at for candidate in match.candidates):
        return f"Start number {match.entrant.number}"
    return f"{match.entrant.called} (start number {match.entrant.number})"
