"""The same federation on SQLite and on PostgreSQL: every figure and every exported case are the same, bit for bit."""

import json

import pytest

from ratings.cases.answer import answer_document
from tests.faults.bureau import Bureau

pytestmark = pytest.mark.servers

MONTHS = ("2024-03", "2024-04", "2024-05")
LOAD = """
from datetime import date
from django.db import transaction
from events.models import Game, Guest, Penalty, Section
from tests.federation import load
with transaction.atomic():
    for seed in (1, 2, 3):
        load(players=200, games=450, sections=10, seed=seed, month=date(2024, 2 + seed, 1))
    for section in Section.objects.order_by("pk")[::3]:
        game = section.games.order_by("pk")[0]
        Penalty.objects.create(
            section=section, player=game.white, round=1, kind="forfeit", points=20, status="confirmed")
        guest = Guest.objects.create(section=section, name="Abroad", fide_rating=1987)
        Game.objects.create(section=section, round=99, white=game.white, guest=guest, result="1/2-1/2")
"""
RATINGS = """
    SELECT run_id, list_id, player_id, region_id, "rank", position, games, k, CAST(change AS double precision),
           CAST(weighted_performance AS double precision), CAST(raw AS double precision),
           CAST(weighted AS double precision), CAST(published AS double precision),
           CAST(previous AS double precision), CAST(highest AS double precision), pending_penalty, window_sum,
           window_weighted, recent
    FROM ratings_rating ORDER BY run_id, list_id, player_id
"""
PERFORMANCES = """
    SELECT run_id, list_id, section_id, player_id, games, score, expected, average_opponent,
           CAST(performance AS double precision), CAST(change AS double precision)
    FROM ratings_performance ORDER BY run_id, list_id, section_id, player_id
"""
RUNS = "SELECT id, state, input_hash, edition, sections, games, players FROM ratings_ratingrun ORDER BY id"


RUN = """
from django.core.management import call_command
for month in {months}:
    call_command("calculate", month, stdout=open("/dev/null", "w"))
    call_command("publish", month, stdout=open("/dev/null", "w"))
for month in {months}:
    call_command("export_period", month)
"""


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    """Three published months on each kind of database, with their exported cases: [(bureau, cases)]."""
    found = []
    for kind in ("embedded", "servers"):
        bureau = Bureau(kind, tmp_path_factory.mktemp(kind))
        found.append((bureau, bureau.python(LOAD + RUN.format(months=MONTHS)).splitlines()))
    yield found
    for bureau, _ in found:
        bureau.close()


def rows(bureau, query):
    return [
        tuple(bytes(value) if isinstance(value, (bytes, memoryview)) else value for value in row)
        for row in bureau.rows(query)
    ]


@pytest.mark.parametrize(("query", "least"), [(RATINGS, 400), (PERFORMANCES, 600), (RUNS, 3)])
def test_every_figure_is_the_same(both, query, least):
    embedded, servers = (rows(bureau, query) for bureau, _ in both)
    assert len(embedded) >= least
    differ = [(one, other) for one, other in zip(embedded, servers, strict=True) if one != other]
    assert differ == []


def test_the_exported_cases_are_the_same_and_answer_what_was_published(both):
    assert both[0][1] == both[1][1]
    assert len(both[0][1]) == 3
    for text in both[0][1]:
        case = json.loads(text)
        expected = case.pop("expected")["players"]
        answer = answer_document(case)["players"]
        assert answer.keys() == expected.keys()
        compared = 0
        for player, lists in expected.items():
            for code, figures in lists.items():
                for name, figure in figures.items():
                    found = answer[player][code][name]
                    if figure is None:
                        assert found is None
                    else:
                        assert abs(found - figure) <= 1e-9, (player, code, name)
                        compared += 1
        assert compared > 1000


def test_a_command_refuses_what_is_not_due_with_status_1_on_either(both):
    for bureau, _ in both:
        before = rows(bureau, RUNS)
        done = bureau.command("calculate", "2024-03", check=False)
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr.endswith("2024-03 is published and stays as it is\n")
        assert "Traceback" not in done.stderr
        assert rows(bureau, RUNS) == before
