"""The desk's pages of sections and files of hundreds of players and findings: a part is shown, in a fixed number of queries."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from config.lib.shown_rows import MOST_SHOWN
from events.models import Entry, Submission, SubmissionFinding
from tests.builders import officer
from tests.events.submission.large import MANY, held_and_sent

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk(client):
    """The client of an officer."""
    client.force_login(officer())
    return client


@pytest.fixture
def section():
    return held_and_sent().sections.get()


def page(desk, address: str) -> tuple[str, int]:
    """A page, and how many queries it takes once the process knows the small tables."""
    desk.get(address)
    with CaptureQueriesContext(connection) as queries:
        shown = desk.get(address).content.decode()
    return shown, len(queries)


def test_a_sections_page_names_the_first_players_in_as_many_queries_as_for_a_few(section, desk):
    """One of 9,998 players had 16 MB and took 17,000 queries."""
    address = f"/admin/events/section/{section.pk}/change/"
    shown, queries = page(desk, address)
    assert shown.count('class="field-name_in_file"') == MOST_SHOWN
    assert f"{MANY - MOST_SHOWN} more are not shown here" in shown
    sent = re.search(r'href="(/events/[^"]*/submitted/[0-9]+/)">See all of them', shown)[1]
    assert b"".join(desk.get(sent)).count(b"\n001 ") == MANY
    Entry.objects.filter(section=section, rank__gt=3).delete()
    few, queries_of_few = page(desk, address)
    assert few.count('class="field-name_in_file"') == Entry.objects.count() < MOST_SHOWN
    assert "not shown here" not in few
    assert queries <= queries_of_few + 2  # how many there are, and where all are


def test_a_section_is_saved_whose_players_are_not_all_shown(section, desk):
    address = f"/admin/events/section/{section.pk}/change/"
    answer = desk.get(address)
    hidden = dict(re.findall(r'<input type="hidden" name="([^"]+)"(?: value="([^"]*)")?', answer.content.decode()))
    assert hidden["entries-INITIAL_FORMS"] == str(MOST_SHOWN)
    form = answer.context["adminform"].form
    values = {name: form[name].value() for name in form.fields}
    sent = {**hidden, **{name: "" if value is None else value for name, value in values.items()}, "name": "Group A"}
    answer = desk.post(address, {**sent, "reason_for_change": "I was asked to."})
    assert answer.status_code == 302, answer.context["errors"]
    section.refresh_from_db()
    assert section.name == "Group A"
    assert section.entries.count() == MANY


def test_a_files_page_names_the_first_findings_and_leads_to_all(section, desk):
    submission = Submission.objects.get()
    holds = SubmissionFinding.objects.filter(severity="hold").count()
    notes = SubmissionFinding.objects.filter(severity="note").count()
    address = f"/admin/events/submission/{submission.pk}/change/"
    shown, queries = page(desk, address)
    assert f"{holds - MOST_SHOWN} more are not shown here" in shown
    assert shown.count('class="field-message"') == MOST_SHOWN + min(notes, MOST_SHOWN)
    every = re.search(r'href="(/events/[^"]*/findings\.csv)">See all of them', shown)[1]
    assert desk.get(every).content.decode().count("\r\nhold,") == holds
    SubmissionFinding.objects.filter(pk__gt=SubmissionFinding.objects.order_by("pk")[5].pk).delete()
    assert queries <= page(desk, address)[1] + 2


def test_the_list_of_files_counts_findings_and_reads_none(section, desk):
    holds = SubmissionFinding.objects.filter(severity="hold").count()
    with CaptureQueriesContext(connection) as queries:
        shown = desk.get("/admin/events/submission/").content.decode()
    assert f"{holds} holds" in shown
    assert not [query for query in queries if '"events_submissionfinding"."message"' in query["sql"]]
