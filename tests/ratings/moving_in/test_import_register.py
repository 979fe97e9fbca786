"""The register from a list: shown first, taken whole or not at all, taken back until something depends on it."""

from datetime import date
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from accounts.models import Decision
from players.models import Player, RegisterImport
from tests.builders import event_of, officer, player, region

pytestmark = pytest.mark.django_db
HEAD = "Chess SA id,Surname,First names,Born,Sex,FIDE id,Region,Club\n"


@pytest.fixture
def run(tmp_path):
    """Import a list of these lines; what is printed."""

    def run(*lines, head=HEAD, **options):
        file = tmp_path / "list.csv"
        file.write_text(head + "".join(f"{line}\n" for line in lines))
        out = StringIO()
        call_command("import_register", str(file), stdout=out, stderr=StringIO(), **options)
        return out.getvalue()

    return run


def register() -> list[tuple]:
    fields = "number", "last_name", "first_name", "birth_date", "birth_year", "sex", "fide_id", "region__code", "club"
    return list(Player.objects.order_by("number").values_list(*fields))


def test_nothing_is_kept_before_it_is_confirmed(run):
    known = player("Mokoena", "Naledi", national_id="100000001", birth_date=date(1990, 5, 17))
    lines = f"{known.number},Mokoena,Naledi,,F,,,Wits", ",Cele,Bets,2001,M,14300002,,"
    before = register()
    shown = run(*lines)
    assert register() == before
    assert "line 2  changed    Naledi Mokoena  Naledi Mokoena (100000001): Sex – → F; Club – → Wits" in shown
    assert "line 3  new        Bets Cele  FIDE 14300002, 2001" in shown
    assert "1 new, 1 changed" in shown
    assert not RegisterImport.objects.exists()


def test_a_list_into_an_empty_register(run):
    region("GAU")
    run("100000007,Mokoena,Naledi,1990-05-17,F,14300001,GAU,Wits", ",Cele,Bets,,,,,", confirm=True)
    assert register() == [
        ("100000001", "Cele", "Bets", None, None, "", None, None, ""),
        ("100000007", "Mokoena", "Naledi", date(1990, 5, 17), 1990, "F", 14300001, "GAU", "Wits"),
    ]
    done = RegisterImport.objects.get()
    assert (done.new, done.changed) == (2, 0)
    assert Decision.objects.get().action == "register imported"
    assert {row.history_change_reason for row in Player.history.all()} == {str(done)}


def test_a_second_time_nothing_is_different(run):
    lines = "100000007,Mokoena,Naledi,1990-05-17,F,14300001,,Wits", ",Cele,Bets,1992-03-01,M,,,"
    run(*lines, confirm=True)
    assert "0 new, 2 unchanged" in run(*lines)


def test_blank_cells_and_a_year_alone_leave_what_is_on_record(run):
    player("Mokoena", "Naledi", national_id="100000001", birth_date=date(1990, 5, 17), sex="F", fide_id=14300001)
    run("100000001,MOKOENA,Naledi,1990,,,,", confirm=True)
    assert register() == [("100000001", "Mokoena", "Naledi", date(1990, 5, 17), 1990, "F", 14300001, None, "")]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("100000001,Khumalo,Sipho,,,,,", "same Chess SA id 100000001"),  # another name
        ("100000009,Mokoena,Naledi,1990-05-17,,,,", "Chess SA id differs"),
        (",Mokoena,Naledi,,,,,", "same name"),  # no birth to compare
        (",Mokoena,Nalede,1990-05-17,,,,", "same birth date"),
    ],
)
def test_who_may_be_on_the_register_is_asked_about(run, line, why):
    player("Mokoena", "Naledi", national_id="100000001", birth_date=date(1990, 5, 17))
    before = register()
    assert why in run(line)
    with pytest.raises(
        CommandError, match=r"Line 2, .* may be on the register; .*Naledi Mokoena \(100000001\): .*" + why
    ):
        run(line, confirm=True)
    assert register() == before


@pytest.mark.parametrize(
    ("answer", "count", "name"),
    [
        ({"same": ["2=100000001"]}, 1, "Nalede"),
        ({"new": [2]}, 2, "Naledi"),
        ({"leave_out": [2]}, 1, "Naledi"),
        ({"leave_out_doubtful": True}, 1, "Naledi"),
    ],
)
def test_answers(run, answer, count, name):
    player("Mokoena", "Naledi", national_id="100000001", birth_date=date(1990, 5, 17))
    run(",Mokoena,Nalede,1990-05-17,,,,", confirm=True, **answer)
    assert (Player.objects.count(), Player.objects.get(number="100000001").first_name) == (count, name)


@pytest.mark.parametrize(
    ("lines", "answer", "why"),
    [
        (["100000001,Mokoena,Naledi,,,14300002,,"], {}, "its FIDE id that of"),
        (["100000001,Mokoena,Naledi,,,,,", ",Mokoena,Naledi,,,14300001,,"], {}, "Line 2 is Naledi Mokoena"),
        (["100000001,Khumalo,Sipho,,,,,"], {"new": [2]}, "it cannot be a new player"),
        (["100000001,Khumalo,Sipho,,,,,"], {"same": ["2=100000005"]}, "No player on the register has"),
        ([",Khumalo,Sipho,,,,,"], {"new": [5]}, "answer to line 5"),
        ([",Khumalo,Sipho,,,,,"], {"same": ["x"]}, "give the line and the Chess SA id"),
        ([",,Sipho,,,,,"], {}, "1 error to correct"),
    ],
)
def test_what_cannot_be_taken_changes_nothing(run, lines, answer, why):
    player("Mokoena", "Naledi", national_id="100000001", fide_id=14300001)
    player("Cele", "Bets", national_id="100000002", fide_id=14300002)
    before = register()
    with pytest.raises(CommandError, match=why):
        run(*lines, confirm=True, **answer)
    assert register() == before
    assert not RegisterImport.objects.exists()


def test_an_import_is_taken_back_whole(run):
    player("Mokoena", "Naledi", national_id="100000001", birth_date=date(1990, 5, 17))
    before = register()
    run("100000001,Mokoena,Naledi Thandi,1990-05-17,F,14300001,,Wits", ",Cele,Bets,,,,,", confirm=True)
    assert register() != before
    done = RegisterImport.objects.get()
    call_command("import_register", undo=done.pk, stdout=StringIO())
    assert register() == before
    with pytest.raises(CommandError, match="undone on"):
        call_command("import_register", undo=done.pk)


def test_an_import_on_which_something_depends_stays(run):
    player("Mokoena", "Naledi", national_id="100000001")
    run("100000001,Mokoena,Naledi,1990,F,,,", ",Cele,Bets,,,,,", confirm=True)
    done = RegisterImport.objects.get()
    naledi, bets = Player.objects.order_by("number")
    event_of([(naledi, bets, "1-0")])
    before = register()
    with pytest.raises(CommandError, match=r"Bets Cele \(100000002\) has games"):
        call_command("import_register", undo=done.pk)
    assert register() == before


def test_an_import_whose_players_were_changed_since_stays(run):
    run(",Cele,Bets,,,,,", confirm=True)
    bets = Player.objects.get()
    bets.sex = "M"
    bets._history_user = officer()
    bets.save()
    with pytest.raises(CommandError, match=rf"Bets Cele \({bets.number}\) was changed since"):
        call_command("import_register", undo=RegisterImport.objects.get().pk)
    assert Player.objects.count() == 1


@pytest.mark.parametrize("missing", [{}, {"undo": 99}])
def test_without_a_file_or_an_import(missing):
    with pytest.raises(CommandError, match=r"give the file|there is no register import 99"):
        call_command("import_register", **missing)


def test_a_long_list_does_not_take_a_query_for_each_line(run, django_assert_max_num_queries):
    region("GAU")
    with django_assert_max_num_queries(100):
        run(*(f",Name{number},Ann,{1950 + number % 50},,,GAU," for number in range(1_500)), confirm=True)
    assert Player.objects.count() == 1_500
