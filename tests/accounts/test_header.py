"""The head of the public pages: who is logged in, without anybody being shown another's page."""

import pytest

from accounts.models import User


@pytest.fixture
def user(db):
    return User.objects.create_user("thandi@example.org", first_name="Thandi", last_name="Nkosi")


def test_a_page_kept_from_before_the_log_in_is_not_taken_for_todays(user, client):
    before = client.get("/players/")
    assert 'href="/account/log-in/"' in before.content.decode()
    kept = {"if-none-match": before.headers["ETag"]}
    assert client.get("/players/", headers=kept).status_code == 304
    client.force_login(user)
    within = client.get("/players/", headers=kept)
    page = within.content.decode()
    assert within.status_code == 200
    assert "ETag" not in within.headers
    assert "Cookie" in within.headers["Vary"]
    assert '<a href="/account/">Thandi Nkosi</a>' in page
    assert '<form method="post" action="/account/log-out/">' in page
    client.post("/account/log-out/")
    after = client.get("/players/")
    assert after.headers["ETag"] == before.headers["ETag"]
    assert "Thandi" not in after.content.decode()


def test_who_has_no_name_is_called_by_his_address(db, client):
    client.force_login(User.objects.create_user("nameless@example.org"))
    assert '<a href="/account/">nameless@example.org</a>' in client.get("/events/").content.decode()
    assert "No role belongs to this account" in client.get("/account/").content.decode()


def test_search_engines_stay_out_of_the_account(client):
    assert "Disallow: /account/" in client.get("/robots.txt").content.decode()
