"""Finds players for programs that know a number, a FIDE id, or a name, of many at once."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from django.db.models import Q, QuerySet

from players.identity import Likelihood, Person, Strength, fold, is_candidate, likelihood
from players.merged import players_of
from players.models import Player

MOST_CANDIDATES = 5
_MOST_COMPARED = 30  # players of the register that one name is compared with


@dataclass(frozen=True, slots=True)
class Query:
    """Whom a program looks for; what it does not know is empty."""

    number: str = ""
    fide_id: int | None = None
    name: str = ""
    birth_year: int | None = None

    @property
    def person(self) -> Person:
        """The query as data for the comparison. Without a comma all words of the name count as surname."""
        last, _, first = self.name.partition(",")
        return Person(last.strip(), first.strip(), self.number, str(self.fide_id or ""), birth_year=self.birth_year)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A player who may be the one looked for."""

    player: Player
    likelihood: Likelihood


def look_up(players: QuerySet[Player], queries: Sequence[Query]) -> list[list[Candidate]]:
    """Return the candidates for each query among some players, the likeliest first. Two queries, one without names; up to
    four more for ids that none of them has.

    Birth dates are not compared: who may not see them could find them out.
    """
    possible = _by_name(players, queries)
    wanted = Q(number__in=[query.number for query in queries if query.number])
    wanted |= Q(fide_id__in=[query.fide_id for query in queries if query.fide_id])
    wanted |= Q(pk__in={pk for keys in possible for pk in keys})
    known = {player.pk: player for player in players.filter(wanted).select_related("region")}
    by_number = {player.number: player for player in known.values()}
    others = {query.number for query in queries if query.number} - by_number.keys()
    led = players_of(players.select_related("region"), others)
    by_number |= {player.number: player for player in led.values()}
    by_fide = {player.fide_id: player for player in known.values() if player.fide_id}
    results = []
    for asked, keys in zip(queries, possible, strict=True):
        query = replace(asked, number=led[asked.number].number) if asked.number in led else asked
        people = [known[pk] for pk in keys if pk in known]
        people += [by_number[query.number]] if query.number in by_number else []
        people += [by_fide[query.fide_id]] if query.fide_id in by_fide else []
        results.append(_candidates(query, {player.pk: player for player in people}.values()))
    return results


def _candidates(query: Query, people: Iterable[Player]) -> list[Candidate]:
    found = []
    for player in people:
        match = likelihood(query.person, _known(player))
        if match.strength is not Strength.POSSIBLE or is_candidate(query.person, _known(player), match):
            found.append(Candidate(player, match))
    found.sort(key=lambda candidate: (-candidate.likelihood.score, candidate.player.number))
    return found[:MOST_CANDIDATES]


def _known(player: Player) -> Person:
    return Person(
        player.last_name,
        player.first_name,
        player.number,
        str(player.fide_id or ""),
        birth_year=player.birth_year,
        sex=player.sex,
    )


def _by_name(players: QuerySet[Player], queries: Sequence[Query]) -> list[list[int]]:
    """Return for each query the players whose names share most words with its own."""
    words = [set(fold(query.name).split()) for query in queries]
    all_words = set[str]().union(*words)
    if not all_words:
        return [[] for _ in queries]
    by_word: dict[str, list[int]] = defaultdict(list)
    for pk, name in players.order_by().values_list("pk", "folded_name"):
        for word in all_words.intersection(name.split()):
            by_word[word].append(pk)
    return [_sharing(by_word, own) for own in words]


def _sharing(by_word: dict[str, list[int]], words: set[str]) -> list[int]:
    shared = Counter(chain.from_iterable(by_word.get(word, ()) for word in words))
    by_times: dict[int, list[int]] = defaultdict(list)
    for pk, times in shared.items():
        by_times[times].append(pk)
    most: list[int] = []
    for times in sorted(by_times, reverse=True):
        most += sorted(by_times[times])
        if len(most) >= _MOST_COMPARED:
            break
    return most[:_MOST_COMPARED]
