"""FIDE's list: shown first, taken whole or not at all, apart from the national ratings; nobody gets an id unasked."""

from datetime import date
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from accounts.models import Decision
from players.models import FideList, FideListed, FideQuestion, FideRating, Player
from ratings.moving_in.fide_operations import SentFideList, compare_list, take_list
from tests.builders import player
from tests.events.files.fide_lists import MOKOENA, SINGLE, text, xml, zipped

pytestmark = pytest.mark.django_db
ABROAD = {"fide_id": 1503014, "name": "Nordmann, Nils", "federation": "NOR", "born": 1985, "standard": (2400, 5, 10)}


@pytest.fixture
def run(tmp_path):
    """Import a list of these players, or this content; what is printed."""

    def run(*players, content=None, name="list.txt", month="2024-03", **options):
        file = tmp_path / name
        file.write_bytes(text(*players) if content is None else content)
        out, month = StringIO(), ["--month", month] if month else []
        call_command("import_fide", str(file), *month, stdout=out, stderr=StringIO(), **options)
        return out.getvalue()

    return run


def answer(**options):
    call_command("import_fide", stdout=StringIO(), **options)


@pytest.fixture
def naledi():
    return player("Mokoena", "Naledi", fide_id=14300001, birth_date=date(1990, 5, 17), sex="F")


def ratings(player):
    rows = FideRating.objects.filter(player=player).order_by("-kind")
    return [(row.kind, row.rating, row.k, row.games, row.inactive, row.list.month) for row in rows]


def everything():
    return [
        list(model.objects.order_by("pk").values())
        for model in (Player, FideList, FideRating, FideListed, FideQuestion)
    ]


def test_nothing_is_kept_before_it_is_confirmed(run, naledi):
    before = everything()
    shown = run(MOKOENA | {"rapid": (1801, 2, 20)}, ABROAD)
    assert everything() == before
    assert "FIDE list of March 2024, standard, rapid, blitz: 2 players" in shown
    assert (
        "new        Naledi Mokoena (100000001)  standard – → 1850 (K 20); rapid – → 1801 (K 20); title – → WFM" in shown
    )
    assert "1 new\nNothing is kept; --confirm takes the list." in shown


@pytest.mark.parametrize("layout", [text, xml])
def test_the_list_gives_ratings_and_title_and_leaves_the_rest(run, naledi, layout):
    run(content=layout(MOKOENA | {"rapid": (1801, 2, 20), "flag": "wi"}, ABROAD), confirm=True)
    march = date(2024, 3, 1)
    # The flag speaks of standard games alone.
    assert ratings(naledi) == [("S", 1850, 20, 9, True, march), ("R", 1801, 20, 2, None, march)]
    changed = Player.objects.get()
    assert (changed.title_id, changed.birth_date, changed.name) == ("WFM", date(1990, 5, 17), "Naledi Mokoena")
    assert changed.history.latest().history_change_reason == f"{FideList.objects.get()} ({FideList.objects.get().pk})"
    assert Decision.objects.get().action == "FIDE list taken"
    assert list(
        FideListed.objects.order_by("fide_id").values_list("name", "federation", "standard", "rapid", "until")
    ) == [
        ("Nordmann, Nils", "NOR", 2400, None, None),
        ("Mokoena, Naledi", "RSA", 1850, 1801, None),
    ]


def test_the_next_month_shows_what_changed(run, naledi):
    player("Cele", "Bets", fide_id=14300002)
    cele = {"fide_id": 14300002, "name": "Cele, Bets", "born": 0}
    run(MOKOENA, cele, ABROAD, confirm=True)
    april = MOKOENA | {"standard": (1867, 3, 20)}
    shown = run(april, cele, ABROAD, month="2024-04", confirm=True)
    assert "changed    Naledi Mokoena (100000001)  standard 1850 (K 20) → 1867 (K 20)" in shown
    assert "0 new, 1 changed, 1 unchanged" in shown
    assert "gone       Bets Cele (100000002)" in run(april, ABROAD, month="2024-05", confirm=True)
    assert list(FideRating.objects.values_list("player__last_name", "list__month")) == [("Mokoena", date(2024, 5, 1))]
    spans = FideListed.objects.order_by("fide_id", "since").values_list(
        "fide_id", "standard", "since__month", "until__month"
    )
    assert list(spans) == [
        (1503014, 2400, 3, None),
        (14300001, 1850, 3, 4),
        (14300001, 1867, 4, None),
        (14300002, 1850, 3, 5),
    ]


def test_former_months_are_kept_as_long_as_results_from_abroad_need_them(run):
    for month, rating in enumerate((2400, 2410, 2420, 2430, 2440, 2450), 1):
        run(ABROAD | {"standard": (rating, 0, 10)}, month=f"2024-{month:02}", confirm=True)
    assert list(FideListed.objects.order_by("since").values_list("standard", flat=True)) == [
        2410,
        2420,
        2430,
        2440,
        2450,
    ]


def test_a_player_without_an_id_is_asked_about(run):
    bets = player("Cele", "Bets", birth_date=date(1992, 3, 1))
    cele = {"fide_id": 14300002, "name": "Cele, Bets", "born": 1992, "title": "FM"}
    shown = run(cele, confirm=True)
    assert (
        "14300002  question   Bets Cele (100000001)  is Cele, Bets, RSA, born 1992, the player? same name; same year"
        in shown
    )
    assert (Player.objects.get().fide_id, ratings(bets)) == (None, [])
    answer(same=["14300002=100000001"])
    bets.refresh_from_db()
    assert (bets.fide_id, bets.title_id, ratings(bets)) == (
        14300002,
        "FM",
        [("S", 1850, 20, 9, False, date(2024, 3, 1))],
    )
    assert Decision.objects.filter(action="FIDE id answered").exists()
    assert "1 unchanged" in run(cele, month="2024-04", confirm=True)


@pytest.mark.parametrize(
    ("known", "listed", "asked"),
    [
        ({}, {"born": 1991}, 0),
        ({}, {"federation": "ENG"}, 0),
        ({"federation": "ENG"}, {"federation": "ENG"}, 1),
        ({}, {"name": "Cele, B."}, 1),
        ({}, {"name": "CELE BETS"}, 1),
        ({}, {"name": "Cele, Thabo"}, 0),
        ({"birth_date": None}, {}, 1),
        ({}, {"born": 0}, 1),
        ({"birth_date": None}, {"name": "Cele, B."}, 0),
        ({"fide_id": 14300009}, {}, 0),
    ],
)
def test_who_is_asked_about(run, known, listed, asked):
    player("Cele", "Bets", **{"birth_date": date(1992, 3, 1)} | known)
    run({"fide_id": 14300002, "name": "Cele, Bets", "born": 1992} | listed, confirm=True)
    assert (FideQuestion.objects.count(), Player.objects.filter(fide_id=14300002).count()) == (asked, 0)


def test_an_id_beside_another_name_is_asked_about(run, naledi):
    other = MOKOENA | {"name": "Khumalo, Sipho", "sex": "M", "born": 1971, "title": ""}
    run(other, confirm=True)
    assert (FideQuestion.objects.get().fide_id, ratings(naledi)) == (14300001, [])
    answer(same=["14300001=100000001"])
    assert len(ratings(naledi)) == 1
    run(other, month="2024-04", confirm=True)
    assert len(ratings(naledi)) == 1


def test_what_was_answered_is_not_asked_again(run):
    player("Cele", "Bets", birth_date=date(1992, 3, 1))
    cele = {"fide_id": 14300002, "name": "Cele, Bets", "born": 1992}
    run(cele, confirm=True)
    answer(other=["14300002=100000001"])
    assert "question" not in run(cele, month="2024-04", confirm=True)
    assert Player.objects.get().fide_id is None


def test_a_question_that_no_list_asks_any_more_is_gone(run):
    player("Cele", "Bets", birth_date=date(1992, 3, 1))
    run({"fide_id": 14300002, "name": "Cele, Bets", "born": 1992}, confirm=True)
    run(ABROAD, month="2024-04", confirm=True)
    assert not FideQuestion.objects.exists()


@pytest.mark.parametrize(
    ("answers", "why"),
    [
        ({"same": ["14300002=100000009"]}, "It is not asked whether 100000009 is 14300002"),
        ({"same": ["x=1"]}, "give the FIDE id and the Chess SA id"),
        ({"same": ["14300002=100000001"], "other": ["14300002=100000001"]}, "answered already"),
        ({}, "give the file"),
    ],
)
def test_answers_that_cannot_be(run, answers, why):
    player("Cele", "Bets", birth_date=date(1992, 3, 1))
    run({"fide_id": 14300002, "name": "Cele, Bets", "born": 1992}, confirm=True)
    with pytest.raises(CommandError, match=why):
        answer(**answers)


def test_an_id_that_another_player_has_by_now_is_not_given_twice(run):
    player("Cele", "Bets", birth_date=date(1992, 3, 1))
    run({"fide_id": 14300002, "name": "Cele, Bets", "born": 1992}, confirm=True)
    player("Cele", "Betsie", fide_id=14300002)
    with pytest.raises(CommandError, match=r"is that of Betsie Cele \(100000002\)"):
        answer(same=["14300002=100000001"])
    assert FideQuestion.objects.get().answer == ""


def test_lists_of_one_kind_complete_each_other(run, naledi):
    for kind, rating in (("standard", 1850), ("rapid", 1801)):
        player_of_kind = MOKOENA | {kind: (rating, 1, 20), "flag": "wi" if kind == "rapid" else "w"}
        content = text(player_of_kind, kind=kind, heading=SINGLE.replace("OCT26", "MAR24"))
        run(content=content, name=f"{kind}_rating_list.txt", month="", confirm=True)
    march = date(2024, 3, 1)
    assert ratings(naledi) == [("S", 1850, 20, 1, False, march), ("R", 1801, 20, 1, True, march)]
    assert FideListed.objects.values_list("standard", "rapid", "blitz").get() == (1850, 1801, None)


def test_a_list_taken_again_replaces_what_it_said(run, naledi):
    run(MOKOENA, ABROAD, confirm=True)
    run(MOKOENA | {"standard": (1867, 3, 20)}, confirm=True)
    assert [row[1] for row in ratings(naledi)] == [1867]
    assert FideListed.objects.values_list("fide_id", "standard", "until").get() == (14300001, 1867, None)


def test_an_older_list_is_taken_only_if_it_is_said(run, naledi):
    run(MOKOENA, ABROAD, confirm=True)
    run(MOKOENA | {"standard": (1867, 3, 20)}, month="2024-04", confirm=True)
    before = everything()
    older = MOKOENA | {"standard": (1855, 3, 20)}
    with pytest.raises(
        CommandError, match=r"The FIDE list of April 2024 is held, and this is that of March 2024: .*--older"
    ):
        run(older, confirm=True)
    assert everything() == before
    run(older, older=True, confirm=True)
    assert [(row[1], row[-1].month) for row in ratings(naledi)] == [(1855, 3)]
    assert FideListed.objects.values_list("standard", "since__month", "until").get() == (1855, 3, None)
    assert [taken.dropped_at is None for taken in FideList.objects.order_by("pk")] == [True, False, True]


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (
            {"content": text(ABROAD, ABROAD)},
            "The FIDE id 1503014 stands twice in the list, as player 1 and player 2. Download",
        ),
        ({"content": b"Name,Rating\n"}, "Line 1: these are not the columns"),
        ({"content": zipped(text(ABROAD))[:-50]}, "cut off or damaged"),
        ({"content": xml(ABROAD)[:-30]}, "cannot be read after 0 players"),
        ({"content": text(ABROAD), "month": "2124-03"}, "has not appeared yet"),
        ({"content": text(ABROAD), "month": "March"}, "as 2026-10"),
        ({"content": text(ABROAD), "month": ""}, "does not tell its month"),
        ({"content": text(ABROAD), "name": "standard_apr24frl.txt"}, "This is the list of 2024-04, not of 2024-03"),
        ({"content": text(ABROAD)}, r"The list has 1 player, the FIDE list of February 2024 3: it seems to be cut off"),
    ],
)
def test_what_cannot_be_taken_changes_nothing(run, naledi, given, why):
    run(MOKOENA, ABROAD, ABROAD | {"fide_id": 3}, month="2024-02", confirm=True)
    before = everything()
    with pytest.raises(CommandError, match=why):
        run(confirm=True, **given)
    assert everything() == before


def test_a_list_with_fewer_players_is_taken_if_it_is_said(run):
    run(ABROAD, ABROAD | {"fide_id": 2}, ABROAD | {"fide_id": 3}, month="2024-02", confirm=True)
    run(ABROAD, fewer=True, confirm=True)
    assert FideListed.objects.filter(until=None).count() == 1


@pytest.mark.parametrize("content", [text(), xml(), text() + b"\r\n"])
def test_a_list_without_players_is_refused(run, naledi, content):
    run(MOKOENA, ABROAD, confirm=True)
    before = everything()
    with pytest.raises(CommandError, match="The list has no player"):
        run(content=content, fewer=True, month="2024-04", confirm=True)
    assert everything() == before


def test_a_list_that_is_stopped_half_way_leaves_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr("ratings.moving_in.fide_operations._STEP", 2)
    monkeypatch.setattr("ratings.moving_in.fide_table.CHUNK", 2)
    file = tmp_path / "list.txt"
    file.write_bytes(text(*[ABROAD | {"fide_id": number} for number in range(1, 6)]))
    sent, now, seen = SentFideList(file, "list.txt", date(2024, 3, 1)), timezone.now(), []

    def stop(done, total):
        seen.append(done)
        if FideListed.objects.count() >= 4:
            raise KeyboardInterrupt

    comparison = compare_list(sent, at=now, progress=stop)
    with pytest.raises(KeyboardInterrupt):
        take_list(sent, comparison, at=now, by=None, progress=stop)
    assert not FideListed.objects.exists()
    assert not FideList.objects.exists()
    assert seen[:2] == sorted(seen[:2])


def test_progress_is_told_to_the_end_and_stops_it_everywhere(tmp_path, monkeypatch):
    """The list held ends after the reading, players of the register are compared after that: both can take minutes."""
    monkeypatch.setattr("ratings.moving_in.fide_operations._STEP", 2)
    for module in ("fide_table", "fide_matching"):
        monkeypatch.setattr(f"ratings.moving_in.{module}.CHUNK", 2)
    numbers = range(14300001, 14300007)
    for number in numbers:
        player(f"Cele{number}", "Bets", fide_id=number)
    held = tmp_path / "held.txt"
    held.write_bytes(text(*[ABROAD | {"fide_id": number} for number in range(1, 7)]))
    new = tmp_path / "new.txt"
    new.write_bytes(text(*[ABROAD | {"fide_id": number} for number in numbers]))
    now = timezone.now()
    first = SentFideList(held, "held.txt", date(2024, 3, 1))
    take_list(first, compare_list(first, at=now), at=now, by=None)
    sent = SentFideList(new, "new.txt", date(2024, 4, 1))
    comparison, before, told = compare_list(sent, at=now), FideListed.objects.count(), []

    def take(most):
        def stop(done, total):
            told.append(done / total)
            if told[-1] >= most:
                raise KeyboardInterrupt

        return take_list(sent, comparison, at=now, by=None, progress=stop)

    for share in (0.1, 0.81, 0.9, 0.91, 1.0):
        with pytest.raises(KeyboardInterrupt):
            take(share)
        assert (FideListed.objects.count(), FideList.objects.count()) == (before, 1)
    told.clear()
    take(2.0)
    assert told == sorted(told)
    assert told[-1] == 1.0
    assert len({share for share in told if 0.8 < share < 0.9}) > 1
    assert len({share for share in told if 0.9 < share < 1}) > 1
