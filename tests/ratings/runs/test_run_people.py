"""Birth dates are input of lists of other systems: changed before the publication they stop it, afterwards nothing."""

from datetime import date

import pytest
from django.utils import timezone

from players.models import Player
from ratings.explanations.case_files import export_period
from ratings.explanations.queries import explain_list_month
from ratings.models import RatingList, RunPerson
from ratings.periods import RunError
from ratings.runs.operations import request_publication
from ratings.runs.worker import process_run
from tests.builders import calculate, event_of, period, player, publish
from tests.ratings.runs.test_other_systems import add_list, everybody_meets

pytestmark = pytest.mark.django_db


@pytest.fixture
def played():
    players = [player("Mokoena", f"Naledi {number}", birth_date=date(1990, 1, number)) for number in range(1, 7)]
    event_of(everybody_meets(players), date(2024, 3, 20), base=90, increment=30)
    Player.objects.update(registered_at="2001-05-05T08:00:00+02:00")
    return players


def correct(one):
    Player.objects.filter(pk=one.pk).update(birth_date=date(2015, 1, 1), birth_year=2015)


def test_a_published_month_is_explained_as_it_was_calculated(played):
    icu = add_list("icu", starts_from=RatingList.objects.get(code="main"))
    publish()
    before = explain_list_month(period(), played[0].pk, icu.pk), export_period(period())
    correct(played[0])
    assert (explain_list_month(period(), played[0].pk, icu.pk), export_period(period())) == before
    assert RunPerson.objects.count() == 6


def test_a_correction_before_the_publication_asks_for_a_new_calculation(played):
    add_list("icu")
    run = calculate()
    correct(played[0])
    with pytest.raises(RunError, match="2024-03 has changed since"):
        request_publication(run, at=timezone.now())
    again = calculate()
    assert set(RunPerson.objects.values_list("run", flat=True)) == {again.pk}
    request_publication(again, at=timezone.now())
    Player.objects.filter(pk=played[1].pk).update(birth_date=date(1990, 2, 2))
    assert process_run(again.pk).state == "calculated"


def test_without_other_lists_nothing_depends_on_them(played):
    run = calculate()
    correct(played[0])
    request_publication(run, at=timezone.now())
    assert process_run(run.pk).state == "published"
    assert not RunPerson.objects.exists()
    late = add_list("icu")
    assert explain_list_month(period(), played[0].pk, late.pk).events
