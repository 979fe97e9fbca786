"""What the public can see of a list of another system says no more of a birth date than its year, which is public."""

import json
from datetime import date, timedelta

import pytest

from players.models import Player
from ratings.cases.answer import answer_document
from ratings.models import Performance, Rating, RatingList, RunPerson
from ratings.systems.adapters import ADAPTERS, PlayerFacts, edition_of
from tests.builders import calculate, event_of, period, player, publish
from tests.ratings.runs.test_other_systems import add_list

pytestmark = [pytest.mark.django_db, pytest.mark.rule("chessa 16", "chessa 58")]

APRIL = date(2024, 4, 1)
EARLY, LATE = date(2010, 1, 1), date(2010, 12, 31)
TURNS_21 = (date(2003, 4, 10), date(2003, 4, 20))  # on either side of an event of April 2024


def born(one, day):
    Player.objects.filter(pk=one.pk).update(birth_date=day, birth_year=day.year)


@pytest.fixture
def newcomer():
    """A month on a US list: a newcomer who lost everything, so that his rating stays at its start, against three others."""
    others = [player("Mokoena", f"Naledi {number}", birth_date=date(1990, 1, number)) for number in range(1, 4)]
    young = player("Dlamini", "Sipho", birth_date=EARLY)
    games = [(others[0], young, "1-0"), (young, others[1], "0-1"), (others[2], young, "1/2-1/2")]
    games += [(others[0], others[1], "1-0"), (others[1], others[2], "1-0")]
    add_list("uscf")
    event_of(games, date(2024, 3, 20), base=90, increment=30)
    return young


def stored():
    rows = Rating.objects.exclude(list__system="chessa").order_by("list", "player")
    return list(rows.values_list("list", "player", "raw", "published", "k", "standing"))


@pytest.mark.parametrize("day", [EARLY, date(2010, 3, 19), date(2010, 3, 21), date(2010, 12, 30)])
def test_no_figure_of_a_run_depends_on_the_day_of_birth(newcomer, day):
    born(newcomer, LATE)
    calculate()
    first = stored()
    born(newcomer, day)
    calculate()
    assert stored() == first
    assert first


def seen(client, code):
    """Every public page that states figures of the month on a list, for all who played, unrounded where a page offers it."""
    addresses = []
    for number in Player.objects.order_by("pk").values_list("number", flat=True):
        addresses += [
            f"/players/{number}/",
            f"/players/{number}/2024-03/{code}/?full=1",
            f"/players/{number}/2024-03/{code}/case.json",
            f"/calculators/{code}/?list={code}&player={number}&o1=1500&r1=1&full=1",
            f"/calculators/{code}/case.json?list={code}&player={number}&o1=1500&r1=1",
        ]
        for section in Performance.objects.filter(list__code=code).values_list("section", flat=True).distinct():
            addresses.append(f"/calculators/{code}/?list={code}&player={number}&section={section}&full=1")
            addresses.append(f"/calculators/{code}/case.json?list={code}&player={number}&section={section}")
    answers = {address: client.get(address, follow=True) for address in addresses}
    assert all(answer.status_code == 200 for answer in answers.values())
    return {address: answer.content for address, answer in answers.items()}


@pytest.mark.parametrize("kept", [True, False])
def test_no_public_page_depends_on_the_day_of_birth(client, newcomer, kept):
    """`kept`: False is a month that was published when ages counted days."""
    publish()
    if not kept:
        RunPerson.objects.update(number="")
    pages = []
    for day in (EARLY, LATE):
        born(newcomer, day)
        RunPerson.objects.filter(player=newcomer).update(born=day)
        pages.append(seen(client, "uscf"))
    assert pages[0] == pages[1]
    page = pages[0][f"/players/{newcomer.number}/2024-03/uscf/?full=1"].decode()
    assert ("Birth dates are not public" in page) is not kept


def test_everybody_can_recompute_a_newcomers_month(client, newcomer):
    publish()
    (case,) = json.loads(client.get(f"/players/{newcomer.number}/2024-03/uscf/case.json").content)
    assert next(row for row in case["players"] if row["id"] == newcomer.number)["start"] == [14 * 50, 0]
    assert "source" not in case
    published = Rating.objects.get(player=newcomer, list__code="uscf", run__publication__period=period())
    found = answer_document(case)["players"][newcomer.number]
    assert found["published"] == published.published
    assert found["rating"] == case["expected"]["players"][newcomer.number]["rating"]


def test_the_case_of_a_month_with_ages_to_the_day_says_that_it_may_differ(client, newcomer):
    publish()
    RunPerson.objects.update(number="")
    (case,) = json.loads(client.get(f"/players/{newcomer.number}/2024-03/uscf/case.json").content)
    assert "ages still counted days" in case["source"]
    again = {
        "list": "uscf",
        "player": newcomer.number,
        "section": str(Performance.objects.filter(list__code="uscf")[0].section_id),
    }
    assert "ages still counted days" in client.get("/calculators/uscf/", again).content.decode()
    assert "ages still counted days" in json.loads(client.get("/calculators/uscf/case.json", again).content)["source"]
    assert answer_document(case)["players"][newcomer.number]["rating"] > 0


def test_irish_k_changes_with_the_year_and_not_with_the_birthday(client):
    four = [player("Mokoena", f"Naledi {number}", birth_date=date(1990, 1, number)) for number in range(1, 5)]
    Player.objects.update(registered_at="2001-05-05T08:00:00+02:00")
    pairs = [(white, black, "1-0") for place, white in enumerate(four) for black in four[place + 1 :]]
    add_list("icu", starts_from=RatingList.objects.get(code="main"))
    event_of(pairs, date(2024, 3, 20), base=90, increment=30)
    publish()
    event_of(pairs, date(2024, 4, 14), base=90, increment=30)
    born(four[0], TURNS_21[0])
    calculate(APRIL)
    first = stored()
    born(four[0], TURNS_21[1])
    calculate(APRIL)
    assert stored() == first
    born(four[0], TURNS_21[0])
    publish(APRIL)
    pages = []
    for day in TURNS_21:
        born(four[0], day)
        pages.append([
            client.get(f"/calculators/icu/?list=icu&player={four[0].number}&at={month}&o1=1500&r1=1&full=1").content
            for month in ("2024-04", "2024-03")
        ])  # fmt: skip
    assert pages[0] == pages[1]


@pytest.mark.parametrize("code", list(ADAPTERS))
def test_no_standing_depends_on_the_day_of_birth(code):
    adapter = ADAPTERS[code]
    for year in (1990, 2003, 2004, 2014, 2022):
        standings = set()
        for offset in range(365):
            facts = PlayerFacts(date(year, 1, 1) + timedelta(offset), date(2001, 1, 1))
            for day in (date(2024, 1, 1), date(2024, 6, 30), date(2024, 12, 31)):
                edition = edition_of(adapter, "", day)
                for rating in (None, 1500.0):
                    standing = adapter.standing_on(adapter.newcomer(rating, edition), facts, day, edition)
                    standings.add((rating, json.dumps(adapter.to_json(standing), sort_keys=True)))
        assert len(standings) == 2
