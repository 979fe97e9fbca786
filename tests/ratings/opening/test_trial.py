"""The trial month: how many agree with the list of the old bureau, and why the others differ."""

from copy import deepcopy
from datetime import date
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from events.models import Penalty
from ratings.cases.answer import answer_document
from ratings.explanations.case_files import export_period
from ratings.opening.operations import take_opening
from ratings.opening.reading import SentFile, read_standings
from ratings.opening.trial import trial
from tests.builders import CLOCK, calculate, event_of, everything, people, period, player

FEBRUARY, MARCH = date(2024, 2, 1), date(2024, 3, 1)

pytestmark = pytest.mark.django_db


@pytest.fixture
def players():
    """Six players with an opening balance, of whom four have two events in the month that follows."""
    found = people(7)
    history = ",".join(f"raw_{number}" for number in range(2, 25))
    lines = [f"id,list,raw,highest,{history}"]
    for index, of_six in enumerate(found[:6]):
        raw = 1500 + 40 * index
        former = ",".join(str(raw - 5 * back) for back in range(1, 24)) if index != 5 else "," * 22
        lines.append(f"{of_six.number},main,{raw},{raw + 50},{former}")
    standings = read_standings([SentFile("\n".join(lines).encode(), "standings.csv")], FEBRUARY)
    take_opening(standings, at=CLOCK, by=None)
    one, two, three, four, five, six, new = found
    event_of([(one, two, "1-0"), (three, four, "1-0"), (two, three, "1/2-1/2")], date(2024, 3, 3), base=60, name="Open")
    event_of([(one, three, "1-0"), (four, two, "1-0"), (five, six, "1-0")], date(2024, 3, 9), base=15, name="Rapid")
    event_of([(new, six, "1-0")], date(2024, 3, 10), base=90, name="Cup")
    return found


def there(change=lambda case: None) -> dict[str, float]:
    """What another bureau publishes on Main that calculates the month from a case with something changed."""
    calculate(MARCH)
    case = deepcopy(export_period(period(MARCH)))
    change(case)
    answer = answer_document(case)["players"]
    return {number: lists["main"]["published"] for number, lists in answer.items() if lists["main"]["rated"]}


def compare(figures: dict[str, float], *, exact: bool = False):
    lines = ["UNIQUE_NO,RATING"]
    lines += [
        f"{number},{figure!r}" if exact else f"{number},{int(figure + 0.5)}" for number, figure in figures.items()
    ]
    (found,) = trial(MARCH, [SentFile("\n".join(lines).encode(), "ratings_main.csv")]).lists
    return found


def causes(found) -> dict[str, str]:
    return {row.number: str(row.cause.kind) for row in found.differences}


def event_named(case, name):
    """An event of a case, by its place: Open, Rapid, Cup."""
    return case["events"][["Open", "Rapid", "Cup"].index(name)]


def test_the_same_calculation_agrees_and_nothing_is_written(players):
    figures = there()
    before = everything()
    found = compare(figures)
    assert (found.both, found.agree, found.differences, found.is_whole) == (7, 7, [], True)
    assert found.text == "7 of 7 players agree"
    found = compare(figures, exact=True)
    assert found.text == "7 of 7 players agree, 7 of them exactly"
    assert everything() == before


def test_an_event_that_is_not_rated_there(players):
    found = compare(there(lambda case: event_named(case, "Rapid")["games"].clear()))
    one, *_ = players
    row = next(row for row in found.differences if row.number == one.number)
    assert (str(row.cause.kind), row.cause.text) == ("not rated there", "rated here and not there: Rapid")
    assert row.points == pytest.approx(row.here - row.there)
    assert causes(found)[players[4].number] == "not rated there"


def test_an_event_that_is_missing_here(players):
    figures = there()
    figures[players[4].number] -= 33.0  # a file that never came, or a wrong result
    found = compare(figures)
    assert causes(found) == {players[4].number: "unexplained"}
    assert "1 game rated here; −33." in found.differences[0].cause.text
    figures[players[4].number] += 50.0
    found = compare(figures)
    assert causes(found) == {players[4].number: "weighted performance"}
    assert found.differences[0].cause.text.startswith("higher there: only 0 of 5 earlier tournaments are known here")


def test_a_move_without_a_game_here(players):
    calm = people(1)[0]
    assert calm  # on the register, and in neither list
    figures = there() | {calm.number: 1410.0}
    found = compare(figures)
    assert causes(found) == {calm.number: "missing standing"}
    assert found.differences[0].cause.text == "no standing was brought and no game is rated here"


@pytest.mark.rule("chessa 27")
def test_another_time_control(players):
    def change(case):
        event_named(case, "Rapid")["time_control"] = {"base": 45, "increment": 0}

    found = compare(there(change), exact=True)
    row = next(row for row in found.differences if row.number == players[0].number)
    assert str(row.cause.kind) == "another Tw"
    assert row.cause.text.startswith("Rapid with Tw 0.7")
    assert "about 45 minutes" in row.cause.text


@pytest.mark.rule("chessa 51")
def test_penalties_on_either_side(players):
    section = period(MARCH).sections.get(event__name="Open")
    Penalty.objects.create(section=section, player=players[0], round=2, kind="forfeit", points=20, status="confirmed")
    found = compare(there(lambda case: case["penalties"].clear()), exact=True)
    assert [row.cause.text for row in found.differences] == [
        "20 penalty points were deducted here and not there (articles 51 to 54)"
    ]

    def other(case):
        case["penalties"].append({"player": players[1].number, "event": event_named(case, "Open")["id"], "points": 40})

    Penalty.objects.all().update(status="dropped")
    found = compare(there(other), exact=True)
    assert causes(found) == {players[1].number: "penalty"}
    assert found.differences[0].cause.text == "40 penalty points were deducted there and not here"


@pytest.mark.rule("chessa 31")
def test_another_k(players):
    def change(case):
        standing = next(player for player in case["players"] if player["id"] == players[0].number)["lists"]["main"]
        standing["highest"] = 1620.0

    found = compare(there(change), exact=True)
    row = next(row for row in found.differences if row.number == players[0].number)
    assert row.cause.text == "with K 28 instead of 32: the highest rating before differs (article 31)"


@pytest.mark.rule("chessa 49")
@pytest.mark.parametrize(
    ("former", "cause"), [(1700.0, "missing history"), (1750.0, "missing history"), (1752.0, "weighted performance")]
)
def test_a_history_that_was_not_brought(players, former, cause):
    """It was at most 1750, the highest rating: a greater one needs something else."""

    def change(case):
        standing = next(player for player in case["players"] if player["id"] == players[5].number)["lists"]["main"]
        standing["raw_history"] = [standing["raw"]] + [former] * 23

    found = compare(there(change), exact=True)
    assert causes(found) == {players[5].number: cause}
    said = f"22 of the 24 former ratings were not brought and count 1200: at about {former:.0f} on average they lead"
    assert found.differences[0].cause.text.startswith(said) is (cause == "missing history")


@pytest.mark.rule("chessa 42", "chessa 49")
def test_a_month_without_games():
    """Each player's rating there, and the likely cause; nobody has played."""
    brought = [  # raw, highest, former ratings, published there
        ("100000001", "1500", "1600", ["1600"] * 23, 1592.0, "unexplained"),  # as before; weighted, it fell
        ("100000002", "1500", "1600", [], 1584.0, "missing history"),
        ("100000003", "1500", "1600", [], 1586.0, "missing event"),  # more than 1600 all the time
        ("100000004", "1500", "", [], 1900.0, "missing history"),  # nobody knows the highest: up to 500 above (42)
        ("100000005", "1500", "", [], 2010.0, "missing event"),
        ("100000006", "1500", "2100", ["1400"] * 23, 1500.0, "another standing before"),  # the floor is 1600
        ("100000007", "1500", "1600", ["1400"] * 23, 1480.0, "penalty"),
        ("100000008", "1100", "1200", [], 1100.0, "missing history"),  # they were lower than 1200
        ("100000009", "1500", "1600", ["1400"] * 23, 1512.0, "missing event"),
    ]
    lines = ["id,list,raw,highest," + ",".join(f"raw_{number}" for number in range(2, 25))]
    for number, raw, highest, former, *_ in brought:
        player(f"Calm{number[-1]}", "Grace", national_id=number)
        lines.append(",".join([number, "main", raw, highest, *(former or [""] * 23)]))
    take_opening(read_standings([SentFile("\n".join(lines).encode(), "standings.csv")], FEBRUARY), at=CLOCK, by=None)
    one, two = people(2)
    event_of([(one, two, "1-0")], date(2024, 3, 3))
    figures = {number: there for number, _, _, _, there, _ in brought}
    found = compare(figures, exact=True)
    assert {number: causes(found)[number] for number in figures} == {number: cause for number, *_, cause in brought}


def test_who_is_on_one_list_only(players):
    figures = there()
    del figures[players[6].number], figures[players[0].number]
    found = compare(figures | {"999999999": 1600.0})
    assert causes(found) == {
        players[6].number: "not rated there",
        players[0].number: "not on their list",
        "999999999": "not on the register",
    }
    assert found.text.endswith("3 on one list only")


def test_a_name_that_cannot_be_seen_is_shown_as_it_is(players):
    """PostgreSQL's JSON takes no NUL: the comparison was never kept."""
    content = "id,name,rating\n999999999,Moko\0ena \u202eNaledi,1500\n".encode()
    (found,) = trial(MARCH, [SentFile(content, "ratings_main.csv")]).lists
    assert {row.name for row in found.differences} >= {"Moko‹U+0000›ena ‹U+202E›Naledi"}


def test_the_command_prints_and_writes_every_difference(players, tmp_path):
    figures = there()
    figures[players[4].number] -= 33.0
    published, csv = tmp_path / "ratings_main.csv", tmp_path / "differences.csv"
    published.write_text(
        "\n".join(["UNIQUE_NO,RATING", *(f"{name},{int(value + 0.5)}" for name, value in figures.items())])
    )
    out = StringIO()
    call_command("trial", "2024-03", published=[published], csv=csv, stdout=out, stderr=out)
    lines = out.getvalue().splitlines()
    assert "2024-03: 7 games in 3 sections" in lines
    assert any(line.startswith("main: 6 of 7 players agree; 1 differ, by 3") for line in lines), lines
    assert lines[-1] == "Nothing was published."
    written = csv.read_text(encoding="utf-8").splitlines()
    assert written[0] == "list,id,name,here,there,difference,games,cause,about"
    assert written[1].startswith(f"main,{players[4].number},")


def test_what_a_trial_needs(players, tmp_path):
    path = tmp_path / "ratings_main.csv"
    path.write_text("UNIQUE_NO,RATING\n100000001,1400\n")
    for month, message in (
        ("2024-05", "2024-05 is not on record"),
        ("2024-02", "2024-02 was brought in"),
        ("2024-3", "is not a month: write it as 2024-03"),
    ):
        with pytest.raises(CommandError, match=message):
            call_command("trial", month, published=[path])
    path.write_text("UNIQUE_NO,RATING\n100000001,abc\n")
    with pytest.raises(CommandError, match="nothing was compared: 1 error to correct"):
        call_command("trial", "2024-03", published=[path], stderr=StringIO())
