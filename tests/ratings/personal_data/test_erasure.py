"""A person's data is erased: nothing in the database names him any more, and every figure is what it was."""

import io
import json
import re
import zipfile
from contextlib import contextmanager, nullcontext
from datetime import date, timedelta
from string import ascii_lowercase, ascii_uppercase

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import DatabaseError, DataError, IntegrityError, connection, transaction
from django.utils import timezone

from accounts.models import Decision, Mail, User
from accounts.trail.operations import record
from events.archive import store_file
from events.models import (
    Appointment,
    Arbiter,
    Attachment,
    Entry,
    ErrorReport,
    Event,
    Game,
    RatingPeriod,
    Submission,
    Upload,
)
from events.operations import accept_event
from events.rules.states import EventError
from players.models import Player
from players.operations import NewPlayer, register_players, save_player
from ratings.downloads.operations import make_downloads
from ratings.health.waiting import waiting
from ratings.models import Download, Erasure, ImportJob, PublishedRun, Rating, RatingList, RatingRun, RunPerson, Seal
from ratings.moving_in.jobs.operations import create_job
from ratings.moving_in.jobs.worker import process_job
from ratings.moving_in.steps import STEPS
from ratings.personal_data.erasure.names import Names, spellings
from ratings.personal_data.erasure.operations import erase_player
from ratings.rerating.merges import merge_players, undo_merge
from ratings.seals.rows import rows_of
from ratings.verification.beside import register_findings
from ratings.verification.chain import outside_chain, walk_chain
from ratings.verification.months import months_to_calculate, verify_month
from tests.builders import CLOCK, event_of, everything, lines, officer, people, publish, round_robin, submitted, trf

pytestmark = pytest.mark.django_db

BORN = date(2011, 5, 17)
EMAIL = "mother@example.org"


def verified():
    """What `manage.py verify` finds."""
    found = [finding for _, findings in walk_chain() for finding in findings]
    found += [*outside_chain(), *register_findings()]
    return [*found, *(finding for month in months_to_calculate() for finding in verify_month(*month))]


@pytest.fixture
def erased_person():
    """A child of a published month with a file, on the lists of two systems, of whom much is on record."""
    RatingList.objects.create(
        code="us", name="US", system="uscf", edition="2020", position=9, counts_standard=True, starts_from=None
    )
    event = submitted(trf(lines(6), round_robin(6, "1=0")), code="GAU")
    accept_event(event, at=CLOCK, reason="seen", penalty_reason="seen")
    player = event.sections.get().entries.order_by("number").first().player
    player.birth_date, player.club, player.sex, player.fide_id, player.email = BORN, "Zzyxclub", "F", 14398765, EMAIL
    save_player(player)
    run = publish()
    make_downloads(run.pk, at=CLOCK)
    by = officer()
    record(
        "changed",
        player,
        at=CLOCK,
        by=by,
        before={"club": "Oldzzyx", f"round 1, {player.name} (100000001)": "1-0"},
        after={"club": "Zzyxclub"},
        reason=f"{player.name} moved",
    )
    Mail.objects.create(kind="x", to=EMAIL, subject=f"To {player.name}", created_at=CLOCK, state="sent", sent_at=CLOCK)
    Mail.objects.create(
        kind="x", to="x@example.org", text=f"{player.last_name}, {player.first_name}\nplayed", created_at=CLOCK,
        state="sent", sent_at=CLOCK,
    )  # fmt: skip
    user = User.objects.create_user(
        "arbiter@example.org", "a secret here", first_name=player.first_name, last_name=player.last_name
    )
    Arbiter.objects.create(name=player.name, player=player, number=player.number, user=user)
    Upload.objects.create(
        event=event,
        file=store_file(f"001 {player.name}".encode()),
        name="x",
        at=CLOCK,
        asked_at=CLOCK,
        discarded_at=CLOCK,
    )
    report = ErrorReport.objects.create(
        section=event.sections.get(), player=player, month="2024-03-01", wrong="1-0", right=f"{player.name} won",
        proof_url=f"https://{player.first_name}-{player.last_name}.example.org/",
        role="player", reporter_name=player.name, reporter_email=EMAIL, at=CLOCK, state="rejected", answer="no",
        answered_at=CLOCK,
    )  # fmt: skip
    elsewhere = event_of([(*people(2), "1-0")], name="Elsewhere", accept=False)
    Event.objects.filter(pk=elsewhere.pk).update(state="refused")
    Appointment.objects.create(event=elsewhere, arbiter=Arbiter.objects.get(player=player), position=1)
    Submission.objects.create(
        section=elsewhere.sections.get(),
        file=store_file(f"102 {player.name}".encode()),
        name="y.trf",
        at=CLOCK,
        format="TRF16",
    )
    Attachment.objects.create(
        report=report, file=store_file(f"%PDF {player.name}".encode()), name="letter.pdf", kind="pdf", at=CLOCK
    )
    return player


def is_found(names, text):
    """Whether SQLite finds a text by what is searched for: it compares plain letters alone without regard to capitals."""
    small = str.maketrans(ascii_uppercase, ascii_lowercase)
    return any(part.translate(small) in text.translate(small) for part in names.searched)


def held(dump, *texts):
    """Which tables hold one of the texts, in any case."""
    return {
        table: [row[:300] for row in rows if any(text.casefold() in row.casefold() for text in texts)]
        for table, rows in dump.items()
        if any(text.casefold() in row.casefold() for row in rows for text in texts)
    }


def test_nothing_names_him_any_more_and_every_figure_is_what_it_was(erased_person):
    player = erased_person
    first, last = player.first_name, player.last_name
    named = [player.name, f"{last}, {first}", f"{last},{first}", f"{first}', '{last}", f"{last}', '{first}", EMAIL,
             "Zzyxclub", "Oldzzyx", "14398765", "2011-05-17", "2011/05/17", "arbiter@example.org"]  # fmt: skip
    before = everything()
    assert {"players_player", "accounts_decision", "accounts_mail", "events_submittedfile"} <= held(
        before, *named
    ).keys()
    figures = {run: rows_of(run, key) for run, key in Rating.objects.values_list("run", "list").distinct()}
    seals = list(Seal.objects.values_list("hash", flat=True))
    games = list(Game.objects.order_by("pk").values())
    assert RunPerson.objects.get(player=player).born == BORN
    assert verified() == []

    erasure = erase_player(player, at=CLOCK, by=User.objects.get(email="officer@example.org"), reason="his mother asks")

    assert held(everything(), *named) == {}
    player.refresh_from_db()
    assert re.fullmatch(r"Player \d{7}", player.last_name)
    assert player.last_name == erasure.pseudonym
    assert (player.first_name, player.birth_date, player.birth_year) == ("", None, 2011)
    assert (player.fide_id, player.club, player.sex, player.email) == (None, "", "", "")
    assert Entry.objects.filter(player=player).values_list("name_in_file", flat=True)[0] == erasure.pseudonym
    user = Arbiter.objects.get(player=player).user
    assert (user.is_active, user.get_full_name()) == (False, "")
    assert {run: rows_of(run, key) for run, key in Rating.objects.values_list("run", "list").distinct()} == figures
    assert list(Seal.objects.values_list("hash", flat=True)) == seals
    assert list(Game.objects.order_by("pk").values()) == games
    assert RunPerson.objects.get(player=player).born == date(2011, 7, 1)
    assert verified() == []
    told = Decision.objects.filter(action="personal data erased").get()
    assert (told.after, told.reason) == ({"name": erasure.pseudonym}, "his mother asks")


def test_lists_pages_files_and_the_api_show_the_pseudonym(client, erased_person):
    run = PublishedRun.objects.get().run_id
    figures = [row[4:] for row in Rating.objects.filter(run=run).order_by("list", "position").values_list()]
    name, number = erased_person.name, erased_person.number
    erased_at = CLOCK + timedelta(days=700)
    erasure = erase_player(erased_person, at=erased_at, by=None, reason="asked for")
    assert not Download.objects.exists()
    assert [(row.kind, row.since) for row in waiting(at=erased_at)] == [("downloads", erased_at)]
    assert make_downloads(run, at=CLOCK)
    texts = []
    for row in Download.objects.exclude(name="SHA256SUMS"):
        with zipfile.ZipFile(io.BytesIO(bytes(row.content))) as archive:
            texts += [(f"{row.name} {part}", archive.read(part).decode()) for part in archive.namelist()]
    event = Event.objects.get(state="published")
    addresses = [
        "/lists/main/",
        "/lists/main/2024-03/players.csv",
        f"/events/{event.pk}/",
        f"/events/{event.pk}/sections/{event.sections.get().pk}.trf",
        "/api/v1/lists/main/2024-03/",
    ]
    texts += [(address, client.get(address).getvalue().decode()) for address in addresses]
    assert [place for place, text in texts if name in text or erased_person.last_name in text or number in text] == []
    showing = {place.split()[0] for place, text in texts if erasure.pseudonym in text}
    assert {
        *addresses,
        "ratings_main.zip",
        "swiss-manager_main.zip",
        "full_main.zip",
        "fide_main.zip",
        "tournaments.zip",
    } <= showing
    assert [row[4:] for row in Rating.objects.filter(run=run).order_by("list", "position").values_list()] == figures
    assert client.get(f"/players/{number}/").status_code == 404
    for address in (f"/players/?q={erased_person.last_name}", f"/api/v1/players/?q={erased_person.last_name}"):
        assert number not in client.get(address).content.decode()


def test_pages_that_were_kept_are_new(client, erased_person):
    tag = client.get("/lists/main/").headers["ETag"]
    erase_player(erased_person, at=CLOCK, by=None, reason="asked for")
    assert client.get("/lists/main/", headers={"if-none-match": tag}).status_code == 200


@pytest.mark.parametrize("second_name", ["", " Zola"])
def test_a_namesake_keeps_his_name(erased_person, second_name):
    first = f"{erased_person.first_name}{second_name}"
    other = register_players([NewPlayer(erased_person.last_name, first)], at=CLOCK)[0]
    record("changed", other, at=CLOCK, by=None, reason=f"{other.name} moved")
    erase_player(erased_person, at=CLOCK, by=None, reason="asked for")
    assert Decision.objects.filter(subject=f"players.player {other.pk}").get().reason == f"{other.name} moved"
    other.refresh_from_db()
    assert other.first_name == first
    assert not Decision.objects.filter(
        subject=f"players.player {erased_person.pk}", reason__icontains=other.last_name
    ).exists()


def test_a_text_with_his_former_id_is_about_him_and_not_about_his_namesake():
    player, namesake = register_players([NewPlayer("Nel", "Zola"), NewPlayer("Nel", "Zola")], at=CLOCK)
    former = player.number
    player.number = "199999999"
    save_player(player)
    texts = {"his": f"{former} Zola Nel", "the namesake's": f"{namesake.number} Zola Nel"}
    for kind, text in texts.items():
        Mail.objects.create(kind=kind, to="x@example.org", text=text, created_at=CLOCK, state="sent", sent_at=CLOCK)
    pseudonym = erase_player(player, at=CLOCK, by=None, reason="asked for").pseudonym
    assert dict(Mail.objects.values_list("kind", "text")) == {**texts, "his": f"{former} {pseudonym}"}


def test_his_surname_alone_goes_from_reasons_about_him_and_is_a_word_and_anothers_name_elsewhere():
    """Here the surname is a word of the trail's keys, too, and his mother's, who is an officer."""
    player, other = register_players([NewPlayer("Player", "Zola"), NewPlayer("Nel", "Anele")], at=CLOCK)
    mother = User.objects.create_user("anna@player.example", "a secret here", first_name="Anna", last_name="Player")
    for subject in (player, other):
        record("changed", subject, at=CLOCK, by=mother, reason="Mrs Player (anna@player.example) asks")
    told = Decision.objects.filter(action="changed").order_by("pk").values_list("subject", "actor_name", "reason")
    before = list(told)
    about = Mail.objects.create(
        kind="x", to=mother.email, about=before[0][0], text="Mrs Player", created_at=CLOCK, state="sent", sent_at=CLOCK
    )
    erase_player(player, at=CLOCK, by=None, reason="Player asks")
    pseudonym = Player.objects.get(pk=player.pk).last_name
    subject, actor, _ = before[0]
    assert list(told.all()) == [(subject, actor, f"Mrs {pseudonym} (anna@player.example) asks"), before[1]]
    assert not Decision.objects.filter(reason="Player asks").exists()
    assert list(Mail.objects.filter(pk=about.pk).values_list("to", "about")) == [(mother.email, subject)]


def test_whose_surname_is_the_pseudonym_s_first_word_is_called_by_it_once():
    (his,) = register_players([NewPlayer("Player", "Gary")], at=CLOCK)
    record("waived", his, at=CLOCK, by=None, reason="Gary Player asked; Mr Player, as Player 7654321 before him")
    erase_player(his, at=CLOCK, by=None, reason="Gary Player asks")
    name = Player.objects.get(pk=his.pk).last_name
    told = Decision.objects.get(action="waived")
    assert told.reason == f"{name} asked; Mr {name}, as Player 7654321 before him"
    assert told.subject_name == f"{name} ({his.number})"
    assert Decision.objects.get(action="personal data erased").reason == f"{name} asks"


def test_the_trail_is_closed_again_afterwards(erased_person):
    erase_player(erased_person, at=CLOCK, by=None, reason="asked for")
    for change in (lambda: Decision.objects.update(reason="x"), lambda: Decision.objects.all().delete()):
        with pytest.raises(DatabaseError, match="only added"), transaction.atomic():
            change()


@pytest.mark.parametrize(
    "fields",
    [{"last_name": "Botha"}, {"first_name": "Jan"}, {"email": "a@example.org"}, {"club": "x"}, {"fide_id": 14300077},
     {"sex": "M"}, {"hidden_since": None}],
)  # fmt: skip
def test_nothing_brings_a_name_back(erased_person, fields):
    erase_player(erased_person, at=CLOCK, by=None, reason="asked for")
    with pytest.raises(IntegrityError), transaction.atomic():
        Player.objects.filter(pk=erased_person.pk).update(**fields)


def test_a_second_officer_is_told(erased_person):
    erase_player(erased_person, at=CLOCK, by=None, reason="asked for")
    with pytest.raises(EventError, match="erased already"):
        erase_player(erased_person, at=CLOCK, by=None, reason="asked for")
    assert Erasure.objects.count() == 1


def test_an_erasure_needs_a_reason(erased_person):
    with pytest.raises(EventError, match="say why"):
        erase_player(erased_person, at=CLOCK, by=None, reason="  ")


def test_a_list_that_may_name_him_is_decided_first(erased_person):
    job = ImportJob.objects.create(kind="register", state="ready", filename="a.csv", size=1, at=CLOCK, asked_at=CLOCK)
    job.pieces.create(position=1, content=b"x")
    with pytest.raises(EventError, match="neither taken nor discarded"):
        erase_player(erased_person, at=CLOCK, by=None, reason="asked for")


def test_what_is_not_decided_is_waited_for():
    event = submitted(trf(lines(6), round_robin(6)), code="GAU")
    player = event.sections.get().entries.first().player
    with pytest.raises(EventError, match="erase when it is rated"):
        erase_player(player, at=CLOCK, by=None, reason="asked for")
    player.refresh_from_db()
    assert player.erased_at is None


def test_an_officer_is_no_officer_first(erased_person):
    User.objects.filter(email="arbiter@example.org").update(is_officer=True)
    with pytest.raises(EventError, match="a superuser ends that first"):
        erase_player(erased_person, at=CLOCK, by=None, reason="asked for")


@contextmanager
def since_the_back_up(listed):
    """What is done here is written to a list of erasures, and gone again: an older back-up was restored."""
    with transaction.atomic():
        yield
        call_command("erasures", write=str(listed))
        assert listed.stat().st_mode & 0o777 == 0o600
        transaction.set_rollback(True)


def test_after_an_older_back_up_it_is_done_again_from_the_list(erased_person, tmp_path):
    listed = tmp_path / "erasures.jsonl"
    with since_the_back_up(listed):
        pseudonym = erase_player(erased_person, at=CLOCK, by=None, reason="his mother asks").pseudonym
    assert "mother" not in listed.read_text()
    assert Player.objects.get(pk=erased_person.pk).first_name == erased_person.first_name
    call_command("erasures", again=str(listed))
    call_command("erasures", again=str(listed))
    assert Player.objects.get(pk=erased_person.pk).last_name == pseudonym
    assert Erasure.objects.get().pseudonym == pseudonym
    assert verified() == []


def claimed_run(month: date) -> RatingRun:
    """A run of a month that is not published, which a worker holds."""
    period, _ = RatingPeriod.objects.get_or_create(month=month)
    run = RatingRun.objects.create(
        period=period, state="running", queued_at=CLOCK, lease_until=timezone.now() + timedelta(seconds=90)
    )
    RatingPeriod.objects.filter(pk=period.pk).update(state="calculating")
    return run


@pytest.mark.parametrize("ahead", [False, True])
def test_after_a_back_up_of_amid_a_run_it_is_done_again_once_no_worker_holds_that(erased_person, tmp_path, ahead):
    """Nor a clock that was ahead then."""
    listed = tmp_path / "erasures.jsonl"
    with since_the_back_up(listed):
        erase_player(erased_person, at=CLOCK, by=None, reason="his mother asks")
    run = claimed_run(date(2024, 5, 1))
    with pytest.raises(CommandError, match=f"a worker holds {run}, or did so .*: erase when that is done$"):
        call_command("erasures", again=str(listed))
    until = timezone.now() + (timedelta(days=30) if ahead else timedelta(0))
    RatingRun.objects.filter(pk=run.pk).update(lease_until=until)
    call_command("erasures", again=str(listed))
    assert Player.objects.get(pk=erased_person.pk).erased_at is not None


def test_the_list_forgets_no_erasure_that_the_database_lacks(erased_person, tmp_path, capsys):
    """As after an older back-up was restored: it is written at night, perhaps before anybody has erased again."""
    listed = tmp_path / "erasures.jsonl"
    with since_the_back_up(listed):
        erase_player(erased_person, at=CLOCK, by=None, reason="his mother asks")
    before = listed.read_text()
    call_command("erasures", write=str(listed))
    assert listed.read_text() == before
    assert "1 line of" in capsys.readouterr().err
    call_command("erasures", again=str(listed))
    call_command("erasures", write=str(listed))
    (line,) = listed.read_text().splitlines()
    assert json.loads(line)["player"] == erased_person.pk
    listed.write_text("what is no list")
    with pytest.raises(CommandError, match="is no list of erasures"):
        call_command("erasures", write=str(listed))
    assert listed.read_text() == "what is no list"


def test_the_list_keeps_whom_it_named_when_another_of_his_key_is_erased(tmp_path):
    """As after a back-up of before he was registered: the key is given again, and a later back-up has him."""
    listed = tmp_path / "erasures.jsonl"
    for last_name, back_up in (("Xylander", True), ("Nkosi", False)):
        with since_the_back_up(listed) if back_up else nullcontext():
            (player,) = register_players([NewPlayer(last_name, "Thandi")], at=timezone.now())
            Player.objects.filter(pk=player.pk).update(id=7_000_001)
            Player.history.filter(id=player.pk).update(id=7_000_001)
            erase_player(Player.objects.get(pk=7_000_001), at=timezone.now(), by=None, reason="asked for")
    call_command("erasures", write=str(listed))
    call_command("erasures", write=str(listed))
    told = [json.loads(line) for line in listed.read_text().splitlines()]
    assert [line["player"] for line in told] == [7_000_001, 7_000_001]
    assert len({line["pseudonym"] for line in told}) == 2


def test_a_list_that_is_not_there_is_named(tmp_path):
    with pytest.raises(CommandError, match=r"erasures.jsonl cannot be read: No such file or directory$"):
        call_command("erasures", again=str(tmp_path / "erasures.jsonl"))


def test_who_was_merged_after_the_back_up_is_erased_again_with_him(tmp_path):
    listed = tmp_path / "erasures.jsonl"
    old, new = register_players([NewPlayer("Nel", "Zola"), NewPlayer("Nel", "Zola Mia")], at=CLOCK)
    with since_the_back_up(listed):
        merge_players(old, new, taken=[], reason="one person", at=CLOCK, sure=True)
        pseudonym = erase_player(new, at=CLOCK, by=None, reason="asked for").pseudonym
    assert Player.objects.get(pk=old.pk).merged_into is None
    call_command("erasures", again=str(listed))
    assert set(Player.objects.values_list("last_name", flat=True)) == {pseudonym}


@pytest.mark.parametrize(
    "tied_by",
    [lambda his: {"player": his}, lambda his: {"number": his.number}, lambda his: {"fide_id": his.fide_id}],
    ids=["player", "number", "FIDE id"],
)
def test_after_an_older_back_up_his_record_and_account_of_since_go_too(tmp_path, tied_by):
    listed = tmp_path / "erasures.jsonl"
    (his,) = register_players([NewPlayer("Xylander", "Quentin", fide_id=14398765)], at=CLOCK)
    user = User.objects.create_user("his@example.org", first_name="Quentin")
    arbiter = Arbiter.objects.create(name="Quentin Xylander")
    with since_the_back_up(listed):
        Arbiter.objects.filter(pk=arbiter.pk).update(user=user, **tied_by(his))
        erase_player(his, at=timezone.now(), by=None, reason="asked for")
    call_command("erasures", again=str(listed))
    arbiter.refresh_from_db()
    user.refresh_from_db()
    assert arbiter.name == Player.objects.get().last_name
    assert (user.first_name, user.is_active) == ("", False)
    assert "Xylander" not in " ".join(line for lines in everything().values() for line in lines)


def test_who_got_a_key_that_was_free_again_after_the_restore_is_not_erased(tmp_path):
    listed = tmp_path / "erasures.jsonl"
    (his,) = register_players([NewPlayer("Xylander", "Quentin")], at=CLOCK)
    with since_the_back_up(listed):
        user = User.objects.create_user("his@example.org")
        arbiter = Arbiter.objects.create(name="Q Xylander", player=his, number=his.number, user=user)
        erase_player(his, at=timezone.now(), by=None, reason="asked for")
    other = User.objects.create_user("hers@example.org", pk=user.pk, first_name="Thandi", last_name="Nkosi")
    hers = Arbiter.objects.create(pk=arbiter.pk, name="Thandi Nkosi")
    call_command("erasures", again=str(listed))
    for row in (his, other, hers):
        row.refresh_from_db()
    assert his.erased_at is not None
    assert (other.email, other.is_active, hers.name) == ("hers@example.org", True, "Thandi Nkosi")


def test_who_got_the_key_of_whom_a_clock_ahead_registered_and_erased_is_not_erased(tmp_path, capsys):
    listed, ahead = tmp_path / "erasures.jsonl", timezone.now() + timedelta(days=30)
    with since_the_back_up(listed):
        (his,) = register_players([NewPlayer("Xylander", "Quentin")], at=ahead)
        erase_player(his, at=ahead, by=None, reason="asked for")
    (other,) = register_players([NewPlayer("Nkosi", "Thandi")], at=timezone.now())
    Player.objects.filter(pk=other.pk).update(id=his.pk)
    with pytest.raises(CommandError, match="under a key that was free again"):
        call_command("erasures", again=str(listed))
    assert Player.objects.get(pk=his.pk).last_name == "Nkosi"


@pytest.mark.parametrize("state", ["reading", "taking"])
def test_a_list_that_a_worker_was_at_in_the_back_up_is_put_away_too(erased_person, tmp_path, state):
    """No worker runs before the site is up: --again erased nobody, and the list was taken afterwards."""
    listed = tmp_path / "erasures.jsonl"
    with since_the_back_up(listed):
        erase_player(erased_person, at=CLOCK, by=None, reason="asked for")
    job = create_job(
        ImportJob.Kind.REGISTER, filename="x.csv", chunks=[b"Surname\nDube\n"], at=CLOCK, by=officer("a@example.org")
    )
    ImportJob.objects.filter(pk=job.pk).update(state=state, lease_until=timezone.now() + timedelta(minutes=2))
    call_command("erasures", again=str(listed))
    job.refresh_from_db()
    erased_person.refresh_from_db()
    assert (job.state, erased_person.erased_at is None) == ("discarded", False)


def test_a_list_that_waits_in_the_back_up_is_put_away_before_he_is_erased_again(erased_person, tmp_path, capsys):
    listed = tmp_path / "erasures.jsonl"
    with since_the_back_up(listed):
        erase_player(erased_person, at=CLOCK, by=None, reason="asked for")
    content = f"Surname,First name\n{erased_person.last_name},{erased_person.first_name}\n".encode()
    job = create_job(
        ImportJob.Kind.REGISTER, filename="kids.csv", chunks=[content], at=CLOCK, by=officer("chief@example.org")
    )
    process_job(job.pk, STEPS[job.kind])
    call_command("erasures", again=str(listed))
    assert "kids.csv" in capsys.readouterr().err
    job.refresh_from_db()
    assert (job.state, job.pieces.count()) == ("discarded", 0)
    assert erased_person.last_name not in str(job.summary)


def test_a_player_whose_erasure_fails_keeps_no_other_from_being_erased_again(tmp_path):
    listed = tmp_path / "erasures.jsonl"
    first, second = register_players([NewPlayer("Nel", "Zola"), NewPlayer("Botha", "Mia")], at=CLOCK)
    with since_the_back_up(listed):
        pseudonym = erase_player(first, at=CLOCK, by=None, reason="asked for").pseudonym
        erase_player(second, at=CLOCK + timedelta(minutes=1), by=None, reason="asked for")

    def fails(execute, sql, parameters, many, context):
        if pseudonym in str(parameters):
            raise DataError
        return execute(sql, parameters, many, context)

    with connection.execute_wrapper(fails), pytest.raises(CommandError, match=f"player {first.pk}: .* fault of this"):
        call_command("erasures", again=str(listed))
    assert [row.erased_at is None for row in Player.objects.order_by("pk")] == [True, False]
    call_command("erasures", again=str(listed))
    assert Player.objects.get(pk=first.pk).last_name == pseudonym


@pytest.mark.parametrize("erased", [0, 1])
def test_of_two_who_were_one_in_the_back_up_nobody_is_erased_for_the_other(erased, tmp_path):
    listed = tmp_path / "erasures.jsonl"
    two = register_players([NewPlayer("Nel", "Zola"), NewPlayer("Nel", "Zola Mia")], at=CLOCK)
    with since_the_back_up(listed):
        erase_player(two[erased], at=CLOCK, by=None, reason="asked for")
    merge = merge_players(*two, taken=[], reason="one person", at=CLOCK, sure=True)
    before = everything()
    with pytest.raises(CommandError, match="who was not erased, are merged in this database: undo that merge"):
        call_command("erasures", again=str(listed))
    assert everything() == before
    undo_merge(merge, reason="two persons", at=CLOCK)
    call_command("erasures", again=str(listed))
    assert [row.erased_at is not None for row in Player.objects.order_by("pk")] == [erased == 0, erased == 1]


def test_a_player_registered_since_is_not_erased_in_anothers_place(tmp_path):
    """After a restore, keys that were given before are given again."""
    listed = tmp_path / "erasures.jsonl"
    with since_the_back_up(listed):
        gone = register_players([NewPlayer("Nel", "Zola")], at=CLOCK)[0]
        erase_player(gone, at=CLOCK + timedelta(days=1), by=None, reason="asked for")
    other = register_players([NewPlayer("Botha", "Mia")], at=CLOCK + timedelta(days=2))[0]
    listed.write_text(listed.read_text().replace(f'"player": {gone.pk},', f'"player": {other.pk},'))
    with pytest.raises(CommandError, match="came on the register after"):
        call_command("erasures", again=str(listed))
    assert Player.objects.get().last_name == "Botha"


@pytest.mark.parametrize("born", [date(2011, 7, 1), None])
def test_months_in_which_only_his_year_was_known_are_not_read_again(erased_person, born, monkeypatch):
    RunPerson.objects.filter(player=erased_person).update(born=born)
    monkeypatch.setattr("ratings.personal_data.erasure.operations.read_input", None)
    erase_player(erased_person, at=CLOCK, by=None, reason="asked for")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Jan Botha won", "Player 1234567 won"),
        ("BOTHA, JAN PIETER", "Player 1234567"),
        ("Botha,Jan", "Player 1234567"),
        ("Botha  Jan", "Player 1234567"),
        ('"Botha", "Jan"', '"Player 1234567"'),
        ("“Jan” “Botha”", "“Player 1234567”"),
        ("Jan Bothalund", "Jan Bothalund"),
        ("Jan Botha-Nel", "Jan Botha-Nel"),
        ("Botha", "Botha"),
        ("Mia Botha", "Mia Botha"),
        ("see https://jan-botha.example.org/Jan_Botha.html", "see https://(erased).example.org/(erased).html"),
        ("www.example.org/?q=Jan+Botha&x=1", "www.example.org/?q=(erased)&x=1"),
        ("www.example.org/jan%20botha", "www.example.org/(erased)"),
        ("write to botha.jan@example.org", "write to (erased)@example.org"),
        ("https://example.org/jan-bothalund/mia-botha", "https://example.org/jan-bothalund/mia-botha"),
        ("Botha_Jan_23-5-2001.trf", "Player 1234567_23-5-2001.trf"),
        ("proof_of_jan_botha.pdf", "proof_of_Player 1234567.pdf"),
        ("jan-botha2014.trf, 2014Botha_Jan.trf", "Player 1234567 2014.trf, 2014Player 1234567.trf"),
        ("Jan Botha2014", "Player 1234567 2014"),
        ("jan-pieter-botha-permission.pdf", "Player 1234567-permission.pdf"),
        ("see Jan.Botha", "see Player 1234567"),
        ("Botha;Jan;RSA", "Player 1234567;RSA"),
        ('12;"Botha";"Jan Pieter";RSA', '12;"Player 1234567";RSA'),
        ("Jan, Botha", "Player 1234567"),
        ("12,Jan-Pieter,Botha,1990", "12,Player 1234567,1990"),
        ("of Botha/Jan", "of Player 1234567"),
        ("it says Botha: Jan, too", "it says Player 1234567, too"),
        ("against Botha (Jan) and Nel (Jan)", "against Player 1234567 and Nel (Jan)"),
        ("https://example.org/?n=Botha%2C+Jan", "https://example.org/?n=(erased)"),
        ("https://example.org/?n=Botha%2C%20Jan&x=1", "https://example.org/?n=(erased)&x=1"),
        ("https://example.org/botha/jan", "https://example.org/botha/jan"),
        ("mia_botha.pdf, jan_bothalund.pdf", "mia_botha.pdf, jan_bothalund.pdf"),
    ],
)
def test_a_name_is_found_as_it_is_written(text, expected):
    names = Names("Player 1234567", sure=spellings("Jan Pieter", "Botha"))
    assert names.replaced(text, tied=False) == expected


@pytest.mark.parametrize(
    "name",
    [
        "Seán O’Rourke",
        "Sean ORourke",
        "O`Rourke, Sean",
        "Seán O'Rourke-Blackwood",
        "Seán O’Rourke Blackwood",
        "Seán O Rourke",
        "Seán O-Rourke",
        "Seán O''Rourke",
        "Seán O&#39;Rourke",
        "Sean O&#x27;Rourke",
    ],
)
def test_a_name_is_found_with_whichever_apostrophes_and_hyphens(name):
    """Telephones and word processors write others than the register has."""
    written = {*spellings("Seán", "O'Rourke"), *spellings("Seán", "O'Rourke-Blackwood")}
    names = Names("Player 1234567", sure=written)
    assert names.replaced(f"Of {name}.", tied=False) == "Of Player 1234567."
    assert is_found(names, name)


@pytest.mark.parametrize("sign", "‐‑‒–—―−﹣－")
def test_a_name_that_the_register_has_with_another_dash_is_found_with_a_hyphen(sign):
    names = Names("Player 1234567", sure=spellings("Zandile", f"Vexelby{sign}Nel"))
    for text in ("Zandile Vexelby-Nel", f"Vexelby{sign}Nel, Zandile", "Zandile Vexelby Nel"):
        assert names.replaced(f"Of {text}.", tied=False) == "Of Player 1234567."
        assert is_found(names, text)


@pytest.mark.parametrize("sign", "’‘ʼ`´′ʻʹ＇‛ˈ՚")
def test_a_name_that_the_register_has_with_another_apostrophe_is_found_with_a_plain_one(sign):
    names = Names("Player 1234567", sure=spellings("Seán", f"O{sign}Rourke"))
    for text in ("Sean O'Rourke", f"O{sign}Rourke, Seán", "Sean ORourke"):
        assert names.replaced(f"Of {text}.", tied=False) == "Of Player 1234567."
        assert is_found(names, text)


@pytest.mark.parametrize(
    ("first", "last", "texts"),
    [
        ("Renee", "St. Clair", ["Renee St. Clair", "Renee St Clair", "St Clair, Renee", "ST. CLAIR, RENEE"]),
        ("Renee", "St Clair", ["Renee St. Clair", "St. Clair, Renee", "Renee St Clair"]),
        ("Jan", "Botha Jr.", ["Jan Botha Jr", "Jan Botha Jr.", "Botha Jr, Jan"]),
        ("J.P.", "Malan", ["JP Malan", "J.P. Malan", "Malan, J.P.", "Malan, JP"]),
        ("John P", "Smith", ["John P. Smith", "Smith, John P", "Smith, John P."]),
    ],
)
def test_a_name_is_found_with_and_without_full_stops(first, last, texts):
    names = Names("Player 1234567", sure=spellings(first, last))
    for text in texts:
        assert names.replaced(text, tied=False).rstrip(".") == "Player 1234567", text
        assert is_found(names, text)
    assert names.replaced(f"Seen by Anna. {last} was there", tied=False) == f"Seen by Anna. {last} was there"


@pytest.mark.parametrize("text", ["Anne-Marie Botma", "ANNE-MARIE BOTMA", "Botma, Anne–Marie", "Anne - Marie Botma"])
def test_a_name_of_two_words_is_found_where_a_hyphen_joins_them(text):
    names = Names("Player 1234567", sure=spellings("Anne Marie", "Botma"))
    assert names.replaced(f"Of {text}.", tied=False) == "Of Player 1234567."
    assert is_found(names, text)


@pytest.mark.parametrize("text", ["Merwe, Zoë van der", "MERWE, Zoë VAN DER", "Merwe Zoë van der", "Zoë van der Merwe"])
def test_a_name_is_found_with_its_particles_behind_it(text):
    names = Names("Player 1234567", sure=spellings("Zoë", "van der Merwe"))
    assert names.replaced(f"Of {text}.", tied=False) == "Of Player 1234567."


@pytest.mark.parametrize("text", ["Renée Müller", "RENEE MÜLLER", "renée muller", "Muller, Renee", "Müller,  Renee"])
def test_a_name_is_found_with_the_accents_of_some_of_its_words(text):
    assert Names("Player 1234567", sure=spellings("Renée", "Müller")).replaced(text, tied=False) == "Player 1234567"


@pytest.mark.parametrize(
    ("first", "last", "texts"),
    [
        ("Søren", "Nørgaard", ["Soren Norgaard", "SØREN NØRGAARD", "Norgaard, Søren", "soren.norgaard@example.org"]),
        (
            "Łukasz",
            "Großmüller",
            ["Lukasz Grossmuller", "ŁUKASZ GROSSMÜLLER", "LUKASZ GROẞMÜLLER", "Łukasz Großmuller"],
        ),
        ("Æsa", "Þórðarson", ["Aesa Thordarson", "ÆSA ÞÓRÐARSON", "AESA THORDARSON", "Thórdarson, Aesa"]),
        ("Đorđe", "Cœur", ["Dorde Coeur", "DORDE CŒUR"]),
        ("Işıl", "Yıldız", ["Isil Yildiz", "IŞIL YILDIZ", "Işıl Yildiz"]),
        ("Zoë Anne", "Müller-Nel", ["Zoë Mueller-Nel", "MUELLER-NEL ZOE", "ZoÃ« MÃ¼ller-Nel"]),
        ("Søren", "Åkesson", ["Soeren Aakesson", "SØREN AAKESSON", "Aakesson, Søren"]),
    ],
)
def test_a_name_is_found_though_letters_without_accents_are_written_plainly(first, last, texts):
    """As FIDE and mails write them, and as the register takes them for one."""
    names = Names("Player 1234567", sure=spellings(first, last))
    for text in texts:
        left = names.replaced(text, tied=False)
        assert left == ("(erased)@example.org" if "@" in text else "Player 1234567"), text
        assert is_found(names, text)


def test_a_name_of_many_letters_that_are_written_plainly_has_few_spellings():
    assert len(spellings("Åø Åø Åø Åø Åø", "Öß Öß Öß Öß")) < 50


def test_of_a_name_of_many_accented_words_few_spellings_are_looked_for():
    written = spellings("É É É É É É", "Ö Ö Ö Ö Ö Ö")
    assert "E E E E E E O O O O O O" in written
    assert len(written) < 40


def test_a_name_in_two_parts_of_a_document_is_found():
    names = Names("Player 1234567", sure=spellings("Zoë", "Nel"))
    new = [{"last_name": "Nel", "first_name": "Zoe", "sex": "F"}, {"last_name": "Nel", "first_name": "Ann"}]
    his = {"last_name": "Player 1234567", "first_name": "", "sex": "F"}
    assert names.replaced({"new": new}, tied=False) == {"new": [his, new[1]]}


def test_a_document_is_searched_to_its_leaves():
    names = Names("Player 1234567", sure=spellings("Zoë", "Nel"), private={"14398765", "2011-05-17"})
    document = {"a": [{"name": "Zoë Nel", "fide_id": 14398765, "round": 1}], "b": "Nel, Zoe born 2011-05-17", "c": True}
    assert names.replaced(document, tied=True) == {
        "a": [{"name": "Player 1234567", "fide_id": None, "round": 1}],
        "b": "Player 1234567 born (erased)",
        "c": True,
    }
    assert names.replaced("born 2011-05-17", tied=False) == "born 2011-05-17"
    corrected = "Zoë Nel was born 2011-05-17 and has the FIDE id 14398765."
    assert names.replaced(corrected, tied=False) == "Player 1234567 was born (erased) and has the FIDE id (erased)."
