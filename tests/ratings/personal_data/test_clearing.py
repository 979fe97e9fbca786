"""What is kept long enough is cleared, a day earlier nothing is, and no rating loses what it is calculated from."""

from datetime import date, timedelta

import pytest
from axes.models import AccessAttempt, AccessLog
from django.contrib.admin.models import LogEntry
from django.contrib.sessions.models import Session
from django.utils import timezone

from accounts.models import Decision, Mail, MailRequest, Retention, Token, User
from accounts.operations import set_active
from accounts.outbox.operations import clear_mails
from accounts.tokens.operations import TokenError, make_token
from accounts.trail.operations import record
from config.signs_of_life import may_clear
from events.amending.edits import with_result
from events.archive import store_file
from events.files.reader import read
from events.models import (
    AbroadLink,
    Appeal,
    Arbiter,
    Attachment,
    Correction,
    Entry,
    ErrorReport,
    Event,
    Game,
    PermissionRequest,
    Refusal,
    SubmissionFinding,
    SubmittedFile,
    Upload,
)
from events.operations import accept_event
from events.rules.game_result import Result
from players.models import Player
from players.operations import save_player
from ratings.models import Amendment, ImportJob, ListedPlayer
from ratings.moving_in.tasks import discard_forgotten_imports
from ratings.personal_data import clearing
from ratings.personal_data.clearing import clear_personal_data
from ratings.personal_data.erasure.names import GONE
from ratings.personal_data.stored_files import CLEARED
from ratings.rerating.amendments import amend
from ratings.rerating.merges import merge_players, undo_merge
from ratings.verification.beside import register_findings
from ratings.verification.months import months_to_calculate, verify_month
from tests.admin_pages import opened_form
from tests.builders import (
    CLOCK,
    desk_line,
    event_of,
    everything,
    lines,
    officer,
    people,
    period,
    player,
    publish,
    round_robin,
    submitted,
    trf,
    with_address,
)

pytestmark = pytest.mark.django_db

NOW = timezone.now()
DAY = timedelta(days=1)
YEAR = timedelta(days=365.25)


def trail():
    return [row.after for row in Decision.objects.filter(action="personal data cleared").order_by("pk")]


def test_mails_go_when_the_setting_says():
    Retention.objects.update(mail_days=30)
    for name, days in (("kept", 29), ("gone", 31)):
        at = NOW - days * DAY
        Mail.objects.create(kind="x", to="a@example.org", subject=name, created_at=at, state="sent", sent_at=at)
    clear_mails(at=NOW)
    assert list(Mail.objects.values_list("subject", flat=True)) == ["kept"]


def test_failed_log_ins_and_sessions_that_ended():
    for days in (29, 31):
        attempt = AccessAttempt.objects.create(username=f"{days}@example.org", failures_since_start=1)
        AccessAttempt.objects.filter(pk=attempt.pk).update(attempt_time=NOW - days * DAY)
        log = AccessLog.objects.create(username=f"{days}@example.org")
        AccessLog.objects.filter(pk=log.pk).update(attempt_time=NOW - days * DAY)
        Session.objects.create(session_key=f"{days}", session_data="", expire_date=NOW + (30 - days) * DAY)
    assert clear_personal_data(at=NOW) == {"log-ins": 2, "sessions": 1}
    assert [row.username for row in (*AccessAttempt.objects.all(), *AccessLog.objects.all())] == ["29@example.org"] * 2
    assert [row.session_key for row in Session.objects.all()] == ["29"]


def sent_in():
    """A rated event of a published month, with its file."""
    event = submitted(trf(lines(6), round_robin(6, "1=0")), code="GAU")
    accept_event(event, at=CLOCK, reason="seen", penalty_reason="seen")
    publish()
    return event, event.sections.get()


def history_of(key):
    return list(Player.history.filter(id=key))


def draft(event, content, at, **fields):
    return Upload.objects.create(event=event, file=store_file(content), name="x.trf", at=at, asked_at=at, **fields)


def test_files_never_sent_in_go_with_their_content_and_others_stay():
    event, _ = sent_in()
    month = YEAR / 12
    draft(event, b"old", NOW - 3 * month - DAY)
    draft(event, b"taken away", NOW - 9 * month, discarded_at=NOW - 4 * month)
    draft(event, b"new", NOW - 3 * month + DAY)
    draft(event, b"worked on", NOW - 9 * month, discarded_at=NOW - DAY)
    cleared = clear_personal_data(at=NOW)
    assert cleared["files never sent in"] == 2
    left = {bytes(row.content) for row in SubmittedFile.objects.filter(submissions=None)}
    assert left == {b"new", b"worked on"}


@pytest.mark.parametrize(("after", "replaced"), [(5 * YEAR + DAY, True), (5 * YEAR - DAY, False)])
def test_a_file_that_was_sent_in_gives_way_to_the_bureaus_own_record(after, replaced):
    _, section = sent_in()
    sent = section.submissions.get()
    before = bytes(sent.file.content)
    finding = {"submission": sent, "severity": "note", "code": "corrected-birth", "message": "Cele: born 2008"}
    SubmissionFinding.objects.create(**finding)
    waived = SubmissionFinding.objects.create(**finding, waived_at=CLOCK, waived_reason="seen")
    upload = draft(section.event, b"sent in", CLOCK, section=section, submission=sent, report={"new": ["Cele"]})
    Correction.objects.create(upload=upload, kind="birth", key="1", value="2008-03-24", answer="Cele", at=CLOCK)
    published = period().published_at
    games, entries = Game.objects.count(), Entry.objects.count()
    at = published + after
    assert clear_personal_data(at=at).get("files sent in", 0) == replaced
    file = SubmittedFile.objects.get(pk=sent.file_id)
    assert (bytes(file.content) != before) == replaced
    findings = SubmissionFinding.objects.exclude(pk=waived.pk)
    left = [rows.exists() for rows in (findings, Upload.objects.all(), Correction.objects.all())]
    assert left == [not replaced] * 3
    waived.refresh_from_db()
    assert (waived.message, waived.waived_reason) == (CLEARED if replaced else "Cele: born 2008", "seen")
    assert bool(file.replaced_at) == replaced
    assert file.name_of("Open.TUNX") == ("Open.trf" if replaced else "Open.TUNX")
    tournament = read(bytes(file.content), "x.trf")
    assert len(tournament.entrants) == entries  # every reader reads on
    assert (Game.objects.count(), Entry.objects.count()) == (games, entries)
    assert [finding for month in months_to_calculate() for finding in verify_month(*month)] == []
    assert clear_personal_data(at=at) == {}


@pytest.mark.parametrize(("after", "replaced"), [(5 * YEAR + DAY, True), (5 * YEAR - DAY, False), (None, False)])
def test_a_file_that_corrected_a_published_section_gives_way_too(after, replaced):
    _, section = sent_in()
    game = section.games.filter(result="1-0").earliest("pk")
    amendment = amend(
        section,
        lambda content: with_result(content, game.pk, Result.BLACK_WINS),
        reason="seen",
        at=CLOCK,
        file=store_file(b"001 Mokoena"),
    )
    Amendment.objects.update(applied_at=after and NOW - after)
    assert clear_personal_data(at=NOW).get("files of corrections", 0) == replaced
    amendment.refresh_from_db()
    assert (bytes(amendment.file.content) != b"001 Mokoena") == replaced
    assert clear_personal_data(at=NOW) == {}


def test_a_file_of_an_event_that_is_not_decided_stays():
    event, _ = sent_in()
    Event.objects.filter(pk=event.pk).update(state="submitted")
    assert "files sent in" not in clear_personal_data(at=NOW + 40 * YEAR)


def test_what_an_open_appeal_is_about_stays():
    event, section = sent_in()
    Event.objects.filter(pk=event.pk).update(state="refused")
    file = SubmittedFile.objects.get(submissions__section=section)
    proof = Attachment.objects.create(event=event, name="a.pdf", file=store_file(b"%PDF"), at=CLOCK)
    refusal = Refusal.objects.create(event=event, at=CLOCK, reason="Seen.")
    appeal = Appeal.objects.create(refusal=refusal, appellant="Thandi Nkosi", grounds="G", at=CLOCK)
    at = NOW + 6 * YEAR
    for answered_at, kept in ((None, True), (at, False)):
        Appeal.objects.filter(pk=appeal.pk).update(
            answered_at=answered_at, **({} if kept else {"state": "dismissed", "answer": "No."})
        )
        cleared = clear_personal_data(at=at)
        assert (not {"files sent in", "findings of the checks", "evidence"} & cleared.keys()) == kept
        file.refresh_from_db()
        assert (file.replaced_at is None) == kept
        assert Attachment.objects.filter(pk=proof.pk).exists() == kept


def test_who_wrote_is_forgotten_after_the_answer_and_his_words_stay():
    _, section = sent_in()
    fields = {"section": section, "month": "2024-03-01", "wrong": "1-0", "right": "0-1", "role": "player"}
    for name, days in (("Kept", 729), ("Gone", 731)):
        report = ErrorReport.objects.create(
            **fields,
            reporter_name=name,
            reporter_email=f"{name}@example.org",
            at=CLOCK,
            confirmed_at=CLOCK,
            state="rejected",
            answer="no",
            answered_at=NOW - days * DAY,
        )
        assert report.history.get().reporter_name == name
        record("answered", report, at=CLOCK, by=None, reason="So.")
    clear_personal_data(at=NOW)
    rows = list(ErrorReport.objects.order_by("pk").values_list("reporter_name", "reporter_email", "wrong", "answer"))
    assert rows == [("Kept", "Kept@example.org", "1-0", "no"), (CLEARED, "", "1-0", "no")]
    assert set(ErrorReport.history.values_list("reporter_name", flat=True)) == {"Kept", CLEARED}
    told = Decision.objects.filter(action="answered").order_by("pk").values_list("subject_name", flat=True)
    assert [name.rpartition(" by ")[2] for name in told] == [row[0] for row in rows]


@pytest.mark.parametrize(
    ("state", "days", "kept"), [("withdrawn", 729, True), ("withdrawn", 731, False), ("submitted", 731, True)]
)
def test_who_asked_for_what_is_not_answered_any_more_is_forgotten_too(state, days, kept):
    _, section = sent_in()
    asked = PermissionRequest.objects.create(
        section=section, players=3, rounds=3, reason="so", party="organiser", person="Wrote", at=NOW - days * DAY
    )
    Event.objects.update(state=state)
    clear_personal_data(at=NOW)
    asked.refresh_from_db()
    assert asked.person == ("Wrote" if kept else CLEARED)
    assert set(PermissionRequest.history.values_list("person", flat=True)) == {asked.person}


def test_lines_of_lists_go_and_the_list_stays_on_record():
    for name, days in (("kept", 364), ("gone", 367)):
        job = ImportJob.objects.create(
            kind="register",
            state="taken",
            filename=name,
            size=1,
            at=CLOCK,
            asked_at=CLOCK,
            finished_at=NOW - days * DAY,
        )
        ListedPlayer.objects.create(job=job, line=1, kind="new")
    may_clear(at=timezone.now() - DAY)
    discard_forgotten_imports()
    assert ListedPlayer.objects.count() == 2  # nothing else clears them sooner
    assert clear_personal_data(at=NOW) == {"lists brought in": 1}
    assert clear_personal_data(at=NOW) == {}
    assert [row.job.filename for row in ListedPlayer.objects.select_related("job")] == ["kept"]
    assert list(ImportJob.objects.order_by("pk").values_list("summary", flat=True)) == [{}, {"forgotten": True}]


def test_a_closed_account_loses_name_and_address_and_keeps_its_decisions():
    user = User.objects.create_user("left@example.org", "secret word here", first_name="Lerato")
    other = User.objects.create_user("back@example.org")
    by = officer()
    token = {"scopes": [Token.Scope.SUBMIT], "today": CLOCK.date(), "last_day": CLOCK.date() + DAY, "at": CLOCK}
    make_token(user, name="Lerato’s laptop", **token)
    for account in (user, other):
        set_active(account, False, at=CLOCK, by=by)
    with pytest.raises(TokenError, match="disabled"):
        make_token(user, name="x", **token)
    set_active(other, True, at=CLOCK + DAY, by=by)
    assert "closed accounts" not in clear_personal_data(at=CLOCK + 3 * YEAR - DAY)
    assert clear_personal_data(at=CLOCK + 3 * YEAR + DAY)["closed accounts"] == 1
    user.refresh_from_db()
    assert (user.get_full_name(), user.email) == ("", f"account-{user.pk}@erased.invalid")
    assert not user.has_usable_password()
    assert Token.objects.get().name == "(cleared)"
    assert User.objects.get(pk=other.pk).email == "back@example.org"
    assert "closed accounts" not in clear_personal_data(at=CLOCK + 4 * YEAR)


def test_no_address_and_no_name_of_a_closed_account_is_left_but_that_of_who_decided(client):
    chief = User.objects.create_superuser("chief@example.org")
    client.force_login(chief)
    user = User.objects.create_user("former@example.org", first_name="Zqfirst", last_name="Zqlast", is_staff=True)
    record("changed", user, at=CLOCK, by=chief, before={"e-mail address": "former@example.org", "first name": "Zqold"},
           after={"e-mail address": "latter@example.org", "first name": "Zqfirst", "is officer": "yes"},
           reason="latter@example.org is his.")  # fmt: skip
    user.email = "latter@example.org"
    user.save()
    desk_line(user, chief)
    record("waived", chief, at=CLOCK, by=user, reason="fair")
    page = f"/admin/accounts/user/{user.pk}/change/"
    for changes in (
        {"email": "third@example.org", "first_name": "Zqthird"},
        {"email": "fourth@example.org", "last_name": "Zqfourth"},
    ):
        assert client.post(page, opened_form(client, page, **changes)).status_code == 302
    set_active(user, False, at=CLOCK, by=chief)
    clear_personal_data(at=CLOCK + 3 * YEAR + DAY)
    held = " ".join(line for lines in everything().values() for line in lines)
    for gone in ("former@", "latter@", "third@", "fourth@", "Zqold", "Zqthird", "Zqfourth"):
        assert gone not in held
    assert Decision.objects.get(action="waived").actor_name == "Zqfirst Zqlast (erased)"
    about = Decision.objects.filter(action="changed").earliest("pk")
    assert (about.after["is officer"], about.after["first name"]) == ("yes", "(cleared)")
    assert "chief@example.org" in held


def test_it_goes_on_where_it_was_killed_and_counts_each_row_once(monkeypatch):
    monkeypatch.setattr(clearing, "BATCH", 2)
    for number in range(5):
        Session.objects.create(session_key=str(number), session_data="", expire_date=NOW - DAY)
    done = []

    def killed(rows):
        if done:
            raise SystemExit
        done.extend(rows)
        delete(rows)

    delete = clearing._delete
    monkeypatch.setattr(clearing, "_delete", killed)
    with pytest.raises(SystemExit):
        clear_personal_data(at=NOW)
    assert Session.objects.count() == 3
    assert trail() == [{"sessions": "2"}]
    monkeypatch.setattr(clearing, "_delete", delete)
    assert clear_personal_data(at=NOW) == {"sessions": 3}
    assert clear_personal_data(at=NOW) == {}
    assert trail() == [{"sessions": "2"}, {"sessions": "2"}, {"sessions": "1"}]


def test_requests_for_mails_do_not_wait_for_the_next_one():
    for minutes in (59, 61):
        MailRequest.objects.create(address="x", origin=f"192.0.2.{minutes}", at=NOW - timedelta(minutes=minutes))
    assert clear_personal_data(at=NOW) == {"requests for mails": 1}
    assert MailRequest.objects.get().origin == "192.0.2.59"


def test_a_report_that_is_never_confirmed_leaves_nothing():
    _, section = sent_in()
    fields = {"section": section, "month": "2024-03-01", "wrong": "1-0", "right": "0-1", "role": "player"}
    for name, age, confirmed in (("Young", 6, None), ("Old", 8, None), ("Confirmed", 8, NOW)):
        at = NOW - age * DAY
        ErrorReport.objects.create(
            **fields, reporter_name=name, reporter_email="a@example.org", at=at, confirmed_at=confirmed
        )
    assert clear_personal_data(at=NOW)["reports never confirmed"] == 1
    assert {row.reporter_name for row in ErrorReport.objects.all()} == {"Young", "Confirmed"}
    assert set(ErrorReport.history.values_list("reporter_name", flat=True)) == {"Young", "Confirmed"}
    assert clear_personal_data(at=NOW) == {}


def test_what_the_next_report_removed_is_cleared_from_the_history_too():
    _, section = sent_in()
    report = ErrorReport.objects.create(
        section=section, month="2024-03-01", wrong="1-0", right="0-1", role="player", reporter_name="Gone", at=CLOCK
    )
    report.delete()
    assert clear_personal_data(at=NOW) == {"versions of reports never confirmed": 2}
    assert not ErrorReport.history.exists()


@pytest.mark.parametrize(("days", "kept"), [(729, 1), (732, 0)])
def test_a_request_for_a_form_is_forgotten_though_its_event_is_never_decided(days, kept):
    _, section = sent_in()
    AbroadLink.objects.create(player=player(), sender="player", address="a@example.org", at=NOW - days * DAY)
    AbroadLink.objects.create(
        player=player(), sender="player", address="a@example.org", at=NOW - days * DAY, event=section.event
    )
    clear_personal_data(at=NOW)
    assert AbroadLink.objects.count() == 2 * kept


def test_a_former_address_goes_from_the_history_and_the_present_one_stays():
    changed, moved = people(2)
    for row, address in (
        (changed, "a@example.org"),
        (changed, "b@example.org"),
        (changed, ""),
        (moved, "c@example.org"),
    ):
        row.email = address
        save_player(row)
    moved.club = "another"
    save_player(moved)
    assert clear_personal_data(at=NOW) == {"former addresses": 2}
    assert {version.email for version in changed.history.all()} == {""}
    assert moved.history.filter(email="c@example.org").count() == 2
    assert list(register_findings()) == []


def test_a_former_address_goes_though_a_list_has_changed_the_row():
    """Lists bring no addresses, so that undoing one restores none."""
    row = player()
    for address, club, reason in (
        ("a@example.org", "", None),
        ("a@example.org", "Rooks", "import 1"),
        ("", "Rooks", None),
    ):
        row.email, row.club, row._change_reason = address, club, reason
        save_player(row)
    clear_personal_data(at=NOW)
    assert not row.history.filter(email="a@example.org").exists()


@pytest.mark.parametrize(("days", "kept"), [(364, True), (367, False)])
@pytest.mark.parametrize("removed", [True, False])
def test_the_addresses_from_before_a_merge_go_a_year_after_it(days, kept, removed):
    """The line of the one who went shows no address, and cannot be changed on the desk."""
    old, new = people(2)
    old.email = "mother@example.org"
    save_player(old)
    event_of([(old, people(1)[0], "1-0")])
    merge = merge_players(old, new, reason="One person.", at=NOW - days * DAY, by=None)
    new.refresh_from_db()
    assert new.email == "mother@example.org"
    if removed:
        new.email = ""
        save_player(new)
    clear_personal_data(at=NOW)
    merge.refresh_from_db()
    assert Player.objects.filter(pk=old.pk, email="mother@example.org").exists() is kept
    assert Player.history.filter(id=old.pk, email="mother@example.org").exists() is kept
    assert ("mother@example.org" in str(merge.moved)) is kept
    assert list(register_findings()) == []
    if not (kept and removed):  # where the address was changed and is known still, it is set back first
        undo_merge(merge, reason="Two people.", at=NOW)
        assert Player.objects.get(pk=old.pk).merged_into is None
        assert Player.objects.get(pk=new.pk).email == ("" if removed or kept else "mother@example.org")


def test_a_file_that_nothing_refers_to_goes():
    """As that of an amendment that was given up, or of a proof that was taken away."""
    _, section = sent_in()
    draft(section.event, b"in work", NOW)
    store_file(b"given up")
    game = section.games.filter(result="1-0").earliest("pk")
    corrected = store_file(b"corrected")
    amendment = amend(
        section, lambda content: with_result(content, game.pk, Result.DRAW), reason="seen", at=NOW, file=corrected
    )
    assert clear_personal_data(at=NOW)["files that nothing refers to"] == 1
    assert SubmittedFile.objects.filter(pk__in=[amendment.file_id, section.submissions.get().file_id]).count() == 2
    assert not SubmittedFile.objects.filter(content=b"given up").exists()


def test_of_a_player_who_was_removed_history_and_trail_keep_no_name():
    """An erasure could not reach him: he is no longer on the register."""
    row, stays = with_address(player("Pillay", "Pranav", birth_date=date(2016, 8, 29))), player("Pillay", "Pranav")
    save_player(row)
    at, by, number = NOW - DAY, officer(), row.number
    for named in (row, stays):
        desk_line(named, by, f"{named} was misspelt")
    record("added", row, at=at, by=by, after={"last name": "Pillay"}, reason="Pranav Pillay is new")
    record("changed", stays, at=at, by=by, after={"last name": "Pillay"}, reason="Pranav Pillay was misspelt")
    key = row.pk
    row.delete()
    assert clear_personal_data(at=NOW) == {"players removed": 1}
    gone, there = LogEntry.objects.order_by("pk").values_list("object_repr", "change_message")
    assert (gone, there) == ((CLEARED, ""), (str(stays), f"{stays} was misspelt"))
    said = {(version.last_name, version.first_name, version.birth_date, version.email) for version in history_of(key)}
    assert said == {(CLEARED, "", None, "")}
    assert {version.number for version in history_of(key)} == {number}
    told = Decision.objects.get(subject=f"players.player {key}")
    assert (told.after, told.reason) == ({"last name": GONE}, f"{CLEARED} is new")
    assert "Pillay" not in told.subject_name
    assert "Pillay" in Decision.objects.get(subject=f"players.player {stays.pk}").subject_name
    assert clear_personal_data(at=NOW) == {}
    assert list(register_findings()) == []


def test_of_an_arbiter_who_was_deleted_history_and_trail_keep_no_name():
    gone, stays = (
        Arbiter.objects.create(name=name, title="PA", number=number, fide_id=fide_id)
        for name, number, fide_id in (("Zanele Mokoena", "183004567", 14_300_001), ("Pranav Pillay", "183004568", None))
    )
    for arbiter in (gone, stays):
        record("added", arbiter, at=NOW, by=None, after={"name": arbiter.name}, reason=f"{arbiter.name} has passed")
    key = gone.pk
    gone.delete()
    assert clear_personal_data(at=NOW) == {"arbiters deleted": 1}
    versions = {(version.name, version.fide_id, version.number) for version in Arbiter.history.filter(id=key)}
    assert versions == {(CLEARED, None, "183004567")}
    told = Decision.objects.get(subject=f"events.arbiter {key}")
    assert (told.after, told.reason) == ({"name": GONE}, f"{CLEARED} has passed")
    assert "Mokoena" not in told.subject_name
    assert Decision.objects.get(subject=f"events.arbiter {stays.pk}").reason == "Pranav Pillay has passed"
    assert Arbiter.history.get(id=stays.pk).name == "Pranav Pillay"
    assert clear_personal_data(at=NOW) == {}


def test_the_history_of_a_player_whose_row_was_taken_by_hand_stays():
    row = player()
    Player.objects.filter(pk=row.pk)._raw_delete(using="default")
    assert clear_personal_data(at=NOW) == {}
    assert [found.player for found in register_findings()] == [row.pk]
