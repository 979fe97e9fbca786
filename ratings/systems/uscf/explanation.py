"""Explanations in the USCF system, from the columns of its calculation. Pure."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from config.lib.editions import Edition
from ratings.systems.base import Cell, CellKind, Event, Explanation, Step, Words, opponent_cells, sentences
from ratings.systems.uscf import formulas
from ratings.systems.uscf.columns import Standing, starting_rating
from ratings.systems.uscf.section import Columns, Pass

_Row = tuple[Cell, ...]


def explain(event: Event, standing: Standing, columns: Columns, row: int) -> Explanation:
    """Return the steps to the rating of the player in a row of the columns, in the order of the calculation."""
    player = _Player(event, standing, columns, row)
    return Explanation(player.name, f"Player {player.name} in event {event.id}", tuple(player.steps()))


@dataclass(frozen=True, slots=True)
class _Player:
    event: Event
    standing: Standing
    columns: Columns
    row: int

    @property
    def name(self) -> str:
        return self.columns.standings.names[self.row]

    @property
    def edition(self) -> Edition:
        return self.columns.way.edition

    @property
    def special(self) -> bool:
        return bool(self.columns.special[self.row])

    @property
    def rows(self) -> formulas.Ints:
        return np.flatnonzero(self.columns.sides.owner == self.row)

    def of(self, column: formulas.Floats) -> float:
        """Return the player's figure of a column."""
        return float(column[self.row])

    def steps(self) -> Iterator[Step]:
        columns = self.columns
        yield self.start()
        if not columns.played[self.row]:
            return
        if columns.first is None:
            if self.special:
                yield self.approximate_special()
            else:
                yield self.weight()
                yield self.standard("new", "New rating", columns.last)
            yield self.listed()
            return
        if not self.special:
            yield self.weight()
        if columns.newcomer[self.row]:
            yield self.first_look()
        remark = "Opponents stand at their rating before the event, newcomers at their first estimate."
        intermediate = self.of(columns.intermediate)
        yield self.round("intermediate", "Intermediate rating", columns.first, intermediate, remark)
        remark = "Opponents stand at their intermediate rating."
        before_floors = self.of(columns.last.rating)
        yield self.round("before-floors", "Rating before floors", columns.last, before_floors, remark)
        yield self.floors()
        yield self.listed()

    def start(self) -> Step:
        columns = self.columns
        if self.standing.rating is not None:
            formula, source, origin = "the rating before the event", "unknown_start", "rated"
        else:
            origin = starting_rating(self.standing, self.edition)[2]
            formula = "the first that is known: given rating, FIDE rating, Canadian rating, sister system, age"
            source = _START_SOURCES[origin]
        remark = ""
        if not columns.played[self.row]:
            remark = "No rated game: nothing changes."
        elif columns.way.approximate and math.isnan(columns.start[self.row]):
            remark = "The approximate method needs no starting rating."
        games = self.of(columns.earlier)
        result = (
            Cell.rating("Rating before", self.of(columns.start)),
            _games_cell("Games before", games),
            Cell.text("From", origin),
        )
        return Step("start", "Starting rating", formula, (), result, self.edition.source(source), remark)

    def weight(self) -> Step:
        columns, edition = self.columns, self.edition
        a, pivot = edition["effective_a"], edition["effective_pivot"]
        b = f"{edition['effective_b']:.10f}".rstrip("0")
        formula = (
            f"N' = min(N, {edition['effective_numerator']:g} / √({a:g} + {b} × ({pivot:g} − R)²)) up to"
            f" {edition['effective_last']:g}, min(N, {edition['effective_numerator']:g}) above"
        )
        played, remarks = self.of(columns.played), []
        if columns.way.half_k:
            half = edition["half_k"]
            formula += f"; K = {edition['k'] * half:g} / (N' + {half:g} m)"
            remarks.append("A half-K event.")
        else:
            formula += f"; K = {edition['k']:g} / (N' + m)"
        if columns.way.dual_regular and edition["dual_k"] is not None and self.of(columns.start) > edition["dual_k"][0]:
            above, first, second, top, top_k = edition["dual_k"]
            formula += f" × ({first:g} − {second:g} R) above {above:g}, {top_k:g} / (N' + m) from {top:g} on"
            remarks.append(f"The lower K of a dual-rated event applies, because the rating is above {above:g}.")
        result = (
            Cell.figure("Effective games N'", self.of(columns.effective), 4),
            Cell.score("Games m", played),
            Cell.figure("K", self.of(columns.k), 4),
        )
        source = "dual_k" if columns.way.dual_regular and edition["dual_k"] is not None else "effective_a"
        return Step("weight", "Effective games and K", formula, (), result, edition.source(source), " ".join(remarks))

    def first_look(self) -> Step:
        columns = self.columns
        strength = np.concatenate([columns.start, columns.sides.outside])[columns.sides.opponent]
        estimate, one = self.of(columns.estimate), float(self.edition["newcomer_effective_games"])
        remark = "It serves only as the strength of an opponent in the next step."
        if estimate == self.edition["absolute_floor"]:
            remark += f" It is never under {estimate:g}."
        start = self.of(columns.start)
        target = self.of(columns.score) + one / 2.0
        return self._special("estimate", "First estimate", strength, estimate, start, one, target, estimate, remark)

    def round(self, id: str, label: str, figures: Pass, value: float, remark: Words) -> Step:
        lowest = self.edition["absolute_floor"]
        if value > self.of(figures.rating):
            remark = sentences(remark, (f"Held at {lowest:g}; ", self.of(figures.rating), " was earned."))
        if not self.special:
            return self.standard(id, label, figures, value, remark)
        columns = self.columns
        return self._special(
            id,
            label,
            figures.strength,
            self.of(figures.rating),
            self.of(columns.prior),
            self.of(columns.effective),
            self.of(columns.target),
            value,
            remark,
        )

    def standard(self, id: str, label: str, figures: Pass, value: float | None = None, remark: Words = "") -> Step:
        columns, edition = self.columns, self.edition
        rows = tuple(
            (
                *self.game(side),
                Cell.rating("Opponent's rating", figures.strength[side]),
                Cell.score("Score", columns.sides.score[side], 1),
                Cell.figure("Expected", figures.expected_side[side], 4),
            )
            for side in self.rows
        )
        played = self.of(columns.played)
        threshold = float(formulas.bonus_threshold(played, edition))
        formula = (
            f"We = 1 / (1 + 10^((Ri − R) / {edition['scale']:g})); R + K (S − E) + bonus; bonus = what K (S − E) is"
            f" above {edition['bonus_multiplier']:g} √max(m, {edition['bonus_least_root']:g})"
        )
        result = (
            Cell.score("Score S", self.of(columns.score), 1),
            Cell.figure("Expected E", self.of(figures.expected), 4),
            Cell.figure("K", self.of(columns.k), 4),
            Cell.change("K (S − E)", self.of(figures.gain)),
            Cell.figure("Bonus threshold", threshold),
            Cell.figure("Bonus", self.of(figures.bonus)),
            Cell.rating(label, self.of(figures.rating) if value is None else value),
        )
        remark = sentences(remark, self.bonus_remark(self.of(figures.gain), self.of(figures.bonus), threshold))
        return Step(id, label, formula, rows, result, edition.source("bonus_multiplier"), remark)

    def bonus_remark(self, gain: float, bonus: float, threshold: float) -> Words:
        if bonus > 0.0:
            return (gain, " is above the threshold of ", threshold, ": ", bonus, " are added.")
        if gain <= threshold:
            return ""
        if self.columns.way.match:
            return "No bonus in a match."
        if self.of(self.columns.played) < self.edition["bonus_least_games"]:
            return f"No bonus: fewer than {self.edition['bonus_least_games']} games."
        return f"No bonus: an opponent was met {int(self.columns.meetings[self.row])} times."

    def _special(
        self,
        id: str,
        label: str,
        strength: formulas.Floats,
        rating: float,
        prior: float,
        effective: float,
        target: float,
        value: float,
        remark: Words,
    ) -> Step:
        columns, edition = self.columns, self.edition
        rows: list[_Row] = []
        sum_expected, straight = 0.0, False
        for side in self.rows:
            expected = float(formulas.provisional_expectancy(rating, strength[side], edition))
            sum_expected += expected
            straight = straight or 0.0 < expected < 1.0
            rows.append(
                (
                    *self.game(side),
                    Cell.rating("Opponent's rating", strength[side]),
                    Cell.score("Score", columns.sides.score[side], 1),
                    Cell.figure("Expected at the new rating", expected, 4),
                )
            )
        if effective > 0.0:
            expected = float(formulas.provisional_expectancy(rating, prior, edition))
            sum_expected += effective * expected
            straight = straight or 0.0 < expected < 1.0
            rows.append(
                (
                    Cell("Round", None, 0, CellKind.ROUND),
                    Cell("Opponent", "earlier games", kind=CellKind.OUTSIDE),
                    Cell.rating("Opponent's rating", prior),
                    Cell.score("Games", effective, 4),
                    Cell.figure("Expected at the new rating", effective * expected, 4),
                )
            )
        span = edition["scale"]
        formula = (
            "the rating R at which N' PWe(R, R0') + Σ PWe(R, Ri) = S'; PWe = ½ + (R − Ri) / "
            f"{2 * span:g}, from 0 to 1 at {span:g} points"
        )
        if rating == edition["special_highest"]:
            remark = sentences(remark, f"The special formula stops at {rating:g}.")
        elif not straight:
            remark = sentences(
                remark, "Every rating on a stretch fits; the one nearest to the starting rating is taken."
            )
        result = (
            Cell.figure("Effective games N'", effective, 4),
            Cell.rating("R0'", prior),
            Cell.figure("S'", target, 4),
            Cell.figure("Sum of expected", sum_expected, 4),
            Cell.rating(label, value),
        )
        return Step(id, label, formula, tuple(rows), result, edition.source("special_games"), remark)

    def approximate_special(self) -> Step:
        columns, edition = self.columns, self.edition
        span = edition["approximate_span"]
        rows: list[_Row] = [
            (
                *self.game(side),
                Cell.rating("Opponent's rating", columns.last.strength[side]),
                Cell.score("Score", columns.sides.score[side], 1),
                Cell.figure("Credit", columns.last.strength[side] + span * (2.0 * columns.sides.score[side] - 1.0)),
            )
            for side in self.rows
        ]
        formula = f"(N R + sum of Ri ± {span:g}) / (N + m)"
        result = (Cell.score("Games m", self.of(columns.played)), Cell.rating("New rating", self.of(columns.rating)))
        return Step("new", "New rating", formula, tuple(rows), result, edition.source("approximate_span"))

    def floors(self) -> Step:
        columns, edition = self.columns, self.edition
        raw, floor, rating = (self.of(column) for column in (columns.last.rating, columns.floor, columns.rating))
        if columns.way.online:
            alone: tuple[_Row, ...] = ((Cell.rating("Absolute floor", floor, 0),),)
            return self.held(raw, floor, rating, alone, "absolute_floor", "Online there is the absolute floor alone.")
        before, score = columns.standings, columns.sides.score[self.rows]
        lowest = float(
            formulas.absolute_floor(
                self.of(before.wins) + float(np.count_nonzero(score == 1.0)),
                self.of(before.draws) + float(np.count_nonzero(score == 0.5)),
                self.of(before.events) + float(self.of(columns.played) >= edition["event_games"]),
                edition,
            )
        )
        rows = (
            (Cell.rating("Absolute floor", lowest, 0),),
            (Cell.rating("Floor from the best rating", formulas.peak_floor(self.of(before.peak), edition), 0),),
            (Cell.rating("Granted floor", self.of(before.granted_floor), 0),),
        )
        source = "absolute_floor" if edition["personal_floor"] is None else "personal_floor"
        return self.held(raw, floor, rating, rows, source)

    def held(
        self, raw: float, floor: float, rating: float, rows: tuple[_Row, ...], source: str, remark: Words = ""
    ) -> Step:
        """Return the step of the floors, with what a match may change before them."""
        columns, edition = self.columns, self.edition
        limit, earned = edition["match_limit"], raw
        if columns.way.match and limit is not None and abs(raw - self.of(columns.start)) > limit:
            change = abs(raw - self.of(columns.start))
            remark = sentences(remark, (f"A match changes at most {limit:g} points; ", change, " were earned."))
            earned = self.of(columns.start) + math.copysign(limit, raw - self.of(columns.start))
        if floor > earned:
            remark = sentences(remark, ("The floor of ", floor, " held; ", earned, " was earned."))
        result = (Cell.rating("Floor", floor, 0), Cell.rating("New rating", rating))
        formula = "the highest of the floors and the rating before floors"
        return Step("floors", "Floors", formula, rows, result, edition.source(source), remark)

    def listed(self) -> Step:
        columns, edition = self.columns, self.edition
        formula, remark = "the nearest whole number, a half upwards", ""
        if edition["whole_ratings"] and not columns.way.approximate and self.standing.rating is not None:
            formula = "a gain is rounded up, a loss down"
            remark = "The next event begins from this whole number."
        games = self.of(columns.games)
        result = (Cell.rating("Published", self.of(columns.published), 0), _games_cell("Games", games))
        rows = ((Cell.rating("New rating", self.of(columns.rating), 4),),)
        return Step("published", "Published rating", formula, rows, result, edition.source("whole_ratings"), remark)

    def game(self, side: int) -> tuple[Cell, Cell]:
        sides, names = self.columns.sides, self.columns.standings.names
        opponent, game = int(sides.opponent[side]), int(sides.game[side])
        return opponent_cells(game, self.event.games[game].round, names[opponent] if opponent < len(names) else None)


_START_SOURCES = {
    "given": "unknown_start",
    "FIDE rating": "fide_conversion",
    "Canadian rating": "cfc_conversion",
    "sister system": "sister_games",
    "age": "age_factor",
    "nothing known": "unknown_start",
}


def _games_cell(label: str, games: float) -> Cell:
    if math.isinf(games):
        return Cell.text(label, "established, number unknown")
    return Cell.score(label, games, 1)
