"""The explanation of a published month: the very figures of the list, where each came from, and the way to recompute."""

import json
import re
from datetime import date

import pytest

from config.lib.database import as_float
from events.models import Guest, Penalty, RatingPeriod, Section
from players.models import Player
from ratings.cases.answer import answer_case, answer_document
from ratings.cases.fields import Node
from ratings.explanations.case_files import export_period, export_player
from ratings.explanations.queries import distinct_names, explain_month
from ratings.models import Rating, RatingList
from tests.federation import load
from tests.kept import kept
from tests.pages import builders

pytestmark = pytest.mark.django_db
LISTS = ("main", "standard", "rapid", "blitz")
STORED = ("raw", "weighted", "published", "highest")


def stored(period, player, code):
    rows = Rating.objects.filter(run=period.publication.run, player=player, list__code=code)
    return dict(zip(STORED, rows.values_list(*[as_float(name) for name in STORED]).get(), strict=True))


def page(client, player, month, code, query="") -> str:
    response = client.get(f"/players/{player.number}/{month}/{code}/{query}")
    assert response.status_code == 200
    return response.content.decode()


@kept
def _load_crowd():
    for month in (date(2024, 3, 1), date(2024, 4, 1), date(2024, 5, 1)):
        load(players=45, games=180, sections=8, seed=month.month, month=month, active=2 / 3)
        builders.publish(month)


@pytest.fixture
def crowd():
    """Thirty players with three months of random events of every time control, some of them abroad nowhere near rated."""
    _load_crowd()
    return RatingPeriod.objects.filter(publication__isnull=False).select_related("publication__run").order_by("month")


def test_the_explanation_leads_to_the_published_figure_bit_for_bit(crowd):
    told = 0
    for period in crowd:
        rated = Rating.objects.filter(run=period.publication.run, published__isnull=False, list__code__in=LISTS)
        for player, code, published in rated.values_list("player_id", "list__code", as_float("published")):
            explained = explain_month(period, player, code)
            assert explained.published == published
            last = explained.explanation.steps[-1]
            assert next(cell.value for cell in last.result if cell.label == "Published") == published
            told += 1
    assert told > 200


def test_the_case_file_is_computed_to_the_published_figures(client, crowd):
    period = crowd.last()
    rated = Rating.objects.filter(run=period.publication.run, list__code="main", published__isnull=False)
    for player in Player.objects.filter(pk__in=rated.values("player")).order_by("pk")[:25]:
        response = client.get(f"/players/{player.number}/{period}/case.json")
        case = json.loads(response.content)
        answers = answer_case(Node(case, ""))["players"][player.number]
        for code in LISTS:
            if not answers[code]["rated"]:
                continue
            for name, value in stored(period, player, code).items():
                assert answers[code][name] == pytest.approx(value, abs=1e-9), (player.number, code, name)
        assert list(case["expected"]["players"]) == [player.number]
        for one in case["players"]:
            if one["id"] != player.number:
                assert all(set(standing) == {"raw"} for standing in one["lists"].values())


def test_lists_of_other_systems_are_left_out_of_case_files(client):
    other = RatingList.objects.create(code="american", name="American", position=9, system="uscf")
    player = builders.federation()[0]
    period = RatingPeriod.objects.get(month=builders.APRIL)
    assert Rating.objects.filter(list=other, player=player).exists()
    assert client.get(f"/players/{player.number}/2024-04/case.json").status_code == 200
    assert player.number in export_period(period)["expected"]["players"]


@pytest.mark.parametrize(
    "address",
    [
        "999999999/2024-04/main/",
        "{number}/2024-06/main/",
        "{number}/2024-13/main/",
        "{number}/2024-04/blitz/",
        "{number}/2024-04/nonsense/",
        "{number}/2024-05/main/",
        "{number}/2024-05/case.json",
        "{number}/2024-13/case.json",
        "999999999/2024-04/case.json",
    ],
)
def test_only_what_is_published_is_explained(client, address):
    players = builders.federation()
    builders.round_robin(builders.event("May Open", ends=date(2024, 5, 11)).sections.get(), players[:4])
    builders.calculate(date(2024, 5, 1))
    assert client.get("/players/" + address.format(number=players[0].number)).status_code == 404


def test_nine_steps_with_their_articles(client):
    player = builders.federation()[0]
    text = page(client, player, "2024-04", "main")
    assert text.count('<li class="step"') == 9
    sources = re.findall(r'<p class="source">([^<]+)</p>', text)
    assert len(sources) == 9
    assert all(source.startswith("Article") for source in sources)
    assert "<h1>Main rating of Tom Ashby, 1 May 2024</h1>" in text


def test_what_was_taken_from_where(client):
    players = builders.federation()
    player, other = players[0], players[1]
    march = RatingPeriod.objects.get(month=builders.MARCH)
    text = page(client, player, "2024-04", "main", "?full=1")
    raw = repr(stored(march, other, "main")["raw"])
    assert f'<a href="/players/{other.number}/">Anri Botha</a>' in text
    assert f'<a href="/players/{other.number}/2024-03/main/">{raw}</a>' in text
    assert "raw rating at the start of the rating period, 1 April 2024" in text
    assert 'href="/events/' in text
    # Nobody was on the Rapid list a month before: the 1200 of the unrated leads nowhere.
    rapid = page(client, player, "2024-04", "rapid")
    assert f"/players/{other.number}/2024-03/rapid/" not in rapid
    assert "1\u202f200.00</td>" in rapid


def test_two_decimals_and_in_full(client):
    player = builders.federation()[0]
    figure = stored(RatingPeriod.objects.get(month=builders.APRIL), player, "main")["published"]
    short, full = page(client, player, "2024-04", "main"), page(client, player, "2024-04", "main", "?full=1")
    assert f"<dd>1\u202f{figure - 1000:06.2f}</dd>" in short
    assert f"<dd>{figure!r}</dd>" in full
    assert 'href="?full=1"' in short
    assert 'href="?"' in full


def test_the_way_to_other_months_and_lists(client):
    player = builders.federation()[0]
    march, april = page(client, player, "2024-03", "main"), page(client, player, "2024-04", "main")
    assert f'rel="next" href="/players/{player.number}/2024-04/main/"' in march
    assert 'rel="prev"' not in march
    assert f'rel="prev" href="/players/{player.number}/2024-03/main/"' in april
    assert f'href="/players/{player.number}/2024-04/rapid/"' in april
    assert f"/players/{player.number}/2024-04/blitz/" not in april
    # On the Rapid list he is new in April.
    assert 'rel="prev"' not in page(client, player, "2024-04", "rapid")


def test_a_limit_that_acted_is_said_in_a_sentence(client):
    players = builders.players(2)
    section = builders.event("Duel").sections.get()
    builders.play(section, [(round_, players[0], players[1], "1-0") for round_ in range(1, 13)])
    builders.publish(builders.MARCH)
    text, full = (page(client, players[0], "2024-03", "main", query) for query in ("", "?full=1"))
    assert "Article 47 allowed 165.82; 219.95 was earned, so 165.82 counts." in text
    period = RatingPeriod.objects.get(month=builders.MARCH)
    figures = {}
    for step in explain_month(period, players[0].pk, "main").explanation.steps:
        figures |= {cell.label: cell.value for row in step.rows for cell in row}
    limit, change = figures["Greatest change"], figures["Change"]
    assert f"Article 47 allowed {limit!r}; {change!r} was earned, so {limit!r} counts." in full


@pytest.mark.rule("chessa 45")
@pytest.mark.parametrize(("fide_list", "words"), [(None, ""), (date(2024, 3, 1), ", list of 2024-03")])
def test_the_rating_of_an_opponent_abroad_is_told_from_what_he_brought(client, fide_list, words):
    (player,) = builders.players(1)
    section = builders.event("Abroad").sections.get()
    guest = Guest.objects.create(section=section, name="Delacroix, Henrik", fide_rating=2598, fide_list=fide_list)
    section.games.create(round=1, guest=guest, white=player, result="1-0")
    builders.publish(builders.MARCH)
    text = page(client, player, "2024-03", "main")
    assert f"FIDE 2598{words} → 20 + 1.02 × 2598 = 2\u202f669.96 (article 45.2)" in text


@pytest.mark.rule("chessa 10.1", "chessa 10.2")
def test_the_case_file_keeps_what_opponents_abroad_brought(client):
    """Not the adjusted figure: the case adjusts it itself, to the bits that were published."""
    (player,) = builders.players(1)
    section = builders.event("Abroad").sections.get()
    for number, rating in enumerate(({"fide_rating": 2598}, {"performance": 1890}), start=1):
        guest = Guest.objects.create(section=section, name=f"Delacroix {number}", **rating)
        section.games.create(round=number, guest=guest, white=player, result="1-0")
    builders.publish(builders.MARCH)
    month = RatingPeriod.objects.get(month=builders.MARCH)
    for case in (export_period(month), export_player(month, player)):
        games = case["events"][0]["games"]
        assert [game["black"] for game in games] == [{"fide": 2598.0}, {"performance": 1890.0}]
        answered = answer_document(case)["players"][player.number]
        for name, figures in case["expected"]["players"][player.number].items():
            assert {key: answered[name][key] for key in figures} == figures


def test_a_stored_tournament_leads_to_its_event(client):
    player = builders.federation()[0]
    text = page(client, player, "2024-04", "main")
    step = text.partition('id="step-6"')[2].partition('id="step-7"')[0]
    march = Section.objects.get(period__month=builders.MARCH)
    assert f'<a href="/events/{march.event_id}/">' in step
    assert "of an earlier period" not in step


def test_penalties_are_in_the_explanation_and_in_the_case_file(client):
    players = builders.players(4)
    section = builders.event("Open").sections.get()
    builders.round_robin(section, players)
    Penalty.objects.create(
        section=section, player=players[0], round=2, kind=Penalty.Kind.choices[0][0], points=20, status="confirmed"
    )
    builders.publish(builders.MARCH)
    text = page(client, players[0], "2024-03", "main")
    assert "20 penalty points were deducted" in text
    told = "20 points, Open, round 2: forfeit without notice (article 51)"
    assert f'<dt>Penalty 1</dt><dd><a href="/events/{section.event_id}/">{told}</a></dd>' in text
    case = json.loads(client.get(f"/players/{players[0].number}/2024-03/case.json").content)
    assert [one["points"] for one in case["penalties"]] == [20]
    answers = answer_case(Node(case, ""))["players"][players[0].number]
    period = RatingPeriod.objects.get(month=builders.MARCH)
    assert answers["main"]["raw"] == pytest.approx(stored(period, players[0], "main")["raw"], abs=1e-9)


def test_records_that_changed_after_publication_are_owned_up_to(client):
    players = builders.federation()
    assert "These steps lead to" not in page(client, players[0], "2024-04", "main")
    players[0].games_as_white.filter(section__event__name="April Rapid").delete()
    assert "These steps lead to" in page(client, players[0], "2024-04", "main")


def test_two_opponents_of_one_name_lead_to_their_own_pages(client):
    players = builders.players(3)
    for player in players[1:]:
        Player.objects.filter(pk=player.pk).update(first_name="Sam", last_name="Same")
    builders.round_robin(builders.event("Open").sections.get(), [*players, *builders.players(1, last="Other")])
    builders.publish(builders.MARCH)
    text = page(client, players[0], "2024-03", "main")
    for player in players[1:]:
        assert f'<a href="/players/{player.number}/">Sam Same ({player.number})</a>' in text


def test_names_are_told_apart_only_where_they_must_be():
    names = {1: ("Open", "2024-03-01"), 2: ("Open", "2024-03-02"), 3: ("Open", "2024-03-02"), 4: ("Rapid", "x")}
    assert distinct_names(names) == {
        1: "Open (2024-03-01)",
        2: "Open (2024-03-02) (no. 2)",
        3: "Open (2024-03-02) (no. 3)",
        4: "Rapid",
    }


@pytest.mark.parametrize("count", [4, 8])
def test_the_number_of_queries_does_not_grow_with_the_games(client, django_assert_num_queries, count):
    player = builders.federation(count)[0]
    with django_assert_num_queries(25):
        assert client.get(f"/players/{player.number}/2024-04/main/").status_code == 200


def test_a_player_without_a_game_in_the_month_is_explained_too(client):
    players = builders.players(8)
    builders.round_robin(builders.event("March Open").sections.get(), players)
    builders.publish(builders.MARCH)
    builders.round_robin(builders.event("April Open", ends=date(2024, 4, 7)).sections.get(), players[:6])
    builders.publish(builders.APRIL)
    text = page(client, players[7], "2024-04", "main")
    assert "after no rated game in April 2024" in text
    assert text.count('<li class="step"') == 9
