"""A player's event as the Chess SA calculator rates it: pure input, its rating case, and the answer.

Whatever form or page an event comes from, it is rated from here, by the very code that rates a period.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import numpy as np
from django.utils.translation import gettext

from config.lib import formatting
from config.lib.days import next_month
from config.lib.editions import Edition
from events.rules.time_controls import type_of_game
from ratings.calculators.fields import PLAYER, PlayedGame
from ratings.calculators.parts import Part, make_part
from ratings.cases import chessa as chessa_cases
from ratings.cases.fields import Node
from ratings.explanations.layout import shown_steps
from ratings.explanations.queries import distinct_names
from ratings.explanations.words import said
from ratings.systems import chessa
from ratings.systems.base import Cell, CellKind
from ratings.systems.chessa.columns import LISTS
from ratings.systems.chessa.explanation import explain
from ratings.systems.chessa.names import Named, Names

MAIN = LISTS[0]
LIST_NAMES = {code: code.title() for code in LISTS}


@dataclass(frozen=True, slots=True)
class ChessaGame:
    """A game that was played. `ratings`: the opponent's raw ratings by list, none where he is unrated; `number`: his Chess
    SA id, empty where he is not on the register."""

    played: PlayedGame
    ratings: Mapping[str, float]
    name: str
    number: str = ""

    @property
    def id(self) -> str:
        """The opponent's id in the case."""
        return f"game-{self.played.number}"


@dataclass(frozen=True, slots=True)
class ChessaEvent:
    """A player's event in the rating period that begins on `month`.

    `player` and `name`: his and the event's, where they are known. `lists` is his standing by list, as a rating case has
    it; `known_on` are the lists on which a published list has him. `one_of_month`: others of the month are left out.
    `published` is what was published of the event, in words by list and label.
    """

    month: date
    base: int
    increment: int
    ended: date
    lists: Mapping[str, Mapping[str, Any]]
    games: tuple[ChessaGame, ...]
    player: str = ""
    name: str = ""
    penalty: float = 0.0
    known_on: frozenset[str] = frozenset()
    one_of_month: bool = False
    published: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    @property
    def edition(self) -> Edition:
        """The regulations by which the period is calculated."""
        return chessa.edition_for(next_month(self.month))

    @property
    def list_codes(self) -> tuple[str, str]:
        """The lists that the event updates: Main, and that of its type of game."""
        return MAIN, type_of_game(self.base, self.increment, self.month)

    def case(self) -> dict[str, Any]:
        """Return the event as a rating case."""
        codes = self.list_codes
        own = {code: self.lists[code] for code in codes if code in self.lists}
        opponents = [
            {"id": game.id, "lists": {code: {"raw": game.ratings[code]} for code in codes if code in game.ratings}}
            for game in self.games
        ]
        return {
            "id": f"{chessa.CODE}-calculator",
            "system": chessa.CODE,
            "rules": self.edition.name,
            "calculated_on": next_month(self.month).isoformat(),
            "players": [{"id": PLAYER, "lists": own}, *opponents],
            "events": [
                {
                    "id": "event",
                    "ended": self.ended.isoformat(),
                    "time_control": {"base": self.base, "increment": self.increment},
                    "games": [
                        {"round": round_, **game.played.in_case(PLAYER, game.id)}
                        for round_, game in enumerate(self.games, start=1)
                    ],
                }
            ],
            "penalties": [{"player": PLAYER, "event": "event", "points": self.penalty}] if self.penalty else [],
        }


def rate_event(event: ChessaEvent, *, full: bool = False) -> list[Part]:
    """Return what an event does to the player's rating on Main and on the list of its type of game; `full`: figures unrounded.

    CaseError or RatingError for what cannot be rated.
    """
    case = chessa_cases.read_case(Node(event.case(), ""))
    result = chessa.rate(case.columns, case.edition)
    opponents = distinct_names({game.played.number: (game.name, f"game {game.played.number}") for game in event.games})
    names = Names(
        players=[
            Named("", event.player or "The player"),
            *(Named(game.number, opponents[game.played.number]) for game in event.games),
        ],
        events=[Named("", event.name or "The event")],
        rounds={row: row + 1 for row in range(len(event.games))},
        controls={0: (event.base, event.increment)},
    )
    parts = []
    for index in (0, int(result.event_kind[0]) + 1):
        code = LISTS[index]
        standing = event.lists.get(code, {})
        history = standing.get("raw_history", [])
        explanation = explain(case.columns, result, case.edition, 0, index, names, history)
        before = float(standing.get("raw", case.edition["unrated_rating"]))
        keys = _change_lines(result, index, before)
        keys |= {
            gettext("The higher of raw and weighted"): formatting.rating(float(result.published[index, 0])),
            "K": f"{result.k[index, 0]:g}",
            gettext("Performance"): formatting.whole(float(result.by_event.performance[_own_row(result, index)])),
            gettext("Greatest change"): formatting.rating(float(result.limit[index, 0])),
            **event.published.get(code, {}),
        }
        parts.append(
            make_part(
                float(result.raw[index, 0]),
                before,
                keys,
                shown_steps(explanation, full=full, link=_link, say=said),
                name=LIST_NAMES[code],
                code=code,
                remarks=_assumptions(event, code),
            )
        )
    return parts


def _link(cell: Cell) -> str:
    return f"/players/{cell.ref}/" if cell.kind is CellKind.PLAYER and cell.ref else ""


def _change_lines(result: chessa.PeriodResult, index: int, before: float) -> dict[str, str]:
    """Return the changes from the raw rating at the start to the new one, a line each."""
    change, limit, temporary, raw, penalty = (
        float(getattr(result, name)[index, 0]) for name in ("change", "limit", "temporary", "raw", "penalty")
    )
    wp = float(result.weighted_performance[index, 0])
    raised = max(temporary, min(wp, before + limit)) if result.raised[index, 0] else temporary
    lines = {
        gettext("Raw rating at the start"): formatting.rating(before),
        gettext("Change by games"): formatting.change(change),
    }
    if result.limited[index, 0]:
        lines[gettext("Beyond the greatest change (article 47)")] = formatting.change(temporary - before - change)
    if result.raised[index, 0]:
        lines[gettext("Rise by weighted performance (article 40)")] = formatting.change(raised - temporary)
    if penalty:
        lines[gettext("Penalty points (articles 51 to 54)")] = formatting.change(-penalty)
    if result.floored[index, 0]:
        lines[gettext("Held at the floor (article 42)")] = formatting.change(raw - (raised - penalty))
    return lines


def _own_row(result: chessa.PeriodResult, list_index: int) -> int:
    by_event = result.by_event
    return int(np.flatnonzero((by_event.player == 0) & (by_event.list_index == list_index))[0])


def _assumptions(event: ChessaEvent, code: str) -> tuple[str, ...]:
    """Return what is assumed of a player whose data are incomplete."""
    remarks = []
    if "raw" not in event.lists.get(code, {}):
        remark = gettext("Unrated on %(name)s: the rating starts at %(rating)s.")
        remarks.append(remark % {"name": LIST_NAMES[code], "rating": f"{event.edition['unrated_rating']:g}"})
    elif code not in event.known_on:
        remarks.append(
            gettext("The last 24 raw ratings are taken to have been equal, and no earlier tournament is known.")
        )
    if event.one_of_month:
        remarks.append(gettext("As if this event were the only one of the month."))
    return tuple(remarks)
