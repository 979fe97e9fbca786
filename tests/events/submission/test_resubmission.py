"""A returned section is sent in again: its results are replaced whole, and only its latest file counts."""

from datetime import date

import pytest

from events.models import Entry, Game, Penalty, Submission, SubmissionFinding
from events.operations import EventError, accept_event, return_event
from events.rules.states import State
from events.submission.recording import resubmit
from events.submission.validation import validate_file
from tests.builders import CLOCK, TODAY, everything, lines, open_file, round_robin, section_file, submitted, trf

pytestmark = pytest.mark.django_db


def returned():
    event = submitted(trf(lines(6), round_robin(6, "1=0+"), dated=False))
    return_event(event, at=CLOCK, reason="the dates of the rounds are missing")
    event.refresh_from_db()
    return event, event.sections.get()


def corrected(section, content=None):
    return validate_file(section_file(open_file() if content is None else content, section=section), today=TODAY)


def test_a_corrected_file_replaces_the_results():
    event, section = returned()
    assert Penalty.objects.exists()
    before = set(Game.objects.values_list("pk", flat=True))
    prepared = corrected(section)
    assert prepared.errors == []
    assert resubmit(prepared, at=CLOCK).pk == event.pk
    event.refresh_from_db()
    assert event.state == State.SUBMITTED
    assert before.isdisjoint(Game.objects.values_list("pk", flat=True))
    assert (Game.objects.count(), Entry.objects.count(), Penalty.objects.count()) == (15, 6, 0)
    assert Submission.objects.filter(section=section).count() == 2


def test_the_players_stay_who_they_were():
    _, section = returned()
    before = list(section.entries.order_by("number").values_list("player", flat=True))
    resubmit(corrected(section), at=CLOCK)
    assert list(section.entries.order_by("number").values_list("player", flat=True)) == before


def test_only_the_latest_files_holds_are_waived():
    event, section = returned()
    old = set(SubmissionFinding.objects.filter(severity="hold").values_list("pk", flat=True))
    assert old
    resubmit(corrected(section), at=CLOCK)
    accept_event(event, at=CLOCK, reason="seen")
    assert not SubmissionFinding.objects.filter(pk__in=old, waived_at__isnull=False).exists()


def test_the_same_file_may_come_again_for_its_own_section_only():
    _, section = returned()
    same = bytes(section.submissions.get().file.content)
    assert corrected(section, same).errors == []
    again = validate_file(section_file(same), today=TODAY)
    assert [finding.code for finding in again.errors] == ["file-submitted-before"]
    assert f"--section {section.pk}" in again.errors[0].message


def test_a_section_that_was_not_returned_is_not_replaced():
    event = submitted()
    prepared = corrected(event.sections.get(), trf(lines(6), round_robin(6, "0=1")))
    assert [finding.code for finding in prepared.errors] == ["not-returned"]
    before = everything()
    with pytest.raises(EventError, match="Have it returned first"):
        resubmit(prepared, at=CLOCK)
    assert everything() == before


def test_the_uploaders_dates_are_said_where_they_differ_from_the_files():
    prepared = validate_file(section_file(ends=date(2024, 3, 30)), today=TODAY)
    assert "30 Mar 2024 instead of 3 Mar 2024" in next(
        one.message for one in prepared.findings if one.code == "dates-given"
    )
    assert not [one for one in validate_file(section_file(), today=TODAY).findings if one.code == "dates-given"]
