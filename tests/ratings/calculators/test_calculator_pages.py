"""The calculators' pages: every address answers, entries are kept, nothing is needed but an address."""

import json

import pytest
from django.http import QueryDict
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ratings.cases.answer import answer_case
from ratings.cases.fields import Node
from tests.ratings.calculators.entries import FORMS, games
from tests.ratings.calculators.test_forms import VALID

pytestmark = pytest.mark.django_db

NAMES = sorted({name for form in FORMS.values() for name in (*form.base_fields, *form.NAMES)})
TEXTS = st.one_of(
    st.sampled_from(
        ["", "1", "0", "h", "w", "b", "on", "30", "1400", "1500.5", "-500", "4000", "5000", "NaN", "inf", "1e400",
         "2012-08-01", "2024-02-29", "9999-12-31", "2024-03", "0000-00", "provisional", "unrated", "established",
         "all_won", "approximate", "text", "software-3", "2001", "2025", "999000001", "\x00", "\x00" * 9, "٣", "½", "9" * 400]
    ),
    st.text(max_size=12),
)  # fmt: skip
KEYS = st.builds(lambda name, number: f"{name}{number}", st.sampled_from(NAMES), st.sampled_from(["", 1, 2, 3, 30, 31]))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(sorted(FORMS)), st.dictionaries(KEYS, TEXTS, max_size=12), st.booleans())
def test_no_address_is_an_error_of_the_server(client, system, entry, valid_too):
    asked = (VALID[system] if valid_too else {}) | entry
    response = client.get(f"/calculators/{system}/", asked)
    if any("\0" in text for text in asked.values() if isinstance(text, str)):
        assert response.status_code == 400
        return
    assert response.status_code in (200, 302, 404)
    if response.status_code == 302:
        assert client.get(response["Location"]).status_code in (200, 404)
    assert client.get(f"/calculators/{system}/case.json", asked).status_code in (200, 404)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=90), st.text(max_size=9))
def test_no_search_for_a_player_is_an_error_of_the_server(client, text, period):
    assert client.get("/calculators/players.json", {"q": text, "at": period}).status_code == (
        400 if "\0" in text + period else 200
    )


def test_what_each_calculator_is_for(client):
    text = client.get("/calculators/").content.decode()
    for system in FORMS:
        assert f'href="/calculators/{system}/"' in text
    assert client.get("/calculators/fide/").status_code == 404


@pytest.mark.parametrize("system", FORMS)
def test_a_page_without_an_entry_has_no_errors(client, system):
    text = client.get(f"/calculators/{system}/").content.decode()
    assert 'class="problem"' not in text
    assert text.count('<tr><th scope="row" class="num">') == 3
    assert " style=" not in text
    assert "<script>" not in text


@pytest.mark.parametrize("system", FORMS)
def test_a_form_sent_as_it_is_leads_back_to_itself(client, system):
    blank = dict.fromkeys(FORMS[system]({}).fields, "")
    response = client.get(f"/calculators/{system}/", blank, follow=True)
    assert response.redirect_chain == [(f"/calculators/{system}/", 302)]
    assert response.status_code == 200


@pytest.mark.parametrize("system", FORMS)
def test_the_answer_stands_beside_the_kept_entry(client, system):
    entry = VALID[system]
    text = client.get(f"/calculators/{system}/", entry).content.decode()
    assert '<p class="new"><span class="big">' in text
    assert 'value="1500"' in text
    assert '<ol class="steps">' in text
    assert f"http://testserver/calculators/{system}/?" in text
    assert 'class="problem"' not in text


def test_mistakes_stand_in_a_summary_and_the_entry_is_kept(client):
    text = client.get("/calculators/icu/", VALID["icu"] | {"rt": "fourteen hundred"}).content.decode()
    assert '<a href="#id_rt">Rating before the event: enter a rating from −500 to 4000.</a>' in text
    assert 'value="fourteen hundred"' in text
    assert 'id="id_rt_error"' in text
    assert 'aria-invalid="true"' in text
    assert '<p class="new">' not in text


def test_full_figures(client):
    entry = {"rt": "1400", "k": "24"} | games((1500, "1"))
    short = client.get("/calculators/icu/", entry).content.decode()
    full = client.get("/calculators/icu/", entry | {"full": "1"}).content.decode()
    assert "<dd>1\u202f415.36</dd>" in short
    assert "<dd>1415.361559" in full


@pytest.mark.parametrize("system", FORMS)
def test_the_case_file_is_what_rate_reads(client, system):
    response = client.get(f"/calculators/{system}/case.json", VALID[system])
    assert response["Content-Disposition"] == f'attachment; filename="{system}-case.json"'
    assert "1" in answer_case(Node(json.loads(response.content), ""))["players"]
    assert client.get(f"/calculators/{system}/case.json").status_code == 404


def test_an_unrated_irish_player_is_rated_by_his_performance(client):
    """Credits of 1500 + 400 and 1500 − 400."""
    text = client.get("/calculators/icu/", {"t": "unrated"} | games((1500, "1"), (1500, "0"))).content.decode()
    assert '<span class="big">1\u202f500.0</span>' in text


def test_of_a_parameter_given_twice_the_last_counts(client):
    query = QueryDict("rt=1400&rt=1500&o1=1500&r1=1")
    text = client.get(f"/calculators/icu/?{query.urlencode()}").content.decode()
    assert 'value="1500"' in text
    assert 'value="1400"' not in text


@pytest.mark.parametrize("system", FORMS)
def test_enter_calculates_and_does_not_add_a_row(client, system):
    """The first button of a form is the one that Enter presses."""
    form = client.get(f"/calculators/{system}/").content.decode().partition("data-calculator")[2]
    button = form[form.index("<button") :].partition("</button>")[0]
    assert button.endswith("Calculate rating")
    assert "formaction" not in button


@pytest.mark.parametrize("system", FORMS)
@pytest.mark.parametrize(
    ("without", "rows", "opponents"),
    [("1", 2, ["1600", "1700"]), ("2", 2, ["1500", "1700"]), ("3", 2, ["1500", "1600"])],
)
def test_a_row_is_taken_away_without_script(client, system, without, rows, opponents):
    entry = VALID[system] | games((1500, "1"), (1600, "h"), (1700, "0"), colours="wbw" if system == "chessa" else "")
    response = client.get(f"/calculators/{system}/", entry | {"n": "3", "without": without})
    assert response.status_code == 302
    form = FORMS[system](QueryDict(response["Location"].partition("?")[2].partition("#")[0]))
    assert (len(form.rows), form.is_valid()) == (rows, True)
    assert [f"{game.rating:g}" for game in form.games] == opponents


@pytest.mark.parametrize("without", ["0", "4", "30", "-1", "x", "999"])
def test_a_row_that_is_not_there_takes_no_game_away(client, without):
    entry = VALID["icu"] | games((1500, "1"), (1600, "h"), (1700, "0")) | {"without": without}
    text = client.get("/calculators/icu/", entry, follow=True).content.decode()
    assert [f'value="{rating}"' in text for rating in (1500, 1600, 1700)] == [True] * 3


@pytest.mark.parametrize("system", FORMS)
def test_the_answer_stands_at_the_foot_of_a_small_screen_too(client, system):
    foot = client.get(f"/calculators/{system}/", VALID[system]).content.decode().partition('id="tally"')[2]
    assert '<a href="#answer">' in foot.partition('id="answer"')[0]
    wrong = client.get(f"/calculators/{system}/", VALID[system] | {"o1": "15OO"}).content.decode()
    foot = wrong.partition('id="tally"')[2].partition('id="answer"')[0]
    assert '<a href="#outcome">Not calculated' in foot
    assert '<p class="new">' not in wrong
    assert 'id="id_o1_error"' in wrong
