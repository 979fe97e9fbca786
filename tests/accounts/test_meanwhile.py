"""Two officers at one page of the desk: nothing that the first saved is overwritten by the second, whatever the page."""

import re
from datetime import date

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import Decision, User
from accounts.trail.meanwhile import MOST_ADDED
from events.arbiters.operations import link_arbiter
from events.models import Arbiter, Event, Membership, Section, Submission
from events.operations import add_section, register_event
from events.rules.states import State
from players.administrators import appoint_administrator
from players.models import Player
from ratings.models import Notice, RatingList
from ratings.rerating.merges import merge_players
from tests.admin_pages import form_errors, opened_form, sent_form
from tests.builders import CLOCK, details, everything, officer, people, region, submitted

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk(client):
    client.force_login(officer())
    return client


@pytest.fixture
def other():
    client = Client()
    client.force_login(User.objects.create_superuser("other@example.org", "x", first_name="Lindiwe", is_officer=True))
    return client


def page(row):
    return f"/admin/{row._meta.app_label}/{row._meta.model_name}/{row.pk}/change/"


def an_event():
    event = register_event(details(date(2024, 3, 30), date(2024, 3, 31)), at=CLOCK)
    for name in ("A", "B"):
        add_section(
            event, Section(name=name, base_minutes=60, increment_seconds=0, starts=event.starts, ends=event.ends)
        )
    return event


def a_notice():
    return Notice.objects.create(text="Closed in May.")


def a_user():
    return User.objects.create_user("new@example.org", first_name="New")


@pytest.mark.parametrize(
    ("row", "field", "shown", "theirs", "mine"),
    [
        (region, "name", "Gauteng", "Gauteng Chess", "Gauteng Central"),
        (lambda: RatingList.objects.get(code="rapid"), "name", "Rapid", "Quick", "Rapid play"),
        (a_notice, "text", "Closed in May.", "Closed in June.", "Open."),
        (a_user, "first_name", "New", "Newton", "Nova"),
    ],
)
def test_of_a_page_without_a_reason_the_second_is_told_and_overwrites_nothing(
    client, other, row, field, shown, theirs, mine
):
    row = row()
    client.force_login(User.objects.create_superuser("root@example.org", "x", is_officer=True))
    data = opened_form(client, page(row), **{field: mine})
    assert data[f"initial-{field}"] == shown
    assert other.post(page(row), opened_form(other, page(row), **{field: theirs})).status_code == 302
    answer = client.post(page(row), data)
    assert answer.status_code == 409
    (told,) = form_errors(answer)
    assert "Lindiwe" in told
    assert f"{shown} → {theirs}" in told
    row.refresh_from_db()
    assert getattr(row, field) == theirs
    assert answer.context["adminform"].form[field].value() == mine
    assert client.post(page(row), data | {f"initial-{field}": theirs}).status_code == 302
    row.refresh_from_db()
    assert getattr(row, field) == mine


def test_of_a_moment_that_is_sent_in_two_parts_the_second_is_told_too(client, other):
    user = a_user()
    client.force_login(User.objects.create_superuser("root@example.org", "x", is_officer=True))
    renamed = opened_form(client, page(user), first_name="Nova")
    mine = opened_form(client, page(user), date_joined_0="2026-03-31")
    assert other.post(page(user), opened_form(other, page(user), date_joined_0="2026-02-28")).status_code == 302
    answer = client.post(page(user), mine)
    assert answer.status_code == 409
    assert "→ 28 Feb 2026" in form_errors(answer)[0]
    content = answer.content.decode()
    for name, day in (("date_joined_0", "2026-03-31"), ("initial-date_joined_0", "28/02/2026")):
        assert re.search(rf'name="{name}" value="{day}"', content)
    # What was not touched is taken over.
    assert 'name="date_joined_0" value="28/02/2026"' in client.post(page(user), renamed).content.decode()
    # After another mistake the page still knows what it showed.
    wrong = opened_form(client, page(user), date_joined_0="2026-03-31", email="no address")
    assert 'name="initial-date_joined_0" value="2026-02-28"' in client.post(page(user), wrong).content.decode()
    assert client.post(page(user), mine | {"initial-date_joined_0": "2026-02-28"}).status_code == 302
    user.refresh_from_db()
    assert timezone.localtime(user.date_joined).date() == date(2026, 3, 31)


def _carried(text):
    return dict(re.findall(r'name="(shown-\d+)" value="(\w+)"', text))


def test_what_was_changed_since_the_question_is_not_deleted(desk):
    row = a_notice()
    address = f"/admin/ratings/notice/{row.pk}/delete/"
    asked = _carried(desk.get(address).content.decode())
    Notice.objects.update(text="The June list is late.")
    sure = {"post": "yes", "reason_for_change": "Over."}
    told = desk.post(address, {**sure, **asked}, follow=True).content.decode()
    assert "was changed by another meanwhile" in told
    assert desk.post(address, {**sure, **_carried(told)}).status_code == 302
    assert not Notice.objects.exists()


def test_an_action_of_a_list_does_nothing_to_what_was_changed_since_it_was_shown(desk):
    row = a_notice()
    address, chosen = "/admin/ratings/notice/", {"action": "delete_selected", "_selected_action": row.pk}
    shown = _carried(desk.get(address).content.decode())
    assert list(shown) == [f"shown-{row.pk}"]
    asked = desk.post(address, {**chosen, **shown}).content.decode()
    Notice.objects.update(text="The June list is late.")
    sure = {"post": "yes", "reason_for_change": "Over.", **chosen}
    for stale in (shown, _carried(asked)):
        told = desk.post(address, {**sure, **stale}, follow=True).content.decode()
        assert "Nothing was done" in told
        assert "was changed by another meanwhile" in told
    desk.post(address, {**sure, **_carried(told)})
    assert not Notice.objects.exists()


@pytest.mark.parametrize("model", [Event, Section])
def test_what_was_sent_in_anew_since_the_list_was_shown_is_not_refused_unread(desk, model):
    event = submitted()
    row = event if model is Event else event.sections.get()
    address = f"/admin/events/{model._meta.model_name}/"
    shown = _carried(desk.get(address).content.decode())
    submission = Submission.objects.get()
    submission.pk = None
    submission.save()
    refusing = {"action": "refuse", "_selected_action": row.pk, "reason": "Not played.", **shown}
    assert "was changed by another meanwhile" in desk.post(address, refusing, follow=True).content.decode()
    event.refresh_from_db()
    assert (event.state, event.refusals.count()) == ("submitted", 0)


def test_an_account_is_disabled_though_its_user_has_just_changed_the_password(desk):
    """A thief who changes it again and again would keep it open."""
    row = a_user()
    address = "/admin/accounts/user/"
    shown = _carried(desk.get(address).content.decode())
    row.set_password("correct horse 9")
    row.save()
    desk.post(address, {"action": "disable", "_selected_action": row.pk, **shown})
    row.refresh_from_db()
    assert not row.is_active


def _key_shown(desk, address):
    return re.search(r'name="shown" value="(\d+)"', desk.get(address).content.decode())[1]


def test_who_was_appointed_meanwhile_is_not_ended_or_replaced_unseen(desk):
    home, by = region(), User.objects.get()
    appoint_administrator(home, "first@example.org", at=timezone.now(), by=by)
    address = f"/admin/players/region/{home.pk}/administrator/"
    shown = _key_shown(desk, address)
    appoint_administrator(home, "second@example.org", at=timezone.now(), by=by)
    for press in ({"end": "x"}, {"appoint": "x", "email": "third@example.org"}):
        assert "this is how it stands now" in desk.post(address, {**press, "shown": shown}).content.decode()
    assert home.administrators.get(until=None).user.email == "second@example.org"


def test_an_account_that_was_linked_meanwhile_is_not_taken_away_unseen(desk):
    arbiter, by = Arbiter.objects.create(name="Grace Tenza", title="IA"), User.objects.get()
    link_arbiter(arbiter, "first@example.org", at=timezone.now(), by=by)
    address = f"/admin/events/arbiter/{arbiter.pk}/account/"
    shown = _key_shown(desk, address)
    link_arbiter(Arbiter.objects.get(), "second@example.org", at=timezone.now(), by=by)
    for press in ({"unlink": "x"}, {"link": "x", "email": "third@example.org"}):
        assert "this is how it stands now" in desk.post(address, {**press, "shown": shown}).content.decode()
    arbiter.refresh_from_db()
    assert arbiter.user.email == "second@example.org"


def test_what_the_page_does_not_change_stays_as_another_left_it_at_that_moment():
    """Else an event that was accepted while the form was saved waited again."""
    form = sent_form(an_event(), officer(), name="The Open")
    Event.objects.update(state=State.ACCEPTED, results_url="", version=7)
    assert form.is_valid(), form.errors
    form.save()
    assert list(Event.objects.values_list("name", "state", "version")) == [("The Open", State.ACCEPTED, 7)]


def test_a_registration_that_is_open_while_the_desk_changes_a_section_is_told(desk):
    event = an_event()
    section = event.sections.first()
    before = Event.objects.get().version
    sent = opened_form(desk, page(section)) | {"name": "Z", "reason_for_change": "so"}
    assert desk.post(page(section), sent).status_code == 302
    assert Event.objects.get().version == before + 1


def test_a_player_who_is_merged_at_that_moment_stays_merged():
    old, new = people(2)
    form = sent_form(old, officer(), club="Knights")
    merge_players(Player.objects.get(pk=old.pk), new, reason="one person", at=CLOCK)
    assert not form.is_valid()
    assert f"merged into {new} meanwhile" in str(form.errors)
    assert (form.instance.merged_into, Player.objects.get(pk=old.pk).merged_into) == (new, new)


def test_a_row_of_a_table_that_was_changed_meanwhile_is_told_beside_it_and_not_overwritten(desk, other):
    event = an_event()
    mine = opened_form(desk, page(event), sections__1__base_minutes=90)
    theirs = opened_form(other, page(event), sections__1__name="Reserves", reason_for_change="So it is called")
    assert other.post(page(event), theirs).status_code == 302
    answer = desk.post(page(event), mine)
    assert answer.status_code == 409
    (told,) = form_errors(answer)
    for words in ("Lindiwe", "B → Reserves", "“So it is called”", "Nothing of yours was saved"):
        assert words in told
    assert list(event.sections.values_list("name", "base_minutes")) == [("A", 60), ("Reserves", 60)]
    row = answer.context["inline_admin_formsets"][0].formset.forms[1]
    assert (row["name"].value(), row["base_minutes"].value()) == ("Reserves", "90")
    again = mine | {"sections-1-name": "Reserves", "initial-sections-1-name": "Reserves"}
    assert desk.post(page(event), again).status_code == 302
    assert list(event.sections.values_list("name", "base_minutes")) == [("A", 60), ("Reserves", 90)]


def a_fee():
    arbiter = Arbiter.objects.create(name="Grace Moremi", number="100000001", title="NA")
    return Membership.objects.create(arbiter=arbiter, fee="aoc", year=2024, paid_on=date(2024, 1, 8))


def test_a_row_that_was_changed_meanwhile_is_not_removed_unread(desk, other):
    fee = a_fee()
    mine = opened_form(desk, page(fee.arbiter), memberships__0__DELETE="on")
    assert (
        other.post(page(fee.arbiter), opened_form(other, page(fee.arbiter), memberships__0__year=2023)).status_code
        == 302
    )
    answer = desk.post(page(fee.arbiter), mine)
    assert answer.status_code == 409
    assert any("that you meant to delete was changed" in text for text in form_errors(answer))
    assert "2024 → 2023" in answer.content.decode()
    assert Membership.objects.get().year == 2023
    again = mine | {"memberships-0-year": "2023", "initial-memberships-0-year": "2023"}
    assert desk.post(page(fee.arbiter), again).status_code == 302
    assert not Membership.objects.exists()


def test_a_row_that_was_removed_meanwhile_is_told_and_what_was_typed_stays(desk, other):
    fee = a_fee()
    mine = opened_form(desk, page(fee.arbiter), memberships__0__year=2023)
    removed = opened_form(other, page(fee.arbiter), memberships__0__DELETE="on")
    assert other.post(page(fee.arbiter), removed).status_code == 302
    answer = desk.post(page(fee.arbiter), mine)
    assert answer.status_code == 409
    assert any("Somebody removed a" in text for text in form_errors(answer))
    assert 'value="2023"' in answer.content.decode()
    assert desk.post(page(fee.arbiter), mine | {"memberships-0-DELETE": "on"}).status_code == 302
    assert not Membership.objects.exists()


def test_tables_that_are_sent_twice_by_a_double_click_are_saved_once(desk):
    fee, event = a_fee(), an_event()
    renamed = opened_form(desk, page(event), sections__1__name="Reserves")
    removed = opened_form(desk, page(fee.arbiter), memberships__0__DELETE="on")
    for row, data in ((event, renamed), (fee.arbiter, removed)):
        assert [desk.post(page(row), data).status_code for _ in range(2)] == [302, 302]
        assert (
            Decision.objects.filter(action="changed", subject__endswith=f"{row._meta.model_name}:{row.pk}").count() <= 1
        )
    assert [section.name for section in event.sections.all()] == ["A", "Reserves"]


def test_who_lost_the_right_gets_back_what_he_typed_into_a_table_and_a_page_without_a_reason(desk):
    event, gauteng = an_event(), region()
    table = opened_form(desk, page(event), sections__1__name="Reserves")
    name = opened_form(desk, page(gauteng), name="Gauteng Central")
    User.objects.update(is_officer=False)
    for row, data, typed in ((event, table, "sections 1 name: Reserves"), (gauteng, name, "name: Gauteng Central")):
        answer = desk.post(page(row), data)
        assert answer.status_code == 403
        assert typed in answer.content.decode()
        assert "base minutes" not in answer.content.decode()


def test_the_log_in_of_a_user_is_no_field_of_his_page(client):
    client.force_login(User.objects.create_superuser("root@example.org", "x"))
    user = a_user()
    assert not [name for name in opened_form(client, page(user)) if "login" in name]


def test_regions_with_a_hub_that_another_added_meanwhile_stay(desk, other):
    event = an_event()
    Event.objects.update(kind="hybrid")
    more = region("LMG")
    event.hubs.add(event.region)
    for place in ("Here", "There"):
        sent = opened_form(desk, page(event)) | {"place": place, "reason_for_change": "so"}
        answer = desk.post(page(event), sent)
        assert answer.status_code == 302, form_errors(answer)
    opened = opened_form(desk, page(event))
    event.hubs.add(more)
    answer = desk.post(page(event), opened | {"place": "Elsewhere", "reason_for_change": "so"})
    assert answer.status_code == 409
    assert set(event.hubs.values_list("code", flat=True)) == {"LMG", event.region.code}
    event.hubs.clear()
    opened = opened_form(desk, page(event))
    event.hubs.add(more)
    assert desk.post(page(event), opened | {"place": "Elsewhere", "reason_for_change": "so"}).status_code == 409


@pytest.mark.parametrize("number", ["1000", "9" * 30])
@pytest.mark.parametrize(
    "make", [an_event, lambda: submitted().sections.get(), lambda: Arbiter.objects.create(name="Tau")]
)
def test_rows_beyond_what_anybody_types_are_not_drawn_and_change_nothing(desk, make, number):
    address = page(make())
    sent = opened_form(desk, address)
    before = everything()
    answer = desk.post(address, {name: number if name.endswith("TOTAL_FORMS") else sent[name] for name in sent})
    assert answer.status_code == 200
    assert f"At most {MOST_ADDED} rows are added at once. Nothing of yours was saved." in form_errors(answer)
    tables = [inline.formset for inline in answer.context["inline_admin_formsets"]]
    assert tables
    assert all(len(table.forms) <= len(table.get_queryset()) + MOST_ADDED for table in tables)
    assert everything() == before
