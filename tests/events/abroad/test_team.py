"""A whole team's results from abroad: the event once, a row for each player; what is right is sent in, the rest stays typed."""

import pytest
from django.utils import timezone

from accounts.models import User
from events.abroad.links import ask_link, token_of
from events.models import AbroadLink, Event, Game, Submission
from tests.builders import player, region, with_address
from tests.events.abroad.entries import PAGE, text_of, this_month

pytestmark = [pytest.mark.django_db, pytest.mark.rule("chessa 10")]
TEAM = f"{PAGE}team/"


@pytest.fixture
def anri(db):
    return player("Botha", "Anri", region=region(), fide_id=14300002)


def team(*whos, do="send", **fields):
    """The form as a browser sends it, each player with the games of `this_month`; `p1_game_0_result` is one field."""
    one = this_month()
    games = {name: value for name, value in one.items() if name.startswith("game-")}
    sent = {name: value for name, value in one.items() if name not in games} | {"players": len(whos), "do": do}
    for place, who in enumerate(whos):
        sent |= {f"p{place}-who": who} | {f"p{place}-{name}": value for name, value in games.items()}
    for name, value in fields.items():
        place, _, rest = name.partition("_game_")
        number, _, field = rest.partition("_")
        sent[f"{place}-game-{number}-{field}" if rest else name.replace("_", "-")] = value
    return sent


def senders():
    return list(Event.objects.order_by("pk").values_list("state", "sections__entries__player__last_name"))


def test_each_players_results_are_an_event_as_if_sent_in_alone(client, administrator, naledi, anri):
    answered = client.post(TEAM, team("Mokoena, Naledi", anri.number), follow=True)
    assert answered.redirect_chain == [("/events/mine/", 302)]
    assert "The results of Naledi Mokoena, Anri Botha are with the ratings officer." in text_of(answered)
    assert senders() == [("submitted", "Mokoena"), ("submitted", "Botha")]
    assert Game.objects.count() == 10
    assert Submission.objects.filter(by=administrator).count() == 2


def test_what_is_wrong_is_marked_in_its_row_and_the_rest_is_sent(client, administrator, naledi, anri):
    answered = client.post(TEAM, team("naledi mok", "Botha", p1_game_1_result=""))
    assert answered.status_code == 422
    assert senders() == [("submitted", "Mokoena")]
    said = text_of(answered)
    assert "Anri Botha: Round 2: choose the result." in said
    assert "Naledi Mokoena: the results are with the ratings officer." in said
    assert said.count('value="Varga, Tomas"') == 1  # what Anri's row had typed
    again = team("naledi mok", "Botha", **{"p0_sent": naledi.number})
    assert client.post(TEAM, again).status_code == 302
    assert senders() == [("submitted", "Mokoena"), ("submitted", "Botha")]


@pytest.mark.parametrize(
    ("who", "problem"),
    [
        ("Nobody Here", "Nobody whose results you may send in is called Nobody Here."),
        ("999999998", "Nobody whose results you may send in is called 999999998."),
        ("Mokoena", "More than one player is meant by Mokoena: "),
        ("", "Player 1: Say whose results these are"),
        ("Sithole", "Nobody whose results you may send in is called Sithole."),
    ],
)
def test_who_is_meant_must_be_clear_and_of_ones_region(client, administrator, naledi, who, problem):
    player("Mokoena", "Thabo", region=region())
    player("Sithole", "Zodwa", region=region("LCP"))
    answered = client.post(TEAM, team(who))
    assert answered.status_code == 422
    assert problem in text_of(answered)
    assert Event.objects.count() == 0


def test_a_player_stands_once_and_blank_rows_do_not_count(client, administrator, naledi):
    answered = client.post(TEAM, team(naledi.number, "Mokoena, Naledi", do="look"))
    assert "Naledi Mokoena stands in another row, too." in text_of(answered)
    assert "Name at least one player." in text_of(client.post(TEAM, {"players": 4, "do": "look"}))


def test_an_event_that_lacks_something_sends_nobody(client, administrator, naledi, anri):
    answered = client.post(TEAM, team("Mokoena", "Botha") | {"federation": ""})
    assert answered.status_code == 422
    assert Event.objects.count() == 0
    assert (
        text_of(answered).count("Give FIDE’s three letters of the federation where it was played") == 2
    )  # list and field


def test_checking_says_what_it_comes_to_and_sends_nothing(client, administrator, naledi, anri):
    answered = client.post(TEAM, team("Mokoena", "Botha", do="look"))
    assert answered.status_code == 200
    assert "nothing is sent yet" in text_of(answered)
    assert Event.objects.count() == 0


def test_more_players_and_rounds_keep_what_was_typed(client, administrator, naledi):
    wide = text_of(client.post(TEAM, team("Mokoena", do="player")))
    assert 'name="players" value="2"' in wide
    assert 'name="p1-who"' in wide
    assert 'value="Varga, Tomas"' in wide
    longer = text_of(client.post(TEAM, team("Mokoena", do="round")))
    assert 'name="p0-game-5-result"' in longer
    many = client.post(TEAM, team("Mokoena", do="player") | {"players": "99"})
    assert (many.status_code, 'name="p9-who"' in text_of(many), 'name="p10-who"' in text_of(many)) == (200, True, False)


def test_late_results_ask_for_one_reason(client, administrator, naledi, anri):
    days = {"starts": "2024-03-02", "ends": "2024-03-06"}
    answered = client.post(TEAM, team("Mokoena", "Botha") | days)
    assert (answered.status_code, Event.objects.count()) == (422, 0)
    assert "Why they come late" in text_of(answered)
    client.post(TEAM, team("Mokoena", "Botha") | days | {"reason": "The organiser answered in May."})
    assert Event.objects.count() == 2


def test_a_manager_by_link_sends_in_for_those_with_his_address(client, naledi, anri):
    with_address(anri, "naledi@example.org")
    player("Sithole", "Zodwa", region=region())
    link = ask_link(naledi.number, "naledi@example.org", AbroadLink.Sender.MANAGER, at=timezone.now())
    page = f"{PAGE}{token_of(link)}/team/"
    assert page in text_of(client.get(f"{PAGE}{token_of(link)}/"))
    shown = text_of(client.get(page))
    assert f"Anri Botha ({anri.number})" in shown
    assert f"Naledi Mokoena ({naledi.number})" in shown
    assert "Sithole" not in shown
    assert client.post(page, team("Sithole")).status_code == 422
    assert client.post(page, team("Botha", "Mokoena")).status_code == 302
    assert senders() == [("submitted", "Botha"), ("submitted", "Mokoena")]
    own, other = AbroadLink.objects.order_by("pk")
    assert (own.event.sections.get().entries.get().player, own.pk) == (naledi, link.pk)
    assert (other.player, other.address, other.sender) == (anri, "naledi@example.org", "manager")


def test_the_page_of_one_player_offers_no_team_without_one(client, address, naledi):
    assert "/team/" not in text_of(client.get(address))


def test_players_who_are_nobodys_need_an_administrator(client, naledi):
    client.force_login(User.objects.create_user("nobody@example.org"))
    assert client.get(TEAM).status_code == 403
