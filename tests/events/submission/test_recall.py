"""What was sent in is confirmed by mail, and recalled as long as no officer has opened it."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import Decision, Mail, User
from events.models import Correction, Submission
from events.operations import EventError, return_event
from events.rules.states import State
from events.submission.recall import recall
from events.submission.tasks import check_upload
from events.submission.uploads import not_submitted
from events.submission.validation import first_sent
from players.models import Player
from tests.builders import officer
from tests.events.submission.world import do, known, played, table, taken

pytestmark = pytest.mark.django_db
WHY = "Round 3 was entered twice."


@pytest.fixture
def sent(desk):
    """An event with a newcomer, sent in."""
    known(5)
    event = played()
    upload = taken(event)
    table(desk, upload, "others")
    do(desk, event, "submit", declared="on", reason="One board was late.")
    event.refresh_from_db()
    assert event.state == State.SUBMITTED
    return event


def mails(kind):
    return list(Mail.objects.filter(kind__contains=kind).order_by("pk"))


def text(answer):
    return " ".join(answer.content.decode().split())


def opened(client, event):
    """The review page, as an officer opens it in a browser: once it is there, it says so."""
    page = client.get(f"/admin/events/event/{event.pk}/review/")
    assert client.post(f"/admin/events/event/{event.pk}/review/claim/", {"do": "take"}).status_code == 302
    return page


def test_the_region_gets_a_receipt_of_each_file(sent, administrator):
    (receipt,) = mails("receipt")
    assert receipt.to == administrator.email
    assert receipt.subject == "Received: Mopane Open"
    submission = Submission.objects.get()
    for said in (
        "open.trf, 6 players, 15 games",
        f"SHA-256 {submission.file.sha256}",
        "One board was late.",
        "by Gauteng, as Regional Administrator",
        "South African time",
        "article 61",
        f"/events/{sent.pk}/results/",
    ):
        assert said in receipt.text


def test_officers_hear_of_each_event_who_asked_for_it(desk, client):
    asked, other = officer("asked@example.org"), officer("other@example.org")
    User.objects.filter(pk__in=[asked.pk, other.pk]).update(is_staff=True)
    client.force_login(User.objects.get(pk=asked.pk))
    assert client.post("/account/sent-in/", {"wanted": "yes"}).status_code == 302
    client.force_login(User.objects.get(email="gau@example.org"))
    assert client.post("/account/sent-in/", {"wanted": "yes"}).status_code == 302
    assert set(User.objects.filter(event_mail=True)) == {asked}
    known()
    event = played()
    taken(event)
    do(client, event, "submit", declared="on")
    assert [(row.to, row.subject) for row in mails("sent in")] == [(asked.email, "Sent in: Mopane Open")]
    do(client, event, "recall", recall_reason=WHY)
    assert [row.subject for row in mails("sent in")] == ["Sent in: Mopane Open", "Recalled: Mopane Open"]


def test_what_no_officer_has_opened_is_recalled_with_its_files_and_answers(desk, sent, administrator):
    assert "No ratings officer has opened it yet" in text(desk.get(f"/events/{sent.pk}/results/"))
    players = Player.objects.count()
    assert do(desk, sent, "recall", recall_reason=WHY).status_code == 302
    sent.refresh_from_db()
    assert sent.state == State.REGISTERED
    move = sent.moves.last()
    assert (move.recalled, move.actor, move.reason) == (True, administrator, WHY)
    decision = Decision.objects.get(action="recalled")
    assert (decision.before, decision.after) == ({"state": "submitted"}, {"state": "registered"})
    upload = not_submitted(sent.uploads.all()).get()
    check_upload(upload.pk)
    upload.refresh_from_db()
    assert upload.name == "open.trf"
    assert upload.report["counts"]["error"] == 0
    assert Correction.objects.filter(upload=upload, kind="player").count() == 1
    assert WHY in text(desk.get(f"/events/{sent.pk}/"))
    desk.get(f"/events/{sent.pk}/results/")
    do(desk, sent, "submit", declared="on", reason="Now it is right.")
    sent.refresh_from_db()
    assert sent.state == State.SUBMITTED
    assert Player.objects.count() == players
    assert sent.sections.get().games.count() == 15


@pytest.mark.rule("chessa 61")
def test_what_was_recalled_was_not_sent_in_on_that_day(desk, sent):
    submissions = Submission.objects.filter(section__event=sent)
    assert first_sent(submissions) == timezone.localdate()
    do(desk, sent, "recall", recall_reason=WHY)
    assert first_sent(submissions) is None


@pytest.mark.rule("chessa 61")
def test_what_was_recalled_after_a_clock_ahead_was_set_back_was_not_sent_in(desk, sent):
    submissions, ahead = Submission.objects.filter(section__event=sent), timezone.now() + timedelta(days=30)
    for rows in (submissions, sent.moves.filter(target=State.SUBMITTED.value)):
        rows.update(at=ahead)
    do(desk, sent, "recall", recall_reason=WHY)
    assert first_sent(submissions) is None


@pytest.mark.rule("chessa 61")
def test_a_recall_by_a_clock_ahead_recalls_nothing_that_is_sent_in_after_it(desk, sent):
    do(desk, sent, "recall", recall_reason=WHY)
    sent.moves.filter(recalled=True).update(at=timezone.now() + timedelta(days=30))
    check_upload(not_submitted(sent.uploads.all()).get().pk)
    desk.get(f"/events/{sent.pk}/results/")
    do(desk, sent, "submit", declared="on", reason="Now it is right.")
    assert first_sent(Submission.objects.filter(section__event=sent)) == timezone.localdate()


def test_what_an_officer_has_opened_is_the_latest_though_a_clock_ahead_sent_in_the_one_before(
    client, sent, administrator
):
    sent.moves.filter(target=State.SUBMITTED.value).update(at=timezone.now() + timedelta(days=30))
    return_event(sent, at=timezone.now(), reason="Correct round 1.", by=officer())
    do(client, sent, f"submitted/{Submission.objects.get().pk}/again")
    do(client, sent, "submit", declared="on", reason="x")
    client.force_login(officer("second@example.org"))
    opened(client, sent)
    client.force_login(administrator)
    assert do(client, sent, "recall", recall_reason=WHY).status_code == 422
    sent.refresh_from_db()
    assert sent.state == State.SUBMITTED


@pytest.mark.rule("chessa 61")
def test_what_was_returned_and_sent_in_again_is_returned_once_more_by_a_recall(desk, sent, administrator):
    return_event(sent, at=timezone.now(), reason="Correct round 1.", by=officer())
    submission = Submission.objects.get()
    do(desk, sent, f"submitted/{submission.pk}/again")
    do(desk, sent, "submit", declared="on", reason="x")
    assert do(desk, sent, "recall", recall_reason=WHY).status_code == 302
    sent.refresh_from_db()
    assert sent.state == State.RETURNED
    assert first_sent(Submission.objects.filter(section__event=sent)) == timezone.localdate()
    page = text(desk.get(f"/events/{sent.pk}/results/"))
    assert "Correct round 1." in page


def test_what_an_officer_has_opened_is_not_recalled(client, sent, administrator):
    client.force_login(officer())
    assert opened(client, sent).status_code == 200
    client.force_login(administrator)
    page = text(client.get(f"/events/{sent.pk}/results/"))
    assert "A ratings officer opened it on" in page
    assert "Recall results" not in page
    answer = do(client, sent, "recall", recall_reason=WHY)
    assert answer.status_code == 422
    assert "it is no longer recalled" in text(answer)
    sent.refresh_from_db()
    assert sent.state == State.SUBMITTED


def test_an_officer_who_had_the_page_open_is_told_of_the_recall(client, sent, administrator):
    by = officer()
    client.force_login(by)
    page = client.get(f"/admin/events/event/{sent.pk}/review/")  # the recall comes before it says that it is open
    shown = text(page).partition('name="shown" value="')[2].partition('"')[0]
    recall(sent, at=timezone.now(), by=administrator, reason=WHY)
    answer = client.post(f"/admin/events/event/{sent.pk}/review/decide/", {"do": "accept", "shown": shown})
    assert answer.status_code == 409
    assert "Mopane Open is registered since" in text(answer)
    assert WHY in text(answer)


def test_a_recall_needs_a_reason_and_its_own_region(sent, administrator, desk):
    with pytest.raises(EventError, match="say why"):
        recall(sent, at=timezone.now(), by=administrator, reason="  ")
    with pytest.raises(EventError, match="a ratings officer returns"):
        recall(sent, at=timezone.now(), by=officer(), reason=WHY)
    other = User.objects.create_user("other@example.org")
    with pytest.raises(EventError, match="Regional Administrator"):
        recall(sent, at=timezone.now(), by=other, reason=WHY)
    recall(sent, at=timezone.now(), by=administrator, reason=WHY)
    with pytest.raises(EventError, match="nothing to recall"):
        recall(sent, at=timezone.now(), by=administrator, reason=WHY)


def test_a_recalled_file_can_be_sent_in_for_the_event_to_which_it_belongs(desk, sent):
    other = played(name="Marula Open", first=timezone.localdate() - timedelta(days=4))
    wrong = taken(other)
    assert wrong.report["counts"]["error"] == 1
    do(desk, sent, "recall", recall_reason=WHY)
    do(desk, other, f"{wrong.pk}/check")
    wrong.refresh_from_db()
    assert wrong.report["counts"]["error"] == 0
