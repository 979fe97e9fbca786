"""The opening balance: what is shown before it is signed, when it can be taken, and what is calculated from it."""

import json
import re
from datetime import UTC, date, datetime
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from accounts.models import Decision
from config.lib.database import as_float
from events.files.collector import MAX_LISTED
from events.models import RatingPeriod
from ratings.cases.answer import answer_document
from ratings.lists.definitions import list_definitions
from ratings.models import FormerRating, Rating, RatingRun, Revision
from ratings.opening import reading, table
from ratings.opening.operations import take_opening
from ratings.opening.reading import SentFile, read_entries, read_standings
from tests.builders import calculate, event_of, everything, officer, people, period, player, publish

FEBRUARY, MARCH = date(2024, 2, 1), date(2024, 3, 1)

pytestmark = pytest.mark.django_db


@pytest.fixture
def balance(tmp_path):
    """Writes a file and gives its path."""

    def write(*lines: str, name: str = "standings.csv") -> str:
        path = tmp_path / name
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return str(path)

    return write


def run(*args: str, month: str = "2024-02", **options: object) -> list[str]:
    out = StringIO()
    call_command("opening_balance", *args, month=month, stdout=out, stderr=out, **options)
    return out.getvalue().splitlines()


def rating(player, code: str = "main", month: date = FEBRUARY) -> Rating:
    return Rating.objects.get(player=player, list__code=code, run=period(month).publication.run)


def test_without_confirm_nothing_is_kept_and_the_totals_are_shown(balance):
    first, second = people(2)
    before = everything()
    path = balance("id,list,raw,published", f"{first.number},main,1400.5,1410", f"{second.number},main,1500,1500")
    lines = run(path)
    assert "main: 2 players, sum of ratings 2910.0 (raw 2900.5), highest 1500.0, lowest 1410.0" in lines
    assert "main: filled in for 2: former ratings that are missing count 1200 (article 49)" in lines
    assert "main: filled in for 2: highest rating from the rating" in lines
    assert lines[-1] == "Nothing is kept; --confirm signs the opening balance."
    assert everything() == before


def test_what_the_next_run_will_change_is_shown(balance):
    first, second, third = people(3)
    path = balance(
        "id,list,raw,published,highest,k",
        f"{first.number},main,640,1200,1210,36",
        f"{second.number},main,1500,1500,1450,",
        f"{third.number},main,1500,1490,1500,16",
    )
    lines = "\n".join(run(path))
    assert (
        f"{first.number} {first.name}: raw 640.0 is under the floor: the next run makes it 710.0 (article 42)" in lines
    )
    assert f"{second.number} {second.name}: highest 1450.0 is below the published rating 1500.0" in lines
    assert f"{third.number} {third.name}: published 1490.0 is not the higher of raw 1500.0 and weighted" in lines
    assert f"{third.number} {third.name}: K 16 does not follow from the highest rating: the next run uses K 32" in lines


def test_confirmed_it_is_a_published_period_on_the_record(balance):
    first, _ = people(2)
    path = balance("id,list,raw,published,raw_2", f"{first.number},main,1400.5,1410,1390")
    assert run(path, confirm=True, reason="moved from the old bureau")[-1] == (
        "opening balance of 2024-02 published: 1 rated player; the first month to calculate is 2024-03"
    )
    opened = period(FEBRUARY)
    assert (opened.state, opened.publication.run.kind) == ("published", "opening")
    assert Revision.objects.get(period=opened).number == 1
    row = rating(first)
    assert (float(row.raw), float(row.published), float(row.highest), row.k, row.rank) == (1400.5, 1410, 1410, 32, 1)
    assert row.standing == {"filled": ["highest", "history"], "padded": 22}
    assert FormerRating.objects.get().month == date(2024, 1, 1)
    decision = Decision.objects.get(action="opening balance signed")
    assert decision.reason == "moved from the old bureau"
    assert decision.after["main"].startswith("1 player, sum of ratings 1410.0")
    assert [row.month for row in RatingPeriod.objects.all()] == [FEBRUARY, MARCH]
    with pytest.raises(CommandError, match="2024-02 is published already"):
        run(path, confirm=True)


@pytest.mark.rule("chessa 31")
@pytest.mark.parametrize(
    ("k", "highest"), [("", 1500.0), ("32", 1500.0), ("28", 1600.0), ("16", 2200.0), ("40", 1500.0)]
)
def test_a_highest_rating_that_is_missing_follows_from_k(balance, k, highest):
    (first,) = people(1)
    run(balance("id,list,raw,k", f"{first.number},main,1500,{k}"), confirm=True)
    assert float(rating(first).highest) == highest


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "999999999,main,1400",
            "Line 2, column “id”: No player on the register has the id 999999999. Bring the register first",
        ),
        ("{0},main,14000", "Line 2, column “raw”: The raw “14000” is not from 1 to 4000"),
    ],
)
def test_bad_input_is_named_and_nothing_is_kept(balance, line, message):
    (first,) = people(1)
    before = everything()
    out = StringIO()
    with pytest.raises(CommandError, match=re.escape(f"nothing was taken: {message}")):
        call_command(
            "opening_balance",
            balance("id,list,raw", line.format(first.number)),
            month="2024-02",
            confirm=True,
            stderr=out,
        )
    assert message in out.getvalue()
    assert everything() == before


def test_an_id_that_stands_twice_is_one_error(balance):
    (first,) = people(1)
    line = f"{first.number},main,1400"
    file, out = balance("id,list,raw", line, line), StringIO()
    with pytest.raises(CommandError, match="nothing was taken: Line 3, column “id”"):
        call_command("opening_balance", file, month="2024-02", stderr=out)
    (said,) = out.getvalue().splitlines()
    assert said.endswith(
        f"Line 3, column “id”: {first.number} stands on line 2 for Main, too. Take one of the lines out."
    )


def test_of_a_kind_of_error_between_two_files_few_are_listed_and_the_others_counted(balance):
    rows = "".join(f"{100000001 + number},main,1400\n" for number in range(60)).encode()
    files = [SentFile(b"id,list,raw\n" + rows, name) for name in ("a.csv", "b.csv")]
    found = read_standings(files, FEBRUARY, leave_out_unknown=True).errors
    assert {finding.code for finding in found} == {"player-twice"}
    assert len(found) == MAX_LISTED
    assert "100000001 is in a.csv for this list, too. Leave one out." in found[0].message
    assert found[-1].message.endswith("40 more of this kind follow and are not listed.")


def test_files_are_read_no_further_than_a_bureau_can_have_standings(balance, monkeypatch):
    monkeypatch.setattr(reading, "MOST_STANDINGS", 3)
    files = [
        SentFile(f"id,list,raw\n10000000{row},main,1400\n10000000{row + 1},main,1400\n".encode(), f"{row}.csv")
        for row in (1, 3, 5)
    ]
    allowed, refused = (read_entries(files[:count], FEBRUARY, list_definitions()) for count in (1, 3))
    assert "too-many-lines" not in [finding.code for finding in allowed.findings]
    assert [finding.code for finding in refused.findings].count("too-many-lines") == 1
    assert len(refused.entries) == 4


def test_lines_that_give_no_standing_are_read_no_further_either(balance, monkeypatch):
    """The table says of no list; each of its lines was looked at, for minutes, while the worker's lease ran out."""
    monkeypatch.setattr(table, "MOST_LINES", 3)
    for lines, refused in ((3, 0), (4, 1)):
        file = SentFile(b"id,raw\n" + b"100000001,1400\n" * lines, "x.csv")
        codes = [finding.code for finding in read_entries([file], FEBRUARY, list_definitions()).findings]
        assert codes.count("too-many-lines") == refused
        assert codes.count("missing-list") == 1


def test_an_id_that_lost_its_zeros_in_a_spreadsheet_is_said_to_have(balance):
    zola = player("Cele", "Zola", national_id="000100200")
    out = StringIO()
    with pytest.raises(CommandError, match="nothing was taken: Line 2, column “id”: No player"):
        call_command("opening_balance", balance("id,list,raw", "100200,main,1400"), month="2024-02", stderr=out)
    assert f"FIDE 100200, but 000100200 is {zola.name}: a spreadsheet drops zeros at the front" in out.getvalue()


def test_another_name_than_that_of_the_register_is_asked_about(balance):
    (first,) = people(1)
    lines = run(balance("id,surname,firstname,list,raw", f"{first.number},Zwane,Sipho,main,1400"))
    assert (
        f"hold: Line 2, column “id”: {first.number} is {first.name} on the register, and Sipho Zwane here" in lines[0]
    )


def test_it_is_not_taken_where_the_bureau_has_begun(balance):
    one, two = people(2)
    path = balance("id,list,raw", f"{one.number},main,1400")
    event_of([(one, two, "1-0")], date(2024, 2, 10))
    with pytest.raises(CommandError, match="1 section up to 2024-02 would never be rated, first "):
        run(path, confirm=True)
    run(path, month="2024-01")  # the month before is free
    publish(FEBRUARY)
    with pytest.raises(CommandError, match="2024-02 is published already: an opening balance comes before"):
        run(path, month="2024-01", confirm=True)
    with pytest.raises(CommandError, match="has not ended"):
        run(path, month="2099-01", confirm=True)


def test_it_is_not_taken_for_a_month_that_has_been_calculated(balance):
    one, two = people(2)
    event_of([(one, two, "1-0")], date(2024, 2, 10))
    calculate(FEBRUARY)
    with pytest.raises(CommandError, match="1 section up to 2024-03 would never be rated"):
        run(balance("id,list,raw", f"{one.number},main,1400"), month="2024-03")


def test_the_last_moment_of_a_month_and_the_first_after_it():
    (first,) = people(1)
    sent = SentFile(f"id,list,raw\n{first.number},main,1400".encode(), "a.csv")
    standings = read_standings([sent], FEBRUARY)
    with pytest.raises(Exception, match="2024-02 has not ended"):
        take_opening(standings, at=datetime(2024, 2, 29, 21, 59, tzinfo=UTC), by=None)
    assert take_opening(standings, at=datetime(2024, 2, 29, 22, tzinfo=UTC), by=officer()).state == "published"


@pytest.mark.rule("chessa 49")
def test_the_next_month_is_that_of_the_case(balance):
    """A case taken as an opening balance gives, with its events, what `rate` answers for it."""
    one, two, three = people(3)
    window = [1405.6, 1351.2, 1350.8, 1360.2]
    recent = [{"performance": 1500.0 + day, "type": "rapid", "ended": f"2024-02-{day:02}"} for day in range(25, 20, -1)]
    players = [
        {"id": one.number, "lists": {"main": {"raw": 1405.6, "raw_history": window, "last_performances": recent},
                                     "blitz": {"pending_penalty": 20}}},
        {"id": two.number, "lists": {"main": {"raw": 640.5, "highest": 1423.25, "raw_history": [640.5]}}},
        {"id": three.number},
    ]  # fmt: skip
    games = [(one, two, "1-0"), (two, three, "1/2-1/2"), (three, one, "0-1")]
    case = {
        "system": "chessa", "rules": "2024", "calculated_on": "2024-04-01", "players": players,
        "events": [{"id": "e", "ended": "2024-03-03", "time_control": {"base": 60, "increment": 0}, "games": [
            {"round": number, "white": white.number, "black": black.number, "result": result}
            for number, (white, black, result) in enumerate(games, start=1)
        ]}],
    }  # fmt: skip
    lines = run(balance(json.dumps(case), name="case.json"), confirm=True)
    assert "note: events: the events of the case are of the month after the balance, and are not taken." in lines
    event_of(games)
    publish(MARCH)
    for person in (one, two, three):
        for code, figures in answer_document(case)["players"][person.number].items():
            if not figures["rated"] and not figures["pending_penalty"]:
                assert not Rating.objects.filter(player=person, list__code=code, run=period(MARCH).publication.run)
                continue
            exact = {name: as_float(name) for name in figures if name not in ("rated", "games", "k", "pending_penalty")}
            rows = Rating.objects.filter(player=person, list__code=code, run=period(MARCH).publication.run)
            kept = rows.values("games", "k", "pending_penalty").annotate(
                **{f"{name}_": value for name, value in exact.items()}
            )
            assert {name.rstrip("_"): value for name, value in kept.get().items()} == {
                "k": 40,
                **{name: value for name, value in figures.items() if name != "rated"},
            }
    assert RatingRun.objects.filter(kind="calculated").count() == 1
