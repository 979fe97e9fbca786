"""A whole team's results from abroad: the event once, a row for each player; what is right is sent in, the rest stays typed."""

from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from accounts.models import User
from events.abroad.links import VALID, ask_link, token_of
from events.models import AbroadLink, Event, Game, Submission
from tests.builders import player, region, with_address
from tests.events.abroad.entries import PAGE, text_of, this_month
from tests.events.submission import by_hand

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


@pytest.mark.parametrize("do", ["send", "look", "player", "round", "file"])
def test_what_was_typed_of_a_team_while_the_link_expired_is_shown_again(client, naledi, anri, do):
    link = ask_link(naledi.number, "naledi@example.org", AbroadLink.Sender.MANAGER, at=timezone.now() - VALID)
    with_address(anri, "naledi@example.org")
    page = f"{PAGE}{token_of(link)}/team/"
    assert client.get(page).status_code == 404
    answer = client.post(page, team("Botha", "Mokoena", do=do))
    text = text_of(answer)
    assert answer.status_code == 409
    for part in ("This is not sent in", "Ask for a new link", 'value="Botha"', "Swakopmund Open"):
        assert part in text
    assert text.count('value="Varga, Tomas"') == 2
    assert anri.number not in text  # whose address it is today is nobody's business
    assert Event.objects.count() == 0


def test_the_page_of_one_player_offers_no_team_without_one(client, address, naledi):
    assert "/team/" not in text_of(client.get(address))


def test_players_who_are_nobodys_need_an_administrator(client, naledi):
    client.force_login(User.objects.create_user("nobody@example.org"))
    assert client.get(TEAM).status_code == 403


def sheet(*players, text=""):
    """The form for results abroad as a file; each player with the same five rounds."""
    today = timezone.localdate()
    days = f"Start,{today - timedelta(days=4)}\nEnd,{today}\nRounds,5\n"
    rounds = (
        "1,1,W,Varga,Tomas,2104,FM,HUN\n2,=,B,Duarte,Ilse,1850,,POR\n3,0,B,Olsen,Per,1990,,NOR\n4,1,-\n"
        "5,+,W,Ito,Ken,2000,,JPN\nTotal,3.5\n"
    )
    head = f"Event,Swakopmund Open\n{days}Website,https://example.org/swakopmund\n"
    text = text or head + "".join(f"Player,{player}\n{rounds}" for player in players)
    return SimpleUploadedFile("swakopmund.csv", text.encode())


def fields_of(answer):
    return by_hand.fields(answer, "data-unsaved")


@pytest.mark.parametrize("names", [("7,Mokoena,Naledi", "8,Botha,Anri"), ("{naledi},Mokoena,N.", "{anri},BOTHA,anri")])
def test_a_file_fills_the_form_and_what_is_sent_then_is_what_it_says(client, administrator, naledi, anri, names):
    players = [name.format(naledi=naledi.number, anri=anri.number) for name in names]
    shown = client.post(TEAM, {"players": 4, "do": "file", "file": sheet(*players)})
    assert shown.status_code == 200
    assert "Filled in from the file: 2 players. Nothing is sent yet" in text_of(shown)
    assert Event.objects.count() == 0
    rest = {"federation": "NAM", "place": "Swakopmund", "base": 90, "increment": 30, "rank": 12, "fide_rated": "on"}
    assert client.post(TEAM, fields_of(shown) | rest | {"do": "send"}).status_code == 302
    assert senders() == [("submitted", "Mokoena"), ("submitted", "Botha")]
    event = Event.objects.order_by("pk")[0]
    assert (event.name, event.ends, event.results_url) == (
        "Swakopmund Open",
        timezone.localdate(),
        "https://example.org/swakopmund",
    )
    rounds = Game.objects.filter(section__event=event).order_by("round")
    guests = rounds.values_list("round", "result", "guest__name", "guest__federation", "guest__fide_rating")
    assert [(number, result, name or "", code or "", rating) for number, result, name, code, rating in guests] == [
        (1, "1-0", "Varga, Tomas", "HUN", 2104),
        (2, "1/2-1/2", "Duarte, Ilse", "POR", 1850),
        (3, "1-0", "Olsen, Per", "NOR", 1990),
        (4, "bye", "", "", None),
        (5, "+--", "Ito, Ken", "JPN", 2000),
    ]
    assert [game.white_id == naledi.pk for game in rounds] == [True, False, False, True, True]


def test_a_player_of_the_file_who_is_unknown_stays_as_it_names_him(client, administrator, naledi):
    shown = client.post(TEAM, {"players": 4, "do": "file", "file": sheet("7,Mokoena,Naledi", "8,Nobody,Here")})
    assert shown.status_code == 422
    said = text_of(shown)
    assert "Nobody whose results you may send in is called Nobody, Here. Correct it, or give the Chess SA id." in said
    assert fields_of(shown)["p1-who"] == "Nobody, Here"
    assert said.count('value="Varga, Tomas"') == 2


def test_an_id_that_is_another_players_does_not_take_the_results(client, administrator, naledi, anri):
    shown = client.post(TEAM, {"players": 4, "do": "file", "file": sheet(f"{naledi.number},Botha,Anri")})
    assert f"{naledi.number} is the Chess SA id of Naledi Mokoena. Botha, Anri is looked up by name." in text_of(shown)
    assert fields_of(shown)["p0-who"] == "Botha, Anri"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("Dear bureau,\nhere are the results", "This is not the form for results abroad"),
        ("Event,x\n" * 20_000, "The file has more than 100 kB"),
        ("Event,Open\nPlayer,7,Mokoena,Naledi\n1,3,W,Varga,Tomas\nTotal,3", "Line 3: The result “3” is unknown."),
    ],
)
def test_what_is_wrong_with_the_file_is_said_and_what_was_typed_stays(
    client, administrator, naledi, anri, text, problem
):
    shown = client.post(TEAM, team("Botha", do="file") | {"file": sheet(text=text)})
    assert shown.status_code == 422
    assert problem in text_of(shown)
    assert (fields_of(shown)["p0-who"], fields_of(shown)["p0-game-0-opponent"]) == ("Botha", "Varga, Tomas")


def test_without_a_file_the_button_asks_for_one_and_a_file_is_never_passed_over(client, administrator, naledi):
    asked = client.post(TEAM, team("Mokoena", do="file"))
    assert (asked.status_code, "Choose the file first." in text_of(asked)) == (422, True)
    filled = client.post(TEAM, team("Mokoena") | {"file": sheet("7,Mokoena,Naledi")})
    assert (filled.status_code, Event.objects.count()) == (200, 0)
    assert fields_of(filled)["federation"] == "NAM"  # typed, and not in the file


def test_the_file_replaces_whom_it_names_and_keeps_the_others(client, administrator, naledi, anri):
    typed = team("Botha", "Mokoena, Naledi", p1_game_0_opponent="Wrong, Name")
    shown = fields_of(client.post(TEAM, typed | {"do": "file", "file": sheet("7,Mokoena,Naledi")}))
    assert [shown["p0-who"], shown["p1-who"]] == ["Botha", "Mokoena, Naledi"]
    assert shown["p1-game-0-opponent"] == "Varga, Tomas"
    assert (shown["p0-game-0-fide_id"], shown["p1-game-0-fide_id"]) == ("995000001", "")


def test_more_players_than_fit_change_nothing(client, administrator, naledi, anri):
    names = [f"{number},Player,{name}" for number, name in enumerate("ABCDEFGHIJ")]
    fits = client.post(TEAM, {"players": 4, "do": "file", "file": sheet(*names)})
    assert fields_of(fits)["players"] == "10"
    shown = client.post(TEAM, team("Botha", do="file") | {"file": sheet(*names)})
    assert "With the players of the file the form would have 11, and 10 fit." in text_of(shown)
    assert fields_of(shown)["players"] == "1"


def test_by_link_whom_the_file_does_not_name_makes_room(client, naledi, anri):
    with_address(anri, "naledi@example.org")
    link = ask_link(naledi.number, "naledi@example.org", AbroadLink.Sender.MANAGER, at=timezone.now())
    page = f"{PAGE}{token_of(link)}/team/"
    offered = fields_of(client.get(page))
    assert offered["p1-who"] == f"Naledi Mokoena ({naledi.number})"
    shown = client.post(page, offered | {"do": "file", "file": sheet("7,Mokoena,Naledi")})
    assert shown.status_code == 200
    assert [value for name, value in fields_of(shown).items() if name.endswith("-who") and value] == ["Mokoena, Naledi"]


def test_whose_results_are_sent_stays_out(client, administrator, naledi, anri):
    rest = team("Mokoena", "Botha", p0_sent=naledi.number, do="file")
    shown = client.post(TEAM, rest | {"file": sheet("7,Mokoena,Naledi", "8,Botha,Anri")})
    assert shown.status_code == 200
    assert "Naledi Mokoena: the results are with the ratings officer." in text_of(shown)
    assert "p0-game-0-result" not in fields_of(shown)
