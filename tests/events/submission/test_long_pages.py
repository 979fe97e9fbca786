"""A file in which hundreds of rounds were missed, or with hundreds of answers: pages show a part."""

import re
from string import ascii_lowercase

import pytest

from config.lib.shown_rows import MOST_SHOWN
from events.models import Correction, Penalty
from events.submission.page import MOST_ANSWERS
from players.models import Player
from tests.builders import officer, submitted
from tests.events.submission.world import clean, do, played, taken

pytestmark = pytest.mark.django_db
PLAYERS, ROUNDS = 40, 8


def missed_by_all() -> bytes:
    """A CSV of results in which nobody came: each player forfeits each round."""
    half = PLAYERS // 2
    letters = ascii_lowercase[:half]
    rows = [
        f'{round_},"Duma{letters[white]}, Sipho","Zulu{letters[(white + round_) % half]}, Mia",-/-'
        for round_ in range(1, ROUNDS + 1)
        for white in range(half)
    ]
    return "\n".join(["round,white,black,result", *rows]).encode()


def test_a_page_of_results_shows_so_many_missed_rounds_at_once(desk):
    """With 20,000 of them a page had 27 MB, and took its worker 48 seconds."""
    event = played()
    upload = taken(event, missed_by_all(), name="open.csv")
    proposed = len(upload.report["proposals"])
    assert proposed > 2 * MOST_SHOWN
    page = desk.get(f"/events/{event.pk}/results/").content.decode()
    assert int(re.search(r"(\d+) questions are open", page)[1]) >= proposed
    assert f"{proposed - MOST_SHOWN} more rounds are shown when these are answered." in page
    assert page.count('-notice">') == MOST_SHOWN
    first = upload.report["proposals"][0]["key"]
    answered = {f"u{upload.pk}-penalty-{first}-notice": "without"}
    assert do(desk, event, f"{upload.pk}/penalties/{first}", **answered).status_code == 302
    page = desk.get(f"/events/{event.pk}/results/").content.decode()
    assert page.count('-notice">') == MOST_SHOWN
    assert f"{proposed - MOST_SHOWN - 1} more rounds are shown when these are answered." in page


def test_the_review_shows_so_many_penalties_at_once(client):
    event = submitted()
    section = event.sections.get()
    players = list(Player.objects.filter(entries__section=section))
    Penalty.objects.bulk_create(
        Penalty(section=section, player=player, round=number, kind="forfeit", points=5)
        for player in players
        for number in range(1, 61)
    )
    client.force_login(officer())
    page = client.get(f"/admin/events/event/{event.pk}/review/").content.decode()
    assert page.count("Confirm: without notice") == MOST_SHOWN
    assert f"{60 * len(players) - MOST_SHOWN} more are shown when these are decided." in page


def test_a_page_of_results_shows_the_latest_answers(desk):
    """With 12,000 of them a page had 7 MB."""
    event = played()
    upload = taken(event, clean())
    Correction.objects.bulk_create(
        Correction(
            upload=upload, kind="birth", key=str(key), question=f"Born {key}?", answer=f"Day {key}.", at=upload.at
        )
        for key in range(1, MOST_ANSWERS + 31)
    )
    page = desk.get(f"/events/{event.pk}/results/").content.decode()
    assert page.count("<s>Born") == MOST_ANSWERS
    assert "Day 30." not in page
    assert "Day 31." in page
    assert "30 earlier answers are not shown here." in page


def test_a_page_of_results_without_penalties_leads_to_none(desk):
    event = played()
    taken(event, clean())
    assert "#penalties-" not in desk.get(f"/events/{event.pk}/results/").content.decode()
