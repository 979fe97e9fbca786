"""The officers' pages for the AOC's list: choose, look, take; and out again."""

import re

import pytest
from django.contrib.admin.models import LogEntry
from django.core.files.uploadedfile import SimpleUploadedFile

from events.models import Arbiter, Membership
from tests.builders import everything, officer
from tests.events.test_admin_pages import INLINE

pytestmark = pytest.mark.django_db
PAGE, OUT = "/admin/events/arbiter/import/", "/admin/events/arbiter/export/"
LIST = "number;name;title;fee_year;paid_on\n100000001;Grace Tenza;IA;2024;05/01/2024\n;Zodwa Cele;National Arbiter;;\n"


@pytest.fixture
def by(client):
    user = officer()
    client.force_login(user)
    return user


@pytest.fixture
def grace():
    return Arbiter.objects.create(name="Grace Tenza", title="NA", number="100000001")


def send(client, content=LIST):
    content = content if isinstance(content, bytes) else content.encode()
    return client.post(PAGE, {"file": SimpleUploadedFile("list.csv", content)})


def shown(answer):
    """The hidden fields of the page with the differences."""
    text = answer.content.decode()
    return {name: re.search(f'name="{name}" value="([^"]*)"', text)[1] for name in ("content", "seen")} | {
        "confirm": "1"
    }


def test_the_differences_are_shown_then_taken(client, by, grace):
    before = everything()
    answer = send(client)
    text = answer.content.decode()
    assert answer.status_code == 200
    assert "2 lines of the list would change the register" in text
    assert "found by Chess SA id" in text
    assert "new arbiter" in text
    assert INLINE.findall(text) == []
    assert everything() == before
    done = client.post(PAGE, shown(answer), follow=True).content.decode()
    assert "1 new, 1 changed, 0 lines without a difference" in done
    grace.refresh_from_db()
    assert (grace.title, Membership.objects.get().arbiter) == ("IA", grace)
    assert LogEntry.objects.filter(user=by, change_message="Taken from the AOC’s list.").count() == 2
    assert Arbiter.objects.get(name="Zodwa Cele").title == "NA"
    assert "says nothing that is not on record" in send(client).content.decode()


def test_what_has_changed_meanwhile_is_shown_again(client, by, grace):
    confirm = shown(send(client))
    grace.title = "FA"
    grace.save()
    before = everything()
    answer = client.post(PAGE, confirm)
    text = answer.content.decode()
    assert "has changed since the list was shown" in text
    assert "FIDE Arbiter" in text
    assert everything() == before
    client.post(PAGE, shown(answer))
    grace.refresh_from_db()
    assert grace.title == "IA"


def test_a_list_is_confirmed_by_whom_it_was_shown_to_and_whole(client, by, grace):
    confirm = shown(send(client))
    before = everything()
    for content in ("", "x", confirm["content"][:-1], confirm["content"].replace(":", "", 1), "x" * 10_000):
        answer = client.post(PAGE, {**confirm, "content": content})
        assert (answer.status_code, "Choose it again" in answer.content.decode()) == (422, True)
    for seen in ("", "x" * 10_000):
        assert "has changed since" in client.post(PAGE, {**confirm, "seen": seen}).content.decode()
    assert everything() == before
    client.force_login(officer("second@example.org"))
    assert client.post(PAGE, confirm).status_code == 422
    assert Membership.objects.count() == 0


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "The file lists nobody"),
        (b"\x89PNG\r\n\x1a\n" + bytes(50), "This is no CSV file"),
        (
            "name;title\nGrace Tenza;Grand Arbiter\n",
            "Line 2, cell 2: “Grand Arbiter” is no title of an arbiter",
        ),
        ("number;name\n100000001;Piet Ndlovu\n", "Line 2: The Chess SA id 100000001 is that of Grace Tenza"),
        ("name\nPiet\0Ndlovu\n", "Line 2: The line has characters that no text has"),
        (b"name\n" + b"x" * 1_000_000, "at most 1,000,000"),
    ],
)
def test_what_cannot_be_taken_is_said_and_changes_nothing(client, by, grace, content, said):
    before = everything()
    answer = send(client, content)
    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert everything() == before


def test_without_a_file_it_is_asked_for(client, by):
    answer = client.post(PAGE, {})
    assert (answer.status_code, "This field is required" in answer.content.decode()) == (422, True)


def test_the_list_goes_out_as_it_comes_in(client, by, grace):
    Arbiter.objects.create(name='=HYPERLINK("x")', title="SS")
    answer = client.get(OUT)
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert re.fullmatch(r'attachment; filename="arbiters-\d{4}-\d\d-\d\d\.csv"', answer.headers["Content-Disposition"])
    assert "'=HYPERLINK" in answer.content.decode("utf-8-sig")
    assert "2 lines without a difference" in send(client, answer.content).content.decode()
