"""Lists whose rules go by the order of the players' numbers, where that is not the order in which players were entered."""

import json
from datetime import date

import pytest

from players.models import Player
from ratings.cases.answer import answer_document
from ratings.explanations.case_files import export_list_month
from ratings.explanations.queries import explain_list_month
from ratings.lists.definitions import list_definitions
from ratings.models import Performance, RunPerson
from ratings.runs.inputs import read_input
from tests.builders import period
from tests.federation import load
from tests.kept import kept
from tests.pages import builders

pytestmark = [pytest.mark.django_db, pytest.mark.rule("icu second-pass")]

MONTHS = (date(2024, 3, 1), date(2024, 4, 1))
EXACT = 1e-9


def renumber(players):
    """Give the players numbers in the opposite order of their ids."""
    numbers = [player.number for player in players]
    for place, player in enumerate(players):
        Player.objects.filter(pk=player.pk).update(number=f"99{place:07}")
    for player, number in zip(players, reversed(numbers), strict=True):
        Player.objects.filter(pk=player.pk).update(number=number)


@pytest.fixture
@kept
def april():
    """The second month on lists of each system, numbers in the opposite order of the ids."""
    builders.add_list("program", system="icu", position=8, edition="software-3")
    for position, code in enumerate(("uscf", "cfc"), start=9):
        builders.add_list(code, position=position)
    for month in MONTHS:
        load(players=40, games=240, sections=4, seed=month.month, month=month, active=0.4)
        if month == MONTHS[0]:
            renumber(list(Player.objects.order_by("pk")))
        builders.publish(month)
    return period(MONTHS[1])


def cases(april, code):
    listing = next(listing for listing in list_definitions() if listing.code == code)
    rated = Performance.objects.filter(list=listing.id).values("player")
    for player in Player.objects.filter(pk__in=rated).order_by("pk"):
        for case in json.loads(json.dumps(export_list_month(april, player, listing))):
            yield player, case


@pytest.mark.parametrize("code", ["program", "uscf", "cfc"])
def test_case_files_bear_players_numbers_and_are_computed_to_the_published_figures(april, code):
    compared = 0
    for player, case in cases(april, code):
        numbers = {row["id"] for row in case["players"]}
        assert set(Player.objects.filter(number__in=numbers).values_list("number", flat=True)) == numbers
        assert "source" not in case
        ((name, figures),) = case["expected"]["players"].items()
        assert name == player.number
        found = answer_document(case)["players"][name]
        for figure, value in figures.items():
            same = pytest.approx(value, abs=EXACT) if isinstance(value, float) else value
            assert found[figure] == same, figure
        compared += 1
    assert compared > 30


def test_the_order_decides_figures_of_this_month(april):
    """Else the test above would show nothing."""
    moved = 0
    for player, case in cases(april, "program"):
        order = {row["id"]: str(1000 - place) for place, row in enumerate(case["players"])}
        text = json.dumps(case)
        for number, turned in order.items():
            text = text.replace(f'"{number}"', f'"{turned}"')
        figures = answer_document(json.loads(text))["players"][order[player.number]]
        moved += abs(figures["rating"] - case["expected"]["players"][player.number]["rating"]) > EXACT
    assert moved


def test_a_month_keeps_the_numbers_that_it_was_calculated_with(april):
    listing = next(listing for listing in list_definitions() if listing.code == "program")
    players = list(Player.objects.order_by("pk"))
    before = [explain_list_month(april, player.pk, listing.id).rating for player in players]
    renumber(players)
    assert [explain_list_month(april, player.pk, listing.id).rating for player in players] == before
    assert any("in another order" in case.get("source", "") for _, case in cases(april, "program"))


def test_a_month_that_kept_no_numbers_goes_by_ids_as_it_did(april):
    RunPerson.objects.update(number="")
    people = read_input(april).people
    assert {number for _, _, number in people.values()} == {""}
    listing = next(listing for listing in list_definitions() if listing.code == "program")
    player = Performance.objects.filter(list=listing.id).order_by("player").first().player
    assert explain_list_month(april, player.pk, listing.id).events
    assert any("in another order" in case.get("source", "") for _, case in cases(april, "program"))
