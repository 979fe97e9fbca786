"""The terms of the site in plain words. A page links to one by its anchor, and says it in the reader's language."""

from dataclasses import dataclass

from django.utils.translation import gettext_noop as _


@dataclass(frozen=True, slots=True)
class Term:
    """A term: its anchor, what it means, and the terms beside it by anchor."""

    code: str
    name: str
    meaning: str
    beside: tuple[str, ...] = ()


TERMS: tuple[Term, ...] = (
    Term("activity", _("Activity"), _("Games played, byes by the pairing and forfeit wins of a month, by list.")),
    Term("appeal", _("Appeal"), _("A request to the appeals panel to decide about a refusal anew."), ("refusal",)),
    Term("appointment", _("Appointment"), _("The position of an arbiter in an event, with the rounds."), ("arbiter",)),
    Term("arbiter", _("Arbiter"), _("Who directs an event: the Chief Arbiter, Deputies and others."), ("appointment",)),
    Term("edition", _("Edition"), _("The rules of a rating system from a day on."), ("rating-system",)),
    Term("event", _("Event"), _("A competition of one section or more."), ("section", "registration")),
    Term(
        "expected-score",
        _("Expected score"),
        _("What a player scores on average against such an opponent."),
        ("k-factor",),
    ),
    Term(
        "finding",
        _("Finding"),
        _("Something that a check says about a file: an error, a question, a note."),
        ("submission",),
    ),
    Term("floor", _("Floor"), _("What a rating does not sink below."), ("highest-rating",)),
    Term("forfeit", _("Forfeit"), _("A point without a game. It is not rated."), ("game", "penalty")),
    Term("game", _("Game"), _("A game that was played. Nothing else is rated."), ("result",)),
    Term(
        "highest-rating",
        _("Highest rating"),
        _("The highest published rating of a player on a list."),
        ("k-factor", "floor"),
    ),
    Term("k-factor", _("K-factor"), _("How many points a game moves a rating at most."), ("expected-score",)),
    Term(
        "live-list",
        _("Live list"),
        _("Today’s standing of the open month, by the events accepted so far. It is not official."),
        ("published-list",),
    ),
    Term(
        "penalty",
        _("Penalty"),
        _("Points that are taken off for a forfeit or a withdrawal without notice."),
        ("forfeit",),
    ),
    Term("performance", _("Performance"), _("The rating as which somebody played in an event."), ("expected-score",)),
    Term("player", _("Player"), _("Anybody on the register, with a Chess SA id."), ("region",)),
    Term("province", _("Province"), _("A part of the country, with regions."), ("region",)),
    Term(
        "provisional-rating",
        _("Provisional rating"),
        _("In some systems a rating that stands on few games yet."),
        ("rating-system",),
    ),
    Term(
        "published-list",
        _("Published list"),
        _("A rating list as it counts from a day on. It is never changed."),
        ("rating-list",),
    ),
    Term(
        "published-rating",
        _("Published rating"),
        _("The higher of raw and weighted rating."),
        ("raw-rating", "weighted-rating"),
    ),
    Term(
        "rating-list",
        _("Rating list"),
        _("Main, Standard, Rapid, Blitz, or one of another system."),
        ("published-list",),
    ),
    Term("rating-period", _("Rating period"), _("A month, whose events are rated together."), ("rating-run",)),
    Term(
        "rating-run",
        _("Rating run"),
        _("One calculation of a rating period, from what was accepted."),
        ("rating-period",),
    ),
    Term(
        "rating-system",
        _("Rating system"),
        _("The rules that make ratings out of games: four are at home here."),
        ("edition",),
    ),
    Term(
        "raw-rating",
        _("Raw rating"),
        _("The rating of the moment, from which games are calculated."),
        ("published-rating",),
    ),
    Term(
        "refusal",
        _("Refusal"),
        _("The bureau’s decision not to rate an event or a section, with a reason."),
        ("appeal",),
    ),
    Term("region", _("Region"), _("A body within a province, with one administrator."), ("province",)),
    Term(
        "registration", _("Registration"), _("The announcement of an event before it begins."), ("event", "submission")
    ),
    Term("result", _("Result"), _("How a game ended, or why there was none."), ("game", "forfeit")),
    Term("round", _("Round"), _("Games of a section that are played together."), ("section",)),
    Term(
        "section",
        _("Section"),
        _("A part of an event with its own pairings, which is rated as one."),
        ("event", "round"),
    ),
    Term("submission", _("Submission"), _("A file of results that a region sends in."), ("finding", "registration")),
    Term(
        "type-of-game",
        _("Type of game"),
        _("Classical, standard, rapid or blitz, by the time control."),
        ("rating-list",),
    ),
    Term("unrated", _("Unrated"), _("Without a rating on a list, whatever the others say."), ("rating-list",)),
    Term(
        "weighted-performance",
        _("Weighted performance"),
        _("The average of the last performances, the newest weighing most."),
        ("performance",),
    ),
    Term(
        "weighted-rating",
        _("Weighted rating"),
        _("The average of past raw ratings, the newest weighing most."),
        ("raw-rating",),
    ),
)
