"""What rows of others held of a person whose data is erased: who was taken for him, and what he wrote himself."""

import io
import json
import unicodedata
import zipfile
from datetime import date, timedelta

import pytest
from axes.models import AccessAttempt
from django.db.models.signals import pre_save

from accounts.models import Decision, Mail, User
from accounts.trail.operations import key_of, record
from events.archive import sha256_of, store_file
from events.models import (
    AbroadLink,
    Appeal,
    Appointment,
    Arbiter,
    Attachment,
    Correction,
    Entry,
    ErrorReport,
    Event,
    Guest,
    Refusal,
    Section,
    Submission,
    SubmissionFinding,
    SubmittedFile,
    Upload,
)
from events.operations import accept_event, register_event
from events.rules.states import EventError, State
from events.submission.checker import check
from events.submission.uploads import discard, push_file
from players.models import Player
from players.operations import NewPlayer, register_players, save_player
from ratings.downloads.operations import make_downloads
from ratings.merging.rows import played_in
from ratings.models import Amendment, Download, ImportJob, ListedPlayer, PublishedRun, RatingList, RunPerson
from ratings.personal_data.erasure.files import Sought
from ratings.personal_data.erasure.hindrances import hindrance
from ratings.personal_data.erasure.names import GONE, Names
from ratings.personal_data.erasure.names_of_person import names_of
from ratings.personal_data.erasure.operations import erase_player
from ratings.personal_data.person import evidence_beside, person_of
from ratings.personal_data.remains import forget_account
from ratings.rerating.merges import merge_players, undo_merge
from ratings.rerating.splits import split_player
from ratings.verification.beside import register_findings
from tests.admin_pages import opened_form
from tests.builders import (
    CLOCK,
    desk_line,
    details,
    event_of,
    everything,
    lines,
    officer,
    people,
    player,
    publish,
    round_robin,
    submitted,
    trf,
    with_address,
)
from tests.events.files.builders import tunx, tunx_player
from tests.fuzz.readers import least_seconds
from tests.ratings.chain import publish_again, rerate
from tests.ratings.personal_data.children import held_for_years
from tests.ratings.personal_data.test_erasure import held, verified

pytestmark = pytest.mark.django_db

BORN = date(2012, 2, 3)
LATER = CLOCK + timedelta(days=4000)


@pytest.fixture
def played():
    """A published month with a file of six players; the first one."""
    RatingList.objects.create(
        code="us", name="US", system="uscf", edition="2020", position=9, counts_standard=True, starts_from=None
    )
    event = submitted(trf(lines(6), round_robin(6, "1=0")), code="GAU")
    accept_event(event, at=CLOCK, reason="seen", penalty_reason="seen")
    player = event.sections.get().entries.order_by("number").first().player
    player.birth_date = BORN
    save_player(player)
    publish()
    return player


def test_no_former_name_and_address_of_his_account_is_left(client):
    """The trail and the desk's log name it, and mails were sent there."""
    (his,) = register_players([NewPlayer("Xylander", "Quentin")], at=CLOCK)
    account = User.objects.create_user("first@example.org", is_staff=True, first_name="Qzmaidn", last_name="Dube")
    record("waived", his, at=CLOCK, by=account, reason="it is right")
    taken = User.objects.create_user("other@example.org")
    Arbiter.objects.create(name=his.name, player=his, number=his.number, user=account)
    client.force_login(User.objects.create_superuser("chief@example.org"))
    page = f"/admin/accounts/user/{account.pk}/change/"
    for address in ("second@example.org", "third@example.org"):
        Mail.objects.create(kind="x", to=account.email, created_at=CLOCK, state="sent", sent_at=CLOCK, next_at=None)
        changes = {"email": address, "first_name": "Quentin", "last_name": f"Xylander {address[:3]}"}
        assert client.post(page, opened_form(client, page, **changes)).status_code == 302
        account.refresh_from_db()
    User.objects.filter(pk=taken.pk).update(email="second@example.org")  # is somebody else's by now
    erase_player(his, at=LATER, by=None, reason="asked for")
    text = " ".join(line for lines in everything().values() for line in lines)
    for gone in ("first@example.org", "third@example.org", "Qzmaidn", "Dube", "Xylander"):
        assert gone not in text
    assert User.objects.get(pk=taken.pk).email == "second@example.org"


def test_lines_of_a_list_in_the_wrong_code_page_go():
    (his,) = register_players([NewPlayer("Müller", "Zoë", birth_date=BORN)], at=CLOCK)
    job = ImportJob.objects.create(
        kind="register", state="taken", filename="x", size=1, at=CLOCK, asked_at=CLOCK, finished_at=CLOCK
    )
    ListedPlayer.objects.create(job=job, line=1, kind="new", last_name="MÃ¼ller", first_name="ZoÃ«", birth_date=BORN)
    ListedPlayer.objects.create(job=job, line=2, kind="new", last_name="MÃ¼ller", first_name="ZoÃ«")
    erase_player(his, at=LATER, by=None, reason="asked for")
    assert not ListedPlayer.objects.exists()


@pytest.mark.parametrize(
    ("listed", "goes"),
    [
        ({"last_name": "Xylander", "first_name": "Quentin", "birth_date": BORN}, True),
        ({"last_name": "Xylander", "first_name": "Quentin", "birth_year": BORN.year}, True),
        ({"last_name": "XYLANDER", "first_name": "Quentin"}, True),
        ({"last_name": "Wexford", "first_name": "Quentin Karl", "birth_date": BORN}, True),
        ({"last_name": "X", "first_name": "Y", "fide_id": 14398765}, True),
        ({"last_name": "Quentin", "first_name": "Xylander", "birth_date": BORN}, True),  # in the wrong columns
        ({"last_name": "XÝLANDER", "first_name": "QUENTÍN", "birth_date": BORN}, True),
        ({"last_name": "Xylandre", "first_name": "Quentin", "birth_date": BORN}, True),
        ({"last_name": "Quentin", "first_name": "Xylander"}, True),
        ({"last_name": "Xylandre", "first_name": "Quentin"}, False),
        ({"last_name": "Xylander", "first_name": "Quentin", "birth_date": date(2012, 2, 4)}, False),
        ({"last_name": "Xylander", "first_name": "Quentin", "birth_year": BORN.year + 1}, False),
        ({"last_name": "Xylander", "first_name": "Karl", "birth_date": BORN}, False),
        ({"last_name": "Xylander", "first_name": "Quentin", "national_id": "180012345"}, False),  # a namesake's
        ({"last_name": "Xylander", "first_name": "Quentin", "fide_id": 14300001}, False),
        ({"last_name": "Xylander", "first_name": "Quentin", "birth_date": BORN, "fide_id": 14300001}, True),
    ],
)
def test_a_line_of_a_list_goes_by_whatever_he_was_called_when_it_was_taken(listed, goes):
    (his,) = register_players([NewPlayer("Xylander", "Quentin", birth_year=BORN.year)], at=CLOCK)
    player("Xylander", "Quentin", national_id="180012345", fide_id=14300001)
    for values in (
        {"fide_id": 14398765},
        {"birth_date": BORN, "fide_id": None},
        {"last_name": "Wexford"},
        {"first_name": "Quentin Karl"},
    ):
        held_for_years(his)
        for name, value in values.items():
            setattr(his, name, value)
        save_player(his)
    job = ImportJob.objects.create(
        kind="register", state="taken", filename="x", size=1, at=CLOCK, asked_at=CLOCK, finished_at=CLOCK
    )
    ListedPlayer.objects.create(job=job, line=1, kind="new", club="Rooks", **listed)
    erase_player(his, at=LATER, by=None, reason="asked for")
    assert ListedPlayer.objects.exists() is not goes


def test_a_former_name_as_arbiter_goes_from_the_trail_and_the_desk_s_log():
    (his,) = register_players([NewPlayer("Zungu", "Ntombi")], at=CLOCK)
    arbiter = Arbiter.objects.create(name="Qzmaiden Nkosi", player=his, number=his.number)
    record("changed", arbiter, at=CLOCK, by=None, reason="Qzmaiden Nkosi married")
    desk_line(arbiter, officer())
    arbiter.name = "Ntombi Zungu"
    arbiter.save()
    erase_player(his, at=LATER, by=None, reason="asked for")
    assert "Qzmaiden" not in " ".join(line for lines in everything().values() for line in lines)


@pytest.mark.parametrize("message", ["Arbiter {}", '[{{"deleted": {{"name": "appointment", "object": "Open: {}"}}}}]'])
def test_a_name_with_an_accent_goes_from_what_the_desk_s_log_says_of_other_rows(message):
    """In a document, other letters than plain ones are escaped there."""
    (his,) = register_players([NewPlayer("Bézuidenhout", "Chloé")], at=CLOCK)
    line = desk_line(officer(), officer("other@example.org"))
    written = message.format("Chloé Bézuidenhout")
    line.change_message = json.dumps(json.loads(written)) if written.startswith("[") else written
    line.save()
    pseudonym = erase_player(his, at=LATER, by=None, reason="asked for").pseudonym
    line.refresh_from_db()
    assert line.change_message == message.format(pseudonym)


def test_an_address_with_an_accent_goes_from_the_desk_s_log_when_its_account_is_forgotten():
    user, by = User.objects.create_user("chloé@example.org"), officer()
    line = desk_line(by, by, json.dumps([{"changed": {"name": "user", "object": user.email, "fields": []}}]))
    forget_account(user, at=LATER)
    line.refresh_from_db()
    assert json.loads(line.change_message)[0]["changed"]["object"] == GONE


def test_the_files_of_a_month_in_which_he_was_arbiter_only_are_made_without_him():
    """He is on the register and has no rating."""
    (his,) = register_players([NewPlayer("Xylander", "Quentin")], at=CLOCK)
    arbiter = Arbiter.objects.create(name=his.name, title="FA", player=his, number=his.number)
    event = event_of([(*people(2), "1-0")])
    Appointment.objects.create(event=event, arbiter=arbiter, position=1)
    run = publish()
    make_downloads(run.pk, at=CLOCK)
    assert his.last_name.encode() in tournaments()
    erase_player(his, at=LATER, by=None, reason="asked for")
    make_downloads(run.pk, at=LATER)
    his.refresh_from_db()
    assert b"Xylander" not in tournaments()
    assert his.last_name.encode() in tournaments()


def tournaments() -> bytes:
    """What stands in the tournament files of the month."""
    with zipfile.ZipFile(io.BytesIO(bytes(Download.objects.get(name__contains="tournaments").content))) as archive:
        return b"".join(archive.read(name) for name in archive.namelist())


def test_what_stands_beside_his_ids_in_events_goes_however_he_is_called_there(client):
    """Elsewhere it goes if a word of it is of a name of his: an id may stand beside another's name by mistake."""
    (his,) = register_players([NewPlayer("Zungu", "Ntombi")], at=CLOCK)
    his.fide_id = 14398765
    save_player(his)
    event = event_of([(*people(2), "1-0")], name="Cup")
    for name in ("Zwempty Other", "Qznick Zungu"):
        event.organiser_name, event.organiser_number = name, his.number
        event.save()
        record("changed", event, at=CLOCK, by=None, reason=f"{name} organises it")
    Guest.objects.create(section=event.sections.get(), name="Qzabroad, Yara", fide_id=14398765, fide_rating=2000)
    publish()
    pseudonym = erase_player(his, at=LATER, by=None, reason="asked for").pseudonym
    text = " ".join(line for lines in everything().values() for line in lines)
    assert "Qznick" not in text
    assert "Qzabroad" not in text
    assert text.count("Zwempty") == 1  # the reason
    event.refresh_from_db()
    assert event.organiser_name == pseudonym
    assert "Zungu" not in client.get(f"/events/{event.pk}/").content.decode()
    assert list(register_findings()) == []


@pytest.mark.parametrize("erased_goes", [True, False])
def test_who_was_merged_with_him_for_a_while_keeps_nothing_of_his(erased_goes):
    his, others = register_players(
        [NewPlayer("Xylander", "Quentin Zebulon"), NewPlayer("Ywander", "Peregrine Bartholomew " * 3)], at=CLOCK
    )
    his.birth_date, his.fide_id, his.email, his.club = BORN, 14398765, "qz.xyl@example.org", "Xyloclub"
    save_player(his)
    old, new = (his, others) if erased_goes else (others, his)
    merge = merge_players(old, new, reason="thought to be one", at=LATER, sure=True)
    undo_merge(merge, reason="they are two", at=LATER + timedelta(hours=1))
    kept = Player.history.filter(id=others.pk)
    assert not {"2012-02-03", "Xyloclub", 14398765, "qz.xyl@example.org"} & {
        str(value) for row in kept.values_list() for value in row
    }
    others.refresh_from_db()
    before = Player.objects.filter(pk=others.pk).values().get()

    erase_player(Player.objects.get(pk=his.pk), at=LATER + timedelta(days=1), by=None, reason="asked for")

    named = ["Xylander", "Quentin", "2012-02-03", "14398765", "qz.xyl@example.org", "Xyloclub"]
    assert held(everything(), *named) == {}
    assert Player.objects.filter(pk=others.pk).values().get() == before
    reasons = set(Player.history.filter(id=others.pk).values_list("history_change_reason", flat=True))
    assert {"undone: merge"} <= reasons <= {"undone: merge", "merge", None, ""}
    assert verified() == []


def test_what_the_other_had_himself_before_they_were_merged_stays():
    his, others = register_players([NewPlayer("Nel", "Zola"), NewPlayer("Nel", "Zola Mia")], at=CLOCK)
    for row in (his, others):
        row.club = "Shared club"
        save_player(row)
    undo_merge(merge_players(his, others, reason="one", at=LATER, sure=True), reason="two", at=LATER)
    versions = Player.history.filter(id=others.pk).count()
    erase_player(Player.objects.get(pk=his.pk), at=LATER, by=None, reason="asked for")
    assert Player.history.filter(id=others.pk).count() == versions


def test_months_calculated_while_they_were_one_keep_the_year_of_his_birth(played):
    """The run of a corrected month, after the merge in it was taken back."""
    other = register_players([NewPlayer("Ywander", "Peregrine")], at=CLOCK)[0]
    undo_merge(merge_players(other, played, reason="one", at=LATER, sure=True), reason="two", at=LATER)
    run = PublishedRun.objects.get().run
    RunPerson.objects.create(run=run, player=other, born=BORN, registered=CLOCK.date(), number=other.number)
    erase_player(Player.objects.get(pk=played.pk), at=LATER, by=None, reason="asked for")
    assert RunPerson.objects.get(player=other).born == date(2012, 7, 1)


def test_a_file_in_which_his_line_became_anothers_is_replaced(played):
    section = Section.objects.get()
    other = register_players([NewPlayer("Ywander", "Peregrine")], at=CLOCK)[0]
    split_player(played, other, [section], reason="another one played", at=LATER)
    assert publish_again(rerate()).state == "published"
    assert not played_in(played).exists()
    assert Entry.objects.get(player=other).name_in_file
    Entry.objects.filter(player=other).update(fide_id_in_file=14398765, chess_sa_id_in_file=played.number)
    Player.objects.filter(pk=played.pk).update(fide_id=14398765)
    name = played.last_name.encode()
    assert [name in bytes(file.content) for file in SubmittedFile.objects.all()] == [True]
    erase_player(Player.objects.get(pk=played.pk), at=LATER, by=None, reason="asked for")
    (file,) = SubmittedFile.objects.all()
    assert name not in bytes(file.content)
    assert b"Ywander" in bytes(file.content)
    line = Entry.objects.get(player=other)
    assert (line.fide_id_in_file, line.chess_sa_id_in_file) == (None, "")


def test_his_line_before_a_correction_names_him_no_more_however_it_was_spelt(played):
    line = Entry.objects.filter(player=played)
    Player.objects.filter(pk=played.pk).update(fide_id=14398765)
    line.update(
        name_in_file="Gqirana, Xozlani", fide_id_in_file=14398765, match_reason="same FIDE id 14398765; same year"
    )
    others = list(Entry.objects.exclude(player=played).values_list("name_in_file", flat=True))
    other = register_players([NewPlayer("Ywander", "Peregrine")], at=CLOCK)[0]
    split_player(Player.objects.get(pk=played.pk), other, [Section.objects.get()], reason="another played", at=LATER)
    assert publish_again(rerate()).state == "published"
    assert "Gqirana" in str(Amendment.objects.get().before)
    erase_player(Player.objects.get(pk=played.pk), at=LATER, by=None, reason="asked for")
    kept = Amendment.objects.get()
    for gone in ("Gqirana", "14398765"):
        assert gone not in str(kept.before)
    assert all(name in str(kept.before) for name in others)
    assert verified() == []


def test_who_was_met_abroad_before_he_came_on_the_register_is_named_in_no_correction(played):
    """By his FIDE id alone, under another name."""
    section = Section.objects.get()
    guest = Guest.objects.create(section=section, name="Gqirana, Xozlani", fide_id=14398765, fide_rating=1900)
    other = register_players([NewPlayer("Ywander", "Peregrine")], at=CLOCK)[0]
    split_player(played, other, [section], reason="another played", at=LATER)
    record("amended", section, at=LATER, by=None, before={"round 1, Gqirana, Xozlani – Dube": "1-0"}, after={})
    assert publish_again(rerate()).state == "published"
    assert "Gqirana" in str(Amendment.objects.get().after)
    his = register_players([NewPlayer("Xylander", "Quentin", fide_id=14398765)], at=CLOCK)[0]
    erase_player(his, at=LATER, by=None, reason="asked for")
    guest.refresh_from_db()
    his.refresh_from_db()
    assert guest.name == his.last_name
    assert held(everything(), "Gqirana") == {}
    assert verified() == []


def test_what_was_typed_about_a_new_player_goes(played):
    """In the table of new players, and in what the checks say of it; of another on the file it stays."""
    played.fide_id = 14398765
    save_player(played)
    section, submission = Section.objects.get(), Submission.objects.get()
    name, line = played.name, Entry.objects.get(player=played)
    new = {"last_name": played.last_name, "first_name": played.first_name, "fide_id": "14398765"}
    upload = Upload.objects.create(
        event=section.event, section=section, submission=submission, file=submission.file, name="x.trf", at=CLOCK,
        asked_at=CLOCK, report={"new": [new, {"last_name": "Cele", "first_name": "Ann", "fide_id": "1"}]},
    )  # fmt: skip
    for number, called, sex in ((line.number, name, "F"), (line.number + 1, "Ann Cele", "M")):
        answer = f"{called}: gender {sex}."
        Correction.objects.create(
            upload=upload, kind="sex", key=number, value=sex, question="?", answer=answer, at=CLOCK
        )
        SubmissionFinding.objects.create(submission=submission, severity="note", code="corrected-sex", message=answer)
    who = f"{played.last_name} (start number {line.number}) is a new player."
    Correction.objects.create(
        upload=upload, kind="player", key=line.number, value="new", answer=who, at=CLOCK,
        question=f"Who is {played.last_name} (start number {line.number})?",
    )  # fmt: skip
    SubmissionFinding.objects.create(submission=submission, severity="note", code="corrected-player", message=who)
    told = f"Not on FIDE’s list: the first is 14398765, {name}."
    listed = SubmissionFinding.objects.create(submission=submission, severity="note", code="x", message=told)
    pseudonym = erase_player(played, at=LATER, by=None, reason="asked for").pseudonym
    left = f"{pseudonym} (start number {line.number}) is a new player."
    assert set(Correction.objects.values_list("answer", flat=True)) == {"Ann Cele: gender M.", left}
    assert Correction.objects.get(kind="player").question == f"Who is {pseudonym} (start number {line.number})?"
    assert SubmissionFinding.objects.get(code="corrected-player").message == left
    assert list(SubmissionFinding.objects.filter(code="corrected-sex").values_list("message", flat=True)) == [
        "Ann Cele: gender M."
    ]
    listed.refresh_from_db()
    assert listed.message == f"Not on FIDE’s list: the first is (erased), {pseudonym}."
    upload.refresh_from_db()
    assert upload.report == {}


def test_a_link_that_was_mailed_for_him_to_a_parent_keeps_no_address():
    """The address is a sibling's, too, and stays with him."""
    his, sibling = register_players([NewPlayer("Xylander", "Quentin"), NewPlayer("Xylander", "Zola")], at=CLOCK)
    for child in (his, sibling):
        child.email = "parent@example.org"
        save_player(child)
        AbroadLink.objects.create(player=child, sender="player", address="parent@example.org", at=CLOCK)
    erase_player(his, at=LATER, by=None, reason="asked for")
    left = dict(AbroadLink.objects.values_list("player", "address"))
    assert left == {his.pk: "(erased)", sibling.pk: "parent@example.org"}


def test_an_appeal_about_an_event_of_his_keeps_neither_day_nor_id(played):
    played.fide_id = 14398765
    save_player(played)
    section = Section.objects.get()
    refusal = Refusal.objects.create(event=section.event, section=section, at=CLOCK, reason="2012-02-03")
    said = "The child born 2012-02-03 (14398765) did play."
    appeal = Appeal.objects.create(
        refusal=refusal,
        appellant="A. Parent",
        grounds=said,
        at=CLOCK,
        state="dismissed",
        answer=said,
        answered_at=CLOCK,
        answered_by=officer(),
    )
    erase_player(played, at=LATER, by=None, reason="asked for")
    appeal.refresh_from_db()
    gone = "The child born (erased) ((erased)) did play."
    assert (appeal.grounds, appeal.answer) == (gone, gone)
    refusal.refresh_from_db()
    assert refusal.reason == "(erased)"


def test_a_page_of_a_draft_that_names_him_knows_that_it_was_changed():
    """It was open when he was erased, and wrote his name back."""
    (his,) = register_players([NewPlayer("Xylander", "Quentin")], at=CLOCK)
    draft = register_event(details(date(2024, 3, 30), date(2024, 3, 31), organiser_name="Quentin Xylander"), at=CLOCK)
    Event.objects.update(state=State.DRAFT)
    erase_player(his, at=LATER, by=None, reason="asked for")
    found = Event.objects.get()
    assert found.organiser_name != "Quentin Xylander"
    assert found.version == draft.version + 1


def test_an_event_that_is_called_after_him_is_called_after_the_pseudonym(played):
    match = event_of([(*people(2), "1-0")], name=f"{played.name} – Peregrine Ywander")
    Event.objects.filter(pk=match.pk).update(place=f"{played.last_name} House")
    pseudonym = erase_player(played, at=LATER, by=None, reason="asked for").pseudonym
    match.refresh_from_db()
    assert (match.name, match.place) == (f"{pseudonym} – Peregrine Ywander", f"{played.last_name} House")


NAMED = "001    1 m    {name:<33} 1846 RSA             {born}  0.0    1\n"


FORMER = [
    (NAMED.format(name="Xylander-Öz, Quentin", born="1990/00/00").encode("cp1252"), True),
    (NAMED.format(name="Xylander-Oz, Quentin", born="1990/00/00").encode("utf-16"), True),
    (unicodedata.normalize("NFD", NAMED.format(name="XYLANDER-ÖZ, QUENTIN", born="")).encode(), True),
    (b"round,white,black,result\n1,Quentin Xylander-Oz,Other One,1-0\n", True),
    (b"round,white,white_id,black,result\n1,Q. X.,{number},Other One,1-0\n", True),
    (b"round,white,white_fide_id,black,result\n1,Q. X.,14398765,Other One,1-0\n", True),
    (tunx([(1, 2, 1)], [tunx_player({0: "Q. X."}, fide_id=14398765), tunx_player({0: "Other"})]), True),
    (NAMED.format(name="Nel, Zola", born="2012/02/03").encode(), True),  # another is called so, too
    (NAMED.format(name="Nel, Zola", born="2001/02/03").encode(), False),
    (NAMED.format(name="Xylander, Quentin", born="2012/02/03").encode(), False),
]


def test_files_sent_in_before_another_player_stood_on_his_line_are_replaced():
    """They named him by mistake, or are about others; what is in force names the right one."""
    his, _ = register_players([NewPlayer("Nel", "Zola"), NewPlayer("Nel", "Zola")], at=CLOCK)
    held_for_years(his)
    his.birth_date, his.fide_id = BORN, 14398765
    save_player(his)
    his.last_name, his.first_name = "Xylander-Öz", "Quentin"
    save_player(his)
    event = submitted(trf(lines(6), round_robin(6)), code="GAU")
    section = event.sections.get()
    former = {
        str(place): (content.replace(b"{number}", his.number.encode()), named)
        for place, (content, named) in enumerate(FORMER)
    }
    for name, (content, _) in former.items():
        Submission.objects.create(section=section, file=store_file(content), name=name, at=CLOCK, format="TRF16")
    accept_event(event, at=CLOCK, reason="seen", penalty_reason="seen")
    publish()
    erase_player(his, at=LATER, by=None, reason="asked for")
    for name, (content, named) in former.items():
        left = bytes(section.submissions.get(name=name).file.content)
        assert (left != content) == left.startswith(b"012 ") == named, content
    assert bytes(section.submissions.exclude(name__in=former).get().file.content) == trf(lines(6), round_robin(6))


# A table without results, one with ids alone, a line with a character that ends it, a name in capitals without a comma, files
# of Swiss-Manager that end too soon, in which letters of two bytes begin at an even place and at an odd one, old code pages,
# and a zip by the names of what it holds.
WHOLE = tunx([(1, 2, 1)], [tunx_player({0: "Xylander", 1: "Quentin"}), tunx_player({0: "Other"})])
AFTER = WHOLE.index("Quentin".encode("utf-16-le")) + 20


def zipped(*names):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name in names:
            archive.writestr(name, "nothing")
    return file.getvalue()


TABLE = "name,Duel\n\nround,white_id,white_name,white_born,white_fide_id,black_id,black_name{}\n1,{},{}{}\n"
UNREAD = {
    "dos.csv": TABLE.format("", "", '"Xylander-Öz, Quentin",,,,Cele Ann', "").encode("cp850"),
    "mac.csv": TABLE.format("", "", '"Xylander-Öz, Quentin",,,,Cele Ann', "").encode("mac_roman"),
    "names.zip": zipped(*(f"xylander-quentin_report.{ending}" for ending in ("ini", "trn", "sco"))),
    "no-results.csv": TABLE.format("", "", '"Xylander, Quentin",2012-02-03,14398765,,"Cele, Ann"', "").encode(),
    "only-id.csv": TABLE.format("", "{number}", "X.,,,,Y.", "").encode(),
    "nul.trf": b"012 Duel\n001    1 m    Xylander, Quentin                 \x00 RSA 14398765    2012/02/03\n",
    "cut.tunx": WHOLE[:AFTER],
    "cut-odd.tunx": WHOLE[:200] + b"\0" + WHOLE[200:AFTER],
    "capitals.csv": TABLE.format(",result", "", "XYLANDER QUENTIN,,,,Cele Ann", ",1-0").encode(),
}


@pytest.mark.parametrize("name", UNREAD)
@pytest.mark.parametrize("put_away", [True, False])
def test_a_file_that_could_not_be_read_is_waited_for_and_gone_if_it_was_discarded(name, put_away):
    his, _ = register_players([NewPlayer("Xylander", "Quentin"), NewPlayer("Cele", "Ann")], at=CLOCK)
    his.birth_date, his.fide_id = BORN, 14398765
    save_player(his)
    his.last_name = "Xylander-Öz"
    save_player(his)
    event = event_of([(*people(2), "1-0")], name="Other")
    Event.objects.update(state="returned")
    user = officer()
    content = UNREAD[name].replace(b"{number}", his.number.encode())
    upload = push_file(event.sections.get(), name=name, content=content, at=CLOCK, by=user)
    check(upload.pk, today=CLOCK.date())
    if put_away:
        discard(upload, at=CLOCK)
        erase_player(his, at=LATER, by=None, reason="asked for")
        assert not Upload.objects.exists()
        assert not SubmittedFile.objects.filter(sha256=sha256_of(content)).exists()
    else:
        with pytest.raises(EventError, match="names him"):
            erase_player(his, at=LATER, by=None, reason="asked for")
        assert bytes(Upload.objects.get().file.content) == content


@pytest.mark.parametrize(
    ("row", "names_him"),
    [
        ("Xylander\tM\t1977-02-18\tQuentin", True),
        ("QUENTIN;;xylander", True),
        ("X. Y.\t{number}", True),
        ("Xylander\tM\t1977-02-18\tAnn", False),
    ],
)
def test_rows_of_no_line_that_were_pasted_into_a_table_name_him_in_whatever_cells(row, names_him):
    his, _ = register_players([NewPlayer("Xylander", "Quentin"), NewPlayer("Cele", "Ann")], at=CLOCK)
    event = event_of([(*people(2), "1-0")], name="Other")
    Event.objects.update(state="returned")
    content = b"round,white,black,result\n1,Ann Cele,Bo Nel,1-0\n"
    upload = push_file(event.sections.get(), name="x.csv", content=content, at=CLOCK, by=officer())
    Upload.objects.update(typed={"pasted": f"Nel\tBo\n{row.format(number=his.number)}"})
    if not names_him:
        erase_player(his, at=LATER, by=None, reason="asked for")
        assert Upload.objects.get().typed
        return
    with pytest.raises(EventError, match="which is not sent in yet, names him"):
        erase_player(his, at=LATER, by=None, reason="asked for")
    discard(upload, at=CLOCK)
    erase_player(his, at=LATER, by=None, reason="asked for")
    assert not any(upload.typed for upload in Upload.objects.all())


def test_two_wrong_log_ins_with_his_name_keep_no_erasure_away():
    """Both would become one, of the same network and browser."""
    (his,) = register_players([NewPlayer("Xylander", "Quentin")], at=CLOCK)
    for name in ("quentin.xylander@x.example", "quentin_xylander@x.example", "other@x.example"):
        AccessAttempt.objects.create(username=name, ip_address="10.0.0.1", user_agent="x", failures_since_start=1)
    erase_player(his, at=LATER, by=None, reason="asked for")
    kept = {row.pk: row.username for row in AccessAttempt.objects.order_by("pk")}
    first, second, other = kept
    assert kept == {first: "(erased)@x.example", second: f"(erased) {second}", other: "other@x.example"}


def test_a_report_that_a_stranger_never_confirmed_keeps_no_erasure_away(played):
    fields = {"section": Section.objects.get(), "player": played, "month": "2024-03-01", "wrong": "1-0", "right": "0-1"}
    report = ErrorReport.objects.create(**fields, at=CLOCK, role="arbiter", reporter_email="stranger@example.org")
    assert hindrance(played) == ""
    ErrorReport.objects.filter(pk=report.pk).update(confirmed_at=CLOCK)
    assert "is not answered yet" in hindrance(played)


CELLS = "round,white_last_name,white_first_name,white_born,black_last_name,black_first_name\n1,{},{},,Cele,Ann\n"


@pytest.mark.parametrize(
    "content",
    [
        CELLS.format("Ng", "Zoë").encode(),
        CELLS.format("NG", "ZOË").encode("cp1252"),
        CELLS.format("NG", "ZOë").encode("cp850"),
        TABLE.format("", "", '"NG, ZOË",,,,Cele Ann', "").encode(),
        TABLE.format("", "", '"Ng, Zoe",,,,Cele Ann', "").encode(),
        TABLE.format("", "", unicodedata.normalize("NFD", '"NG, ZOË",,,,Cele Ann'), "").encode(),
        tunx([(1, 2, 1)], [tunx_player({0: "NG", 1: "ZOË"}), tunx_player({0: "Other"})]),
    ],
)
def test_a_file_with_a_short_name_that_has_an_accent_goes(content):
    his, _ = register_players([NewPlayer("Ng", "Zoë"), NewPlayer("Cele", "Ann")], at=CLOCK)
    upload = discarded(content)
    erase_player(his, at=LATER, by=None, reason="asked for")
    assert not Upload.objects.filter(pk=upload.pk).exists()


@pytest.mark.parametrize(("last", "first"), [("Åé", "Éø"), ("Li", "Wu"), ("Łé", "Öz"), ("Петров", "Иван")])
@pytest.mark.parametrize("case", [str, str.upper, str.lower])
def test_a_file_with_a_name_without_three_plain_letters_goes_however_it_is_written(last, first, case):
    his, _ = register_players([NewPlayer(last, first), NewPlayer("Cele", "Ann")], at=CLOCK)
    upload = discarded(CELLS.format(case(last), case(first)).encode())
    erase_player(his, at=LATER, by=None, reason="asked for")
    assert not Upload.objects.filter(pk=upload.pk).exists()


def test_few_files_are_read_for_a_name_without_three_plain_letters():
    (his,) = register_players([NewPlayer("Åé", "Zoë")], at=CLOCK)
    traces = Sought.of(person_of(his), names_of(person_of(his), "X")).traces
    assert not any(trace in trf(lines(6), round_robin(6)).lower() for trace in traces)


def discarded(content):
    """A file that was put aside and not sent in."""
    event = event_of([(*people(2), "1-0")], name="Other")
    Event.objects.update(state="returned")
    upload = push_file(event.sections.get(), name="x.csv", content=content, at=CLOCK, by=officer())
    check(upload.pk, today=CLOCK.date())
    discard(upload, at=CLOCK)
    return upload


def test_a_file_that_was_not_looked_at_yet_is_not_lost():
    his, _ = register_players([NewPlayer("Xylander", "Quentin"), NewPlayer("Cele", "Ann")], at=CLOCK)
    event = event_of([(*people(2), "1-0")], name="Other")
    Event.objects.update(state="returned")
    content = UNREAD["capitals.csv"]
    upload = push_file(event.sections.get(), name="x.csv", content=content, at=CLOCK, by=officer())
    with pytest.raises(EventError, match=r"x\.csv of Other, which is not sent in yet, names him"):
        erase_player(his, at=LATER, by=None, reason="asked for")
    upload.refresh_from_db()
    assert (bytes(upload.file.content), upload.file.replaced_at, upload.pending) == (content, None, True)


def test_a_file_that_comes_while_he_is_erased_is_waited_for():
    his, _ = register_players([NewPlayer("Xylander", "Quentin"), NewPlayer("Cele", "Ann")], at=CLOCK)
    event = event_of([(*people(2), "1-0")], name="Other")
    Event.objects.update(state="returned")
    section, by = event.sections.get(), officer()

    def meanwhile(sender, instance, **_):
        if instance.erased_at:
            push_file(section, name="x.csv", content=UNREAD["capitals.csv"], at=LATER, by=by)

    pre_save.connect(meanwhile, Player)
    try:
        with pytest.raises(EventError, match="names him"):
            erase_player(his, at=LATER, by=None, reason="asked for")
    finally:
        pre_save.disconnect(meanwhile, Player)
    assert Player.objects.get(pk=his.pk).last_name == "Xylander"


def test_a_file_of_an_event_that_was_withdrawn_is_waited_for_no_more():
    his, _ = register_players([NewPlayer("Xylander", "Quentin"), NewPlayer("Cele", "Ann")], at=CLOCK)
    event = event_of([(*people(2), "1-0")], name="Other")
    Event.objects.update(state="returned")
    push_file(event.sections.get(), name="x.csv", content=UNREAD["capitals.csv"], at=CLOCK, by=officer())
    Event.objects.update(state="withdrawn")
    erase_player(his, at=LATER, by=None, reason="asked for")
    assert not Upload.objects.exists()
    assert not SubmittedFile.objects.filter(sha256=sha256_of(UNREAD["capitals.csv"])).exists()


def test_after_a_restore_it_goes_whole_and_can_be_sent_again():
    """Of a section without results the bureau has no record of its own to put in its place."""
    his, _ = register_players([NewPlayer("Xylander", "Quentin"), NewPlayer("Cele", "Ann")], at=CLOCK)
    event = event_of([(*people(2), "1-0")], name="Other")
    Event.objects.update(state="returned")
    section, by, content = event.sections.get(), officer(), UNREAD["capitals.csv"]
    push_file(section, name="x.csv", content=content, at=CLOCK, by=by)
    erase_player(his, at=LATER, by=None, reason="asked for", again=True)
    assert not Upload.objects.exists()
    again = push_file(section, name="x.csv", content=content, at=LATER, by=by)
    assert (bytes(again.file.content), again.file.replaced_at) == (content, None)


def test_a_file_of_another_that_could_not_be_read_stays():
    his, _ = register_players([NewPlayer("Xylander", "Quentin"), NewPlayer("Cele", "Ann")], at=CLOCK)
    event = event_of([(*people(2), "1-0")], name="Other")
    Event.objects.update(state="returned")
    his.birth_date, his.fide_id = BORN, 14398765
    save_player(his)
    content = UNREAD["no-results.csv"].replace(b"Quentin", b"Quintin").replace(b"14398765", b"20120203")
    upload = push_file(event.sections.get(), name="x.csv", content=content, at=CLOCK, by=officer())
    check(upload.pk, today=CLOCK.date())
    discard(Upload.objects.get(), at=CLOCK)
    before = Upload.objects.get().report
    erase_player(his, at=LATER, by=None, reason="asked for")
    left = Upload.objects.get()
    assert (bytes(left.file.content), left.report) == (content, before)


@pytest.mark.parametrize("between", ["  ", "\n", "\u00a0", " , ", ",\n"])
def test_a_name_is_found_whatever_stands_between_its_words(between):
    player = register_players([NewPlayer("Xylander", "Quentin")], at=CLOCK)[0]
    texts = [f"Quentin{between}Xylander won"] if "," not in between else [f"Xylander{between}Quentin won"]
    for text in texts:
        Mail.objects.create(kind="x", to="x@example.org", text=text, created_at=CLOCK, state="sent", sent_at=CLOCK)
    pseudonym = erase_player(player, at=LATER, by=None, reason="asked for").pseudonym
    assert [mail.text for mail in Mail.objects.all()] == [f"{pseudonym} won"]


@pytest.mark.parametrize("word", ["漢", "a.", "a@", "Mokoena-", "Mokoena;", "Mokoena (", "Naledi , ", "Mokoena/"])
def test_a_file_without_a_blank_is_searched_as_quickly_as_any(word):
    """As each is that is read as letters of two bytes: one of 5 MB took days."""
    text = word * (1_000_000 // len(word))
    written = {"Naledi Mokoena", "Mokoena, Naledi", "n@example.org"}
    names = Names("X", sure=written, alone={"Mokoena"}, kept={"naledi.mokoena@example.org"})
    assert least_seconds(lambda: names.replaced(text, tied=True, own=True), 2) <= 2


def test_whom_a_player_met_abroad_is_not_named_in_the_form_any_more():
    section = event_of([(*people(2), "1-0")], name="Abroad").sections.get()
    met = register_players([NewPlayer("Vexlington", "Quorra")], at=CLOCK)[0]
    Guest.objects.create(section=section, player=met, name="Vexlington, Q.", fide_id=5147512, performance=1500)
    form = {"games": [{"opponent": "Vexlington, Quorra", "fide_id": 5147512, "round": 1}]}
    Submission.objects.create(
        section=section, file=store_file(json.dumps(form).encode()), name="form", at=CLOCK, format="abroad"
    )
    publish()
    pseudonym = erase_player(met, at=LATER, by=None, reason="asked for").pseudonym
    left = json.loads(bytes(Submission.objects.get(name="form").file.content))
    assert left == {"games": [{"opponent": pseudonym, "fide_id": None, "round": 1}]}


@pytest.mark.parametrize(
    ("opponent", "fide_id", "named"),
    [("Vexlington, Q.", 5147512, True), ("VEXLINGTON, Quorra", None, True), ("Vexlington, Q.", None, False)],
)
def test_a_form_from_abroad_that_was_sent_in_again_with_another_opponent_names_him_no_more(opponent, fide_id, named):
    section = event_of([(*people(2), "1-0")], name="Abroad").sections.get()
    met = register_players([NewPlayer("Vexlington", "Quorra")], at=CLOCK)[0]
    met.fide_id = 5147512
    save_player(met)
    form = {"games": [{"opponent": opponent, "fide_id": fide_id, "round": 1}]}
    Submission.objects.create(
        section=section, file=store_file(json.dumps(form).encode()), name="form", at=CLOCK, format="abroad"
    )
    publish()
    erase_player(met, at=LATER, by=None, reason="asked for")
    left = json.loads(bytes(Submission.objects.get(name="form").file.content))
    assert (left != form) == named
    assert left["games"][0]["fide_id"] is None


def test_an_event_that_is_not_decided_and_names_him_on_anothers_line_is_waited_for():
    event = submitted(trf(lines(6), round_robin(6)), code="GAU")
    player = event.sections.get().entries.first().player
    other = register_players([NewPlayer("Ywander", "Peregrine")], at=CLOCK)[0]
    split_player(player, other, [event.sections.get()], reason="another one played", at=LATER)
    assert not played_in(player).exists()
    with pytest.raises(EventError, match=r"he has a part or a line in .*: erase when it is rated"):
        erase_player(player, at=LATER, by=None, reason="asked for")


def test_what_he_sent_in_is_named_and_its_file_is_called_after_him_no_more(played):
    """The evidence stays; the officer who erases is told of all that may be about him."""
    section = Section.objects.get()
    other = event_of([], name="Other")
    Event.objects.filter(pk=other.pk).update(organiser_number=played.number, state="refused")
    refusal = Refusal.objects.create(event=other, reason="late", at=CLOCK)
    file_name = f"appeal_{played.last_name}-{played.first_name}.pdf"
    appeal = Appeal.objects.create(
        refusal=refusal, appellant="X", grounds="in time", at=CLOCK, state="dismissed", answer="no", answered_at=CLOCK
    )
    report = ErrorReport.objects.create(
        section=section, month="2024-03-01", wrong="a", right="b", role="arbiter", reporter_name="X",
        reporter_email="x@example.org", at=CLOCK, state="rejected", answer="no", answered_at=CLOCK,
    )  # fmt: skip
    elsewhere = event_of([(*people(2), "1-0")], name="Elsewhere")
    for of in ({"appeal": appeal}, {"report": report}, {"event": section.event}, {"event": elsewhere}):
        Attachment.objects.create(**of, file=store_file(str(of).encode()), name=file_name, kind="pdf", at=CLOCK)
    Submission.objects.update(name=f"{played.last_name}_{played.first_name}_3-2-2012.trf")
    told = {(row.appeal_id, row.report_id, row.event_id) for row in evidence_beside(person_of(played))}
    erase_player(played, at=CLOCK, by=None, reason="asked for")
    assert told == {(appeal.pk, None, None), (None, report.pk, None), (None, None, section.event_id)}
    pseudonym = Player.objects.get(pk=played.pk).last_name
    assert set(Attachment.objects.values_list("name", flat=True)) == {f"appeal_{pseudonym}.pdf"}
    assert set(Submission.objects.values_list("name", flat=True)) == {f"{pseudonym}_(erased).trf"}


def test_the_address_that_he_gave_with_a_report_of_his_own_goes(played):
    fields = {
        "section": Section.objects.get(), "player": played, "month": "2024-03-01", "wrong": "1-0", "right": "0-1",
        "reporter_name": "A. Parent", "at": CLOCK, "state": "rejected", "answer": "no", "answered_at": CLOCK,
    }  # fmt: skip
    own = ErrorReport.objects.create(role="player", reporter_email="own@example.org", **fields)
    others = ErrorReport.objects.create(role="arbiter", reporter_email="arbiter@example.org", **fields)
    for report, to in ((own, "own@example.org"), (own, "officer@example.org"), (others, "arbiter@example.org")):
        Mail.objects.create(
            kind="x", to=to, about=key_of(report), text="x", created_at=CLOCK, state="sent", sent_at=CLOCK
        )
    pseudonym = erase_player(played, at=LATER, by=None, reason="asked for").pseudonym
    assert held(everything(), "own@example.org", "A. Parent") == {
        table: rows for table, rows in held(everything(), "A. Parent").items() if "errorreport" in table
    }
    own.refresh_from_db()
    others.refresh_from_db()
    assert (own.reporter_name, own.reporter_email) == (pseudonym, "")
    assert others.reporter_email == "arbiter@example.org"
    assert set(Mail.objects.values_list("to", flat=True)) == {"officer@example.org", "arbiter@example.org"}


@pytest.fixture
def reports():
    """Makes a report of an error in another's section under a name of his, Callum Thornbury; his line on the register."""
    his = register_players([NewPlayer("Thornbury", "Callum")], at=CLOCK)[0]
    section = event_of([(*people(2), "1-0")]).sections.get()

    def make(**fields):
        given = {
            "section": section, "month": "2024-03-01", "wrong": "1-0", "right": "0-1", "at": CLOCK, "role": "arbiter",
            "reporter_name": "Callum Thornbury", "reporter_email": "callum@mail.example", "confirmed_at": CLOCK,
        }  # fmt: skip
        report = ErrorReport.objects.create(**given | fields)
        for to in (report.reporter_email, "officer@example.org"):
            Mail.objects.create(
                kind="x", to=to, about=key_of(report), text="x", created_at=CLOCK, state="sent", sent_at=CLOCK
            )
        return report

    return his, make


ANSWERED = {"state": "rejected", "answer": "no", "answered_at": CLOCK}


@pytest.mark.parametrize(
    ("name", "answered", "stays"),
    [
        ("Ruth Thornbury", {}, True),
        ("Ruth Thornbury", ANSWERED, False),
        ("Ruth Thornbury", {"confirmed_at": None}, False),  # anybody could keep an address so
        ("Callum Thornbury", {}, False),
    ],
)
def test_where_a_parent_waits_for_an_answer_about_another_child_the_address_stays(reports, name, answered, stays):
    his, make = reports
    with_address(his, "ruth@mail.example")
    sister = register_players([NewPlayer("Thornbury", "Isla")], at=CLOCK)[0]
    report = make(player=sister, role="player", reporter_name=name, reporter_email="ruth@mail.example", **answered)
    record("waived", sister, at=CLOCK, by=None, reason="asked by ruth@mail.example")
    erase_player(his, at=LATER, by=None, reason="asked for")
    report.refresh_from_db()
    assert (report.reporter_email == "ruth@mail.example") is stays
    assert Mail.objects.filter(to="ruth@mail.example").exists() is stays
    assert Decision.objects.get(action="waived").reason == "asked by (erased)"


@pytest.mark.parametrize("answered", [ANSWERED, {}])
@pytest.mark.parametrize("role", ["arbiter", "organiser", "administrator"])
def test_the_address_beside_his_name_goes_from_a_report_about_others(reports, role, answered):
    his, make = reports
    report = make(role=role, **answered)
    report.save()
    publish()
    erase_player(his, at=LATER, by=None, reason="asked for")
    assert held(everything(), "callum@mail.example", "Thornbury") == {}
    report.refresh_from_db()
    assert report.reporter_email == ""
    assert [mail.to for mail in Mail.objects.all()] == ["officer@example.org"]


def test_who_reports_as_another_player_keeps_his_address_until_he_is_answered(reports):
    """He may be called so, too."""
    his, make = reports
    fields = {"role": "player", "player": Section.objects.get().games.get().white}
    waits, answered = make(**fields), make(**fields, **ANSWERED)
    publish()
    erase_player(his, at=LATER, by=None, reason="asked for")
    for report in (waits, answered):
        report.refresh_from_db()
    assert (waits.reporter_email, answered.reporter_email) == ("callum@mail.example", "")
    assert {row.reporter_email for row in waits.history.all()} == {"callum@mail.example"}
    assert {row.reporter_email for row in answered.history.all()} == {""}


@pytest.mark.parametrize("other", ["namesake", "account", "name"])
def test_the_address_in_a_report_of_another_stays(reports, other):
    his, make = reports
    fields = {}
    if other == "namesake":
        Arbiter.objects.create(name="Callum Thornbury")
    elif other == "account":
        fields["by"] = User.objects.create_user("callum@mail.example")
    else:
        fields["reporter_name"] = "Calla Thornbury"
    report = make(**ANSWERED, **fields)
    publish()
    erase_player(his, at=LATER, by=None, reason="asked for")
    report.refresh_from_db()
    assert report.reporter_email == "callum@mail.example"
    assert {row.reporter_email for row in report.history.all()} == {"callum@mail.example"}
    assert Mail.objects.filter(to="callum@mail.example").exists()


@pytest.mark.parametrize(("role", "answered"), [("player", True), ("player", False), ("organiser", False)])
def test_a_report_of_his_namesake_in_a_section_of_his_keeps_name_and_address(reports, role, answered):
    """A son of his name reports about himself, and waits for the answer."""
    his, make = reports
    (son,) = register_players([NewPlayer(his.last_name, his.first_name)], at=CLOCK)
    shared = event_of([(his, son, "1-0")], name="Both").sections.get()
    report = make(section=shared, player=son, role=role, **(ANSWERED if answered else {}))
    publish()
    erase_player(his, at=LATER, by=None, reason="asked for")
    report.refresh_from_db()
    assert (report.reporter_name, report.reporter_email) == ("Callum Thornbury", "callum@mail.example")
    assert Mail.objects.filter(to="callum@mail.example").exists()


@pytest.mark.parametrize(
    ("first", "last", "code_page"),
    [
        ("Łukasz", "Wałęsa", "cp1250"),
        ("Łukasz", "Wałęsa", "cp852"),
        ("Mpho", "Mošoeu", "iso-8859-2"),
        ("Иван", "Петров", "cp1251"),
    ],
)  # fmt: skip
def test_a_file_in_any_code_page_that_can_be_answered_goes(first, last, code_page):
    """Read as that of Western Europe, as long as nobody answers, he is called otherwise there."""
    his, _ = register_players([NewPlayer(last, first), NewPlayer("Cele", "Ann")], at=CLOCK)
    event = event_of([(*people(2), "1-0")], name="Other")
    Event.objects.update(state="returned")
    content = TABLE.format("", "", f'"{last}, {first}",,,,Cele Ann', "").encode(code_page)
    upload = push_file(event.sections.get(), name="open.csv", content=content, at=CLOCK, by=officer())
    check(upload.pk, today=CLOCK.date())
    discard(upload, at=CLOCK)
    erase_player(his, at=LATER, by=None, reason="asked for")
    assert not Upload.objects.exists()
