"""Explanations in the Irish Chess Union's system, from the columns of its calculation. Pure."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from config.lib.editions import Edition
from ratings.systems.base import Cell, CellKind, Event, Explanation, Game, Opponent, Step, Words, opponent_cells
from ratings.systems.icu.calculation import Bonus, Calculation, Estimates, RatingChanges, bonus_of
from ratings.systems.icu.columns import EventColumns, Ints

_SCORES = {1.0: "1", 0.5: "½", 0.0: "0"}


def explain(event: Event, calculation: Calculation, row: int, edition: Edition) -> Explanation:
    """Return the steps to the rating of the player in a row of the columns, in the order of the calculation."""
    return _Explainer(event, calculation, row, edition).explanation()


@dataclass(frozen=True, slots=True)
class _Explainer:
    event: Event
    calculation: Calculation
    row: int
    edition: Edition

    @property
    def columns(self) -> EventColumns:
        return self.calculation.columns

    @property
    def name(self) -> str:
        return self.columns.names[self.row]

    @property
    def sides(self) -> Ints:
        return np.flatnonzero(self.columns.own == self.row)

    def explanation(self) -> Explanation:
        steps = [self.games(), *(self.rated() if self.columns.rated[self.row] else self.others())]
        return Explanation(self.name, f"Player {self.name} in event {self.event.id}", tuple(steps))

    def rated(self) -> Iterator[Step]:
        calculation = self.calculation
        yield self.changes("changes-1", self.first("expected scores and changes"), calculation.first_changes)
        yield self.performance("performance-1", self.first("performance"), calculation.first)
        if not calculation.first.unsettled.any():
            yield self.bonus()
        if calculation.second is not None:
            remark = "Opponents with a bonus are seen at their rating with it; the player's own rating is the old one."
            label = "Second calculation: expected scores and changes"
            yield self.changes("changes-2", label, calculation.changes, remark)
            yield self.performance("performance-2", "Second calculation: performance", calculation.second)
        if calculation.converged:
            yield self.new_rating()

    def others(self) -> Iterator[Step]:
        calculation = self.calculation
        label = "performance" if self.columns.full[self.row] else "estimate of the rating"
        yield self.performance("performance-1", self.first(label), calculation.first)
        if calculation.second is not None:
            yield self.performance("performance-2", f"Second calculation: {label}", calculation.second)
        yield self.changes("expected", "Expected scores", calculation.changes)
        if calculation.converged:
            yield self.new_rating()

    def first(self, label: str) -> str:
        """Return a step's label in the first calculation, which has no number when it is the only one."""
        return label.capitalize() if self.calculation.second is None else f"First calculation: {label}"

    def games(self) -> Step:
        """Which games count."""
        counted = set(self.columns.game[self.sides].tolist())
        rows = []
        for index, game in enumerate(self.event.games):
            if self.name not in (game.white, game.black):
                continue
            opponent = game.black if game.white == self.name else game.white
            if index in counted:
                word = "yes"
            elif not game.result.played:
                word = "no: not played"
            elif self.left_out(opponent):
                word = "no: a side cannot be rated"
            else:
                word = "no: entered twice"
            white = game.white == self.name
            rows.append(
                (
                    *self.opponent_cells(index),
                    Cell.text("Colour", "White" if white else "Black"),
                    Cell.text("Result", _own_result(game, white)),
                    Cell.text("Counts", word),
                )
            )
        remark = ""
        if not self.calculation.rateable[self.row]:
            remark = "Neither an opponent nor an opponent's opponent is rated or foreign: the player cannot be rated."
        source = self.edition.source("reach")
        formula = "a game counts that was played, between two players who can be rated"
        result = (Cell.score("Games", len(counted)),)
        return Step("games", "Games", formula, tuple(rows), result, source, remark)

    def left_out(self, opponent: object) -> bool:
        rateable, names = self.calculation.rateable, self.columns.names
        met = opponent in names and not rateable[names.index(str(opponent))]
        return bool(met or not rateable[self.row])

    def opponent_cells(self, index: int) -> tuple[Cell, Cell]:
        game = self.event.games[index]
        opponent = game.black if game.white == self.name else game.white
        if opponent is None:  # a bye
            return Cell("Round", game.round, 0, CellKind.ROUND), Cell("Opponent", None, kind=CellKind.OUTSIDE)
        return opponent_cells(index, game.round, None if isinstance(opponent, Opponent) else opponent)

    def changes(self, id: str, label: str, changes: RatingChanges, remark: str = "") -> Step:
        columns, edition = self.columns, self.edition
        rated = bool(columns.rated[self.row])
        rows = []
        for side in self.sides:
            cells = [
                *self.opponent_cells(int(columns.game[side])),
                Cell.rating("Opponent's rating", changes.seen[side]),
                Cell.score("Score", columns.score[side], 1),
                Cell.figure("Expected", changes.expected[side], 4),
            ]
            if rated:
                cells.append(Cell.change("Change", changes.change[side]))
            rows.append(tuple(cells))
        result = [
            Cell.rating("Own rating", changes.own[self.row]),
            Cell.score("Score", columns.score[self.sides].sum(), 1),
            Cell.figure("Expected", np.nansum(changes.expected[self.sides]), 4),
        ]
        formula = f"E = 1 / (1 + 10^((opponent's rating − own rating) / {edition['expectation_scale']:g}))"
        if rated:
            result += [Cell.figure("K", columns.k[self.row], 0), Cell.change("Change", changes.total[self.row])]
            formula += "; change = sum of K × (score − E)"
        if np.isnan(changes.seen[self.sides]).any():
            remark = f"{remark} A game against an opponent without a rating has no expected score.".strip()
        return Step(id, label, formula, tuple(rows), tuple(result), edition.source("expectation_scale"), remark)

    def performance(self, id: str, label: str, estimates: Estimates) -> Step:
        columns, edition = self.columns, self.edition
        span = edition["performance_span"]
        rows: list[tuple[Cell, ...]] = []
        for side in self.sides:
            rows.append(
                (
                    *self.opponent_cells(int(columns.game[side])),
                    Cell.rating("Opponent's rating", estimates.seen[side]),
                    Cell.score("Score", columns.score[side], 1),
                    Cell.figure("Credit", estimates.credit[side]),
                )
            )
        formula = f"sum of (opponent's rating + {span:g} × (2 × score − 1)) / games"
        before = float(columns.before[self.row])
        if before:
            old = Cell.rating("Old rating", columns.rating[self.row])
            rows.append((Cell.score("Earlier games", before), old))
            formula = (
                f"(sum of (opponent's rating + {span:g} × (2 × score − 1)) + earlier games × old rating)"
                " / (games + earlier games)"
            )
        result = (
            Cell.rating("Performance", estimates.performance[self.row]),
            Cell.figure("Sweeps", estimates.sweeps, 0),
        )
        remarks = []
        if np.isnan(estimates.seen[self.sides]).any():
            remarks.append("Games against opponents without a rating are left out.")
        if math.isnan(estimates.performance[self.row]):
            remarks.append("No opponent has a rating: nothing can be said.")
        if estimates.unsettled.any():
            moved = "this player still moved" if estimates.unsettled[self.row] else "this player did not move"
            remarks.append(f"The estimates did not converge in {estimates.sweeps} sweeps; {moved}.")
        source = edition.source("performance_span")
        return Step(id, label, formula, tuple(rows), result, source, " ".join(remarks))

    def bonus(self) -> Step:
        edition, columns, row = self.edition, self.columns, self.row
        rating, change = float(columns.rating[row]), float(self.calculation.first_changes.total[row])
        performance = float(self.calculation.first.performance[row])
        games, k = int(columns.games()[row]), float(columns.k[row])
        if self.calculation.no_bonuses:
            bonus = Bonus(0.0, refusal="bonuses are switched off for this event")
        else:
            bonus = bonus_of(rating, k, games, change, performance, edition)
        rows = (
            (Cell.score("Games", games),),
            (Cell.figure("K", k, 0),),
            (Cell.rating("Rating before the bonus", rating + change),),
            (Cell.figure("Threshold", bonus.threshold),),
            (Cell.figure("Excess, rounded", bonus.excess, 0),),
            (Cell.figure("Raised", bonus.raised, 0),),
            (Cell.rating("Performance", performance),),
        )
        formula = (
            f"threshold = rating + {edition['threshold_base']:g} + {edition['threshold_step']:g} × (games −"
            f" {edition['threshold_games']}); bonus = rating before it − threshold, × {edition['raise']:g} with K"
            f" {edition['raised_k']:g}; rating with it at most {edition['bonus_cap']:g} and the performance"
        )
        remark: Words = f"No bonus: {bonus.refusal}." if bonus.refusal else ""
        if not math.isnan(bonus.cap) and not bonus.refusal:
            remark = ("Capped: the rating with the bonus may not exceed ", bonus.cap, ".")
        result = (Cell.figure("Bonus", bonus.points, 0),)
        return Step("bonus", "Bonus", formula, rows, result, edition.source("threshold_base"), remark)

    def new_rating(self) -> Step:
        columns, calculation, row = self.columns, self.calculation, self.row
        new = float(calculation.rating[row])
        rows: tuple[tuple[Cell, ...], ...] = ((Cell.rating("Old rating", columns.rating[row]),),)
        if columns.rated[row]:
            formula, source = "old rating + change + bonus", "threshold_base"
            change = Cell.change("Change", calculation.changes.total[row])
            rows += ((change,), (Cell.figure("Bonus", calculation.bonus[row], 0),))
        elif columns.full[row]:
            formula, source = "a foreign player's rating stays", "reach"
        else:
            formula, source = "the last estimate", "start_from_old_rating"
            rows += ((Cell.rating("Estimate", calculation.estimates.performance[row]),),)
        remark = "No new rating." if math.isnan(new) else ""
        result = (Cell.rating("Rating", new),)
        return Step("new", "New rating", formula, rows, result, self.edition.source(source), remark)


def _own_result(game: Game, white: bool) -> str:
    """Return the result from the player's side, 1, ½ or 0; what was not played as it stands."""
    if not game.result.played:
        return game.result.value
    return _SCORES[game.result.white_score if white else 1.0 - game.result.white_score]
