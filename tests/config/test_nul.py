"""A NUL is refused wherever a request brings one: PostgreSQL cannot keep or compare it."""

import io

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from events.models import Event
from events.operations import register_event
from players.models import Title
from tests.builders import details, everything, officer
from tests.events.registration.entries import ahead

ADDRESSES = [
    "/players/?after=%00", "/players/?after=a%00b", "/players/?before=%00", "/players/suggest/?q=%00", "/players/%00/",
    "/lists/main%00/", "/lists/main/?%00=1", "/events/?q=a%00", "/calculators/chessa/?rating=%00",
    "/admin/events/event/?state__exact=%00",
    "/admin/autocomplete/?term=%00&app_label=events&model_name=penalty&field_name=player",
    "/admin/players/title/%00/change/",
]  # fmt: skip


@pytest.mark.django_db
@pytest.mark.parametrize("address", ADDRESSES)
def test_in_an_address(client, address):
    client.force_login(officer())
    answer = client.get(address)
    page = answer.content.decode()
    assert answer.status_code == 400
    assert "There is a NUL character in the address" in page
    assert answer.headers["Content-Security-Policy"]


@pytest.mark.django_db
def test_two_characters_that_only_look_like_one(client):
    assert client.get("/players/suggest/?q=%2500").status_code == 200


@pytest.mark.django_db
@pytest.mark.parametrize("multipart", [True, False])
def test_in_a_field_of_a_form(client, multipart):
    client.force_login(officer())
    event = register_event(details(ahead(9), ahead(9)), at=timezone.now())
    before = everything()
    for address, field in (
        (reverse("events:withdraw", args=[event.pk]), "reason"),
        (reverse("events:register"), "reason"),
        ("/account/log-in/", "username"),
        ("/admin/events/event/", "reason"),
        (f"/admin/players/title/{Title.objects.first().pk}/change/", "na\0me"),
    ):
        sent = {field: "a\0b"}
        if multipart:
            answer = client.post(address, sent)
        else:
            text = "&".join(f"{name}={value}" for name, value in sent.items()).replace("\0", "%00")
            answer = client.post(address, text, content_type="application/x-www-form-urlencoded")
        assert answer.status_code == 400, address
        assert f"a NUL character in the field “{field.replace(chr(0), '')}”" in answer.content.decode()
    assert everything() == before
    assert Event.objects.get().state == "registered"


@pytest.mark.django_db
def test_in_a_cookie(client):
    client.cookies.load('sessionid="abcdefgh\\000ijkl"')
    assert client.get("/account/").status_code == 302


@pytest.mark.django_db
@pytest.mark.parametrize("cookie", ["", "abcdefghijklmnopqrstuvwxyz012345"])
@pytest.mark.parametrize("coding", ["utf-16", "latin-1"])
def test_a_form_in_another_coding_is_refused(coding, cookie):
    client = Client(enforce_csrf_checks=True)
    client.cookies["csrftoken"] = cookie
    sent = {"CONTENT_TYPE": f"application/x-www-form-urlencoded; charset={coding}", "CONTENT_LENGTH": "3"}
    for address in ("/account/log-in/", "/events/", "/admin/"):
        answer = client.post(address, **sent, **{"wsgi.input": io.BytesIO(b"a=1")})
        assert (answer.status_code, "cannot be read" in answer.content.decode()) == (400, True)
        assert answer.headers["Content-Security-Policy"]
