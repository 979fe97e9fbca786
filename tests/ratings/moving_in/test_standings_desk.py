"""Opening balance, former lists and trial month on the desk: uploaded, read, looked at, signed; the months themselves are
tested in tests/ratings/opening."""

import json
from datetime import date

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from accounts.models import Decision
from ratings.models import ImportJob, ImportPiece, RatingList, RatingRun
from ratings.moving_in.jobs.worker import process_job
from ratings.moving_in.steps import STEPS
from tests.builders import event_of, everything, officer, people, period, player

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk(client):
    """The desk of an officer."""
    client.force_login(officer())
    return client


def work() -> ImportJob:
    """What a worker does with the latest job."""
    job = ImportJob.objects.latest("pk")
    return process_job(job.pk, STEPS[job.kind])


def send(desk, kind, content, month="2024-02", filename="ratings_main.csv", **fields) -> str:
    """Bring standings in and have them read; the address of their page."""
    file = SimpleUploadedFile(filename, content.encode())
    answer = desk.post(f"/admin/ratings/importjob/bring/{kind}/", {"file": file, "month": month, **fields})
    assert answer.status_code == 302, answer.content.decode()
    work()
    return answer.headers["Location"]


def page(desk, address) -> str:
    return " ".join(desk.get(address).content.decode().split())


def press(desk, address, do, **fields) -> ImportJob:
    """Press a button, and let a worker do what it asked for."""
    assert desk.post(address, {"do": do, **fields}).status_code == 302
    return work()


@pytest.mark.parametrize("kind", ["opening", "history"])
def test_a_list_of_another_system_on_which_nobody_is_published_is_shown(desk, kind):
    RatingList.objects.create(code="our", name="Our", position=9, system="cfc")
    one = {"id": people(1)[0].number, "status": "provisional", "rating": 1500, "games": 0}
    case = {"id": "w", "system": "cfc", "list": "our", "events": [], "players": [one]}
    address = send(desk, kind, json.dumps(case), filename="our.json")
    assert "<td>0</td>" in page(desk, address)


def test_an_opening_balance_is_shown_signed_and_published(desk):
    first, second = people(2)
    before = everything().keys()
    address = send(desk, "opening", f"id,raw,published\n{first.number},640,700\n{second.number},1500,1500\n")
    shown = page(desk, address)
    assert "<td>2</td><td>2200.0</td><td>2140.0</td><td>1500.0</td><td>700.0</td>" in shown.replace("> <", "><")
    assert "Main, 2 players: former ratings that are missing count 1200 (article 49)" in shown
    assert "raw 640.0 is under the floor" not in shown
    assert "published 700.0 is not the higher of raw 640.0 and weighted" in shown
    assert not RatingRun.objects.exists()
    assert desk.post(address, {"do": "sign"}, follow=True).content.decode().count("Say that the totals agree") == 1
    job = press(desk, address, "sign", agreed="1", reason="Minutes of 3 March")
    assert (job.state, job.error) == ("taken", "")
    run = period(date(2024, 2, 1)).publication.run
    assert (run.kind, run.published_by) == ("opening", job.asked_by)
    assert Decision.objects.get(action="opening balance signed").reason == "Minutes of 3 March"
    assert not ImportPiece.objects.exists()
    taken = page(desk, address)
    assert "The first month to calculate is 2024-03" in taken
    assert "Sign the opening balance" not in taken
    assert before


def test_what_cannot_be_taken_is_said_with_its_place(desk):
    (first,) = people(1)
    address = send(desk, "opening", f"id,raw\n{first.number},14000\n999999999,1400\n")
    shown = page(desk, address)
    assert "Line 2, column “raw”:</strong> The raw “14000” is not from 1 to 4000" in shown
    assert "Sign the opening balance" not in shown
    assert "Line 3, column “id”:</strong> No player on the register has the id 999999999" in shown
    assert "2 errors are" in " ".join(shown.split())
    assert press(desk, address, "sign", agreed="1").state == "faulty"
    assert "blocked by errors" in page(desk, address)
    assert not RatingRun.objects.exists()
    address = send(desk, "opening", f"id,raw\n{first.number},14000\n", month="2099-01")
    assert "2099-01 has not ended" in page(desk, address)
    assert "is not from 1 to 4000" in page(desk, address)


def test_a_list_blocked_by_errors_is_free_again_once_the_register_has_its_players(desk):
    address = send(desk, "opening", "id,raw\n100000001,1400\n")
    assert press(desk, address, "again").state == "faulty"
    player("Mokoena", "Naledi", national_id="100000001")
    assert press(desk, address, "again").state == "ready"
    assert press(desk, address, "sign", agreed="1").state == "taken"


def test_a_month_is_asked_for(desk):
    file = SimpleUploadedFile("ratings_main.csv", b"id,raw\n")
    answer = desk.post("/admin/ratings/importjob/bring/opening/", {"file": file, "month": "last"})
    assert answer.status_code == 422
    assert "“last” is not a month: write it as 2024-03." in answer.content.decode()


def test_signed_is_what_was_seen(desk):
    first, second = people(2)
    address = send(desk, "opening", f"id,raw\n{first.number},1400\n{second.number},1500\n", leave_out_unknown="")
    second.delete()
    job = press(desk, address, "sign", agreed="1")
    assert job.state == "ready"
    assert "have it read again, then sign" in job.error
    assert not RatingRun.objects.exists()


def test_a_former_list_without_those_who_left(desk):
    (first,) = people(1)
    content = f"UNIQUE_NO,RATING\n{first.number},1400\n999999999,1500\n"
    assert "No player on the register has the id 999999999" in page(
        desk, send(desk, "history", content, month="2023-05")
    )
    address = send(desk, "history", content, month="2023-05", leave_out_unknown="on")
    assert "He is left out." in page(desk, address)
    assert press(desk, address, "sign").state == "taken"
    assert period(date(2023, 5, 1)).publication.run.kind == "history"


def test_a_trial_month_of_a_file_with_errors_was_not_compared(desk):
    first, second = people(2)
    press(desk, send(desk, "opening", f"id,raw\n{first.number},1400\n{second.number},1500\n"), "sign", agreed="1")
    event_of([(first, second, "1-0")])
    shown = page(desk, send(desk, "trial", f"UNIQUE_NO,CLUB\n{first.number},Mopane\n", month="2024-03"))
    assert "No column gives a rating" in shown
    assert "not compared" in shown
    assert "Calculated here" not in shown


def test_a_trial_month_with_its_csv(desk):
    first, second = people(2)
    address = send(desk, "opening", f"id,raw\n{first.number},1400\n{second.number},1500\n")
    press(desk, address, "sign", agreed="1")
    event_of([(first, second, "1-0")])
    address = send(desk, "trial", f"UNIQUE_NO,RATING\n{first.number},1400\n{second.number},1500\n", month="2024-03")
    shown = page(desk, address)
    assert "Calculated here: 2024-03: 1 game in 1 section. Nothing was published." in shown
    assert "0 of 2 players agree" in shown
    assert "<strong>Not rated there</strong>: rated here and not there: Club night" in shown
    lines = desk.get(f"{address}?format=csv").content.decode().splitlines()
    assert lines[0] == "list,id,name,here,there,difference,games,cause,about"
    assert len(lines) == 3
    assert press(desk, address, "read").state == "ready"
    assert RatingRun.objects.count() == 1
