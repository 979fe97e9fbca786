"""Pictures for other sites: what they show, that other sites may frame them, and that they may frame nothing else."""

import io
from datetime import date
from xml.etree import ElementTree as ET

import pytest
from PIL import Image

from players.models import Player
from players.profile.chart import Point, Series
from ratings.embeds.picture import player_picture
from tests.pages import builders

pytestmark = pytest.mark.django_db
SVG = "{http://www.w3.org/2000/svg}"
PNG = (1200, 630)


@pytest.fixture
def people():
    """Players on the list of April."""
    return builders.federation()


def texts(response) -> list[str]:
    assert response.status_code == 200
    assert response.headers["Content-Type"] == "image/svg+xml; charset=utf-8"
    return ["".join(element.itertext()).strip() for element in ET.fromstring(response.content).iter(f"{SVG}text")]


def test_a_players_card_has_the_figures_of_his_page(client, people):
    player = people[0]
    shown = texts(client.get(f"/embed/players/{player.number}.svg"))
    assert shown[0] == player.name
    page = client.get(f"/players/{player.number}/").content.decode()
    figures = [text for text in shown if text[-2:-1] == "."]
    assert figures
    assert all(figure in page for figure in figures)


def test_a_lists_card_has_its_first_places(client, people):
    shown = texts(client.get("/embed/lists/main.svg?places=3"))
    page = client.get("/lists/main/").content.decode()
    assert [text for text in shown if text in ("1", "2", "3")] == ["1", "2", "3"]
    names = [player.name for player in people if player.name in shown]
    assert len(names) == 3
    assert all(name in page for name in names)
    assert "No player is on this list." in texts(client.get("/embed/lists/main.svg?region=LCP"))


@pytest.mark.parametrize("words", ["region=nowhere", "places=51", "places=0", "theme=pink"])
def test_words_that_cannot_be_read_are_passed_over(client, people, words):
    assert texts(client.get(f"/embed/lists/main.svg?{words}"))[0] == "Main"


@pytest.mark.parametrize(
    "address", ["/embed/players/999999999.svg", "/embed/players/999999999.png", "/embed/lists/no.svg"]
)
def test_what_is_not_there_is_not_found(client, people, address):
    assert client.get(address).status_code == 404


def test_only_the_cards_may_be_framed(client, people):
    number = people[0].number
    for address in (f"/embed/players/{number}.svg", "/embed/lists/main.svg"):
        answer = client.get(address)
        assert "frame-ancestors *" in answer.headers["Content-Security-Policy"]
        assert "X-Frame-Options" not in answer.headers
    for address in ("/", "/embed/", f"/players/{number}/", "/lists/main/", f"/embed/players/{number}.png"):
        answer = client.get(address)
        assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
        assert answer.headers["X-Frame-Options"] == "DENY"


def test_a_name_cannot_break_out_of_its_card(client, people):
    Player.objects.filter(pk=people[0].pk).update(last_name="<script>", first_name="&")
    assert texts(client.get(f"/embed/players/{people[0].number}.svg"))[0] == "& <script>"


def test_the_guide_gives_the_lines_for_a_page(client, people, settings):
    page = client.get(f"/embed/?player={people[0].number}&list=main&places=5&theme=dark").content.decode()
    assert f"{settings.SITE_URL}/embed/players/{people[0].number}.svg?theme=dark" in page
    assert f"{settings.SITE_URL}/embed/lists/main.svg?places=5&amp;theme=dark" in page
    assert "theme" not in client.get("/embed/?list=main&theme=").content.decode().partition("<pre")[2]
    assert "nine digits" in client.get("/embed/?player=12").content.decode()


def test_a_page_names_its_picture(client, people, settings):
    number = people[0].number
    page = client.get(f"/players/{number}/").content.decode()
    assert f'<meta property="og:image" content="{settings.SITE_URL}/embed/players/{number}.png">' in page
    answer = client.get(f"/embed/players/{number}.png")
    assert answer.headers["Content-Type"] == "image/png"
    assert Image.open(io.BytesIO(answer.content)).size == PNG


@pytest.mark.parametrize("name", ["Li", "Ñ" * 200, ""])
@pytest.mark.parametrize("ratings", [[], [1200.0], [900.0, 2450.5, 2449.5]])
def test_any_player_has_a_picture(name, ratings):
    points = [Point(date(2024, month, 1), rating, None, 1) for month, rating in enumerate(ratings, 1)]
    content = player_picture(
        name, "180012345", "1 Apr 2024", [], [Series("main", "Main", points), Series("us", "US", [])]
    )
    assert Image.open(io.BytesIO(content)).size == PNG
