"""Article 63: an error is reported in time, confirmed, looked at and answered; later ones are the bureau's to take up (64)."""

import re
from datetime import UTC, date, datetime, timedelta
from html import unescape

import pytest
from django.core import mail
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import Decision, Mail, User
from accounts.trail.operations import key_of
from events.error_reports.links import AGAIN, VALID, report_of, token_of
from events.error_reports.mails import send_answer
from events.error_reports.operations import ReportedError, answer_report, attach_proof, confirm, report_error, take_up
from events.models import Attachment, ErrorReport
from events.operations import EventError, accept_event
from events.rules.attachments import MOST_ATTACHMENTS
from events.rules.deadlines import is_reported_late, report_closes
from players.models import Player
from tests.builders import CLOCK, MARCH, everything, officer, open_file, publish, refused_by, submitted
from tests.events.appeals.cases import SECOND, act, local
from tests.events.attachments.files import PDF, PNG

WRONG, RIGHT = "Round 1 is shown as won by White.", "Black won; the score sheet shows it."


# The deadline


@pytest.mark.rule("chessa 63")
@pytest.mark.parametrize(
    ("month", "closes"), [(date(2024, 2, 1), local(2024, 3, 1)), (date(2024, 12, 1), local(2025, 1, 1))]
)
def test_it_is_reported_until_the_end_of_the_period_in_which_it_was_played(month, closes):
    assert report_closes(month) == closes
    assert not is_reported_late(month, at=closes - SECOND)
    assert is_reported_late(month, at=closes)


@pytest.mark.rule("chessa 63")
def test_the_end_of_the_period_is_that_of_johannesburg():
    assert is_reported_late(MARCH, at=datetime(2024, 3, 31, 22, tzinfo=UTC))
    assert not is_reported_late(MARCH, at=datetime(2024, 3, 31, 21, 59, 59, tzinfo=UTC))


# The operations


@pytest.fixture
def section(db):
    """A section of six players with public results, played on 2 and 3 March 2024."""
    event = submitted(open_file())
    accept_event(event, at=CLOCK, reason="Looked at.")
    return event.sections.get()


def report(section, *, at=CLOCK, by=None, **fields):
    given = {
        "section": section, "player": None, "round": 1, "month": MARCH, "wrong": WRONG, "right": RIGHT, "proof_url": "",
        "role": "player", "name": "Thandi Nkosi", "email": "thandi@example.org",
    }  # fmt: skip
    return report_error(ReportedError(**{**given, **fields}), at=at, by=by)[0]


@pytest.mark.rule("chessa 63")
def test_a_visitors_report_counts_once_it_is_confirmed_until_the_last_second(section):
    own, late = report(section), report(section, wrong="Another")
    by = officer()
    with pytest.raises(EventError, match="has not confirmed"):
        answer_report(own, corrected=True, at=CLOCK, by=by, answer="Yes.")
    assert confirm(own, at=CLOCK + VALID - SECOND)
    assert not confirm(own, at=CLOCK + VALID)
    with pytest.raises(EventError, match="held for 7 days"):
        confirm(late, at=CLOCK + VALID)


def test_what_nobody_confirmed_is_not_removed_with_the_next_report(section):
    """A clock may be ahead for a moment: the nightly clearing removes it, which looks for that."""
    old = report(section)
    kept = report(section, wrong="Confirmed")
    confirm(kept, at=CLOCK)
    report(section, at=CLOCK + VALID, wrong="Next")
    assert ErrorReport.objects.filter(pk=old.pk).exists()
    assert ErrorReport.objects.filter(pk=kept.pk).exists()


def test_what_is_sent_twice_is_one_report(section):
    assert report(section) == report(section, at=CLOCK + SECOND)
    assert ErrorReport.objects.count() == 1


@pytest.mark.rule("chessa 63")
def test_it_is_taken_up_and_answered_once_with_a_reason(section):
    own, by = report(section), officer()
    confirm(own, at=CLOCK)
    take_up(own, at=CLOCK, by=by)
    with pytest.raises(EventError, match="it is being looked at already"):
        take_up(own, at=CLOCK, by=by)
    before = everything()
    with pytest.raises(EventError, match="why nothing is corrected"):
        answer_report(own, corrected=False, at=CLOCK, by=by, answer=" ")
    assert everything() == before
    answer_report(own, corrected=False, at=CLOCK, by=by, answer="The sheet says 1-0.")
    own.refresh_from_db()
    assert (own.state, own.answer, own.answered_by) == ("rejected", "The sheet says 1-0.", by)
    decision = Decision.objects.get(action="rejected")
    assert (decision.actor, decision.reason, decision.part_of) == (by, own.answer, key_of(section.event))
    assert decision.subject_name == f"report of an error in {own} by {own.reporter_name}"
    with pytest.raises(EventError, match="it is rejected already"):
        answer_report(own, corrected=True, at=CLOCK, by=by, answer="Yes.")
    with pytest.raises(EventError, match="nothing can be added"):
        attach_proof(own, "a.pdf", PDF, at=CLOCK, by=None)
    assert [row.state for row in own.history.all()] == ["rejected", "looked at", "received", "received"]


def test_the_database_knows_no_answer_without_a_reason(section):
    own = report(section)
    for fields in ({"state": "corrected"}, {"state": "rejected", "answered_at": CLOCK}, {"answer": "x"}):
        with refused_by("error_report_answered_with_a_reason"):
            ErrorReport.objects.filter(pk=own.pk).update(**fields)
    with refused_by("error_report_names_what"):
        ErrorReport.objects.filter(pk=own.pk).update(section=None)


# The pages


def given(**fields):
    return {
        "number": "", "round": "1", "wrong": WRONG, "right": RIGHT, "proof_url": "https://example.org/sheet.png",
        "role": "player", "name": "Thandi Nkosi", "email": "thandi@example.org", **fields,
    }  # fmt: skip


def form_of(section):
    return f"/events/error-reports/new/?section={section.pk}"


@pytest.mark.rule("chessa 63")
@pytest.mark.parametrize(("number", "taken"), [(5, True), (6, False)])
def test_a_round_that_the_section_has_not_is_told_at_its_field(client, section, number, taken):
    client.force_login(User.objects.create_user("gau@example.org"))
    answer = client.post(form_of(section), given(round=number))
    assert (answer.status_code == 302) == taken
    assert ("The section has the rounds 1 to 5." in answer.content.decode()) != taken


@pytest.mark.rule("chessa 63")
def test_pages_lead_to_the_form_which_knows_what_it_is_about(client, section):
    player = section.entries.first().player
    publish()
    for address, link in (
        (f"/events/{section.event_id}/", f"?section={section.pk}"),
        (f"/players/{player.number}/", f"?section={section.pk}&amp;player={player.number}"),
        (f"/players/{player.number}/2024-03/main/", f"?player={player.number}&amp;month=2024-03"),
    ):
        assert f'href="/events/error-reports/new/{link}"' in client.get(address).content.decode()
    page = client.get(f"{form_of(section)}&player={player.number}").content.decode()
    assert f'<option value="{player.number}" selected' in page
    assert "ended on 31 March 2024" in page
    page = client.get(f"/events/error-reports/new/?player={player.number}&month=2024-03").content.decode()
    assert f"{player.name}, March 2024" in page


@pytest.mark.parametrize("query", ["", "?section=0", "?section=x", "?player=999000001", "?month=2024-03"])
def test_without_a_subject_there_is_no_form(client, section, query):
    assert client.get(f"/events/error-reports/new/{query}").status_code == 404


def test_of_a_section_that_is_not_public_nothing_is_told(client, section):
    type(section.event).objects.update(state="submitted")
    assert client.get(form_of(section)).status_code == 404


@pytest.mark.parametrize("left", ["", "(erased)"])
def test_a_reporter_whose_address_was_erased_is_mailed_no_answer(client, section, left):
    own = report(section, by=User.objects.create_user("thandi@example.org"))
    ErrorReport.objects.filter(pk=own.pk).update(reporter_email=left)
    client.force_login(officer())
    assert act(client, "errorreport", "correct", [own], "The result is 0-1 now.") == [
        "The reporter has no address any more: no mail was sent.", f"1 corrected: {own}.",
    ]  # fmt: skip
    assert not Mail.objects.exclude(kind="error_report").exists()


@pytest.mark.rule("chessa 63", "chessa 64")
def test_a_visitor_confirms_by_mail_adds_a_file_and_gets_the_answer(client, section):
    chief, visitor = officer(), Client()
    player = section.entries.first().player
    assert visitor.post(form_of(section), given(number=player.number))["Location"] == "/events/error-reports/sent/"
    (link,) = mail.outbox
    own = ErrorReport.objects.get()
    page = f"/events/error-reports/{token_of(own)}/"
    assert (link.to, f"http://127.0.0.1:8000{page}" in link.body) == (["thandi@example.org"], True)
    client.force_login(chief)
    assert WRONG not in client.get("/admin/events/errorreport/").content.decode()
    mail.outbox.clear()
    assert "Not sent yet" in visitor.get(page).content.decode()
    own.refresh_from_db()
    assert own.confirmed_at is None
    assert visitor.post(page, {"do": "attach", "proof": SimpleUploadedFile("a.png", PNG)}).status_code == 422
    assert visitor.post(page, {"do": "confirm"})["Location"] == page
    assert visitor.post(page, {"do": "confirm"})["Location"] == page
    (told,) = mail.outbox
    assert (told.to, WRONG in told.body, "article 64" in told.body) == (["officer@example.org"], True, True)
    assert visitor.post(page, {"do": "attach", "proof": SimpleUploadedFile("a.png", PNG)})["Location"] == page
    file = Attachment.objects.get()
    assert b"".join(visitor.get(f"{page}proof/{file.pk}/").streaming_content) == PNG
    assert visitor.get(f"/events/attachments/{file.pk}/").status_code == 302
    assert "1 reported error<" in client.get("/account/").content.decode()
    detail = client.get(f"/admin/events/errorreport/{own.pk}/change/").content.decode()
    assert all(text in detail for text in (WRONG, "a.png", player.name, "after the end of its rating period"))
    assert act(client, "errorreport", "look", [own]) == [f"1 being looked at: {own}."]
    assert "1 reported error being looked at<" in client.get("/account/").content.decode()
    shown = unescape(re.search(r'name="shown" value="([^"]*)"', detail)[1])
    assert visitor.post(page, {"do": "attach", "proof": SimpleUploadedFile("b.png", PNG + b"b")})["Location"] == page
    rejecting = {"do": "reject", "reason": "You sent no proof.", "shown": shown}
    told = client.post(f"/admin/events/errorreport/{own.pk}/answer/", rejecting).content.decode()
    assert "added to, meanwhile" in told
    assert "b.png" in told
    mail.outbox.clear()
    assert "write the answer" in act(client, "errorreport", "correct", [own])[0]
    assert act(client, "errorreport", "correct", [own], "The result is 0-1 now.") == [
        "A mail is on its way to thandi@example.org.", f"1 corrected: {own}.",
    ]  # fmt: skip
    (answer,) = mail.outbox
    assert (answer.to, "The result is 0-1 now." in answer.body) == (["thandi@example.org"], True)
    assert "The result is 0-1 now." in visitor.get(page).content.decode()


@pytest.mark.rule("chessa 63")
def test_a_user_reports_at_once_with_a_file_and_finds_it_on_the_account_page(client, section):
    by = User.objects.create_user("gau@example.org", first_name="Naledi")
    officer()
    client.force_login(by)
    page = client.get(form_of(section)).content.decode()
    assert 'name="email"' not in page
    answer = client.post(form_of(section), given(proof=SimpleUploadedFile("sheet.pdf", PDF)))
    own = ErrorReport.objects.get()
    assert answer["Location"] == f"/events/error-reports/{token_of(own)}/"
    assert (own.by, own.reporter_email, own.confirmed_at == own.at) == (by, "gau@example.org", True)
    assert [sent.to for sent in mail.outbox] == [["officer@example.org"]]
    account = client.get("/account/").content.decode()
    assert token_of(own) in account
    file = Attachment.objects.get()
    assert client.get(f"/events/attachments/{file.pk}/").status_code == 200
    client.force_login(User.objects.create_user("other@example.org"))
    assert client.get(f"/events/attachments/{file.pk}/").status_code == 404
    assert token_of(own) not in client.get("/account/").content.decode()


def test_the_officers_are_told_once_of_what_is_sent_twice(client, section):
    officer()
    client.force_login(User.objects.create_user("gau@example.org"))
    for _ in range(3):
        assert client.post(form_of(section), given()).status_code == 302
    assert [sent.to for sent in mail.outbox] == [["officer@example.org"]]
    assert client.post(form_of(section), given(wrong="Another game.")).status_code == 302
    assert len(mail.outbox) == 2


def test_a_visitor_who_sends_twice_gets_one_link_until_some_time_has_passed(client, section):
    visitor = given(email="thandi@example.org", name="Thandi")
    for _ in range(3):
        assert client.post(form_of(section), visitor).status_code == 302
    assert len(mail.outbox) == 1
    ErrorReport.objects.update(at=timezone.now() - AGAIN)
    assert client.post(form_of(section), visitor).status_code == 302
    assert len(mail.outbox) == 2


def test_the_same_file_under_another_name_is_said_to_be_there(client, section):
    client.force_login(User.objects.create_user("gau@example.org"))
    client.post(form_of(section), given(proof=SimpleUploadedFile("sheet.pdf", PDF)))
    page = reverse("events:error-report", args=[token_of(ErrorReport.objects.get())])
    answer = client.post(page, {"proof": SimpleUploadedFile("Scan.pdf", PDF)}, follow=True)
    assert "Scan.pdf is attached already, as sheet.pdf." in answer.content.decode()
    assert Attachment.objects.count() == 1


def test_a_proof_that_cannot_be_attached_refuses_the_whole_report_and_tells_of_nothing(client, section, settings):
    """The form takes the file, and the report has as many as it may already."""
    officer()
    by = User.objects.create_user("gau@example.org")
    client.force_login(by)
    assert client.post(form_of(section), given()).status_code == 302
    own = ErrorReport.objects.get()
    for number in range(MOST_ATTACHMENTS):
        attach_proof(own, "a.png", PNG[:-12] + bytes([number]) + PNG[-12:], at=own.at, by=by)
    mail.outbox.clear()
    before = {table: rows for table, rows in everything().items() if table != "accounts_mailrequest"}
    answer = client.post(form_of(section), given(proof=SimpleUploadedFile("sheet.pdf", PDF)))
    assert answer.status_code == 422
    assert "10 files are attached already" in answer.content.decode()
    assert {table: rows for table, rows in everything().items() if table != "accounts_mailrequest"} == before
    assert mail.outbox == []


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"wrong": " "}, "Say what is wrong."),
        ({"right": ""}, "Say what is right."),
        ({"number": "999999999"}, "Choose one of the list."),
        ({"round": "0"}, "At least 1."),
        ({"proof_url": "javascript:alert(1)"}, "Write the link in full"),
        ({"role": ""}, "Say as whom you report it."),
        ({"role": "king"}, "Choose one of the list."),
        ({"name": ""}, "Write your name."),
        ({"email": "nobody"}, "Enter a valid email address."),
        ({"wrong": "x" * 10_000}, "At most 2000 characters"),
    ],
)
def test_bad_input_is_said_and_nothing_is_saved(client, section, fields, said):
    before = everything()
    answer = client.post(form_of(section), given(**fields))
    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert (everything(), mail.outbox) == (before, [])


def test_one_address_gets_only_so_many_links_an_hour(client, section):
    for number in range(10):
        assert client.post(form_of(section), given(wrong=f"{WRONG} {number}")).status_code == 302
    answer = client.post(form_of(section), given(wrong="One more"))
    assert answer.status_code == 422
    assert "10 mails within an hour" in answer.content.decode()
    assert (ErrorReport.objects.count(), len(mail.outbox)) == (10, 10)


def test_a_torn_link_opens_nothing(client, section):
    token = token_of(report(section))
    assert report_of(token) is not None
    for torn in (token[:-1], "1", f"9{token}"):
        assert client.get(f"/events/error-reports/{torn}/").status_code == 404
        assert client.get(f"/events/error-reports/{torn}/proof/1/").status_code == 404


def test_another_reports_file_is_not_there(client, section):
    first, second = report(section), report(section, wrong="Another")
    confirm(first, at=CLOCK)
    file = attach_proof(first, "a.pdf", PDF, at=CLOCK, by=None)
    assert client.get(f"/events/error-reports/{token_of(first)}/proof/{file.pk}/").status_code == 200
    assert client.get(f"/events/error-reports/{token_of(second)}/proof/{file.pk}/").status_code == 404


def test_after_its_days_an_unconfirmed_link_says_so(client, section):
    old = report(section, at=timezone.now() - VALID - timedelta(minutes=1))
    page = f"/events/error-reports/{token_of(old)}/"
    assert "did not reach the bureau" in client.get(page).content.decode()
    assert client.post(page, {"do": "confirm"}).status_code == 422


def test_who_reported_an_error_of_a_player_who_is_hidden_since_is_not_told_who_he_is(client, section):
    player = section.entries.earliest("pk").player
    own = report(section, player=player)
    confirm(own, at=CLOCK)
    Player.objects.filter(pk=player.pk).update(hidden_since=CLOCK.date(), last_name="Vlakvark")
    answer_report(own, corrected=False, at=CLOCK, by=officer(), answer="The sheet says 1-0.")
    send_answer(ErrorReport.objects.get(pk=own.pk))
    page = client.get(reverse("events:error-report", args=[token_of(own)])).content.decode()
    letter = Mail.objects.latest("pk")
    for text in (page, letter.subject, letter.text):
        assert "Vlakvark" not in text
        assert player.number not in text
    assert "Hidden player" in page
    assert "Hidden player" in letter.text
