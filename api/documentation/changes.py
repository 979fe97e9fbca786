"""What changed in the API, version by version."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Version:
    """A version of the API: what is new in it, and what ends, each in a sentence."""

    number: str
    new: tuple[str, ...]
    ends: tuple[str, ...] = ()


VERSIONS = (
    Version(
        "1.1.0",
        (
            "Tokens: a section’s file is sent in and an event submitted by a program; one’s own events.",
            "Two players head to head, with the lists that rated each game, games abroad marked and forfeits apart; crosstables"
            " of many players.",
            "Arbiters; the case of a month; the tournament file of a section.",
            "Events by kind and by days from and to.",
            "What each game earned: expected score and change, with the opponent’s rating on that list.",
            "The live list, and a player’s live ratings; both are not official.",
            "Statistics of a list: distribution, age groups, regions, events by region, most improved, juniors, women.",
            "Sections with tie-breaks, teams with match points and boards, and the pairings of each round.",
            "A region’s players and its ten best on each list; players by the list that they are on (list).",
            "What ends says so: headers on its answers, marks in the OpenAPI document, and this page.",
            "Lists by age group (age_group), by surname or by change (sort).",
            "A section’s tournament file by the section alone (sections/{id}.trf).",
            "Months carry their revision; a list as it was published before a correction is its ?revision=.",
            "State, moment of publication and hash of a month; answers about a month have Last-Modified.",
            "The club of a player, and lists and players by it (club).",
            "Players who are hidden at their own wish are named “Hidden player”, without number; they are not found.",
            "The hash chain of the published lists (seals): keep the newest hash, and nothing of before is changed unseen.",
        ),
    ),
    Version(
        "1.0.0",
        (
            "Lists, periods, players with ratings, history, games and explanations, look-up of many.",
            "Events, sections, regions, provinces; calculators; the check of a file.",
        ),
    ),
)
