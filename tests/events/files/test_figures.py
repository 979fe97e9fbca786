"""Real files with invented persons: their figures are known, and they stay usable however they are spelt."""

import csv
from pathlib import Path

import pytest

from events.files.reader import read, summary
from events.files.trf.writer import write_trf26

DATA = Path(__file__).parent / "data"
FIGURES = ("players", "rounds", "played_games", "forfeits", "byes")
with (DATA / "figures.csv").open(newline="") as table:
    FILES = list(csv.DictReader(table))


@pytest.mark.parametrize("row", FILES, ids=[row["file"] for row in FILES])
def test_figures(row: dict[str, str]) -> None:
    tournament = read((DATA / row["file"]).read_bytes())
    record = summary(row["file"], tournament)
    assert tournament.errors == ()
    assert {name: record[name] for name in FIGURES} == {name: int(row[name]) for name in FIGURES}
    assert record["format"] == row["format"]


@pytest.mark.parametrize("row", FILES, ids=[row["file"] for row in FILES])
def test_converted_to_trf26_the_games_stay(row: dict[str, str]) -> None:
    tournament = read((DATA / row["file"]).read_bytes())
    content = write_trf26(tournament)
    again = read(content)
    assert again.errors == ()
    assert [entrant.name for entrant in again.entrants] == [entrant.name[:33] for entrant in tournament.entrants]
    games = {(game.round, game.white, game.black, game.result) for game in tournament.pairings}
    assert {(game.round, game.white, game.black, game.result) for game in again.pairings} == games
    assert write_trf26(again) == content
