"""Finds the players on the register for the lines of a file, by national id, FIDE id, name and birth date."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from django.db.models import Q

from config.lib import formatting
from events.rules.corrections import PLAYER
from events.rules.findings import Finding, Severity
from events.rules.tournament import Entrant, Tournament
from players.identity import (
    Likelihood,
    Person,
    Strength,
    fold,
    is_candidate,
    is_chess_sa_id,
    is_same_newcomer,
    likelihood,
    name_similarity,
)
from players.models import Player

_MOST_OF_A_NAME = 2  # lines of a file without an id that are looked up by their name
_MOST_CANDIDATES = 5
_MOST_NAMED = 10
_CHOSEN = "chosen by the uploader"
_NEWCOMER = "new to the register, as in another section of the event"
_LONGEST_NAME = 80  # as the register has it


@dataclass(frozen=True, slots=True)
class MessageHints:
    """Where the uploader answers: that players are new, who a line is, the section's days, the returned section.

    The places of `match` and `section` are filled with the start number and the key of the section.
    """

    create: str
    match: str
    days: str
    section: str


COMMAND_HINTS = MessageHints("--create-players", "with --match {}=NUMBER", "--started, --ended", "--section {}")
FORM_HINTS = MessageHints(
    "tick “New players”", "with a line {}=NUMBER under “Players”", "“Starts”, “Ends”", "under “Returned section”"
)
PAGE_HINTS = MessageHints(
    "with “New players” on this page", "beside the line on this page", "in the registration", "on its event’s page"
)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A player on the register who may be the player of a line."""

    player: Player
    likelihood: Likelihood


@dataclass(frozen=True, slots=True)
class Match:
    """A line of a file with its candidates, the likeliest first; `player` is None unless the match is certain."""

    entrant: Entrant
    candidates: tuple[Candidate, ...]
    player: Player | None
    reason: str


def still_registered(chosen: Mapping[int, str]) -> tuple[dict[int, str], dict[int, str]]:
    """Split choices, start number → Chess SA id, into those still on the register and the others."""
    registered = set(Player.objects.filter(number__in=chosen.values()).values_list("number", flat=True))
    kept = {number: player for number, player in chosen.items() if player in registered}
    return kept, {number: player for number, player in chosen.items() if number not in kept}


def _has_id(entrant: Entrant) -> bool:
    return bool(chess_sa_id(entrant) or entrant.fide_id)


def match_entrants(
    tournament: Tournament,
    chosen: Mapping[int, str] | None = None,
    *,
    new: Collection[int] = (),
    newcomers: Collection[int] = (),
) -> list[Match]:
    """Return the matches of a file's lines in order. Nothing is written.

    `chosen`: the uploader's choices, start number → Chess SA id; `new`: the start numbers of players who are new by his
    answer; `newcomers`: the keys of players whom another section of the event has just registered, so that a player who is new
    in both is registered once. Raises ValueError if a choice is not on the register or its start number not in the file.
    """
    strangers = sorted({*(chosen or {}), *new} - {entrant.number for entrant in tournament.entrants})
    if strangers:
        raise ValueError(f"start number {strangers[0]} is not in the file: a choice names a line by its start number")
    known = _register(tournament)
    # Hazard: many lines of one name with a birth date each would find out the register's. They are matched by an id only.
    names = {entrant.number: fold(entrant.name) for entrant in tournament.entrants if not _has_id(entrant)}
    lines = Counter(names.values())
    repeated = {number for number, name in names.items() if name and lines[name] > _MOST_OF_A_NAME}
    picked = {number: _chosen(number, player) for number, player in (chosen or {}).items()}
    matches = [
        Match(entrant, (), picked[entrant.number], _CHOSEN)
        if entrant.number in picked
        else Match(entrant, (), None, "")
        if entrant.number in repeated
        else _match(entrant, known, new=entrant.number in new, newcomers=newcomers)
        for entrant in tournament.entrants
    ]
    # two lines that match one newcomer are both left open
    taken = Counter(match.player.pk for match in matches if match.player is not None)
    return [
        _match(match.entrant, known, new=True, newcomers=())
        if match.reason == _NEWCOMER and match.player is not None and taken[match.player.pk] > 1
        else match
        for match in matches
    ]


def _chosen(start_number: int, number: str) -> Player:
    player = Player.objects.filter(number=number).first()
    if player is None:
        raise ValueError(f"start number {start_number}: no player with Chess SA id {number} is on the register")
    return player


def person_of(entrant: Entrant) -> Person:
    """Return a line of a file as data for the comparison."""
    return Person(
        last_name=entrant.last_name,
        first_name=entrant.first_name,
        national_id=chess_sa_id(entrant),
        fide_id=entrant.fide_id,
        birth_date=entrant.birth_date,
        birth_year=entrant.birth_year,
        sex=entrant.sex,
    )


def chess_sa_id(entrant: Entrant) -> str:
    """Return the national id of a line; "" if it is another federation's."""
    return entrant.national_id if entrant.national_federation in ("", "RSA") else ""


def match_findings(
    matches: list[Match], *, create: bool, new: Collection[int] = (), hints: MessageHints = COMMAND_HINTS
) -> list[Finding]:
    """Return findings on what the uploader must decide or correct about the players, grouped by kind.

    `create`: the uploader confirms that all players who are not certainly known are new; `new`: the start numbers of those
    whom he confirms one by one.
    """
    findings = [] if create else _unknown([match for match in matches if match.entrant.number not in new], hints)

    def add(match: Match, severity: Severity, code: str, message: str, article: str) -> None:
        findings.append(Finding(severity, code, f"{_who(match)}{message}", line=match.entrant.line, article=article))

    for match in matches:
        if match.player is None and match.candidates:
            findings.append(_open_question(match, create=create or match.entrant.number in new, hints=hints))
    counted = Counter(match.player.pk for match in matches if match.player)
    for match in matches:
        if match.player and counted[match.player.pk] > 1:
            answer = "Take one of the two answers back" if match.reason == _CHOSEN else "Correct the ids in the file"
            message = (
                f" is {match.player}, and so is another line of the file: {match.reason}. {answer}, so that each player"
            )
            add(match, Severity.ERROR, "player-twice", f"{message} stands once.", "14.4")
    for match in matches:
        if match.reason == _NEWCOMER:
            message = f" is {match.player}, who was new in another section of the event, too."
            add(match, Severity.NOTE, "player-newcomer", message, "56")
    for match in matches:
        differing = _differing(match.entrant, match.player) if match.player and match.reason == _CHOSEN else ""
        if differing:
            message = f" is {match.player}, as the uploader says, and {differing} in the file is not the register’s. Correct it"
            message = f"{message} in the file, or an officer corrects the register."
            add(match, Severity.HOLD, "player-differs", message, "14")
    for match in matches:
        number = chess_sa_id(match.entrant)
        if match.player and number and number.lstrip("0") != match.player.number.lstrip("0"):
            message = (
                f" has Chess SA id {number} in the file and is taken for {match.player}: {match.reason}. Correct the id"
            )
            add(match, Severity.HOLD, "player-id-differs", f"{message} in the file, or an officer decides.", "14.4")
    without_id = [match for match in matches if match.player and match.reason and not chess_sa_id(match.entrant)]
    if without_id:
        message = f"{formatting.count(len(without_id), 'line')} without a Chess SA id: who they are is shown among the players"
        message += " found on the register, and confirmed with the declaration."
        line = without_id[0].entrant.line
        findings.append(Finding(Severity.NOTE, "ids-on-register", message, line=line, article="14.4"))
    strangers = [match for match in matches if match.player is None]
    for match in strangers:
        if not match.candidates and not fold(match.entrant.name):
            message = " is not on the register, and the file gives no name. Correct the id, or give the name."
            add(match, Severity.ERROR, "player-nameless", message, "14.1")
    for match in strangers:
        if max(len(match.entrant.last_name), len(match.entrant.first_name)) > _LONGEST_NAME:
            message = (
                f"{_who(match)[:_LONGEST_NAME]}…: a last name and a first name have at most {_LONGEST_NAME} letters each."
                " Shorten it."
            )
            line = match.entrant.line
            findings.append(Finding(Severity.ERROR, "player-name-long", message, line=line, article="14.1"))
    for match in strangers:
        number = chess_sa_id(match.entrant)
        if number and not is_chess_sa_id(number):
            message = f" has Chess SA id {number}, where nine digits were expected. It is not taken: a new player gets the next"
            add(match, Severity.NOTE, "id-not-taken", f"{message} free number.", "56")
    for label, ids in (
        ("Chess SA id", [chess_sa_id(match.entrant) for match in strangers]),
        ("FIDE id", [match.entrant.fide_id for match in strangers]),
    ):
        for match, number in zip(strangers, ids, strict=True):
            if number and ids.count(number) > 1:
                message = f" has {label} {number}, and so has another line. Correct the ids in the file."
                add(match, Severity.ERROR, "id-twice", message, "14.4")
    return findings


def _differing(entrant: Entrant, player: Player) -> str:
    """Return the detail in which a line differs from the register, or ""."""
    born = entrant.birth_date and player.birth_date and entrant.birth_date != player.birth_date
    year = entrant.birth_year and player.birth_year and entrant.birth_year != player.birth_year
    sex = entrant.sex and player.sex and entrant.sex != player.sex
    return "the date of birth" if born or year else "the gender" if sex else ""


def _unknown(matches: list[Match], hints: MessageHints) -> list[Finding]:
    """Return one finding for all lines without a candidate: a region's first file may have a hundred of them."""
    unknown = [match for match in matches if match.player is None and not match.candidates and fold(match.entrant.name)]
    if not unknown:
        return []
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
    return [
        Finding(
            Severity.ERROR,
            "player-unknown",
            f"{message} in the file.",
            line=unknown[0].entrant.line,
            article="56",
            correction=PLAYER.code,
        )
    ]


def _open_question(match: Match, *, create: bool, hints: MessageHints) -> Finding:
    line = match.entrant.line
    best = match.candidates[0]
    others = "".join(f" or {other.player}" for other in match.candidates[1:3])
    message = f"{_who(match)} may be {best.player}{others}: {best.likelihood.reason}."
    if create and best.likelihood.strength is not Strength.AGAINST:
        taken = f"{message} Taken for a new player, as the uploader confirms."
        return Finding(Severity.HOLD, "player-alike", taken, line=line, article="56")
    message += (
        f" Say which {hints.match.format(match.entrant.number)}, or correct the id, the name or the birth date, in the file or"
        f" on the register, so that they agree."
    )
    return Finding(Severity.ERROR, "player-uncertain", message, line=line, article="14", correction=PLAYER.code)


def _who(match: Match) -> str:
    return f"{match.entrant.called} (start number {match.entrant.number})"


class _Known:
    """Players of the register, to be found by id and by words of the name."""

    def __init__(self, players: list[Player]) -> None:
        self.people = {player.pk: (player, known_person(player)) for player in players}
        self.by_id: dict[tuple[str, str], list[int]] = {}
        self.by_word: dict[str, list[int]] = {}
        for player in players:
            self.by_id.setdefault(("national", player.number), []).append(player.pk)
            if player.fide_id:
                self.by_id.setdefault(("fide", str(player.fide_id)), []).append(player.pk)
            for word in set(player.folded_name.split()):
                self.by_word.setdefault(word, []).append(player.pk)

    def possible(self, entrant: Entrant) -> set[int]:
        players: set[int] = set()
        for kind, number in (("national", chess_sa_id(entrant)), ("fide", entrant.fide_id)):
            players.update(self.by_id.get((kind, number), ()))
        for word in fold(entrant.name).split():
            if len(word) > 1:
                players.update(self.by_word.get(word, ()))
        return players


def _register(tournament: Tournament) -> _Known:
    national = {number for entrant in tournament.entrants if (number := chess_sa_id(entrant))}
    fide = {int(entrant.fide_id) for entrant in tournament.entrants if entrant.fide_id.isdecimal()}
    fide = {number for number in fide if number < 2**63}  # what the column can hold
    words = {word for entrant in tournament.entrants for word in fold(entrant.name).split() if len(word) > 1}
    people = Player.objects.only(
        "number", "fide_id", "last_name", "first_name", "folded_name", "birth_date", "birth_year", "sex", "region"
    )
    players = {player.pk: player for player in people.filter(Q(number__in=national) | Q(fide_id__in=fide))}
    if words:
        for player in people.iterator(chunk_size=5000):
            if not words.isdisjoint(player.folded_name.split()):
                players.setdefault(player.pk, player)
    return _Known(list(players.values()))


def _match(entrant: Entrant, known: _Known, *, new: bool, newcomers: Collection[int]) -> Match:
    line = person_of(entrant)
    candidates: list[Candidate] = []
    others: list[Candidate] = []
    for pk in known.possible(entrant):
        player, person = known.people[pk]
        agreement = likelihood(line, person)
        (candidates if is_candidate(line, person, agreement) else others).append(Candidate(player, agreement))
    candidates.sort(key=lambda candidate: (-candidate.likelihood.score, candidate.player.number))
    new_players = [candidate.player for candidate in candidates if new and candidate.player.pk in newcomers]
    alike = [player for player in new_players if is_same_newcomer(line, known_person(player))]
    if len(alike) == 1:
        return Match(entrant, (), alike[0], _NEWCOMER)
    certain = [candidate for candidate in candidates if candidate.likelihood.strength is Strength.CERTAIN]
    against = any(candidate.likelihood.strength is Strength.AGAINST for candidate in candidates)
    if len(certain) == 1 and not _is_called(line, certain[0]):
        # the id is one player's: if the name is another's, a user decides
        namesakes = [
            player for player in (*candidates, *others) if player is not certain[0] and _is_called(line, player)
        ]
        candidates += [player for player in namesakes if player not in candidates]
        against = against or bool(namesakes)
    if len(certain) == 1 and not against and not new:
        return Match(entrant, tuple(candidates[:_MOST_CANDIDATES]), certain[0].player, certain[0].likelihood.reason)
    return Match(entrant, tuple(candidates[:_MOST_CANDIDATES]), None, "")


def _is_called(line: Person, candidate: Candidate) -> bool:
    return name_similarity(line, known_person(candidate.player)) == 1.0


def known_person(player: Player) -> Person:
    """Return a player on the register as data for the comparison."""
    return Person(
        last_name=player.last_name,
        first_name=player.first_name,
        national_id=player.number,
        fide_id=str(player.fide_id or ""),
        birth_date=player.birth_date,
        birth_year=player.birth_year,
        sex=player.sex,
    )
