"""The same federation on SQLite and on PostgreSQL: every figure and every exported case are the same, bit for bit."""

import json

import pytest

from tests.faults.bureau import Bureau

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


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    """Three published months on each kind of database."""
    found = []
    for kind in ("embedded", "servers"):
        bureau = Bureau(kind, tmp_path_factory.mktemp(kind))
        bureau.command("migrate", "-v0")
        commands = "".join(f'call_command("{word}", "{month}")\n' for month in MONTHS for word in ("calculate", "publish"))
        bureau.python(f"{LOAD}\nfrom django.core.management import call_command\n{commands}")
        found.append(bureau)
    yield found
    for bureau in found:
        bureau.close()


def rows(bureau, query):
    return [
        tuple(bytes(value) if isinstance(value, (bytes, memoryview)) else value for value in row)
        for row in bureau.rows(query)
    ]


@pytest.mark.parametrize(("query", "least"), [(RATINGS, 1000), (PERFORMANCES, 1000), (RUNS, 3)])
def test_every_figure_is_the_same(both, query, least):
    embedded, servers = (rows(bureau, query) for bureau in both)
    assert len(embedded) >= least
    differ = [(one, other) for one, other in zip(embedded, servers, strict=True) if one != other]
    assert differ == []


@pytest.mark.parametrize("month", MONTHS)
def test_the_exported_case_is_the_same_and_answers_what_was_published(both, month, tmp_path):
    texts = [bureau.command("export_period", month).stdout for bureau in both]
    assert texts[0] == texts[1]
    case = json.loads(texts[0])
    expected = case.pop("expected")["players"]
    path = tmp_path / "case.json"
    path.write_text(json.dumps(case))
    answer = json.loads(both[0].command("rate", str(path)).stdout)["players"]
    assert answer.keys() == expected.keys()
    for player, lists in expected.items():
        for code, figures in lists.items():
            assert answer[player][code] == pytest.approx(figures, abs=1e-9, rel=0)


def test_the_command_refuses_what_is_not_due_with_status_1_on_either(both):
    for bureau in both:
        for words, message in (
            (("calculate", "2024-03"), "is published and stays as it is"),
            (("publish", "2024-03"), "is published already"),
            (("calculate", "2024-07"), "there is nothing to calculate"),
            (("export_period", "2024-06"), "has not been calculated"),
        ):
            before = rows(bureau, RUNS)
            done = bureau.command(*words, check=False)
            assert (done.returncode, done.stdout) == (1, "")
            assert message in done.stderr
            assert "Traceback" not in done.stderr
            assert rows(bureau, RUNS) == before
