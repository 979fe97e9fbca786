"""Readers see what was corrected, when and why; the lists stay readable as they were published."""

import io
import re
import zipfile
from datetime import UTC, date, datetime, timedelta
from html import unescape

import pytest
from django.utils import timezone

from config.lib import formatting
from events.models import Readings
from players.models import Player
from players.operations import save_player
from ratings.downloads.operations import make_downloads, take_back_birth_dates
from ratings.models import Amendment, PublishedRun, Rating
from ratings.rerating.adjustments import let_stand
from ratings.rerating.operations import request_publication, start_rerating, take_back
from ratings.rerating.worker import process_rerating
from tests.builders import publish
from tests.ratings.rerating.conftest import CORRECTED_AT, amend_a_result

pytestmark = pytest.mark.django_db
REASON = "A result was entered wrongly."


@pytest.fixture
def changed(corrected) -> Player:
    """A player whose rating the correction changed."""
    run = PublishedRun.objects.get().run
    former = run.period.revisions.get(number=1).run
    old = dict(Rating.objects.filter(run=former, list__code="main").values_list("player", "published"))
    row = next(row for row in Rating.objects.filter(run=run, list__code="main") if row.published != old[row.player_id])
    return row.player


def _text(client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return re.sub(r"[ \n]+", " ", unescape(re.sub("<[^>]+>", " ", answer.content.decode())))


@pytest.mark.rule("chessa 64")
def test_the_list_says_what_was_corrected_and_leads_to_the_former_one(client, section, corrected):
    text = _text(client, "/lists/main/2024-03/")
    assert f"Corrected on 12 May 2024: {REASON}" in text
    assert f"revision 1 of {formatting.day(timezone.localdate())}" in text
    former = _text(client, "/lists/main/2024-03/?revision=1")
    assert f"As published on {formatting.day(timezone.localdate())} (revision 1); it is in force no longer." in former
    assert f"Corrected on 12 May 2024: {REASON}" in former


def test_the_former_list_has_the_figures_that_were_published(client, section, changed):
    runs = [revision.run for revision in PublishedRun.objects.get().period.revisions.order_by("number")]
    for number, run in enumerate(runs, start=1):
        lines = client.get(f"/lists/main/2024-03/players.csv?revision={number}").getvalue().decode().splitlines()
        column = lines[0].split(",").index("rating")
        row = next(line.split(",") for line in lines if changed.number in line)
        published = Rating.objects.get(run=run, list__code="main", player=changed).published
        assert float(row[column]) == pytest.approx(float(published), abs=1e-9)


@pytest.mark.rule("chessa 64")
def test_what_was_taken_back_is_said_to_be_so_and_not_corrected(client, changed, corrected):
    take_back(corrected, reason="The sheet was misread.", at=CORRECTED_AT + timedelta(days=1))
    again = start_rerating(None, list(Amendment.objects.all()), reason="It was right.", at=CORRECTED_AT)
    undone = [f"Corrected on 12 May 2024, and taken back since: {REASON}"]
    taken_back = "Taken back on 13 May 2024, so that revision 1 counts again: The sheet was misread."
    text = _text(client, "/lists/main/2024-03/")
    assert re.findall(r"(?:Corrected|Taken back) on .*?\.", text) == [taken_back, *undone]
    former = _text(client, "/lists/main/2024-03/?revision=2")
    assert taken_back in former
    assert "Corrected on" not in former
    player = _text(client, f"/players/{changed.number}/")
    assert f"12 May 2024: {REASON}" in player
    assert "13 May 2024, taken back: The sheet was misread." in player
    request_publication(process_rerating(again.pk), at=CORRECTED_AT)
    process_rerating(again.pk, clock=lambda: CORRECTED_AT + timedelta(days=2))
    text = _text(client, "/lists/main/2024-03/")
    found = re.findall(r"(?:Corrected|Taken back) on .*?\.", text)
    assert found == ["Corrected on 14 May 2024: It was right.", taken_back, *undone]


@pytest.mark.parametrize("revision", ["0", "3", "x", "", "9" * 30, "-1"])
def test_a_revision_that_is_not_there_is_not_found(client, corrected, revision):
    assert client.get(f"/lists/main/2024-03/?revision={revision}").status_code == 404


def test_a_list_that_was_never_corrected_says_nothing(client, section):
    assert "Corrected" not in _text(client, "/lists/main/2024-03/")
    assert client.get("/lists/main/2024-03/?revision=1").status_code == 200
    assert client.get("/lists/main/2024-03/?revision=2").status_code == 404


def test_the_filter_of_a_former_list_stays_with_it_and_leaves_it_for_another_month(client, corrected):
    same = client.get("/lists/main/?period=2024-03&revision=1&revision_of=2024-03&q=a")
    assert same["Location"] == "/lists/main/2024-03/?revision=1&q=a"
    other = client.get("/lists/main/?period=2024-03&revision=1&revision_of=2024-02&q=a")
    assert other["Location"] == "/lists/main/2024-03/?q=a"


def test_the_players_page_and_the_explanation_show_old_and_new(client, changed):
    runs = [revision.run for revision in PublishedRun.objects.get().period.revisions.order_by("number")]
    shown = [
        formatting.rating(float(Rating.objects.get(run=run, list__code="main", player=changed).published or 0))
        for run in runs
    ]
    for address in (f"/players/{changed.number}/", f"/players/{changed.number}/2024-03/main/"):
        text = _text(client, address)
        assert f"Main, 1 Apr 2024 {shown[0]} {shown[1]} 12 May 2024: {REASON}" in text, address
    explanation = _text(client, f"/players/{changed.number}/2024-03/main/")
    assert "has changed since the list was published" not in explanation


def test_the_events_page_names_no_hidden_player_of_a_corrected_game(client, section, corrected):
    game = corrected.amendments.get().before["games"]
    white = Player.objects.get(pk=next(row["white_id"] for row in game if row["result"] == "1-0"))
    address = f"/events/{section.event_id}/"
    assert f"{white.name} ({white.number}) –" in _text(client, address)
    white.hidden_since = date(2024, 6, 1)
    save_player(white)
    text = _text(client, address)
    assert white.name not in text
    assert white.number not in text
    assert "round 1, Hidden player –" in text


def test_the_events_page_says_which_game_was_corrected(client, section, corrected):
    text = _text(client, f"/events/{section.event_id}/")
    assert "12 May 2024: The score sheet says so." in text.replace(" :", ":")
    assert "round 1," in text
    assert "1-0" in text


def test_a_published_page_changes_its_version_with_the_correction(client, section):
    before = client.get("/lists/main/2024-03/")["ETag"]
    amendment = amend_a_result(section)
    rerating = process_rerating(start_rerating(None, [amendment], reason="Corrected.", at=CORRECTED_AT).pk)
    request_publication(rerating, at=CORRECTED_AT)
    process_rerating(rerating.pk)
    assert client.get("/lists/main/2024-03/", headers={"If-None-Match": before}).status_code == 200


def test_programs_find_the_revisions_and_the_former_list(client, changed):
    month = client.get("/api/v1/periods/2024-03/").json()
    assert month["revision"] == 2
    assert [(row["number"], row["reason"]) for row in month["revisions"]] == [(1, None), (2, REASON)]
    runs = [revision.run for revision in PublishedRun.objects.get().period.revisions.order_by("number")]
    for words, run in (("?revision=1", runs[0]), ("?revision=2", runs[1]), ("", runs[1])):
        rows = client.get(f"/api/v1/lists/main/2024-03/{words}").json()["results"]
        figure = next(row["rating"] for row in rows if row["number"] == changed.number)
        published = Rating.objects.get(run=run, list__code="main", player=changed).published
        assert figure == pytest.approx(float(published or 0), abs=1e-9)
    assert client.get("/api/v1/lists/main/2024-03/?revision=3").status_code == 404
    assert client.get("/api/v1/lists/main/2024-03/?revision=x").status_code == 400


@pytest.mark.rule("chessa 64")
def test_the_files_that_were_published_stay_byte_for_byte(client, section):
    make_downloads(PublishedRun.objects.get().run_id, at=CORRECTED_AT)
    address = "/downloads/2024-03/ratings_main.zip"
    before = client.get(address).content
    rerating = process_rerating(start_rerating(None, [amend_a_result(section)], reason=REASON, at=CORRECTED_AT).pk)
    request_publication(rerating, at=CORRECTED_AT)
    process_rerating(rerating.pk)
    make_downloads(PublishedRun.objects.get().run_id, at=CORRECTED_AT)
    assert client.get(address).content != before
    assert client.get(f"{address}?revision=1").content == before
    assert "ratings_main.zip?revision=1" in client.get("/downloads/2024-03/?revision=1").content.decode()


@pytest.mark.rule("chessa 64")
def test_pages_and_programs_show_an_adjustment_as_such(client, section):
    rerating = process_rerating(start_rerating(None, [amend_a_result(section)], reason=REASON, at=CORRECTED_AT).pk)
    made = max(let_stand(rerating, at=CORRECTED_AT), key=lambda row: (row.list.code == "main", row.points))
    number, points = made.player.number, formatting.change(float(made.points), 2)
    waiting = f"Main, after the games of April 2024 {points} 12 May 2024: {REASON}"
    assert waiting in _text(client, f"/players/{number}/")
    publish(date(2024, 4, 1), at=datetime(2024, 5, 13, 8, tzinfo=UTC))
    text = _text(client, f"/players/{number}/")
    assert f"Main, 1 May 2024 {points} 12 May 2024: {REASON}" in text
    assert f"an adjustment added {formatting.rating(float(made.points))} (article 64)" in text
    explanation = _text(client, f"/players/{number}/2024-04/main/")
    assert f"Adjustment 1 {points} points: {REASON}" in explanation
    assert "has changed since the list was published" not in explanation
    event = _text(client, f"/events/{section.event_id}/")
    assert "corrected by adjustments from the list after the games of April 2024 on (article 64)" in event
    steps = client.get(f"/api/v1/players/{number}/explanations/2024-04/main/").json()["steps"]
    cells = [cell for step in steps for row in step["rows"] for cell in row if cell["kind"] == "adjustment"]
    assert [cell["value"] for cell in cells] == [f"{made.points:+.2f} points: {REASON}".replace("-", "−")]


def test_birth_dates_that_are_no_longer_wanted_go_from_the_files_of_a_list_that_was_corrected_since(client, section):
    Player.objects.update(birth_date=date(2001, 7, 19), birth_year=2001)
    Readings.objects.update(whole_birth_dates=True)
    make_downloads(PublishedRun.objects.get().run_id, at=CORRECTED_AT)
    rerating = process_rerating(start_rerating(None, [amend_a_result(section)], reason=REASON, at=CORRECTED_AT).pk)
    request_publication(rerating, at=CORRECTED_AT)
    process_rerating(rerating.pk)
    addresses = ["/downloads/2024-03/ratings_main.zip", "/downloads/2024-03/ratings_main.zip?revision=1"]
    make_downloads(PublishedRun.objects.get().run_id, at=CORRECTED_AT)
    assert [b"2001/07/19" in unzipped(client.get(address).content) for address in addresses] == [True, True]
    Readings.objects.update(whole_birth_dates=False)
    assert "have the whole date" in client.get("/privacy/").content.decode()
    take_back_birth_dates(at=timezone.now())
    make_downloads(PublishedRun.objects.get().run_id, at=CORRECTED_AT)
    assert b"2001/01/01" in unzipped(client.get(addresses[0]).content)
    assert client.get(addresses[1]).status_code == 404
    assert "are no longer kept" in client.get("/downloads/2024-03/?revision=1").content.decode()
    assert "have the whole date" not in client.get("/privacy/").content.decode()


def unzipped(content: bytes) -> bytes:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return archive.read("ratings_main.csv")
