"""The table of results to fill in, and its example, are had on the page that takes the file."""

import pytest

from events.files.reader import read
from tests.events.submission.world import played

pytestmark = pytest.mark.django_db


def table(desk, event, query):
    answer = desk.get(f"/events/{event.pk}/results/template.csv{query}")
    assert answer["Content-Disposition"].startswith("attachment; filename=")
    return answer.content


def test_it_has_the_sections_details_and_rounds(desk):
    event = played("Open", "Junior")
    chosen = event.sections.get(name="Junior")
    text = table(desk, event, f"?section={chosen.pk}").decode("utf-8-sig")
    lines = text.splitlines()
    assert lines[0] == f"name,{event.name} Junior"
    assert "time_control,90+30" in lines
    days = list(chosen.rounds.values_list("number", "date"))
    assert [line.split(",")[:2] for line in lines[-5:]] == [[str(number), day.isoformat()] for number, day in days]


def test_the_example_reads_without_an_error(desk):
    event = played()
    tournament = read(table(desk, event, "?example=1"))
    assert (tournament.format, tournament.errors) == ("CSV", ())
    assert tournament.played_games == 1


def test_filled_in_it_reads_clean(desk):
    event = played()
    text = table(desk, event, "").decode("utf-8-sig")
    filled = text.replace(",,,,,,,,,,\r\n", ',180000001,"Cele, Ann",,,180000002,"Nel, Ali",,,1-0,yes\r\n')
    tournament = read(filled.encode())
    assert (tournament.errors, tournament.played_games, len(tournament.round_dates)) == ((), 5, 5)


@pytest.mark.parametrize("name", ["+50 Seniors Open", "=1", "-", "'Spring' Open"])
def test_a_name_that_a_spreadsheet_would_calculate_is_read_as_it_is(desk, name):
    event = played()
    event.name = name
    event.save()
    assert read(table(desk, event, "")).name == name


def test_the_page_links_to_both(desk):
    event = played("Open", "Junior")
    text = desk.get(f"/events/{event.pk}/results/").content.decode()
    for section in event.sections.all():
        assert f"/results/template.csv?section={section.pk}" in text
    assert "/results/template.csv?example=1" in text
