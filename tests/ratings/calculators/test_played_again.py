"""A published section played again on a list of another system: the whole section, with other results of one player."""

import json
from datetime import date

import pytest
from django.http import QueryDict
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from config.lib.database import as_float
from events.models import RatingPeriod, Section
from players.models import Player
from ratings.calculators.replay import read_replay
from ratings.calculators.replay_form import ReplayForm
from ratings.cases.answer import answer_case, answer_document
from ratings.cases.fields import Node
from ratings.models import Performance, Rating, RatingList
from tests.federation import load
from tests.kept import kept
from tests.pages import builders

pytestmark = pytest.mark.django_db
SYSTEMS = ("icu", "uscf", "cfc")
MONTHS = (date(2024, 3, 1), date(2024, 4, 1))
EXACT = 1e-9


@kept
def _load_crowd():
    for position, code in enumerate(SYSTEMS, start=5):
        builders.add_list(code, position=position)
    builders.add_list("program", system="icu", position=9, edition="software-3")
    for month in MONTHS:
        load(players=40, games=120, sections=6, seed=month.month, month=month, active=2 / 3)
        builders.publish(month)


@pytest.fixture
def crowd():
    """Two months of random events among forty players; a list of each system, and one more Irish list by the program."""
    _load_crowd()
    return RatingPeriod.objects.filter(publication__isnull=False).order_by("month")


def again(row, **results):
    replay = read_replay(row.list.system, row.list.code, row.player.number, str(row.section_id))
    assert replay is not None
    return ReplayForm(replay, results)


def rows(period, code=""):
    chosen = Performance.objects.filter(run=period.publication.run).exclude(list__system="chessa")
    return (chosen.filter(list__code=code) if code else chosen).select_related("list", "player", "section")


def test_played_again_unchanged_it_is_what_was_published_bit_for_bit(crowd):
    told = 0
    for period in crowd:
        for row in rows(period).order_by("list", "section", "player")[::5]:
            form = again(row)
            assert form.is_valid()
            line = form.rated.lines[form.replay.id]
            assert (line.score, line.expected, line.performance) == (
                row.score,
                row.expected,
                _exact(row, "performance"),
            )
            before, after = form.replay.shown[form.replay.id], form.replay.after(form.rated)
            if before is not None:
                assert after - before == pytest.approx(float(row.change), abs=EXACT)
            if row.section_id == _last(row):
                stored = Rating.objects.filter(run=row.run_id, list=row.list_id, player=row.player_id)
                assert line.rating == stored.values_list(as_float("raw"), flat=True).get()
                assert form.replay.published == line.published
            assert form.answer()[0].rating is not None
            told += 1
    assert told > 60


def _exact(row, name):
    found = Performance.objects.filter(run=row.run_id, list=row.list_id, section=row.section_id, player=row.player_id)
    return found.values_list(as_float(name), flat=True).get()


def _last(row):
    sections = Performance.objects.filter(run=row.run_id, list=row.list_id, player=row.player_id)
    return sections.order_by("section__ends", "section_id").values_list("section_id", flat=True).last()


@pytest.mark.parametrize("code", [*SYSTEMS, "program"])
def test_its_case_is_computed_to_the_same_figures(crowd, code):
    for row in rows(crowd.last(), code).order_by("section", "player")[::7]:
        form = again(row, r1="0")
        assert form.is_valid()
        found = answer_case(Node(json.loads(json.dumps(form.case())), ""))["players"]
        outcome = form.rated.result.outcomes[form.replay.id]
        assert found[row.player.number]["rating"] == pytest.approx(outcome.rating, abs=EXACT)


@pytest.mark.parametrize("code", [*SYSTEMS, "program"])
def test_the_case_file_of_a_month_is_computed_to_the_published_figures(client, crowd, code):
    period, told = crowd.last(), 0
    players = rows(period, code).values_list("player", flat=True).distinct().order_by("player")
    for player in Player.objects.filter(pk__in=players[:12]):
        response = client.get(f"/players/{player.number}/{period}/{code}/case.json")
        assert response["Content-Disposition"] == f'attachment; filename="{player.number}-{period}-{code}.json"'
        cases = json.loads(response.content)
        answers = answer_document(cases)
        for case, found in zip(cases, answers, strict=True):
            ((name, figures),) = case["expected"]["players"].items()
            for figure, value in figures.items():
                same = pytest.approx(value, abs=EXACT) if isinstance(value, float) else value
                assert found["players"][name][figure] == same, figure
            told += 1
        stored = Rating.objects.filter(run=period.publication.run, list__code=code, player=player)
        raw = stored.values_list(as_float("raw"), flat=True).get()
        last = answers[-1]["players"][name]
        exact = last["rating"] if code != "cfc" or last["exact"] is None else last["exact"]
        assert exact == pytest.approx(raw, abs=EXACT)
    assert told > 10


def test_no_birth_date_is_in_a_case_file(client, crowd):
    period = crowd.first()
    player = rows(period, "uscf").first().player
    cases = json.loads(client.get(f"/players/{player.number}/{period}/uscf/case.json").content)
    assert all("age" not in one for case in cases for one in case["players"])


@pytest.mark.parametrize(
    "address", ["2024-04/main/case.json", "2024-05/icu/case.json", "2024-13/icu/case.json", "2024-04/none/case.json"]
)
def test_only_published_months_of_such_lists_have_a_case_file(client, address):
    builders.add_list("icu")
    player = builders.federation()[0]
    assert client.get(f"/players/{player.number}/{address}").status_code == 404


@pytest.fixture
@kept
def made():
    """Six players with two months; on a list of each system."""
    for position, code in enumerate(SYSTEMS, start=5):
        builders.add_list(code, position=position, starts_from="" if code == "uscf" else "main")
    return builders.federation()


def asked(player, code, event="April Rapid"):
    section = Section.objects.get(event__name=event)
    return {"list": code, "player": player.number, "section": str(section.pk)}


@pytest.mark.parametrize("code", SYSTEMS)
def test_other_results_change_his_rating_and_what_was_published_stays_in_sight(client, made, code):
    entry = asked(made[0], code)
    plain = client.get(f"/calculators/{code}/", entry).content.decode()
    lost = client.get(
        f"/calculators/{code}/", entry | dict.fromkeys(["r1", "r2", "r3", "r4", "r5"], "0")
    ).content.decode()
    assert "Calculating for" in plain
    assert "April Rapid</a> played again" in plain
    assert "Everybody else’s games stand as they were" in plain
    assert _new(plain) > _new(lost)
    for text in (plain, lost):
        assert _key(text, "As it was played") == _key(plain, f"{code.upper()} after")
    assert _key(lost, f"{code.upper()} after") != _key(plain, f"{code.upper()} after")
    for other in made[1:]:
        assert f'<a href="/players/{other.number}/">{other.name}</a>' in plain


def test_the_opponent_loses_what_the_player_wins(made):
    """The other side of a game has the other result: his rating follows."""
    row = Performance.objects.get(list__code="cfc", player=made[5], section__event__name="April Rapid")
    form, changed = again(row), again(row, r1="1", r2="1", r3="1", r4="1", r5="1")
    assert form.is_valid()
    assert changed.is_valid()
    before, after = form.rated.lines, changed.rated.lines
    assert after[form.replay.id].score == 5
    assert sum(line.score for line in after.values()) == sum(line.score for line in before.values())
    assert after[str(made[0].pk)].score < before[str(made[0].pk)].score


def test_a_link_holds_what_is_not_as_it_was_played(client, made):
    entry = asked(made[0], "icu")
    form = ReplayForm(read_replay("icu", "icu", made[0].number, entry["section"]), {"r1": "0", "r2": "", "r9": "1"})
    assert form.is_valid()
    assert QueryDict(form.link()).dict() == entry | {"r1": "0"}
    response = client.get("/calculators/icu/", entry | {"r1": ""})
    assert response.status_code == 302
    assert QueryDict(response["Location"].partition("?")[2]).dict() == entry
    text = client.get("/calculators/icu/", entry | {"r1": "2"}).content.decode()
    assert "Result, game 1: choose one of the list." in text


def test_guests_keep_their_names(client):
    builders.add_list("uscf", starts_from="")
    made = builders.players(4)
    section = builders.event("Abroad").sections.get()
    builders.round_robin(section, made)
    builders.visitor(section, made[0], colour="black")
    builders.publish(builders.MARCH)
    text = client.get("/calculators/uscf/", asked(made[0], "uscf", "Abroad")).content.decode()
    assert text.count("Ingrid Abroad") > 1
    assert '<td data-label="Rating" class="fact num">1\u202f700</td>' in text
    row = Performance.objects.get(list__code="uscf", player=made[0])
    form = again(row)
    assert form.is_valid()
    assert form.rated.lines[form.replay.id].rating == _exact_rating(row)
    assert QueryDict(form.free_entry)["o4"] == "1700"


def _exact_rating(row):
    stored = Rating.objects.filter(run=row.run_id, list=row.list_id, player=row.player_id)
    return stored.values_list(as_float("raw"), flat=True).get()


def test_the_same_games_can_be_an_entry_of_ones_own(client, made):
    text = client.get("/calculators/cfc/", asked(made[0], "cfc")).content.decode()
    assert "Change opponents or ratings too" in text
    row = Performance.objects.get(list__code="cfc", player=made[0])
    free = client.get(f"/calculators/cfc/?{again(row).free_entry}").content.decode()
    assert 'class="problem"' not in free
    assert '<p class="new">' in free


def test_the_explanation_leads_to_the_calculator(client, made):
    entry = asked(made[0], "icu")
    text = client.get(f"/players/{made[0].number}/2024-04/icu/").content.decode()
    link = f"/calculators/icu/?list=icu&amp;player={made[0].number}"
    assert f'<a href="{link}&amp;section={entry["section"]}">Play April Rapid again</a>' in text
    assert f'<a href="{link}">Calculate Tom Ashby’s next event</a>' in text
    assert f'href="/players/{made[0].number}/2024-04/icu/case.json" download' in text


@pytest.mark.parametrize(
    "change",
    [
        {"section": "99999"},
        {"section": "x"},
        {"section": "9" * 40},
        {"player": "999999999"},
        {"player": "x"},
        {"player": ""},
        {"list": "uscf"},
        {"list": "main"},
    ],
)
def test_what_cannot_be_played_again_is_not_found(client, made, change):
    assert client.get("/calculators/icu/", asked(made[0], "icu") | change).status_code == 404


def test_a_list_that_did_not_rate_the_section_does_not_play_it_again(client, made):
    builders.add_list("late", system="icu", position=9)
    RatingList.objects.filter(code="cfc").update(counts_rapid=False)
    assert client.get("/calculators/icu/", asked(made[0], "late")).status_code == 404
    assert client.get("/calculators/cfc/", asked(made[0], "cfc")).status_code == 404


NAMES = ["list", "player", "section", "at", "p1", "o1", "r1", "r2", "r3", "t", "s", "rt", "g", "on", "k", "rc"]
TEXTS = st.one_of(
    st.sampled_from(["", "icu", "uscf", "cfc", "100000001", "100000002", "999999999", "1", "h", "0", "2024-04"]),
    st.sampled_from(["2024-04-20", "1990-01-01", "unrated", "provisional", "otherwise", "1500", "-500", "x" * 99]),
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(SYSTEMS), st.dictionaries(st.sampled_from(NAMES), TEXTS, max_size=9), st.booleans())
def test_no_entry_with_real_players_is_an_error_of_the_server(client, made, system, entry, section):
    if section:
        entry = asked(made[0], system) | entry
    for page in ("", "case.json"):
        assert client.get(f"/calculators/{system}/{page}", entry).status_code in (200, 302, 404)
    assert client.get("/calculators/players.json", {"q": "ash", "list": entry.get("list", "")}).status_code == 200


def _new(text: str) -> float:
    shown = text.partition('<p class="new"><span class="big">')[2].partition("<")[0]
    return float(shown.replace("\u202f", ""))


def _key(text: str, label: str) -> str:
    return text.partition(f"<dt>{label}</dt><dd>")[2].partition("<")[0]
