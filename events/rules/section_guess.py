"""For which section of an event a tournament file is: by the names, by the players, by whom a section's name admits. Pure.

A guess comes with the reasons for it, which the page of the results shows beside the file.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from events.rules.tournament import Entrant, Tournament
from players.identity import fold, is_chess_sa_id

_FEWEST = 3  # players by whom a section is guessed
_FITTING = 0.9  # share of the known players who must be of the age, sex or rating that a section's name says
_AGES = (5, 99)  # years; a greater number is a rating
_RATINGS = (400, 2900)

NAMED = "The section’s name stands in the name of the tournament or of the file."
SAME_LIMITS = "The name of the tournament or of the file says the age, sex or rating of this section alone."
REMAINING = "Its players are not of the age, sex or rating that the names of the other sections say."

_FEMALE, _MALE = {"girl", "girls", "women", "womens", "ladies", "female"}, {"boy", "boys", "men", "mens", "male"}
_UNDER = re.compile(r"\b(?:u|under|below)[\s-]*(\d{1,4})(?:[\s-]*([bgfm])\b)?(?!\d)")
_OVER = re.compile(r"\b(?:over|above)[\s-]*(\d{2,4})\b|\b(\d{2,4})\s*\+")
_BETWEEN = re.compile(r"\b(\d{3,4})\s*[-–]\s*(\d{3,4})\b")
_SEXES = {"g": "F", "f": "F", "b": "M", "m": "M"}


@dataclass(frozen=True, slots=True)
class SectionKnown:
    """A section to which a file may belong. `players`: `keys_of` those of its file or of its results so far."""

    key: int
    name: str
    players: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class SectionGuess:
    """The section of a file, by its key, and why: a sentence for each reason."""

    key: int
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Limits:
    """Whom a section's name admits. Ages are those of article 16, in years; ratings are limits that are included."""

    oldest: int | None = None
    youngest: int | None = None
    sex: str = ""
    highest: int | None = None
    lowest: int | None = None

    def within(self, other: "Limits") -> bool:
        """Return whether all whom these limits admit are admitted by the others."""
        return (
            (other.oldest is None or (self.oldest is not None and self.oldest <= other.oldest))
            and (other.youngest is None or (self.youngest is not None and self.youngest >= other.youngest))
            and other.sex in ("", self.sex)
            and (other.highest is None or (self.highest is not None and self.highest <= other.highest))
            and (other.lowest is None or (self.lowest is not None and self.lowest >= other.lowest))
        )


def keys_of(name: str, *ids: str) -> Iterable[str]:
    """Yield what a player is recognised by in another file: the words of the name in any order, and Chess SA ids."""
    if words := sorted(fold(name).split()):
        yield " ".join(words)
    yield from (number for number in ids if is_chess_sa_id(number))


def limits_of(name: str) -> Limits:
    """Return whom the name of a section, a tournament or a file admits: `U16 Girls`, `Under-1600`, `1200-1599`, `50+`."""
    text = name.casefold().replace("_", " ").replace("’", "'")
    words = set(fold(text).split())
    sex = "F" if words & _FEMALE else "M" if words & _MALE else ""
    oldest = youngest = highest = lowest = None
    for number, letter in _UNDER.findall(text):
        value = int(number)
        if _AGES[0] <= value <= _AGES[1]:
            oldest, sex = value, sex or _SEXES.get(letter, "")
        elif _RATINGS[0] <= value <= _RATINGS[1]:
            highest = value
    for above, plus in _OVER.findall(text):
        value = int(above or plus)
        if _AGES[0] <= value <= _AGES[1]:
            youngest = value
        elif _RATINGS[0] <= value <= _RATINGS[1]:
            lowest = value
    for low, high in _BETWEEN.findall(text):
        season = int(high) - int(low) == 1  # of years: 2025-2026
        if _RATINGS[0] <= int(low) < int(high) <= _RATINGS[1] and not season:
            lowest, highest = int(low), int(high)
    return Limits(oldest, youngest, sex, highest, lowest)


def guess_section(
    sections: Sequence[SectionKnown], tournament: Tournament, filename: str, *, year: int
) -> SectionGuess | None:
    """Return for which of an event's sections a file is, or None if it cannot be told. `year`: in which the event is held."""
    called = f"{tournament.name} {filename.rpartition('.')[0] or filename}".replace("_", " ")
    return (
        _by_same_limits(sections, called)
        or _by_name(sections, called)
        or _by_players(sections, tournament.entrants)
        or _by_limits(sections, tournament.entrants, year=year)
    )


def _by_same_limits(sections: Sequence[SectionKnown], called: str) -> SectionGuess | None:
    limits = limits_of(called)
    same = [section for section in sections if limits_of(section.name) == limits] if limits != Limits() else []
    return SectionGuess(same[0].key, (SAME_LIMITS,)) if len(same) == 1 else None


def _by_name(sections: Sequence[SectionKnown], called: str) -> SectionGuess | None:
    """Guess the section all of whose name's words are there; of several that whose words include those of the others."""
    there = set(fold(called).split())
    words = {section.key: set(fold(section.name).split()) for section in sections}
    named = [key for key, name in words.items() if name and name <= there]
    fullest = [key for key in named if all(words[key] > words[other] for other in named if other != key)]
    return SectionGuess(fullest[0], (NAMED,)) if len(fullest) == 1 else None


def _by_players(sections: Sequence[SectionKnown], entrants: Sequence[Entrant]) -> SectionGuess | None:
    """Guess the section in whose file before, or results, half of the players or more stand, and few in another's."""
    keys = [frozenset(keys_of(entrant.name, entrant.national_id, entrant.fide_id)) for entrant in entrants]
    counts = sorted(
        ((sum(not key.isdisjoint(section.players) for key in keys), section.key) for section in sections), reverse=True
    )
    if not counts:
        return None
    most, section = counts[0]
    second = counts[1][0] if len(counts) > 1 else 0
    if most < _FEWEST or most * 2 < len(entrants) or second * 2 > most:
        return None
    return SectionGuess(section, (f"{most} of its {len(entrants)} players are in the section’s file before.",))


def _by_limits(sections: Sequence[SectionKnown], entrants: Sequence[Entrant], *, year: int) -> SectionGuess | None:
    """Guess the narrowest section whose name's limits the players keep; if they keep none, the one section without limits."""
    limited = {section.key: limits for section in sections if (limits := limits_of(section.name)) != Limits()}
    judged = {key: _judge(limits, entrants, year=year) for key, limits in limited.items()}
    fitting = [key for key, reasons in judged.items() if reasons]
    narrowest = [
        key
        for key in fitting
        if all(
            limited[key].within(limited[other]) and limited[key] != limited[other] for other in fitting if other != key
        )
    ]
    if len(narrowest) == 1:
        return SectionGuess(narrowest[0], tuple(judged[narrowest[0]] or ()))
    others = [section.key for section in sections if section.key not in limited]
    refuted = limited and all(reasons is not None and not reasons for reasons in judged.values())
    return SectionGuess(others[0], (REMAINING,)) if refuted and len(others) == 1 else None


def _judge(limits: Limits, entrants: Sequence[Entrant], *, year: int) -> list[str] | None:
    """Return the reasons why players keep limits: [] if they break one, None if too little is known of them."""
    born = [entrant.birth_date.year if entrant.birth_date else entrant.birth_year for entrant in entrants]
    ages = [year - birth for birth in born if birth]
    ratings = [rating for entrant in entrants if (rating := entrant.rating or entrant.national_rating)]
    sexes = [entrant.sex for entrant in entrants if entrant.sex]
    # As article 16: in an event for under 16 those may play who become 16 in its year.
    kept = {
        "age": _kept(ages, limits.youngest, limits.oldest),
        "rating": _kept(ratings, limits.lowest, limits.highest),
        "sex": [sex == limits.sex for sex in sexes] if limits.sex else None,
    }
    asked = {what: found for what, found in kept.items() if found is not None}
    if any(len(found) >= _FEWEST and sum(found) < _FITTING * len(found) for found in asked.values()):
        return []
    if any(len(found) < max(_FEWEST, len(entrants) / 2) for found in asked.values()):
        return None
    return [
        f"{sum(found)} of {len(found)} players are of the {what} that the section’s name says."
        for what, found in asked.items()
    ]


def _kept(values: Collection[int], least: int | None, most: int | None) -> list[bool] | None:
    if least is None and most is None:
        return None
    return [(least is None or value >= least) and (most is None or value <= most) for value in values]
