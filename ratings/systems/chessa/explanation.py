"""A player's new Chess SA rating on a list in nine steps, as the regulations lay out their example. Pure.

Every figure is one of the calculation's own columns; nothing is rated here. Figures are shown to so many places that a pocket
calculator makes each of those shown before it, give or take one in its last place. The example weighs the last 24 ratings
before it applies the weighted performance; here the new raw rating comes first, because it is the one that is weighted.
"""

from collections.abc import Sequence
from datetime import date

import numpy as np

from config.lib.days import months_back
from config.lib.editions import Edition
from events.rules.time_controls import TYPES_OF_GAME, time_control_text
from ratings.systems.base import Cell, CellKind, Explanation, Step, Words, sentences
from ratings.systems.chessa.columns import LISTS, RECENT, Ints, PeriodColumns
from ratings.systems.chessa.names import Abroad, Named, Names
from ratings.systems.chessa.recent import RecentColumns, age_weights, type_weights, weighted_terms
from ratings.systems.chessa.result import PeriodResult

_COLOURS = ("White", "Black")
_SCORES = {1.0: "1", 0.5: "½", 0.0: "0"}
_FINE = 5  # places of We and Tw: a change of 40 × We × Tw comes out to three


def explain(
    columns: PeriodColumns,
    result: PeriodResult,
    edition: Edition,
    player: int,
    list_index: int,
    names: Names,
    raw_history: Sequence[float] | None = None,
) -> Explanation:
    """Return the nine steps of one player (row) on one list (index in LISTS); one step for a player who stays unrated.

    `raw_history`: the player's raw ratings at the start of the period, one a month, newest first, nan where he had none;
    without it step 8 has no rows.
    """
    title = f"{LISTS[list_index].title()} rating on {date.fromordinal(columns.calculated_on).isoformat()}"
    explainer = _Player(columns, result, edition, player, list_index, names)
    if not result.rated[list_index, player]:
        return Explanation(names.players[player].ref, title, (explainer.unrated(),))
    steps = (
        explainer.weights(),
        explainer.k_factor(),
        explainer.rated_games(),
        explainer.temporary(),
        explainer.performances(),
        explainer.weighted_performance(),
        explainer.raw(),
        explainer.weighted(raw_history),
        explainer.published(),
    )
    return Explanation(names.players[player].ref, title, steps)


class _Player:
    """The columns of one player on one list, with a method for each step."""

    def __init__(
        self, columns: PeriodColumns, result: PeriodResult, edition: Edition, player: int, list_index: int, names: Names
    ) -> None:
        self.columns, self.result, self.edition, self.names = columns, result, edition, names
        self.player, self.list_index = player, list_index
        self.on_main = list_index == 0
        by_event = result.by_event
        self.rows: list[int] = np.flatnonzero(
            (by_event.player == player) & (by_event.list_index == list_index)
        ).tolist()
        own_games = np.flatnonzero((columns.white == player) | (columns.black == player))
        kinds = result.event_kind[columns.event[own_games]]
        self.too_fast = int((kinds < 0).sum())
        self.games: Ints = own_games[(kinds >= 0) if self.on_main else (kinds == list_index - 1)]

    def figure(self, name: str) -> float | None:
        """Return a figure of the result; None for nan."""
        return _known(getattr(self.result, name)[self.list_index, self.player])

    def flag(self, name: str) -> bool:
        return bool(getattr(self.result, name)[self.list_index, self.player])

    def start(self) -> float:
        """Return the raw rating at the start; of an unrated player the rating at which the unrated start."""
        raw = float(self.columns.standings.raw[self.list_index, self.player])
        return float(self.edition["unrated_rating"]) if raw != raw else raw

    def sources(self, *constants: str) -> str:
        return _articles(*(self.edition.source(name) for name in constants))

    def event_cells(self, row: int) -> tuple[Cell, ...]:
        """Return the cell of the event in a row of `by_event`."""
        return (_event_cell(self.names.events[int(self.result.by_event.event[row])]),)

    def game_rows(self) -> list[tuple[int, int, tuple[Cell, ...]]]:
        """Return (game, side, its first cells) of each rated game, by tournament as in `by_event`."""
        rows: list[tuple[int, int, tuple[Cell, ...]]] = []
        for row in self.rows:
            event = self.result.by_event.event[row]
            for game in self.games[self.columns.event[self.games] == event].tolist():
                side = 0 if self.columns.white[game] == self.player else 1
                cells = (*self.event_cells(row), Cell("Round", self.names.rounds.get(game), 0, CellKind.ROUND))
                rows.append((game, side, cells))
        return rows

    def control_cells(self, event: int) -> tuple[Cell, ...]:
        """Return the cell of an event's time control, where it is known."""
        control = self.names.controls.get(event)
        return (Cell.text("Time control", time_control_text(*control)),) if control else ()

    def unrated(self) -> Step:
        waiting = self.figure("pending_penalty") or 0.0
        formula = "A player is rated on a list from the first rated game on it"
        result = (Cell.figure("Penalty points that wait", waiting, 0),)
        remark = f"{waiting:g} points will be deducted from the first calculated rating." if waiting else ""
        return Step("unrated", "Unrated", formula, (), result, "articles 53 and 56", remark)

    def weights(self) -> Step:
        # Step 1.
        a, b, c, d = self.edition["tournament_weight"]
        by_event = self.result.by_event
        rows = []
        for row in self.rows:
            event = int(by_event.event[row])
            minutes = float(self.columns.event_minutes[event])
            rows.append(
                (
                    *self.event_cells(row),
                    Cell.text("Type of game", TYPES_OF_GAME[self.result.event_kind[event]]),
                    *self.control_cells(event),
                    Cell.figure("Minutes t", minutes, 0 if minutes.is_integer() else 2),
                    _day_cell(int(self.columns.event_ended[event])),
                    Cell.figure("Tw", by_event.tw[row], 5 if self.on_main else 0),
                )
            )
        least = self.edition["types_of_game"][0][0]
        games = "game was" if self.too_fast == 1 else "games were"
        formula = f"Tw = {a} − {b} / (1 + (t / {c})^{d})" if self.on_main else "Tw = 1: it is for Main ratings only"
        formula += f"; t = base in minutes + {self.edition['increments']:g} × increment in seconds / 60"
        source = _articles(self.sources("increments", "types_of_game"), "articles 26 and 27")
        remark = f"{self.too_fast} {games} faster than {least:g} minutes and not rated." if self.too_fast else ""
        return Step("weights", "Weight of each tournament", formula, tuple(rows), (), source, remark)

    def k_factor(self) -> Step:
        # Step 2.
        highest = _known(self.columns.standings.highest[self.list_index, self.player])
        factors, thresholds = self.edition["k_factors"], self.edition["k_thresholds"]
        steps = ", ".join(f"{factor:g} from {least:g}" for factor, least in zip(factors[1:], thresholds, strict=True))
        formula = f"K = {factors[0]:g} below {thresholds[0]:g}, {steps}; {self.edition['unrated_k']:g} for the unrated"
        rows = () if highest is None else ((Cell.rating("Highest rating so far", highest),),)
        remark = "Unrated on this list at the start of the period." if highest is None else ""
        result = (Cell.figure("K", self.figure("k"), 0),)
        return Step("k-factor", "K-factor", formula, rows, result, self.sources("k_factors", "unrated_k"), remark)

    def rated_games(self) -> Step:
        # Step 3: a row for each game, from the ratings to the change.
        lowest, highest = self.edition["difference_bounds"]
        slot, start, by_event, held = int(not self.on_main), self.start(), self.result.by_event, 0
        tw = {int(by_event.event[row]): float(by_event.tw[row]) for row in self.rows}
        rows: list[tuple[Cell, ...]] = []
        adjusted: dict[tuple[str, Abroad], tuple[Cell, ...]] = {}
        for game, side, cells in self.game_rows():
            opponent = int((self.columns.black if side == 0 else self.columns.white)[game])
            met = self.opponent_cell(opponent, game)
            rating = float(self.result.by_game.opponent[slot, side, game])
            if game in self.names.abroad:
                name, abroad = str(met.value), self.names.abroad[game]
                adjusted[name, abroad] = (Cell.text(name, self.adjustment(abroad, rating)),)
            score = _score(self.columns, game, side)
            expected = float(self.result.by_game.expected[slot, side, game])
            difference = start - rating if side == 0 else rating - start
            bound = min(max(difference, lowest), highest)
            held += bound != difference
            rows.append(
                (
                    *cells,
                    met,
                    Cell.rating("Opponent's rating", rating, ref=met.ref if opponent >= 0 else ""),
                    Cell.text("Colour", _COLOURS[side]),
                    Cell.figure("Rw − Rb", difference),
                    *([Cell.figure("held at", bound, 0)] if bound != difference else []),
                    Cell.figure("We", expected, _FINE),
                    Cell.text("Result R", _SCORES[score]),
                    Cell.figure("R − We", score - expected, _FINE),
                    Cell.figure("Tw", tw[int(self.columns.event[game])], _FINE if self.on_main else 0),
                    Cell.figure("K", self.figure("k"), 0),
                    Cell.change("Change", self.result.by_game.change[slot, side, game], 3),
                )
            )
        level, slope = self.edition["expected_level"], self.edition["expected_slope"]
        differences = "difference was" if held == 1 else "differences were"
        bounds = f"within {lowest:g} and +{highest:g}".replace("-", "−")
        formula = (
            f"We of White = {level} + {slope} × (Rw − Rb), of Black 1 − We; Rw − Rb ".replace("-", "−") + bounds
        ) + "; Change = (R − We) × Tw × K"
        totals = [
            Cell.change(self.names.events[int(by_event.event[row])].name, by_event.change[row]) for row in self.rows
        ]
        result = (
            Cell.rating("Rating", start),
            Cell.score("Rated games", len(rows)),
            *(totals if len(totals) > 1 else []),
            Cell.change("Total", self.figure("change")),
        )
        source = _articles(self.sources("expected_level", "difference_bounds"), "article 41")
        remark = f"{held} {differences} held {bounds} (article 34)." if held else ""
        label = "Expected score and change of each game"
        return Step("games", label, formula, (*rows, *adjusted.values()), result, source, remark)

    def opponent_cell(self, opponent: int, game: int) -> Cell:
        """Return the other side of a game: a player by row of the standings, or, below 0, the guest of the game."""
        if opponent < 0:
            return Cell("Opponent", self.names.guests.get(game, "guest"), kind=CellKind.OUTSIDE, ref=str(game))
        named = self.names.players[opponent]
        return Cell("Opponent", named.name, kind=CellKind.PLAYER, ref=named.ref)

    def adjustment(self, abroad: Abroad, rating: float) -> Words:
        """Return in words how the rating of a guest is adjusted."""
        constant = "fide_low" if abroad.rating <= self.edition["fide_bound"] else "fide_high"
        factor, addend = self.edition[constant]
        article = self.edition.source(constant)
        kind, source = ("FIDE", article) if abroad.fide else ("performance", _articles(article, "article 10.2"))
        on_list = f", list of {abroad.month}" if abroad.month else ""
        return (
            f"{kind} {abroad.rating:g}{on_list} → {addend:g} + {factor} × {abroad.rating:g} = ",
            rating,
            f" ({source})",
        )

    def temporary(self) -> Step:
        # Step 4.
        change, limit = self.figure("change") or 0.0, self.figure("limit") or 0.0
        scale, decay = self.edition["limit_scale"], self.edition["limit_decay"]
        remarks: list[Words] = []
        if np.isnan(self.columns.standings.raw[self.list_index, self.player]):
            remarks.append(f"The first rated games on this list start from {self.start():g} (article 56).")
        if self.flag("limited"):
            way = "earned" if change > 0 else "lost"
            remarks.append(("Article 47 allowed ", limit, "; ", abs(change), f" was {way}, so ", limit, " counts."))
        formula = f"raw + change, the change within ± {scale} × e^(−{decay} × raw)"
        row = (
            Cell.rating("Raw at the start", self.start(), 1),
            Cell.change("Change", change, 1),
            Cell.figure("Greatest change", limit, 1),
        )
        result = (Cell.rating("Temporary raw", self.figure("temporary"), 1),)
        source = _articles("article 41", self.sources("limit_scale"))
        return Step("temporary", "Temporary raw rating", formula, (row,), result, source, sentences(*remarks))

    def performances(self) -> Step:
        # Step 5.
        by_event = self.result.by_event
        formula = f"P = Ao + {self.edition['performance_span']:g} × (S / n − 0.5)"
        rows = tuple(
            (
                *self.event_cells(row),
                Cell.rating("Average opponent Ao", by_event.average_opponent[row], 3),
                Cell.score("Score S", by_event.score[row], 1),
                Cell.score("Games n", by_event.games[row]),
                Cell.figure("Performance P", by_event.performance[row], 3),
            )
            for row in self.rows
        )
        remark = "" if self.rows else "No rated game on this list in the period: there is no performance."
        source = self.sources("performance_span")
        return Step("performances", "Performance of each tournament", formula, rows, (), source, remark)

    def weighted_performance(self) -> Step:
        # Step 6.
        here = self.list_index, self.player
        standings, by_event = self.result.standings, self.result.by_event
        ended, kind = standings.recent_ended[here], standings.recent_kind[here]
        ages = age_weights(ended, self.columns.calculated_on, self.edition)
        types = type_weights(kind, self.on_main, self.edition)
        recent = RecentColumns(standings.recent_performance[here], ended, kind)
        terms = weighted_terms(recent, self.on_main, self.columns.calculated_on, self.edition)
        own_rows = {
            (int(self.columns.event_ended[by_event.event[row]]), float(by_event.performance[row])): row
            for row in self.rows
        }
        rows = []
        for place in np.flatnonzero(ended > 0).tolist():
            on, performance = int(ended[place]), float(standings.recent_performance[here][place])
            row = own_rows.get((on, performance))
            rows.append(
                (
                    self.event_cells(row)[0]
                    if row is not None
                    else _event_cell(self.names.earlier.get((on, performance), Named("", "of an earlier period"))),
                    Cell.text("Type of game", TYPES_OF_GAME[kind[place]]),
                    Cell.figure("P", performance, 3),
                    Cell.figure("R", types[place]),
                    _day_cell(on),
                    Cell.figure("Days", self.columns.calculated_on - on, 0),
                    Cell.figure("A", ages[place], 6),
                    Cell.figure("i", self.edition["recent_weights"][place], 0),
                    Cell.figure("P × R × A × i", terms[place], 1),
                )
            )
        value = self.figure("weighted_performance")
        days, weights = self.edition["recent_days"], self.edition["type_weights"]
        remark = ""
        if not self.rows:
            remark = "Without a rated game in the period no weighted performance is applied."
        elif value is None:
            remark = f"There are fewer than {RECENT} tournaments of the last {days} days, so there is none."
        label = "Weighted performance of the last five tournaments"
        on_main = ", ".join(f"{weights[kind]:g} for {kind}" for kind in TYPES_OF_GAME)
        formula = (
            f"Wp = Σ (P × R × A × i) / {self.edition['recent_divisor']:g}; A = ({days} − days) / {days}, days from the end date"
            f" to the day of calculation; R = {on_main if self.on_main else '1: it is for Main ratings only'}"
        )
        result = (Cell.figure("Wp", value, 1),)
        return Step("weighted-performance", label, formula, tuple(rows), result, "articles 35 to 38", remark)

    def raw(self) -> Step:
        # Step 7.
        temporary = self.figure("temporary")
        wp, floor, penalty = (self.figure(name) for name in ("weighted_performance", "floor", "penalty"))
        remarks: list[Words] = []
        if self.flag("raised") and wp is not None and temporary is not None:
            higher = "The weighted performance ", wp, " is higher than ", temporary, " and raises it (article 40)."
            remarks.append(higher)
        if self.flag("capped"):
            allowed = self.figure("limit") or 0.0
            remarks.append(("Article 47 allowed a rise of ", allowed, " in all, so the rise stops there."))
        if penalty:
            remarks.append(f"{penalty:g} penalty points were deducted (articles 51 to 54).")
        adjustments = self.adjustments()
        if adjustments:
            remarks.append("What was published before was wrong and is corrected from this list on (article 64).")
        if self.flag("floored") and floor is not None:
            remarks.append(("Article 42 holds the rating at ", floor, "."))
        formula = "the higher of temporary and Wp, within the greatest change; less penalties; never under the floor"
        if adjustments:
            formula = formula.replace("less penalties", "less penalties; plus adjustments")
        row = (
            Cell.rating("Temporary raw", temporary, 1),
            Cell.figure("Wp", wp, 1),
            Cell.rating("Floor", floor, 1),
            Cell.figure("Penalty points", penalty, 0),
        )
        result = (Cell.rating("Raw", self.figure("raw"), 1),)
        source = "articles 40, 42, 47, 51 to 54 and 64" if adjustments else "articles 40, 42, 47 and 51 to 54"
        rows = (row, *self.penalties(), *adjustments)
        return Step("raw", "New raw rating", formula, rows, result, source, sentences(*remarks))

    def penalties(self) -> list[tuple[Cell, ...]]:
        """Return the penalties deducted on the list, each in a row, and those that waited for a first rating."""
        columns = self.columns
        rows: list[tuple[Cell, ...]] = []
        for row, (round_, kind) in enumerate(self.names.penalties):
            event = int(columns.penalty_event[row])
            counted = self.result.event_kind[event]
            if columns.penalty_player[row] != self.player or counted < 0:
                continue
            if self.on_main or counted == self.list_index - 1:
                points = float(columns.penalty_points[row])
                named = self.names.events[event]
                text = f"{points:g} points, {named.name}, round {round_}: {kind}"
                rows.append((Cell(f"Penalty {len(rows) + 1}", text, kind=CellKind.PENALTY, ref=named.ref),))
        waited = float(columns.standings.pending_penalty[self.list_index, self.player])
        if waited:
            text = f"{waited:g}, for the first rating (article 53)"
            rows.append((Cell.text("Penalty points that waited", text),))
        return rows

    def adjustments(self) -> list[tuple[Cell, ...]]:
        """Return the corrections of what was published before (article 64), each in a row."""
        columns = self.columns
        rows: list[tuple[Cell, ...]] = []
        for row, why in enumerate(self.names.adjustments):
            if (columns.adjusted_player[row], columns.adjusted_list[row]) == (self.player, self.list_index):
                points = f"{columns.adjusted_points[row]:+.2f}".replace("-", "−")
                label = f"Adjustment {len(rows) + 1}"
                rows.append((Cell(label, f"{points} points: {why}", kind=CellKind.ADJUSTMENT),))
        return rows

    def weighted(self, raw_history: Sequence[float] | None) -> Step:
        # Step 8.
        size: int = self.edition["window"]
        rows: tuple[tuple[Cell, ...], ...] = ()
        remark, sums = "", []
        if raw_history is not None:
            unrated, today = float(self.edition["unrated_rating"]), date.fromordinal(self.columns.calculated_on)
            rated = [(places, float(value)) for places, value in enumerate(raw_history, start=1) if value == value]
            dated = [(0, self.figure("raw") or 0.0), *rated[: size - 1]]
            missing = size - len(dated)
            listed: list[tuple[date | None, float]] = [(months_back(today, back), rating) for back, rating in dated]
            listed += [(None, unrated)] * missing
            rows = tuple(
                (
                    Cell.figure("i", i, 0),
                    Cell("List of", day.isoformat() if day else None, kind=CellKind.DAY),
                    Cell.rating("R", rating),
                    Cell.figure(f"{size + 1} − i", size + 1 - i, 0),
                    Cell.figure(f"R × ({size + 1} − i)", rating * (size + 1 - i)),
                )
                for i, (day, rating) in enumerate(listed, start=1)
            )
            sums = [Cell.figure("Sum", sum(rating * (size + 1 - i) for i, (_, rating) in enumerate(listed, start=1)))]
            if missing:
                remark = f"{missing} of the {size} are missing and count {self.edition['unrated_rating']:g}."
        formula = f"Wr = Σ (R × ({size + 1} − i)) / {self.edition['window_divisor']:g}, the last {size} raw ratings"
        result = (*sums, Cell.rating("Weighted", self.figure("weighted"), 1))
        return Step("weighted", "Weighted rating", formula, rows, result, self.sources("window"), remark)

    def published(self) -> Step:
        # Step 9.
        raw, weighted = self.figure("raw"), self.figure("weighted")
        rows = ((Cell.rating("Raw", raw, 1), Cell.rating("Weighted", weighted, 1)),)
        published = Cell.rating("Published", self.figure("published"), 1)
        result = (published, Cell.rating("Highest", self.figure("highest"), 1))
        return Step("published", "Published rating", "the higher of raw and weighted", rows, result, "article 50")


def _event_cell(named: Named) -> Cell:
    return Cell("Tournament", named.name, kind=CellKind.EVENT, ref=named.ref)


def _day_cell(ordinal: int) -> Cell:
    return Cell("End date", date.fromordinal(ordinal).isoformat(), kind=CellKind.DAY)


def _articles(*sources: str) -> str:
    """Return several sources as one text, each article once and in order: `articles 19, 20 and 23`."""
    named = ", ".join(source.removeprefix("articles ").removeprefix("article ") for source in sources)
    parts = sorted(set(named.replace(" and ", ", ").split(", ")), key=_place)
    return f"article {parts[0]}" if len(parts) == 1 else f"articles {', '.join(parts[:-1])} and {parts[-1]}"


def _place(article: str) -> tuple[int, ...]:
    return tuple(int(part) for part in article.split(" ")[0].split("."))


def _score(columns: PeriodColumns, game: int, side: int) -> float:
    white = float(columns.white_score[game])
    return white if side == 0 else 1.0 - white


def _known(value: float) -> float | None:
    return None if value != value else float(value)
