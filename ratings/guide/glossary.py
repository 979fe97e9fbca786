"""The terms of the site in plain words. A page links to one by its anchor."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Term:
    """A term: its anchor, what it means, and the terms beside it by anchor."""

    code: str
    name: str
    meaning: str
    beside: tuple[str, ...] = ()


TERMS: tuple[Term, ...] = (
    Term("activity", "Activity", "Games played, byes by the pairing and forfeit wins of a month, by list."),
    Term("appeal", "Appeal", "A request to the appeals panel to decide about a refusal anew.", ("refusal",)),
    Term("appointment", "Appointment", "The position of an arbiter in an event, with the rounds.", ("arbiter",)),
    Term("arbiter", "Arbiter", "Who directs an event: the Chief Arbiter, Deputies and others.", ("appointment",)),
    Term("edition", "Edition", "The rules of a rating system from a day on.", ("rating-system",)),
    Term("event", "Event", "A competition of one section or more.", ("section", "registration")),
    Term(
        "expected-score", "Expected score", "What a player scores on average against such an opponent.", ("k-factor",)
    ),
    Term(
        "finding", "Finding", "Something that a check says about a file: an error, a question, a note.", ("submission",)
    ),
    Term("floor", "Floor", "What a rating does not sink below.", ("highest-rating",)),
    Term("forfeit", "Forfeit", "A point without a game. It is not rated.", ("game", "penalty")),
    Term("game", "Game", "A game that was played. Nothing else is rated.", ("result",)),
    Term(
        "highest-rating", "Highest rating", "The highest published rating of a player on a list.", ("k-factor", "floor")
    ),
    Term("k-factor", "K-factor", "How many points a game moves a rating at most.", ("expected-score",)),
    Term(
        "live-list",
        "Live list",
        "Today’s standing of the open month, by the events accepted so far. It is not official.",
        ("published-list",),
    ),
    Term("penalty", "Penalty", "Points that are taken off for a forfeit or a withdrawal without notice.", ("forfeit",)),
    Term("performance", "Performance", "The rating as which somebody played in an event.", ("expected-score",)),
    Term("player", "Player", "Anybody on the register, with a Chess SA id.", ("region",)),
    Term("province", "Province", "A part of the country, with regions.", ("region",)),
    Term(
        "provisional-rating",
        "Provisional rating",
        "In some systems a rating that stands on few games yet.",
        ("rating-system",),
    ),
    Term(
        "published-list",
        "Published list",
        "A rating list as it counts from a day on. It is never changed.",
        ("rating-list",),
    ),
    Term(
        "published-rating",
        "Published rating",
        "The higher of raw and weighted rating.",
        ("raw-rating", "weighted-rating"),
    ),
    Term("rating-list", "Rating list", "Main, Standard, Rapid, Blitz, or one of another system.", ("published-list",)),
    Term("rating-period", "Rating period", "A month, whose events are rated together.", ("rating-run",)),
    Term("rating-run", "Rating run", "One calculation of a rating period, from what was accepted.", ("rating-period",)),
    Term(
        "rating-system",
        "Rating system",
        "The rules that make ratings out of games: four are at home here.",
        ("edition",),
    ),
    Term(
        "raw-rating", "Raw rating", "The rating of the moment, from which games are calculated.", ("published-rating",)
    ),
    Term("refusal", "Refusal", "The bureau’s decision not to rate an event or a section, with a reason.", ("appeal",)),
    Term("region", "Region", "A body within a province, with one administrator.", ("province",)),
    Term("registration", "Registration", "The announcement of an event before it begins.", ("event", "submission")),
    Term("result", "Result", "How a game ended, or why there was none.", ("game", "forfeit")),
    Term("round", "Round", "Games of a section that are played together.", ("section",)),
    Term("section", "Section", "A part of an event with its own pairings, which is rated as one.", ("event", "round")),
    Term("submission", "Submission", "A file of results that a region sends in.", ("finding", "registration")),
    Term("type-of-game", "Type of game", "Classical, standard, rapid or blitz, by the time control.", ("rating-list",)),
    Term("unrated", "Unrated", "Without a rating on a list, whatever the others say.", ("rating-list",)),
    Term(
        "weighted-performance",
        "Weighted performance",
        "The average of the last performances, the newest weighing most.",
        ("performance",),
    ),
    Term(
        "weighted-rating",
        "Weighted rating",
        "The average of past raw ratings, the newest weighing most.",
        ("raw-rating",),
    ),
)
