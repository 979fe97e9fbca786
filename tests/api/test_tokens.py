"""Programs with a token: who is taken, and how often."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import Token, User
from accounts.tokens.operations import make_token, withdraw_token

pytestmark = pytest.mark.django_db


def token_for(user, *scopes, name="program"):
    """A token with its header."""
    today = timezone.localdate()
    token, secret = make_token(
        user,
        name=name,
        scopes=scopes or list(Token.Scope),
        last_day=today + timedelta(days=1),
        at=timezone.now(),
        today=today,
    )
    return token, {"authorization": f"Bearer {secret}"}


@pytest.fixture
def user():
    return User.objects.create_user("gau@example.org")


def test_a_token_has_a_limit_of_its_own(client, user, settings, tmp_path):
    settings.VAR_DIR, settings.REDIS_URL = tmp_path, ""
    settings.API_REQUESTS_A_MINUTE, settings.API_TOKEN_REQUESTS_A_MINUTE = 1, 3
    first, second = token_for(user)[1], token_for(user, name="other")[1]
    answers = [client.get("/api/v1/lists/", headers=first) for _ in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert [answer.headers["RateLimit-Remaining"] for answer in answers] == ["2", "1", "0", "0"]
    assert {answer.headers["RateLimit-Limit"] for answer in answers} == {"3"}
    assert client.get("/api/v1/lists/", headers=second).headers["RateLimit-Remaining"] == "2"
    assert [client.get("/api/v1/lists/").status_code for _ in range(2)] == [200, 429]


def test_a_wrong_token_is_refused_everywhere_and_counts_for_its_network(client, user, settings, tmp_path):
    settings.VAR_DIR, settings.REDIS_URL, settings.API_REQUESTS_A_MINUTE = tmp_path, "", 3
    token, withdrawn = token_for(user)
    withdraw_token(token, at=timezone.now(), by=user)
    wrong = ({"authorization": "Bearer chessa_x"}, {"authorization": "Basic eDp5"}, withdrawn, withdrawn)
    answers = [client.get("/api/v1/lists/", headers=headers) for headers in wrong]
    assert [answer.status_code for answer in answers] == [401, 401, 401, 429]
    assert answers[0].headers["WWW-Authenticate"] == "Bearer"
    assert answers[0].headers["Content-Type"] == "application/problem+json"
    assert answers[0].json()["type"].endswith("/api/errors/#not-authenticated")


def test_a_use_is_kept(client, user):
    token, headers = token_for(user)
    client.get("/api/v1/lists/", headers=headers)
    token.refresh_from_db()
    assert timezone.now() - token.last_used_at < timedelta(minutes=1)


def test_pages_take_no_token(client, user):
    _, headers = token_for(user)
    assert client.get("/account/", headers=headers).status_code == 302


def test_pages_of_other_sites_send_no_token(client):
    asked = {"origin": "https://club.example.org", "access-control-request-method": "PUT"}
    answer = client.options("/api/v1/lists/", headers=asked)
    assert "PUT" not in answer.headers["Access-Control-Allow-Methods"]
    assert "Authorization" not in answer.headers["Access-Control-Allow-Headers"]
