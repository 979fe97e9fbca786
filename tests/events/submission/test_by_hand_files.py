"""A file that goes through the table by hand comes out as it was, or it is said what is lost."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from events.files.crosstable import read_cells, write_cells
from events.files.dates import Birth
from events.files.reader import read
from events.files.trf.writer import write_trf26
from events.rules.game_result import Result
from events.rules.tournament import Entrant, Pairing, Team, Tournament
from events.submission.crosstable.document import LONGEST_NAME, EnteredPlayer, assembled, left_out
from events.submission.persons import chess_sa_id
from tests.conftest import ROOT
from tests.events.submission.world import clean

FILES = sorted((ROOT / "tests/events/files/data").glob("*.t*"))
OF_A_PLAYER = ["number", "sex", "title", "rating", "federation", "region", "fide_id", "national_id", "national_rating"]
OF_A_PLAYER += ["birth_date", "birth_year", "points", "rank"]
OF_ALL = ["name", "city", "federation", "starts", "ends", "planned_rounds", "round_dates", "chief_arbiter"]
OF_ALL += ["deputy_arbiters", "time_control", "teams"]


def typed(entrant: Entrant) -> EnteredPlayer:
    birth = Birth(entrant.birth_year, entrant.birth_date)
    return EnteredPlayer(entrant.number, entrant.name, chess_sa_id(entrant), entrant.fide_id, birth, entrant.sex)


def games(pairings) -> list[Pairing]:
    bare = [one._replace(line=None, column=None) for one in pairings]
    return sorted(bare, key=lambda one: (one.round, one.white))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_nothing_else_than_what_is_said_gets_lost(path: Path):
    before = read(path.read_bytes(), path.name)
    pairings, problems, _ = read_cells(write_cells(before.pairings), {one.number for one in before.entrants})
    assert problems == {}
    made = assembled(before, [typed(one) for one in before.entrants], before.round_dates, pairings)
    after = read(write_trf26(made), "entered by hand.trf")
    assert games(after.pairings) == games(before.pairings)
    for name in OF_ALL:
        assert getattr(after, name) == getattr(before, name), name
    for old, new in zip(made.entrants, after.entrants, strict=True):
        assert [getattr(new, name) for name in OF_A_PLAYER] == [getattr(old, name) for name in OF_A_PLAYER]
        assert new.name == old.name[:LONGEST_NAME].rstrip()
    cut = [one for one in made.entrants if len(one.name) > LONGEST_NAME]
    clubs = any(one.club for one in made.entrants)
    assert len(left_out(made)) == len(cut) + clubs


def base() -> Tournament:
    return read(clean(4, rounds=[[(1, 2, "1"), (3, 4, "=")]]), "a.trf")


def test_points_and_ranks_follow_the_results():
    before = base()
    pairings = [before.pairings[0]._replace(result=Result.BLACK_WINS), before.pairings[1]]
    after = assembled(before, [typed(one) for one in before.entrants], before.round_dates, pairings)
    assert [(one.points, one.rank) for one in after.entrants] == [(0, 4), (1, 1), (0.5, 2), (0.5, 3)]


def test_somebody_else_in_a_row_does_not_inherit_title_and_rating():
    before = base()
    titled = replace(before.entrants[0], title="GM", rating=2400, national_id="999000001", national_federation="RSA")
    before = replace(before, entrants=(titled, *before.entrants[1:]))

    def first(name: str, number: str = "") -> Entrant:
        rows = [EnteredPlayer(1, name, number), *(typed(one) for one in before.entrants[1:])]
        return assembled(before, rows, (), before.pairings).entrants[0]

    assert first("Adendorf, Anele").title == "GM"
    assert first("Van der Merwe, Anele", "999000001").title == "GM"
    assert (first("Mokoena, Naledi").title, first("Mokoena, Naledi").rating) == ("", None)
    assert first("Adendorff, Anele").national_id == ""


def test_only_a_round_that_is_moved_widens_the_tournament_s_days():
    before = replace(base(), round_dates=(date(2001, 9, 30),))
    players = [typed(one) for one in before.entrants]
    assert assembled(before, players, before.round_dates, before.pairings).starts == before.starts
    moved = assembled(before, players, (date(2002, 9, 30),), before.pairings)
    assert (moved.starts, moved.ends) == (date(2002, 9, 30), before.ends)


def test_a_team_loses_who_is_taken_out():
    before = replace(base(), teams=(Team("A", (1, 2)), Team("B", (3, 4))))
    players = [typed(one) for one in before.entrants[:3]]
    after = assembled(before, players, (), before.pairings[:1])
    assert [one.members for one in after.teams] == [(1, 2), (3,)]
