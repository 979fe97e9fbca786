"""Article 11: who appeals, who decides, what an officer takes back, and the evidence."""

from datetime import date, timedelta

import pytest
from django.core import mail
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from accounts.models import User
from events.appeals.links import appeal_token
from events.appeals.operations import answer_appeal, lodge_appeal, refuse_section, standing_refusal, take_back
from events.models import AbroadLink, Appeal, Arbiter, Attachment, Kind
from events.operations import EventError, accept_event, move_event
from events.rules.states import State
from players.models import RegionalAdministrator
from players.operations import save_player
from tests.builders import CLOCK, details, everything, officer, panel, period, player, publish, region, with_address
from tests.events.appeals.cases import SECOND, act, local, section, two_sections
from tests.events.attachments.files import PDF

pytestmark = [pytest.mark.django_db, pytest.mark.rule("chessa 11")]
WHY, GROUNDS = "Two time controls were used.", "The clocks were set alike."
MARCH_3, LATER = date(2024, 3, 3), CLOCK + timedelta(days=5)


def user(name, **fields):
    return User.objects.create_user(f"{name}@example.org", is_staff=True, **fields)


def administrator(code="GAU"):
    by = user(code.lower())
    RegionalAdministrator.objects.create(user=by, region=region(code), since=date(2023, 1, 1))
    return by


def organiser(event):
    """The Chief Organiser of an event, who is an arbiter with an account."""
    by = user("organiser")
    Arbiter.objects.create(name="Grace Tenza", title="IA", number="999000777", user=by)
    type(event).objects.filter(pk=event.pk).update(organiser_number="999000777", organiser_name="Grace Tenza")
    event.refresh_from_db()
    return by


def refused(event, *, by=None, at=CLOCK):
    move_event(event, State.REFUSED, at=at, by=by, reason=WHY)
    return event.refusals.latest("pk")


def lodge(refusal, *, by=None, at=LATER, **more):
    return lodge_appeal(refusal, appellant="Gauteng", grounds=GROUNDS, at=at, by=by, **more)


def decide(appeal, by, *, upheld=True):
    answer_appeal(appeal, upheld=upheld, at=LATER, by=by, answer="We looked at the list.")


# Who lodges it


def test_the_region_and_the_chief_organiser_are_aggrieved_parties():
    event, other = two_sections(MARCH_3), two_sections(MARCH_3)
    assert lodge(refused(event), by=administrator()).party == "region"
    assert lodge(refused(other), by=organiser(other)).party == "organiser"


def test_nobody_else_appeals():
    event = two_sections(MARCH_3)
    refusal, elsewhere = refused(event), two_sections(MARCH_3)
    organiser(elsewhere)
    strangers = [officer(), panel(), administrator("LCP"), User.objects.get(email="organiser@example.org")]
    before = everything()
    for by in strangers:
        with pytest.raises(EventError, match="lodged by the aggrieved party"):
            lodge(refusal, by=by)
    assert everything() == before


def test_the_chief_organiser_finds_the_appeal_on_the_account_page(client):
    event = two_sections()
    by = organiser(event)
    refused(event, at=timezone.now())
    client.force_login(by)
    last = timezone.localdate() + timedelta(days=21)
    page = client.get("/account/").content.decode()
    assert f"/events/{event.pk}/appeal/" in page
    assert f"by {last:%-d %b %Y} (article 11)" in page
    form = client.get(f"/events/{event.pk}/appeal/").content.decode()
    assert 'value="Grace Tenza"' in form
    given = {"refusal": event.refusals.get().pk, "appellant": "Grace Tenza", "grounds": GROUNDS}
    assert client.post(f"/events/{event.pk}/appeal/", given).status_code == 302
    assert Appeal.objects.get().party == "organiser"
    assert f"/events/{event.pk}/appeal/" not in client.get("/account/").content.decode()


def test_an_officer_reads_the_page_without_the_form(client):
    event = two_sections()
    refused(event, at=timezone.now())
    client.force_login(officer())
    page = client.get(f"/events/{event.pk}/appeal/").content.decode()
    assert WHY in page
    assert "<textarea" not in page


# Results from abroad: the player


@pytest.fixture
def abroad():
    """Results of a player from abroad, sent in by a mailed link."""
    event = two_sections()
    type(event).objects.filter(pk=event.pk).update(kind=Kind.ABROAD, federation="BOT")
    event.refresh_from_db()
    AbroadLink.objects.create(
        player=with_address(player(), "player@example.org"),
        sender="player",
        address="player@example.org",
        at=timezone.now(),
        event=event,
    )
    return event


def test_the_player_gets_the_last_day_and_a_link_and_appeals_by_it(client, abroad):
    chief, member = officer(), panel()
    client.force_login(chief)
    act(client, "event", "refuse", [abroad], WHY, ground="not-fide-rated")
    (sent,) = [sent for sent in mail.outbox if sent.to == ["player@example.org"]]
    last = timezone.localdate() + timedelta(days=21)
    assert f"until the end of {last.day} {last:%B %Y}" in sent.body
    link = f"/events/appeals/{appeal_token(abroad.refusals.get())}/"
    assert f"http://127.0.0.1:8000{link}" in sent.body
    mail.outbox.clear()
    visitor = Client()
    assert WHY in visitor.get(link).content.decode()
    given = {
        "refusal": abroad.refusals.get().pk,
        "appellant": "Thandi Nkosi",
        "grounds": GROUNDS,
        "evidence": SimpleUploadedFile("list.pdf", PDF),
    }
    assert visitor.post(link, given)["Location"] == link
    appeal = Appeal.objects.get()
    assert (appeal.party, appeal.by, appeal.appellant) == ("sender", None, "Thandi Nkosi")
    assert [sent.to for sent in mail.outbox] == [["panel@example.org"]]
    page = visitor.get(link).content.decode()
    assert "with the appeals panel" in page
    evidence = f"{link}evidence/{Attachment.objects.get().pk}/"
    assert evidence in page
    assert b"".join(visitor.get(evidence).streaming_content) == PDF
    mail.outbox.clear()
    client.force_login(member)
    act(client, "appeal", "uphold", [appeal], "The list is convincing.")
    (sent,) = mail.outbox
    assert sent.to == ["player@example.org"]
    assert link in sent.body
    abroad.refresh_from_db()
    assert abroad.state == "submitted"


@pytest.mark.parametrize(("late", "status"), [(False, 302), (True, 422)])
def test_by_the_link_too_the_21st_day_is_the_last(client, abroad, late, status):
    today = timezone.localdate()
    first = today - timedelta(days=22 if late else 21)
    refused(abroad, at=local(first.year, first.month, first.day))
    given = {"refusal": abroad.refusals.get().pk, "appellant": "Thandi Nkosi", "grounds": GROUNDS}
    assert client.post(f"/events/appeals/{appeal_token(abroad.refusals.get())}/", given).status_code == status


def test_a_torn_link_opens_nothing(client, abroad):
    token = appeal_token(refused(abroad))
    for torn in (token[:-1], "1", f"9{token}"):
        assert client.get(f"/events/appeals/{torn}/").status_code == 404
        assert client.get(f"/events/appeals/{torn}/evidence/1/").status_code == 404


def test_the_link_ends_with_the_address_to_which_it_was_mailed(client, abroad):
    token = appeal_token(refused(abroad, at=timezone.now()))
    assert client.get(f"/events/appeals/{token}/").status_code == 200
    player = abroad.abroad_links.get().player
    player.email = "another@example.org"
    save_player(player)
    given = {"refusal": abroad.refusals.get().pk, "appellant": "Thandi Nkosi", "grounds": GROUNDS}
    assert client.get(f"/events/appeals/{token}/").status_code == 404
    assert client.post(f"/events/appeals/{token}/", given).status_code == 404
    assert not Appeal.objects.exists()
    now = appeal_token(abroad.refusals.get())
    assert client.post(f"/events/appeals/{now}/", given).status_code == 302


def test_the_page_of_the_old_link_leads_to_the_appeal(client, abroad):
    from events.abroad.links import token_of

    refused(abroad, at=timezone.now())
    page = client.get(f"/events/abroad/{token_of(abroad.abroad_links.get())}/").content.decode()
    assert f"/events/appeals/{appeal_token(abroad.refusals.get())}/" in page


# Who decides


def test_officers_and_superusers_decide_none():
    appeal = lodge(refused(two_sections(MARCH_3)))
    before = everything()
    for by in (officer(), User.objects.create_superuser("chief@example.org")):
        with pytest.raises(EventError, match="answered by the appeals panel"):
            decide(appeal, by)
    User.objects.filter(email__in=["officer@example.org", "chief@example.org"]).delete()
    assert everything() == before


def test_who_refused_does_not_decide_as_a_member_of_the_panel_either():
    by = officer()
    appeal = lodge(refused(two_sections(MARCH_3), by=by))
    User.objects.filter(pk=by.pk).update(is_officer=False, is_panel=True)
    by.refresh_from_db()
    with pytest.raises(EventError, match="you refused it yourself"):
        decide(appeal, by)
    decide(appeal, panel())
    appeal.refresh_from_db()
    assert appeal.state == "upheld"


def test_a_party_to_the_matter_does_not_decide():
    event = two_sections(MARCH_3)
    region_admin, chief = administrator(), organiser(event)
    appeal = lodge(refused(event), by=chief)
    User.objects.filter(pk__in=(region_admin.pk, chief.pk)).update(is_panel=True)
    for by in User.objects.filter(is_panel=True):
        with pytest.raises(EventError, match="you are a party to it"):
            decide(appeal, by)


def test_begin_and_next_lead_to_appeals_in_which_the_member_has_no_part(client):
    refuser, own = officer(), two_sections(MARCH_3)
    elsewhere = two_sections(MARCH_3)
    mine, party = lodge(refused(two_sections(MARCH_3), by=refuser)), lodge(refused(own))
    free = [lodge(refused(elsewhere)), lodge(refused(two_sections(MARCH_3)))]
    User.objects.filter(pk=refuser.pk).update(is_officer=False, is_panel=True)
    Arbiter.objects.create(name="Grace Tenza", title="IA", number="999000777", user=refuser)
    type(own).objects.filter(pk=own.pk).update(organiser_number="999000777")
    client.force_login(refuser)
    page_of = "/admin/events/appeal/{}/change/".format
    begin = "/admin/tray/appeals/begin/"
    assert client.get(begin)["Location"] == page_of(free[0].pk)
    assert client.get(page_of(free[0].pk)).context["following"] == page_of(free[1].pk)
    for appeal, why in ((mine, "you refused it yourself"), (party, "you are a party to it")):
        page = client.get(page_of(appeal.pk)).content.decode()
        assert why in page
        assert 'value="uphold"' not in page
        answer = client.post(f"/admin/events/appeal/{appeal.pk}/answer/", {"do": "uphold", "reason": "My own words."})
        assert answer.status_code == 422
        assert "My own words." in answer.content.decode()
    another = panel()
    for appeal in free:
        decide(appeal, another)
    page = client.get(begin, follow=True)
    assert page.redirect_chain[0][0] == "/admin/events/appeal/?waiting=appeals"
    assert "you have a part in all that wait" in page.content.decode()


def test_an_officer_finds_no_action_to_answer_and_the_panel_does(client):
    row = lodge(refused(two_sections(MARCH_3)))
    client.force_login(officer())
    assert 'value="uphold"' not in client.get("/admin/events/appeal/").content.decode()
    assert client.get(f"/admin/events/appeal/{row.pk}/change/").status_code == 200
    act(client, "appeal", "uphold", [row], "Yes.")
    row.refresh_from_db()
    assert row.state == "lodged"
    client.force_login(panel())
    assert 'value="uphold"' in client.get("/admin/events/appeal/").content.decode()
    assert (
        f"/admin/events/event/{row.refusal.event_id}/change/"
        in client.get(f"/admin/events/appeal/{row.pk}/change/").content.decode()
    )
    assert WHY in client.get(f"/admin/events/event/{row.refusal.event_id}/change/").content.decode()


def test_the_account_page_counts_what_waits_for_the_panel(client):
    now = timezone.now()
    lodge(refused(two_sections(MARCH_3), at=now - timedelta(days=3)), at=now - timedelta(days=2))
    client.force_login(officer())
    assert "appeal" not in client.get("/account/").content.decode().split("<main")[1]
    client.force_login(panel())
    page = " ".join(client.get("/account/").content.decode().split())
    assert "1 open appeal<" in page
    assert "2 days, " in page
    assert "left until the next list" in page


def test_without_a_panel_the_superusers_are_told(client):
    event = two_sections()
    refused(event, at=timezone.now())
    User.objects.create_superuser("chief@example.org")
    client.force_login(administrator())
    given = {"refusal": event.refusals.get().pk, "appellant": "Gauteng", "grounds": GROUNDS}
    client.post(f"/events/{event.pk}/appeal/", given)
    (sent,) = mail.outbox
    assert (sent.to, "has no member" in sent.subject) == (["chief@example.org"], True)


# What an officer takes back


def test_an_officer_takes_back_his_own_refusal_with_a_reason():
    event, by = two_sections(MARCH_3), officer()
    refusal = refused(event, by=by)
    before = everything()
    with pytest.raises(EventError, match="give the reason"):
        take_back(refusal, at=LATER, by=by, reason=" ")
    assert everything() == before
    take_back(refusal, at=LATER, by=by, reason="The wrong event.")
    event.refresh_from_db()
    refusal.refresh_from_db()
    assert (event.state, refusal.lifted_at) == ("submitted", LATER)
    assert (refusal.taken_back_by, refusal.taken_back_reason) == (by, "The wrong event.")
    with pytest.raises(EventError, match="lifted already"):
        take_back(refusal, at=LATER, by=by, reason="Again.")


@pytest.mark.rule("chessa 60")
def test_a_late_registration_waits_again_after_its_refusal_is_taken_back():
    event = details()
    event.save()
    move_event(event, State.LATE, at=CLOCK, reason="ill")
    refusal = refused(event)
    take_back(refusal, at=LATER, by=None, reason="The wrong event.")
    event.refresh_from_db()
    assert event.state == "late"


def test_another_officers_refusal_is_taken_back_only_when_that_one_is_no_officer_any_more():
    event, by = two_sections(MARCH_3), officer()
    refusal, other = refused(event, by=by), user("other", is_officer=True)
    with pytest.raises(EventError, match=r"officer@example\.org refused it, and takes it back"):
        take_back(refusal, at=LATER, by=other, reason="An error.")
    User.objects.filter(pk=by.pk).update(is_officer=False)
    take_back(refusal, at=LATER, by=other, reason="An error.")
    event.refresh_from_db()
    assert event.state == "submitted"


def test_an_open_appeal_is_settled_by_it_and_an_answered_one_forbids_it():
    by, event, final = officer(), two_sections(MARCH_3), two_sections(MARCH_3)
    refusal = refused(event, by=by)
    appeal = lodge(refusal)
    take_back(refusal, at=LATER, by=by, reason="The wrong event.")
    appeal.refresh_from_db()
    assert (appeal.state, appeal.answer, appeal.answered_by) == ("settled", "The wrong event.", by)
    with pytest.raises(EventError, match="it is settled already"):
        decide(appeal, panel())
    dismissed = refused(final, by=by)
    decide(lodge(dismissed), User.objects.get(is_panel=True), upheld=False)
    with pytest.raises(EventError, match="what the appeals panel decided stays"):
        take_back(dismissed, at=LATER, by=by, reason="Too late.")


@pytest.mark.parametrize("state", [State.SUBMITTED, State.ACCEPTED])
def test_a_section_goes_back_to_where_it_was(state):
    event = two_sections(MARCH_3, state=state)
    refusal = refuse_section(section(event), at=CLOCK, by=None, reason=WHY)
    assert section(event).period is None
    take_back(refusal, at=LATER, by=None, reason="The wrong section.")
    assert section(event).period == (period() if state is State.ACCEPTED else None)
    if state is State.SUBMITTED:
        accept_event(event, at=LATER)
    publish()
    event.refresh_from_db()
    assert event.state == "published"
    with pytest.raises(EventError, match="it is not refused"):
        standing_refusal(event, section(event))


@pytest.mark.parametrize("page", ["event", "section"])
def test_it_is_taken_back_on_the_desk_told_by_mail_and_on_the_trail(client, page):
    by, event = officer(), two_sections()
    administrator()
    client.force_login(by)
    row = event if page == "event" else section(event)
    act(client, page, "refuse", [row], WHY)
    mail.outbox.clear()
    assert "give the reason" in act(client, page, "take_back", [row])[0]
    assert act(client, page, "take_back", [row], "The wrong one.") == [
        "A mail is on its way to gau@example.org.", f"1 no longer refused: {row}.",
    ]  # fmt: skip
    (sent,) = mail.outbox
    assert "The wrong one." in sent.body
    assert "efusal taken back" in Client().get(f"/events/{event.pk}/").content.decode()


def test_the_database_knows_nothing_half_taken_back():
    refusal = refused(two_sections(MARCH_3))
    with pytest.raises(IntegrityError), transaction.atomic():
        type(refusal).objects.update(taken_back_reason="x")


# Evidence


def test_evidence_is_read_by_those_who_lodged_it_officers_and_the_panel_only():
    event = two_sections(MARCH_3)
    chief, region_admin = organiser(event), administrator()
    appeal = lodge(refused(event), by=chief, evidence=("list.pdf", PDF))
    arbiter = user("arbiter")
    event.appointments.create(arbiter=Arbiter.objects.create(name="Ann", title="FA", user=arbiter), position=1)
    file = appeal.attachments.get()
    for by, status in (
        (chief, 200), (panel(), 200), (officer(), 200), (region_admin, 404), (arbiter, 404), (user("x"), 404),
        (administrator("LCP"), 404), (None, 302),
    ):  # fmt: skip
        client = Client()
        if by:
            client.force_login(by)
        assert client.get(f"/events/attachments/{file.pk}/").status_code == status, by
    token = appeal_token(appeal.refusal)
    assert Client().get(f"/events/appeals/{token}/evidence/{file.pk}/").status_code == 404


def test_a_region_s_evidence_is_read_by_its_administrators_of_now():
    by = administrator()
    appeal = lodge(refused(two_sections(MARCH_3)), by=by, evidence=("list.pdf", PDF))
    assert appeal.party == "region"
    address = f"/events/attachments/{appeal.attachments.get().pk}/"
    client = Client()
    client.force_login(by)
    assert client.get(address).status_code == 200
    RegionalAdministrator.objects.filter(user=by).update(until=timezone.localdate() - timedelta(days=1))
    assert client.get(address).status_code == 404


def test_what_is_no_evidence_is_not_taken_and_nothing_is_lodged(client):
    event = two_sections()
    refused(event, at=timezone.now())
    client.force_login(administrator())
    given = {"refusal": event.refusals.get().pk, "appellant": "Gauteng", "grounds": GROUNDS}
    before = everything()
    answer = client.post(
        f"/events/{event.pk}/appeal/", {**given, "evidence": SimpleUploadedFile("list.pdf", b"<html>")}
    )
    assert answer.status_code == 422
    assert "neither PDF nor PNG nor JPEG" in answer.content.decode()
    assert everything() == before


def test_a_moment_after_the_last_day_evidence_does_not_help(administrator):
    refusal = refused(two_sections(MARCH_3))
    with pytest.raises(EventError, match="The last day to appeal"):
        lodge(refusal, at=local(2024, 4, 24), evidence=("list.pdf", PDF))
    lodge(refusal, at=local(2024, 4, 24) - SECOND, evidence=("list.pdf", PDF))
