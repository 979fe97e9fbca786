"""Tokens: made once, kept hashed, taken until their last day, withdrawn at once, on the trail."""

import re
from datetime import date, datetime, timedelta

import pytest
from django.db import connection
from django.utils import timezone

from accounts.models import Decision, Token, User
from accounts.operations import set_active
from accounts.tokens.operations import LONGEST, MOST, TokenError, make_token, note_use, token_of, withdraw_token
from tests.builders import officer

pytestmark = pytest.mark.django_db

TODAY = date(2024, 3, 29)
NOW = datetime(2024, 3, 29, 10, 0, tzinfo=timezone.get_default_timezone())
SUBMIT = [Token.Scope.SUBMIT]


@pytest.fixture
def user():
    return User.objects.create_user("gau@example.org", password="rook takes pawn on h7")


def make(user, name="Swiss-Manager", last_day=TODAY, scopes=SUBMIT):
    return make_token(user, name=name, scopes=scopes, last_day=last_day, at=NOW, today=TODAY)


def test_only_the_hash_of_a_secret_is_kept(user):
    token, secret = make(user)
    assert re.fullmatch(r"chessa_[-\w]{43}", secret)
    kept = str(Token.objects.values().get()) + str(Decision.objects.values().get())
    assert secret.removeprefix("chessa_") not in kept
    assert token_of(secret, today=TODAY) == token
    assert token_of(secret[:-1], today=TODAY) is token_of("\ud800", today=TODAY) is None


def test_a_token_is_taken_on_its_last_day_and_not_after(user):
    _, secret = make(user, last_day=TODAY + timedelta(days=1))
    assert token_of(secret, today=TODAY + timedelta(days=1)) is not None
    assert token_of(secret, today=TODAY + timedelta(days=2)) is None


@pytest.mark.parametrize("days", [-1, LONGEST.days + 1])
def test_a_last_day_that_has_passed_or_is_too_far_is_refused(user, days):
    with pytest.raises(TokenError, match="The last day is today or later, at most 366 days ahead"):
        make(user, last_day=TODAY + timedelta(days=days))
    make(user, last_day=TODAY)
    make(user, "other", last_day=TODAY + LONGEST)


def test_a_token_without_a_scope_or_with_the_name_of_another_is_refused(user):
    with pytest.raises(TokenError, match="at least one thing"):
        make(user, scopes=[])
    first, _ = make(user)
    with pytest.raises(TokenError, match="You have a token “Swiss-Manager” already"):
        make(user)
    withdraw_token(first, at=NOW, by=user)
    make(user)


def test_a_user_has_so_many_tokens(user):
    for number in range(MOST):
        make(user, str(number))
    with pytest.raises(TokenError, match="withdraw one"):
        make(user, "one more")


def test_a_withdrawn_token_is_not_taken_and_both_are_on_the_trail(user):
    token, secret = make(user)
    withdraw_token(token, at=NOW, by=user)
    assert token_of(secret, today=TODAY) is None
    rows = Decision.objects.order_by("pk").values_list("action", "subject_name", "actor", "after")
    assert list(rows) == [
        ("token made", "token “Swiss-Manager”", user.pk, {"may": "submit", "last day": "2024-03-29"}),
        ("token withdrawn", "token “Swiss-Manager”", user.pk, {}),
    ]
    with pytest.raises(TokenError, match="withdrawn already"):
        withdraw_token(token, at=NOW, by=user)


def test_disabling_an_account_withdraws_its_tokens_for_good(user):
    _, secret = make(user)
    by = User.objects.create_superuser("chief@example.org")
    set_active(user, False, at=NOW, by=by)
    set_active(user, True, at=NOW, by=by)
    assert token_of(secret, today=TODAY) is None


def test_an_account_that_is_disabled_in_another_way_opens_nothing_either(user):
    _, secret = make(user)
    User.objects.update(is_active=False)
    assert token_of(secret, today=TODAY) is None


def test_the_last_use_is_kept_to_the_minute(user):
    token, _ = make(user)
    for seconds in (0, 59, 60):
        token.refresh_from_db()
        note_use(token, at=NOW + timedelta(seconds=seconds))
    token.refresh_from_db()
    assert token.last_used_at == NOW + timedelta(seconds=60)


def test_the_page_makes_a_token_shows_it_once_and_withdraws_it(client, user):
    client.force_login(user)
    assert "Tokens for programs" in client.get("/account/").content.decode()
    sent = {"name": "Swiss-Manager", "scopes": ["submit", "read:own"], "last_day": timezone.localdate().isoformat()}
    page = client.post("/account/tokens/", sent).content.decode()
    secret = re.search(r"<code>(chessa_[-\w]+)</code>", page)[1]
    token = token_of(secret, today=timezone.localdate())
    assert (token.user, token.name, token.scopes) == (user, "Swiss-Manager", "submit read:own")
    page = client.get("/account/tokens/").content.decode()
    assert "Swiss-Manager" in page
    assert secret not in page
    answer = client.post(f"/account/tokens/{token.pk}/withdraw/", follow=True)
    assert "The token “Swiss-Manager” is withdrawn" in answer.content.decode()
    again = client.post(f"/account/tokens/{token.pk}/withdraw/", follow=True)
    assert [(message.level_tag, "withdrawn already" in str(message)) for message in again.context["messages"]] == [
        ("error", True)
    ]
    assert token_of(secret, today=timezone.localdate()) is None


def test_a_wrong_form_makes_no_token_and_leads_to_its_fields(client, user):
    client.force_login(user)
    answer = client.post("/account/tokens/", {"name": "", "scopes": ["all"], "last_day": "2001-01-01"})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert 'href="#id_name"' in page
    assert 'href="#id_scopes"' in page
    assert not Token.objects.exists()


def test_the_desk_shows_officers_the_tokens_of_others_and_withdraws_them(client, user):
    _, secret = make(user)
    chief = User.objects.create_superuser("chief@example.org")
    make(chief, "chief’s own")
    client.force_login(officer())
    page = client.get("/admin/accounts/token/").content.decode()
    assert "Swiss-Manager" in page
    assert "chief’s own" not in page
    assert Token.objects.get(user=user).digest not in page
    rows = {"action": "withdraw", "_selected_action": list(Token.objects.values_list("pk", flat=True))}
    client.post("/admin/accounts/token/", rows)
    assert token_of(secret, today=TODAY) is None
    assert Token.objects.get(user=chief).withdrawn_at is None


def test_an_account_is_disabled_whose_user_withdraws_a_token_at_that_moment(user):
    first, _ = make(user)
    second, _ = make(user, name="Laptop")
    told = []

    def withdraws(execute, sql, *rest):
        done = execute(sql, *rest)
        if sql.startswith('UPDATE "accounts_token"') and not told:
            told.append(sql)
            Token.objects.filter(pk__in=[first.pk, second.pk]).update(withdrawn_at=NOW)
        return done

    with connection.execute_wrapper(withdraws):
        set_active(user, False, at=NOW, by=officer())
    assert not User.objects.get(pk=user.pk).is_active
    assert not Token.objects.filter(withdrawn_at=None).exists()
