"""The month on the first page of the desk, and what is to be done next."""

from datetime import date

import pytest

from accounts.models import User
from events.models import Event, Kind, Penalty, RatingPeriod
from events.rules.states import State
from ratings.desk.figures import read_trays
from ratings.desk.month import desk_month
from tests.builders import event_of, officer, people, period
from tests.pages.builders import calculate
from tests.ratings.desk.waiting import DAY, event

pytestmark = pytest.mark.django_db
MARCH, ENDS = date(2024, 3, 1), date(2024, 3, 17)


def _month(today: date):
    by = User.objects.filter(is_officer=True).first() or officer()
    return desk_month(read_trays(by, today=today), today=today, begin="/begin/{}/")


def test_the_month_says_how_far_it_is_and_what_comes_next():
    today = date(2024, 3, 20)
    empty = _month(today)
    assert empty.sentence == "0 accepted; calculate on 1 Apr 2024."
    assert (empty.step.text, empty.step.address) == (
        "Nothing waits. See the rating periods",
        "/admin/events/ratingperiod/",
    )
    white, black = people(2)
    event_of([(white, black, "1-0")], ends=ENDS)
    event(State.REGISTERED, ends=ENDS, moved=ENDS)
    event(State.REGISTERED, ends=today + DAY, moved=ENDS)
    penalised = event(State.SUBMITTED, ends=ENDS, moved=ENDS)
    Penalty.objects.create(section=penalised.sections.get(), player=white, round=1, kind="forfeit", points=20)
    month = _month(today)
    assert month.sentence == (
        "1 accepted, 1 submitted, 1 missing, 1 to be played, 1 penalty undecided; calculate on 1 Apr 2024."
    )
    assert month.step.text == "Begin with “Penalties undecided”: 1 penalty"
    assert month.step.address == "/begin/penalties/"


def test_what_ended_before_the_month_or_was_played_abroad_is_counted_apart():
    event_of([(*people(2), "1-0")], ends=ENDS)
    late, abroad = (event_of([(*people(2), "1-0")], ends=ENDS) for _ in range(2))
    Event.objects.filter(pk=late.pk).update(starts=date(2024, 2, 25), ends=date(2024, 2, 25))
    Event.objects.filter(pk=abroad.pk).update(kind=Kind.ABROAD)
    assert _month(date(2024, 3, 20)).sentence.startswith("1 accepted, 2 more from earlier months or abroad;")


@pytest.mark.rule("chessa 65")
def test_after_its_end_a_month_is_calculated_once_nothing_of_it_waits_and_then_published():
    first = date(2024, 4, 1)
    event_of([(*people(2), "1-0")], ends=ENDS)
    waits = event(State.SUBMITTED, ends=ENDS, moved=ENDS)
    assert _month(first - DAY).sentence.endswith("; calculate on 1 Apr 2024.")
    assert _month(first).sentence.endswith("; to be calculated since 1 Apr 2024.")
    assert _month(first).step.address == "/begin/clean/"
    waits.delete()
    event(State.REGISTERED, ends=ENDS, moved=ENDS)  # a missing event holds nothing up (article 61)
    assert (_month(first).step.text, _month(first).step.address) == (
        "Calculate March 2024",
        f"/admin/events/ratingperiod/{period(MARCH).pk}/change/",
    )
    run = calculate(MARCH)
    assert _month(first).step.text == "Look at the calculation of March 2024 and publish it"
    assert _month(first).step.address == f"/admin/ratings/ratingrun/{run.pk}/change/"
    RatingPeriod.objects.filter(month=MARCH).update(state=RatingPeriod.State.PUBLISHING)
    assert _month(first).step.text == "March 2024 is being published: see how far it is"
