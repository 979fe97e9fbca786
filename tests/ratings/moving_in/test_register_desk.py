"""The register from a file on the desk: uploaded, read, looked at, answered, taken, undone."""

import re
from dataclasses import replace
from datetime import date

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from accounts.models import Decision, User
from players.models import Player, RegisterImport
from ratings.duplicates.operations import refresh_duplicates
from ratings.models import ImportJob, LikelyDuplicate, ListedPlayer
from ratings.moving_in.jobs.desk import FileForm
from ratings.moving_in.jobs.operations import forget_lines
from ratings.moving_in.jobs.worker import process_job
from ratings.moving_in.register.desk import DESK
from ratings.moving_in.steps import STEPS
from tests.builders import event_of, officer, player

pytestmark = pytest.mark.django_db
HEAD = "Chess SA id,Surname,First names,Born,Sex,FIDE id,Region,Club\n"
BRING = "/admin/ratings/importjob/bring/register/"


@pytest.fixture
def desk(client):
    """The desk of an officer."""
    client.force_login(officer())
    return client


def work() -> ImportJob:
    """What a worker does."""
    job = ImportJob.objects.get()
    return process_job(job.pk, STEPS[job.kind])


def send(desk, *lines, head=HEAD) -> str:
    """Bring a list in and have it read; the address of its page."""
    content = (head + "".join(f"{line}\n" for line in lines)).encode()
    answer = desk.post(BRING, {"file": SimpleUploadedFile("list.csv", content)})
    assert answer.status_code == 302, answer.content.decode()
    work()
    return answer.headers["Location"]


def page(desk, address, query="") -> str:
    return " ".join(desk.get(f"{address}{query}").content.decode().split())


def press(desk, address, do, **fields) -> ImportJob:
    """Press a button, and let a worker do what it asked for."""
    assert desk.post(address, {"do": do, **fields}).status_code == 302
    return work()


@pytest.mark.parametrize("end", ["take", "discard"])
def test_values_by_which_columns_are_chosen_go_with_the_file(desk, end):
    address = send(desk, ",Cele,Bets,2001,M,14300002,,")
    assert ["Cele"] in ImportJob.objects.get().summary["samples"]
    assert desk.post(address, {"do": end}).status_code == 302
    if end == "take":
        work()
    job = ImportJob.objects.get()
    assert "Cele" not in f"{job.summary}{job.options}"
    assert "14300002" not in f"{job.summary}{job.options}"
    assert desk.get(address).status_code == 200


def test_a_list_that_is_forgotten_quotes_nothing_and_has_its_page(desk):
    address = send(desk, ",Cele,Bets,2001,M,14300002,,", ",Dube,Zanele,2001-02-31,,,,")
    ImportJob.objects.update(state="taken")
    forget_lines(ImportJob.objects.get())
    job = ImportJob.objects.get()
    assert not {"Cele", "Dube", "14300002"} & set(re.findall(r"\w+", f"{job.summary}{job.options}"))
    assert "no longer kept" in page(desk, address)


def test_a_list_is_shown_taken_and_undone(desk):
    player("Mokoena", "Naledi", national_id="100000001", birth_date=date(1990, 5, 17))
    address = send(desk, "100000001,Mokoena,Naledi,,F,,,Wits", ",Cele,Bets,2001,M,14300002,,", ",Dube,Ann,1999,F,,,")
    shown = page(desk, address)
    assert "<strong>2</strong> new" in shown
    assert 'Sex: <span class="before">–</span> → <strong>F</strong>' in shown
    assert "this puts 2 new players and 1 changed one on the register" in shown
    assert Player.objects.count() == 1
    assert press(desk, address, "take").state == "taken"
    assert Player.objects.count() == 3
    assert Decision.objects.get().after["answered"] == "0 as on the register, 0 as new, 0 left out"
    bets = Player.objects.get(last_name="Cele")
    taken = page(desk, address)
    assert "Undo the whole import" in taken
    assert f"/admin/players/player/{bets.pk}/change/" in taken
    assert press(desk, address, "undo").state == "undone"
    assert Player.objects.get().club == ""
    assert [row.action for row in Decision.objects.order_by("pk")] == ["register imported", "register import undone"]
    assert "the register is as it was" in page(desk, address)


def test_what_depends_on_an_import_is_said_instead_of_the_button(desk):
    address = send(desk, ",Cele,Bets,2001,M,,,", ",Dube,Ann,1999,F,,,")
    press(desk, address, "take")
    cele, dube = Player.objects.order_by("last_name")
    event_of([(cele, dube, "1-0")])
    shown = page(desk, address)
    assert "has games by now" in shown
    assert "Undo the whole import" not in shown
    assert "has games" in press(desk, address, "undo").error
    assert Player.objects.count() == 2


def test_an_import_can_be_undone_though_its_players_were_found_to_be_likely_duplicates(desk):
    player("Mokoena", "Naledi", birth_date=date(1990, 5, 17))
    address = send(desk, ",Mokoena,Nalede,1990-05-17,,,,", ",Cele,Bets,2001,M,,,")
    press(desk, address, "answer-all", how="new")
    press(desk, address, "take")
    assert refresh_duplicates(at=timezone.now())
    assert LikelyDuplicate.objects.count() == 1
    assert "Undo the whole import" in page(desk, address)
    assert press(desk, address, "undo").state == "undone"
    assert Player.objects.count() == 1
    assert not LikelyDuplicate.objects.exists()


@pytest.mark.parametrize(
    ("line", "asked"),
    [
        (",Mokwenna,Nalede,1990,,,,", True),  # sounds alike, the year is equal
        (",Mokoena,Naledi,1991-05-17,,,,", True),  # the year before
        (",Mokoena,Naledi,1909,,,,", True),  # its figures changed about
        (",Mokoena,Naledi,1992-05-18,,,,", False),  # two years and another day
        (",Mokoena,Sipho,1990-05-17,,,,", False),  # a twin
        (",Mokwenna,Nalede,1990,M,,,", False),
        (",Naledi,Mokoenna,1990-05-17,,,,", True),  # the other way round, by the birth date
    ],
)
@pytest.mark.parametrize("others", [0, 20])
def test_whose_name_or_birth_is_near_is_asked_about(desk, line, asked, others):
    """Also where many others are born on his day, with names that sound like his."""
    player("Mokoena", "Naledi", national_id="100000001", birth_date=date(1990, 5, 17), sex="F")
    for number in range(others):
        player("Mikona", f"Nothemba{chr(97 + number)}", birth_date=date(1990, 5, 17), sex="F")
    send(desk, line)
    assert ListedPlayer.objects.get().kind == ("doubtful" if asked else "new")


def test_doubtful_lines_are_answered_one_by_one(desk):
    known = player("Mokoena", "Naledi", national_id="100000001", birth_date=date(1990, 5, 17))
    address = send(desk, ",Mokoena,Nalede,1990-05-17,,,,", ",Mokoena,Naledi,,,,,", ",Mokoena,Naledie,1990,,,,")
    shown = page(desk, address)
    assert "3 lines may mean players on the register" in shown
    assert "He is Naledi Mokoena (100000001)" in shown
    assert "3 doubtful lines to answer" in shown
    assert press(desk, address, "take").error.startswith("Line 2, Nalede Mokoena, may be on the register")
    desk.post(address, {"do": "answer", "line-2": known.number, "line-3": "new", "line-4": "leave out"})
    assert list(ListedPlayer.objects.values_list("kind", flat=True)) == ["changed", "new", "left out"]
    desk.post(address, {"do": "answer", "line-2": "open"})
    assert ListedPlayer.objects.get(line=2).kind == "doubtful"
    desk.post(address, {"do": "answer", "line-2": "id", "id-2": known.number})
    press(desk, address, "take")
    assert sorted(Player.objects.values_list("first_name", flat=True)) == ["Nalede", "Naledi"]
    assert Decision.objects.get().after["answered"] == "1 as on the register, 1 as new, 1 left out"


def test_an_answer_that_another_has_changed_meanwhile_stays(desk):
    known = player("Mokoena", "Naledi", national_id="100000001", birth_date=date(1990, 5, 17))
    address = send(desk, ",Mokoena,Nalede,1990-05-17,,,,", ",Mokoena,Naledi,,,,,")
    desk.post(address, {"do": "answer", "line-2": "new"})
    assert '<input type="hidden" name="shown-2" value="new">' in page(desk, address)
    desk.post(address, {"do": "answer", "line-2": known.number, "shown-2": "new", "shown-3": ""})
    desk.post(address, {"do": "answer", "line-2": "new", "line-3": "leave out", "shown-2": "new", "shown-3": ""})
    assert list(ListedPlayer.objects.values_list("answer", flat=True)) == [known.number, "leave out"]


@pytest.mark.parametrize(
    ("how", "kinds"),
    [
        ("same", ["changed", "doubtful", "doubtful"]),
        ("new", ["new", "new", "doubtful"]),
        ("leave out", ["left out", "left out", "left out"]),
    ],
)
def test_doubtful_lines_are_answered_alike_where_the_answer_can_be_given(desk, how, kinds):
    player("Mokoena", "Naledi", national_id="100000001", birth_date=date(1990, 5, 17))
    player("Cele", "Bets", national_id="100000002", birth_date=date(1991, 5, 17))
    # another bureau's id; a near name; the id of somebody else
    address = send(desk, "300000001,Mokoena,Naledi,1990-05-17,F,,,", ",Cele,Betts,1991,,,,", "100000002,Dube,Ann,,,,,")
    assert set(ListedPlayer.objects.values_list("kind", flat=True)) == {"doubtful"}
    press(desk, address, "answer-all", how=how)
    assert list(ListedPlayer.objects.values_list("kind", flat=True)) == kinds


def test_two_lines_for_one_player_are_told_apart_by_an_answer(desk):
    player("Mokoena", "Naledi", national_id="100000001", fide_id=14300001)
    address = send(desk, "100000001,Mokoena,Naledi,,,,,", ",Mokoena,Naledi,,,14300001,,")
    assert list(ListedPlayer.objects.values_list("kind", flat=True)) == ["unchanged", "refused"]
    desk.post(address, {"do": "answer", "line-2": "leave out"})
    assert list(ListedPlayer.objects.values_list("kind", flat=True)) == ["left out", "unchanged"]


def test_lines_with_errors_block_the_list_and_say_what_to_do(desk):
    address = send(desk, "1.8E+08,Cele,Bets,,,,,", ",Dube,Ann,,,,,")
    shown = page(desk, address)
    assert "1 line with errors" in shown
    assert "Line 2, column “Chess SA id”:</strong> A spreadsheet has turned an id into “1.8E+08”" in shown
    assert "Take it" not in shown
    assert "blocked by errors" in shown
    assert press(desk, address, "take").state == "faulty"
    assert "ist.csv (register of players) is blocked by errors by now" in page(desk, address)
    assert not Player.objects.exists()


def test_a_column_is_given_its_meaning(desk):
    address = send(desk, "100000005,Cele,Bets", head="Bond no,Surname,First names\n")
    assert "Bond no" in page(desk, address)
    press(desk, address, "columns", **{"column-0": "national_id", "column-1": "last_name", "column-2": "first_name"})
    assert ListedPlayer.objects.get().national_id == "100000005"


def test_the_table_of_columns_shows_what_cannot_be_seen(desk):
    shown = page(desk, send(desk, "100000005,Ce\u202ele,Bets", head="Bond\u200b no,Surname,First names\n"))
    assert "Bond‹U+200B› no" in shown
    assert not {"\u202e", "\u200b"} & set(shown)


def test_a_list_without_a_name_is_put_right_by_its_columns(desk):
    address = send(desk, "Cele,Bets", head="Alpha,Beta\n")
    assert "No column gives the name" in page(desk, address)
    press(desk, address, "columns", **{"column-0": "last_name", "column-1": "first_name"})
    assert "Bets Cele" in page(desk, address)


def test_what_was_shown_is_what_is_written(desk):
    known = player("Mokoena", "Naledi", national_id="100000001")
    address = send(desk, "100000001,Mokoena,Naledi,,F,,,", ",Cele,Bets,2001,,,,")
    known.sex = "F"
    known.save()
    assert "has changed since the list was compared" in press(desk, address, "take").error
    press(desk, address, "compare")
    player("Cele", "Bets", birth_year=2001)
    assert "by now" in press(desk, address, "take").error
    assert not RegisterImport.objects.exists()
    assert press(desk, address, "compare").summary["counts"] == {"unchanged": 1, "doubtful": 1}


def test_a_list_is_paged_by_its_lines(desk):
    address = send(desk, *(f",Name{number},Ann,{1950 + number % 50},,,," for number in range(120)))
    first = page(desk, address, "?kind=new")
    assert "Name49" in first
    assert "Name50" not in first
    assert "kind=new&amp;after=51" in first
    assert "Name50" in page(desk, address, "?kind=new&after=51")
    assert "Name49" in page(desk, address, "?kind=new&before=52")
    assert "There is no such line" in page(desk, address, "?kind=changed")


def test_of_a_list_that_was_not_read_nothing_is_said_of_its_lines(desk):
    address = send(desk, ",Cele,Bets,1990,,,,")
    ImportJob.objects.update(state="failed", error="It was cut off.", summary={})
    text = page(desk, address)
    assert "It was cut off." in text
    assert "Read it again" in text
    for words in ("There is no such line", "all with a difference"):
        assert words not in text


def test_the_page_of_a_list_takes_as_many_queries_for_three_lines_as_for_one(desk, django_assert_num_queries):
    lines = [f",Mokoena,Naled{letter},1990-05-17,,,," for letter in "eyo"]
    player("Mokoena", "Naledi", birth_date=date(1990, 5, 17))
    address = send(desk, *lines)
    ListedPlayer.objects.filter(line__gt=2).delete()
    desk.get(address)
    with django_assert_num_queries(8):
        desk.get(address)
    ImportJob.objects.all().delete()
    address = send(desk, *lines)
    desk.get(address)
    with django_assert_num_queries(8):
        desk.get(address)


def test_an_empty_file_and_one_that_is_too_large_are_refused_at_once(desk):
    for file, said in ((b"", "The file is empty"), (None, "This field is required")):
        sent = {} if file is None else {"file": SimpleUploadedFile("list.csv", file)}
        answer = desk.post(BRING, sent)
        assert (answer.status_code, said in answer.content.decode()) == (422, True)
    small = replace(DESK, limit=13)
    for size, kept in ((13, True), (14, False)):
        form = FileForm(small, {}, {"file": SimpleUploadedFile("list.csv", b"x" * size)})
        assert form.is_valid() == kept
    assert not ImportJob.objects.exists()


def test_the_page_of_a_job_under_way_loads_itself_without_script(desk):
    address = desk.post(BRING, {"file": SimpleUploadedFile("list.csv", b"Surname\nCele\n")}).headers["Location"]
    shown = page(desk, address)
    assert '<noscript><meta http-equiv="refresh" content="2; url=?poll=1"></noscript>' in shown
    assert 'hx-trigger="every 1s"' in shown
    assert 'value="0"' in shown
    work()
    assert "refresh" not in page(desk, address)


def test_a_list_that_is_put_away_leaves_nothing_behind(desk):
    address = send(desk, ",Cele,Bets,,,,,")
    desk.post(address, {"do": "discard"})
    assert not ListedPlayer.objects.exists()
    assert "discarded" in page(desk, address)


def test_nobody_but_officers_brings_lists_in(client):
    client.force_login(User.objects.create_superuser("chief@example.org"))
    assert client.get(BRING).status_code == 403
    assert client.get("/admin/ratings/importjob/").status_code == 403


def test_what_was_read_anew_since_the_page_was_shown_is_not_taken(desk):
    address = send(desk, ",Cele,Bets,2001,M,14300002,,")
    shown = re.search(r'name="shown" value="(\w+)"', page(desk, address))[1]
    press(desk, address, "columns", **{"column-0": "national_id", "column-1": "first_name", "column-2": "last_name"})
    told = " ".join(desk.post(address, {"do": "take", "shown": shown}, follow=True).content.decode().split())
    assert "was read or answered anew meanwhile" in told
    assert ImportJob.objects.get().state == "ready"
    shown = re.search(r'name="shown" value="(\w+)"', told)[1]
    assert press(desk, address, "take", shown=shown).state == "taken"


@pytest.mark.parametrize("do", ["take", "discard", "columns", "answer-all"])
def test_what_another_has_answered_since_the_page_was_shown_is_not_lost(desk, do):
    first, second = (
        player("Mokoena", "Naledi", national_id=number, birth_date=date(1990, 5, 17))
        for number in ("100000001", "100000002")
    )
    address = send(desk, ",Mokoena,Naledi,1990,,,,", ",Cele,Bets,2001,M,14300002,,")
    desk.post(address, {"do": "answer", "line-2": first.number})
    shown = set(re.findall(r'name="shown" value="(\w+)"', page(desk, address)))
    assert len(shown) == 1
    desk.post(address, {"do": "answer", "line-2": second.number})
    told = desk.post(address, {"do": do, "shown": shown.pop(), "how": "new"}, follow=True).content.decode()
    assert "was read or answered anew meanwhile" in " ".join(told.split())
    assert (ImportJob.objects.get().state, ListedPlayer.objects.get(line=2).answer) == ("ready", second.number)
