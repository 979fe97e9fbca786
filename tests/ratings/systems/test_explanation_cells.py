"""By what pages go that write, group and link an explanation: ids of steps, kinds and refs of cells."""

from datetime import date

import pytest

from ratings.systems.adapters import ADAPTERS, edition_of
from ratings.systems.base import CellKind, Event, Game, GameResult, Opponent

DAY = date(2026, 3, 1)
GAMES = (
    Game("1", "2", GameResult.BLACK_WINS, 1),
    Game(Opponent(rating=1700), "1", GameResult.DRAW, 2),
    Game("1", "3", GameResult.WHITE_WINS, 3),
    Game("4", "1", GameResult.WHITE_WINS, 4),
)


@pytest.mark.parametrize("own", [None, 1500.0])
@pytest.mark.parametrize("code", list(ADAPTERS))
def test_cells_refer_to_players_by_id_and_to_others_by_their_game(code, own):
    adapter = ADAPTERS[code]
    edition = edition_of(adapter, "", DAY)
    standings = {name: adapter.newcomer(1500.0, edition) for name in ("2", "3", "4")}
    standings["1"] = adapter.newcomer(own, edition)
    explanation = adapter.rate(Event("e", GAMES, DAY), standings, edition).explain("1")
    assert len({step.id for step in explanation.steps}) == len(explanation.steps)
    tables = [
        step.rows
        for step in explanation.steps
        if any(cell.kind is CellKind.PLAYER for row in step.rows for cell in row)
    ]
    assert tables
    for rows in tables:
        met = [cell for row in rows[: len(GAMES)] for cell in row if cell.kind in (CellKind.PLAYER, CellKind.OUTSIDE)]
        assert [(cell.kind, cell.ref) for cell in met] == [
            (CellKind.PLAYER, "2"),
            (CellKind.OUTSIDE, "1"),
            (CellKind.PLAYER, "3"),
            (CellKind.PLAYER, "4"),
        ]
