"""Lists of the Irish, US and Canadian systems beside the four: the same events, one after the other, by the same systems."""

from datetime import date

import pytest

from players.models import Player
from ratings.cases.answer import answer_case
from ratings.cases.fields import Node
from ratings.lists.admin_forms import RatingListForm
from ratings.models import Performance, Rating, RatingList, RatingRun
from tests.builders import calculate, event_of, people, publish

pytestmark = pytest.mark.django_db

APRIL = date(2024, 4, 1)


def add_list(system, *, starts_from=None, **fields):
    return RatingList.objects.create(
        code=system, name=system.upper(), position=9, system=system, starts_from=starts_from, **fields
    )


def everybody_meets(players, results="1-0 0-1 1/2-1/2 1-0"):
    words = results.split()
    pairs = [(white, black) for index, white in enumerate(players) for black in players[index + 1 :]]
    return [(white, black, words[index % len(words)]) for index, (white, black) in enumerate(pairs)]


def as_case_events(played):
    """Events as a case writes them: (end date, games)."""
    return [
        {
            "id": f"e{index}",
            "ended": ended.isoformat(),
            "games": [
                {"white": str(white.pk), "black": str(black.pk), "result": result} for white, black, result in games
            ],
        }
        for index, (ended, games) in enumerate(played)
    ]


def ratings(rating_list, run):
    return {
        player: (None if raw is None else float(raw), None if published is None else float(published))
        for player, raw, published in Rating.objects.filter(run=run, list=rating_list).values_list(
            "player_id", "raw", "published"
        )
    }


@pytest.fixture
def march():
    """Two events in March, the one that ended first entered last."""
    players = people(8)
    later, earlier = everybody_meets(players), everybody_meets(players[:6], "0-1 1-0 1/2-1/2")
    event_of(later, date(2024, 3, 20), base=90, increment=30)
    event_of(earlier, date(2024, 3, 9), base=15, increment=10)
    return players, [(date(2024, 3, 9), earlier), (date(2024, 3, 20), later)]


def test_uscf_list_rates_the_events_by_end_date(march):
    players, played = march
    uscf = add_list("uscf")
    run = calculate()
    answer = answer_case(
        Node({"id": "x", "system": "uscf", "players": [{"id": str(one.pk)} for one in players],
              "events": as_case_events(played)}, "")
    )["players"]  # fmt: skip
    found = ratings(uscf, run)
    assert len(found) == 8
    for one in players:
        assert found[one.pk][0] == pytest.approx(answer[str(one.pk)]["rating"], abs=1e-9)
        assert found[one.pk][1] == answer[str(one.pk)]["published"]


def test_icu_list_starts_from_main_and_knows_who_is_young(march):
    players, _ = march
    icu = add_list("icu", starts_from=RatingList.objects.get(code="main"))
    young = players[2]
    Player.objects.filter(pk=young.pk).update(birth_date=date(2010, 2, 3), birth_year=2010)
    Player.objects.update(registered_at="2001-05-05T08:00:00+02:00")
    publish()
    main = ratings(RatingList.objects.get(code="main"), RatingRun.objects.get())
    april = everybody_meets(players, "1/2-1/2 0-1 1-0 1-0")
    event_of(april, date(2024, 4, 14))
    run = publish(APRIL)
    answer = answer_case(
        Node({"id": "x", "system": "icu",
              "players": [{"id": str(one.pk), "type": "rated", "rating": round(main[one.pk][1]),
                           "k": 40 if one == young else 24}
                          for one in players],
              "events": as_case_events([(date(2024, 4, 14), april)])}, "")
    )["players"]  # fmt: skip
    found = ratings(icu, run)
    for one in players:
        assert found[one.pk][0] == pytest.approx(answer[str(one.pk)]["rating"], abs=1e-9)
    previous = Rating.objects.get(run=run, list=icu, player=young).previous
    assert float(previous) == pytest.approx(main[young.pk][1])


def test_cfc_list_goes_on_from_its_own_standings(march):
    players, _ = march
    cfc = add_list("cfc", starts_from=RatingList.objects.get(code="main"))
    publish()
    main = ratings(RatingList.objects.get(code="main"), RatingRun.objects.get())
    first, second = everybody_meets(players, "1-0 0-1 1/2-1/2"), everybody_meets(players[:5], "0-1 0-1 1-0")
    event_of(first, date(2024, 4, 14))
    publish(APRIL)
    event_of(second, date(2024, 5, 5))
    run = publish(date(2024, 5, 1))
    answer = answer_case(
        Node({"id": "x", "system": "cfc", "rules": "2012",
              "players": [{"id": str(one.pk), "status": "established", "rating": round(main[one.pk][1]), "games": 25}
                          for one in players],
              "events": as_case_events([(date(2024, 4, 14), first), (date(2024, 5, 5), second)])}, "")
    )["players"]  # fmt: skip
    assert {player: rating for player, (_, rating) in ratings(cfc, run).items()} == {
        one.pk: answer[str(one.pk)]["rating"] for one in players
    }


@pytest.mark.rule("cfc article-rounds")
def test_a_list_may_follow_the_canadian_article(march):
    players, _ = march
    main = RatingList.objects.get(code="main")
    add_list("cfc", starts_from=main)
    article = RatingList.objects.create(
        code="article", name="Article", position=10, system="cfc", edition="article", starts_from=main
    )
    publish()
    # Three wins of one player, below the four games of the Handbook, in the first of three rounds.
    event_of([(players[0], other, "1-0") for other in players[1:4]], date(2024, 4, 14))
    run = publish(APRIL)
    handbook, by_article = (
        Rating.objects.get(run=run, list__code=code, player=players[0]) for code in ("cfc", "article")
    )
    assert by_article.published > handbook.published
    assert RatingListForm({"name": "A", "code": "a", "position": 12, "system": "cfc", "edition": "article",
                           "counts_standard": "on"}).is_valid()  # fmt: skip
    assert article.pk in {int(key) for key in run.list_hashes}


def test_a_list_counts_only_its_types_of_game(march):
    players, _ = march
    uscf = add_list("uscf", counts_rapid=False)
    run = calculate()
    games = dict(Rating.objects.filter(run=run, list=uscf).values_list("player_id", "games"))
    assert games == {one.pk: 7 for one in players}
    assert Performance.objects.filter(run=run, list=uscf).count() == 8


def test_what_cannot_be_rated_on_a_list_is_said_and_hurts_nobody_else(march):
    add_list("cfc")
    run = calculate()
    assert run.state == RatingRun.State.CALCULATED
    assert "CFC: Club night is not rated on this list: " in run.remarks
    assert "preliminary rating" in run.remarks
    assert Rating.objects.filter(run=run, list__code="cfc").count() == 0
    assert Rating.objects.filter(run=run, list__code="main").count() == 8


def test_ranks_of_a_list_of_another_system(march):
    uscf = add_list("uscf")
    run = calculate()
    rows = Rating.objects.filter(run=run, list=uscf).order_by("position").values_list("position", "rank", "published")
    published = [float(row[2]) for row in rows]
    assert [row[0] for row in rows] == list(range(1, 9))
    assert published == sorted(published, reverse=True)
    assert [row[1] for row in rows] == [1 + sum(other > one for other in published) for one in published]


def test_a_list_added_later_asks_for_a_new_calculation(march):
    run = calculate()
    add_list("uscf")
    again = calculate()
    assert again.pk != run.pk
    assert Rating.objects.filter(run=again, list__code="uscf").count() == 8


@pytest.mark.parametrize(
    ("changes", "field", "message"),
    [
        ({"system": "chessa"}, "system", "there already"),
        ({"edition": "1999"}, "edition", "no edition “1999”"),
        ({"counts_standard": "", "counts_rapid": "", "counts_blitz": ""}, "counts_standard", "at least one type"),
    ],
)
def test_the_form_says_what_is_wrong(changes, field, message):
    given = {"name": "US Chess", "code": "us", "position": 7, "system": "uscf", "edition": "2025",
             "counts_standard": "on", "counts_rapid": "on", "counts_blitz": "on"}  # fmt: skip
    assert RatingListForm(given).is_valid()
    form = RatingListForm({**given, **changes})
    assert message in str(form.errors[field])
