"""Explanations by the guide of 15 May 2001, in its own five steps. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass

from config.lib.editions import Edition
from ratings.systems.base import Cell, Event, Explanation, Step, Words, opponent_cells
from ratings.systems.uscf.columns import Standing
from ratings.systems.uscf.guide import GuideWork


def explain(event: Event, player: str, standing: Standing, work: GuideWork | None, edition: Edition) -> Explanation:
    """Return the steps to a player's rating; `work` is None for one without a game."""
    before = _before(standing, work, edition)
    steps = (before,) if work is None else (before, *_Player(event, work, edition).steps())
    return Explanation(player, f"Player {player} in event {event.id}", steps)


def _before(standing: Standing, work: GuideWork | None, edition: Edition) -> Step:
    if standing.rating is not None and standing.games is None:
        games = Cell.text("Games before", "established, number unknown")
    else:
        games = Cell.score("Games before", standing.games or 0)
    return Step(
        "start",
        "Rating before the event",
        f"the guide is for players of {edition['guide_established']} or more games",
        (),
        (Cell.rating("Rating before", standing.rating), games),
        edition.source("guide_established"),
        "No rated game: nothing changes." if work is None else "",
    )


@dataclass(frozen=True, slots=True)
class _Player:
    event: Event
    work: GuideWork
    edition: Edition

    def steps(self) -> Iterator[Step]:
        yield self.expected()
        yield self.difference()
        yield self.change()
        yield self.bonus()
        yield self.new()

    def expected(self) -> Step:
        work, table = self.work, self.edition["guide_expected"]
        rows = tuple(
            (
                *opponent_cells(game.game, self.event.games[game.game].round, game.opponent),
                Cell.rating("Opponent's rating", game.rating),
                Cell.figure("Difference", work.before - game.rating, 0),
                Cell.score("Score", game.score, 1),
                Cell.figure("Expected", game.expected),
            )
            for game in work.games
        )
        formula = (
            f"table 1, straight between its rows, to two places, a half upwards; .{table[-1][1]} from a difference of"
            f" {table[-1][0]} on; for the lower rated 1 less that, rounded in its turn"
        )
        result = (Cell.figure("Expected We", work.expected),)
        return Step("expected", "Expected score", formula, rows, result, self.edition.source("guide_expected"))

    def difference(self) -> Step:
        work = self.work
        rows = ((Cell.score("Score W", work.score, 1),), (Cell.figure("Expected We", work.expected),))
        result = (Cell.figure("W − We", work.score - work.expected),)
        return Step("delta", "Score above expectation", "W − We", rows, result, self.edition.source("guide_expected"))

    def change(self) -> Step:
        work, table = self.work, self.edition["guide_k"]
        formula = (
            "K × (W − We); K by table 2, straight between the ratings to a whole number, a half upwards; "
            f"under {table[0][0]} as at {table[0][0]}, above {table[-1][0]} as at {table[-1][0]}"
        )
        remark = "A half-K event: the change is halved." if work.half_k else ""
        rows = (
            (Cell.rating("Rating before", work.before),),
            (Cell.score("Games", len(work.games)),),
            (Cell.figure("W − We", work.score - work.expected),),
        )
        result = (Cell.figure("K", work.k, 0), Cell.change("Rating change", work.change))
        return Step("change", "Rating change", formula, rows, result, self.edition.source("guide_k"), remark)

    def bonus(self) -> Step:
        work = self.work
        remark: Words = ""
        if work.bonus > 0:
            remark = ("The change is ", float(work.bonus), f" above the cut-off of {work.cutoff}: this is added again.")
        rows = ((Cell.change("Rating change", work.change),), (Cell.figure("Cut-off", work.cutoff, 0),))
        formula = "what the change is above the cut-off of table 3; nothing below it"
        result = (Cell.figure("Bonus", work.bonus),)
        return Step("bonus", "Bonus", formula, rows, result, self.edition.source("guide_cutoff"), remark)

    def new(self) -> Step:
        work = self.work
        rows = (
            (Cell.rating("Rating before", work.before),),
            (Cell.change("Rating change", work.change),),
            (Cell.figure("Bonus", work.bonus),),
        )
        result = (Cell.rating("New rating", work.rating), Cell.rating("Published", work.published, 0))
        formula = "rating before + change + bonus; published to the nearest whole number, a half upwards"
        source = self.edition.source("guide_established")
        return Step("new", "New rating", formula, rows, result, source)
