"""Users log in with their e-mail address; superusers make them."""

import pytest
from django.contrib.auth import authenticate
from django.db import IntegrityError, transaction

from accounts.models import User

PASSWORD = "correct horse 9"


@pytest.fixture
def user(db):
    return User.objects.create_user("Thandi.Nkosi@Example.ORG", PASSWORD, is_staff=True)


@pytest.mark.parametrize("email", ["thandi.nkosi@example.org", "Thandi.Nkosi@example.org", "THANDI.NKOSI@EXAMPLE.ORG"])
def test_the_address_is_known_in_any_letters(user, email, client):
    assert user.email == "thandi.nkosi@example.org"
    assert authenticate(username=email, password=PASSWORD) == user
    answer = client.post("/admin/login/?next=/admin/", {"username": email, "password": PASSWORD})
    assert (answer.status_code, answer.headers["Location"]) == (302, "/admin/")


def test_a_wrong_password_or_address_is_refused_in_the_same_words(user, client):
    pages = [
        client.post("/admin/login/", {"username": name, "password": word}).content.decode()
        for name, word in ((user.email, "wrong"), ("nobody@example.org", PASSWORD))
    ]
    said = [page[page.index("errornote") : page.index("errornote") + 250] for page in pages]
    assert said[0] == said[1]


def test_an_inactive_user_does_not_get_in(user):
    user.is_active = False
    user.save()
    assert authenticate(username=user.email, password=PASSWORD) is None


def test_a_user_without_a_password_does_not_get_in(db):
    User.objects.create_user("nobody@example.org")
    assert authenticate(username="nobody@example.org", password="") is None


def test_an_address_is_needed_and_is_one_users(user):
    with pytest.raises(ValueError, match="needs an e-mail address"):
        User.objects.create_user("")
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.create_user("THANDI.nkosi@example.org", PASSWORD)


def test_a_superuser_makes_an_officer(db, client):
    client.force_login(User.objects.create_superuser("chief@example.org", PASSWORD))
    answer = client.post(
        "/admin/accounts/user/add/",
        {
            "email": "New.Officer@Example.org", "password1": PASSWORD, "password2": PASSWORD, "is_staff": "on",
            "is_officer": "on", "usable_password": "true",
        },
    )  # fmt: skip
    assert answer.status_code == 302, answer.context["adminform"].errors
    made = User.objects.get(email="new.officer@example.org")
    assert made.is_officer
    assert authenticate(username="new.officer@example.org", password=PASSWORD) == made
