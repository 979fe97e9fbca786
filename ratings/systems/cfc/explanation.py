"""Explanations in the CFC system, from the calculation's own figures. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from config.lib.editions import Edition
from ratings.systems.base import Cell, Explanation, Step, Words, opponent_cells, sentences
from ratings.systems.cfc.formulas import bonus_k, bonus_threshold, expected_score, half_up, low_floor
from ratings.systems.cfc.outcome import Outcome
from ratings.systems.cfc.steps import Section, Side, Status, Work

_STRENGTHS = {
    Status.ESTABLISHED: "Established opponents stand as listed, provisional and unrated ones at their new ratings.",
    Status.PROVISIONAL: "Opponents stand as listed, unrated ones at their temporary performance.",
    Status.UNRATED: (
        "Established opponents stand as listed, provisional ones at their new rating, unrated ones at their temporary"
        " performance."
    ),
}


def explain(section: Section, outcome: Outcome, player: str, *, match: bool) -> Explanation:
    """Return the steps to a player's rating, in the order of the calculation."""
    steps = _Player(section, section.work[player], outcome, match).steps()
    return Explanation(player, f"Player {player} in event {section.event.id}", tuple(steps))


@dataclass(frozen=True, slots=True)
class _Player:
    section: Section
    work: Work
    outcome: Outcome
    match: bool

    @property
    def edition(self) -> Edition:
        return self.section.edition

    def steps(self) -> Iterator[Step]:
        yield self.before()
        if not self.work.sides:
            return
        if self.outcome.status is Status.UNRATED:
            if any(side.listed is None for side in self.work.sides):
                yield self.preliminary()
            yield self.temporary()
        yield self.performance()
        if self.outcome.status is Status.PROVISIONAL:
            yield self.cumulative()
        if self.outcome.status is Status.ESTABLISHED:
            yield self.expected()
            yield self.natural()
            yield self.bonus()
        yield self.listed()

    def before(self) -> Step:
        standing, outcome = self.work.standing, self.outcome
        remark = ""
        if not self.work.sides:
            remark = "No rated game: nothing changes."
        elif standing.status is Status.PROVISIONAL and outcome.status is Status.ESTABLISHED:
            remark = f"Game {self.edition['established_games']} falls into this event: rated as established."
        result = (
            Cell.rating("Rating before", standing.rating, 0),
            Cell.score("Games before", standing.games),
            Cell.text("Rated as", outcome.status.value),
            Cell.rating("Highest rating", standing.high, 0),
        )
        formula = f"established with the event of game {self.edition['established_games']}"
        return Step(
            "before", "Rating before the event", formula, (), result, self.edition.source("established_games"), remark
        )

    def preliminary(self) -> Step:
        formula = (
            f"mean over the rated of R − {self.edition['performance_span']} (W − L) / n −"
            f" {self.edition['preliminary_drop']}"
        )
        remark = "More than half of the players are unrated: the operator gave it." if self.section.given else ""
        result = (Cell.rating("Preliminary rating", self.section.preliminary, 0),)
        return Step(
            "preliminary",
            "Preliminary rating of the unrated",
            formula,
            (),
            result,
            self.edition.source("preliminary_drop"),
            remark,
        )

    def temporary(self) -> Step:
        remark = "Unrated opponents stand at the preliminary rating, all others as listed."
        rows = tuple(
            self.game(side, side.listed if side.listed is not None else self.section.preliminary)
            for side in self.work.sides
        )
        result = (Cell.rating("Temporary performance", self.work.temporary, 0),)
        source = self.edition.source("performance_span")
        return Step("temporary", "Temporary performance", self._performance_formula(), rows, result, source, remark)

    def performance(self) -> Step:
        work = self.work
        result = (
            Cell.score("Games", len(work.sides)),
            Cell.score("Wins − losses", work.balance),
            Cell.rating("Performance", self.outcome.performance),
        )
        rows = tuple(self.game(side, side.strength) for side in work.sides)
        source = self.edition.source("performance_span")
        remark = _STRENGTHS[self.outcome.status]
        return Step("performance", "Performance", self._performance_formula(), rows, result, source, remark)

    def _performance_formula(self) -> str:
        return f"mean rating of the opponents + {self.edition['performance_span']} (W − L) / n"

    def cumulative(self) -> Step:
        standing = self.work.standing
        rows = (
            (Cell.rating("Rating before", standing.rating, 0), Cell.score("Games before", standing.games)),
            (Cell.rating("Performance", self.outcome.performance), Cell.score("Games", len(self.work.sides))),
        )
        formula = "(R × games before + performance × games) / (games before + games)"
        new = Cell.rating("New rating", self.work.exact)
        return Step(
            "provisional", "Provisional rating", formula, rows, (new,), self.edition.source("established_games")
        )

    def expected(self) -> Step:
        own = self.work.standing.rating or 0
        rows = []
        for side in self.work.sides:
            difference = Cell.figure("Difference", own - side.strength, 0)
            rows.append(
                (
                    *self.game(side, side.strength),
                    difference,
                    Cell.figure("Expected", expected_score(own, side.strength, self.edition)),
                )
            )
        result = (Cell.score("Score", self.outcome.score, 1), Cell.figure("Expected", self.outcome.expected))
        formula = "the table of expected scores by difference of rating"
        return Step("expected", "Expected score", formula, tuple(rows), result, self.edition.source("expected_bands"))

    def natural(self) -> Step:
        outcome, edition = self.outcome, self.edition
        before, boundary = self.work.standing.rating or 0, edition["k_boundary"]
        change = Fraction(outcome.k or 0) * (outcome.score - (outcome.expected or 0))
        raw, remark = before + change, ""
        if before < boundary < raw != outcome.natural:
            remark = f"Of what is above {boundary}, {float(edition['crossing_up']):g} counts."
        elif before >= boundary > raw != outcome.natural:
            remark = f"What is below {boundary} counts {edition['crossing_down']} times."
        rows = (
            (Cell.rating("Rating before", before, 0),),
            (Cell.figure("K", outcome.k, 0),),
            (Cell.change("K (S − E)", change),),
        )
        result = (Cell.rating("Natural rating", outcome.natural),)
        formula = f"R + K (S − E); K = {edition['k_below']} below {boundary}, {edition['k_from']} from {boundary} on"
        return Step("natural", "Natural rating", formula, rows, result, edition.source("k_below"), remark)

    def bonus(self) -> Step:
        outcome, edition, standing = self.outcome, self.edition, self.work.standing
        by_rounds = edition["bonus_counts_rounds"]
        n, k = self.section.bonus_length(self.work), bonus_k(standing.rating or 0, edition)
        threshold = bonus_threshold(n, k, edition)
        gain = (outcome.natural or 0) - (standing.rating or 0)
        high = standing.high if standing.high is not None else standing.rating
        rows = (
            (Cell.rating("Highest rating before", high, 0),),
            (Cell.figure("Gain", Fraction(gain)),),
            (Cell.figure("Rounds n" if by_rounds else "Games n", n, 0),),
            (Cell.figure("Ke", Fraction(k, edition["k_below"])),),
            (Cell.figure("Threshold", threshold),),
        )
        remarks: list[Words] = []
        if n < edition["bonus_least_games"]:
            remarks.append(f"No bonus: fewer than {edition['bonus_least_games']} games.")
        if outcome.bonus_high:
            remarks.append("The natural rating is above the highest rating before.")
        if outcome.bonus_jump:
            remarks.append(("The gain is ", float(gain - threshold), " above the threshold."))
        formula = (
            f"{edition['bonus_high']} Ke above the highest rating; {float(edition['bonus_jump']):g} Ke × (gain −"
            f" {edition['threshold_factor']} Ke √n) above the threshold; {self._share_formula()}"
        )
        result = (
            Cell.figure("Bonus for a lifetime high", outcome.bonus_high),
            Cell.figure("Bonus for a jump", outcome.bonus_jump),
        )
        return Step("bonus", "Bonus", formula, rows, result, edition.source("bonus_jump"), sentences(*remarks))

    def _share_formula(self) -> str:
        edition, boundary = self.edition, self.edition["bonus_k_boundary"]
        if boundary == edition["k_boundary"]:
            return f"n = rated games; Ke = K / {edition['k_below']}"
        return f"n = rounds; Ke = {edition['k_from'] / edition['k_below']:g} from {boundary} on, else 1"

    def listed(self) -> Step:
        outcome, edition, standing = self.outcome, self.edition, self.work.standing
        remarks: list[Words] = []
        source = "list_minimum"
        exact = outcome.exact if outcome.exact is not None else Fraction(0)
        before, earned = standing.rating, half_up(exact)
        if self.match and outcome.natural is not None and before is not None:
            full = outcome.natural + (outcome.bonus_high or 0) + (outcome.bonus_jump or 0)
            if full != exact:
                limit = f"A match changes at most {edition['match_limit']} points; "
                remarks.append((limit, float(full - before), " were earned."))
        if outcome.rating != earned:
            remarks.append(f"The floor of {outcome.rating} held; {earned} was earned.")
            source = "low_floor" if standing.status is Status.ESTABLISHED else "list_minimum"
        if outcome.status is not Status.ESTABLISHED and outcome.games < edition["published_games"]:
            remarks.append(f"Fewer than {edition['published_games']} games: not published yet.")
        floor = edition["list_minimum"]
        if before is not None and standing.status is Status.ESTABLISHED:
            floor = low_floor(before, edition)
        rows = ((Cell.rating("Before rounding", outcome.exact),), (Cell.rating("Floor", floor, 0),))
        result = (
            Cell.rating("New rating", outcome.rating, 0),
            Cell.score("Games", outcome.games),
            Cell.rating("Highest rating", outcome.high, 0),
        )
        formula = "the nearest whole number, a half upwards; not under the floor"
        return Step("new", "New rating", formula, rows, result, edition.source(source), sentences(*remarks))

    def game(self, side: Side, strength: int | None) -> tuple[Cell, ...]:
        return (
            *opponent_cells(side.game, self.section.event.games[side.game].round, side.opponent),
            Cell.rating("Opponent's rating", strength, 0),
            Cell.score("Score", side.score, 1),
        )
