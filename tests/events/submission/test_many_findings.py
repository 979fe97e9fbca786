"""A file with hundreds of findings on hold: the page of results shows a part, and leads to all."""

import csv
import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from config.lib.shown_rows import MOST_SHOWN
from events.models import Attachment, Submission
from tests.events.attachments.files import PDF
from tests.events.submission.large import MANY, held, many_known, of_players
from tests.events.submission.world import do, played, taken

pytestmark = pytest.mark.django_db


@pytest.fixture
def event():
    return held()


def page(client, event) -> str:
    return client.get(f"/events/{event.pk}/results/").content.decode()


def findings_of(client, page: str) -> list[dict[str, str]]:
    """The findings of the table to which a page leads."""
    address = re.search(r'href="(/events/[^"]*/findings\.csv)"', page)[1]
    answer = client.get(address)
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    return list(csv.DictReader(answer.content.decode("utf-8-sig").splitlines()))


def test_a_page_of_results_shows_so_many_findings_at_once(event, desk):
    """With 5,000 of them a page had 7 MB."""
    holds = event.uploads.get().report["counts"]["hold"]
    assert holds > MANY
    shown = page(desk, event)
    assert shown.count('<div class="finding hold">') == MOST_SHOWN
    assert f"{holds - MOST_SHOWN} more are in" in shown
    assert f"{holds} holds left" in shown
    assert f"{holds} findings on hold go to the ratings officer" in shown
    listed = findings_of(desk, shown)
    assert sum(row["severity"] == "hold" for row in listed) == holds
    (last,) = [row for row in listed if f"(start number {MANY})" in row["message"]]
    assert last["place"].startswith("line ")
    assert last["article"] == "14.2"


def test_what_is_sent_in_is_shown_in_part_too(event, desk):
    holds = event.uploads.get().report["counts"]["hold"]
    assert do(desk, event, "submit", declared="on", reason="The register is wrong.").status_code == 302
    shown = page(desk, event)
    assert shown.count("The ratings officer decides.") == MOST_SHOWN
    assert f"{holds - MOST_SHOWN} more are in" in shown
    assert sum(row["severity"] == "hold" for row in findings_of(desk, shown)) == holds


def test_a_proof_is_for_one_of_the_first_holds_or_for_others_of_a_kind(event, desk):
    """With 5,000 choices the form alone had 2 MB."""
    holds = event.uploads.get().report["counts"]["hold"]
    form = page(desk, event).partition('name="about"')[2].partition("</select>")[0]
    choices = re.findall(r'<option value="([^"]*)">([^<]*)<', form)
    assert len(choices) == MOST_SHOWN + 1
    key, text = choices[-1]
    assert text.startswith(f"{holds - MOST_SHOWN} others, such as: ")
    proof = SimpleUploadedFile("birth.pdf", PDF)
    assert do(desk, event, "attach", about=key, proof=proof).status_code == 302
    attached = Attachment.objects.get()
    assert attached.about == "birth-year-differs"
    assert attached.note.startswith(f"{holds - MOST_SHOWN} others, such as: ")
    proof = SimpleUploadedFile("other.pdf", PDF + b"%%EOF")
    assert do(desk, event, "attach", about=choices[1][0], proof=proof).status_code == 302
    assert Attachment.objects.latest("pk").note == choices[1][1].replace("&#x27;", "’")
    shown = page(desk, event)
    assert shown.count(f"{holds - MOST_SHOWN} others, such as: ") == 2  # the choice, and what is attached


def test_only_who_may_see_the_event_reads_its_findings(event, client, desk):
    address = f"/events/{event.pk}/results/{event.uploads.get().pk}/findings.csv"
    do(desk, event, "submit", declared="on", reason="The register is wrong.")
    sent = f"/events/{event.pk}/results/submitted/{Submission.objects.get().pk}/findings.csv"
    assert [desk.get(each).status_code for each in (address, sent)] == [200, 200]
    client.logout()
    assert [client.get(each).status_code for each in (address, sent)] == [302, 302]


def test_a_page_of_results_shows_so_many_matched_players_first_those_without_an_id(desk):
    """With 9,999 of them a page had 8 MB."""
    event, without = played(), 30
    taken(event, of_players(many_known(MANY), ids=MANY - without))
    upload = event.uploads.get()
    assert len(upload.report["matched"]) == MANY
    shown = page(desk, event)
    assert f"{MANY} players found on the register" in shown
    lines = [int(start) for start in re.findall(r'\?line=([0-9]+)"', shown)]
    assert len(lines) == MOST_SHOWN + without
    assert set(range(MANY - without + 1, MANY + 1)) < set(lines)
    assert f"{MANY - MOST_SHOWN - without} more are in" in shown
    table = re.search(r'href="(/events/[^"]*/matched\.csv)"', shown)[1]
    listed = list(csv.DictReader(desk.get(table).content.decode("utf-8-sig").splitlines()))
    assert [int(row["no"]) for row in listed] == list(range(1, MANY + 1))
    hidden = listed[MOST_SHOWN + 20]
    assert hidden["register"] == " ".join(reversed(hidden["in_file"].split(", ")))
    assert re.search(r'<input[^>]* name="line"', shown)
    changed = desk.get(f"/events/{event.pk}/results/{upload.pk}/players/", {"line": hidden["no"]})
    assert hidden["chess_sa_id"] in changed.content.decode()


def test_the_list_of_matched_players_tells_no_birth_date_to_who_may_not_see_it(client, administrator):
    """The players are of no region that he administers."""
    event = played()
    people = many_known(4)
    taken(event, of_players(people, ids=0))
    client.force_login(administrator)
    text = client.get(f"/events/{event.pk}/results/{event.uploads.get().pk}/matched.csv").content.decode()
    assert "same birth date" in event.uploads.get().report["matched"][0]["reason"]
    assert people[0].number in text
    assert "birth date" not in text


def test_a_short_list_leads_nowhere_else(desk):
    event = played()
    taken(event, of_players(many_known(10), born=1991))
    shown = page(desk, event)
    assert "findings.csv" not in shown
    assert "matched.csv" not in shown
