"""The desk: likely duplicates, two players side by side, merge, undo, split."""

import re

import pytest
from django.test import Client

from players.models import Player
from ratings.duplicates.operations import refresh_duplicates
from ratings.models import Amendment, Merge, Rerating
from ratings.rerating.operations import request_publication, take_back
from ratings.rerating.worker import process_rerating
from tests.builders import CLOCK, event_of, officer, people, player
from tests.ratings.chain import AT
from tests.ratings.merging.bureaus import bureau, rows

pytestmark = pytest.mark.django_db
ADD = "/admin/ratings/merge/add/"


@pytest.fixture
def desk(client: Client) -> Client:
    """The desk of an officer."""
    client.force_login(officer())
    return client


def _pair(old: Player, new: Player) -> str:
    return f"{ADD}?old={old.number}&new={new.number}"


def test_a_likely_duplicate_is_merged_and_undone(desk):
    kept, twin = player(fide_id=14300001), player(first_name="Naledi", club="Mopane")
    event_of([(twin, people(1)[0], "1-0")], name="Mopane Blitz")
    refresh_duplicates(at=CLOCK)
    page = desk.get("/admin/ratings/merge/duplicates/").content.decode()
    assert f"?old={twin.number}&amp;new={kept.number}" in page
    shown = desk.get(_pair(twin, kept)).content.decode()
    assert "Mopane Blitz" in shown
    assert "14300001" in shown
    before = rows()
    sent = {"take-club": "old", "take-fide_id": "new", "reason": "One person."}
    answer = desk.post(_pair(twin, kept), sent, follow=True)
    assert "They are one player now." in answer.content.decode()
    kept.refresh_from_db()
    assert (kept.club, kept.games_as_white.count()) == ("Mopane", 1)
    merge = Merge.objects.get()
    answer = desk.post(f"/admin/ratings/merge/{merge.pk}/decide/", {"undo": "1", "reason": "Two people."}, follow=True)
    assert "They are two players again." in answer.content.decode()
    after = rows()
    for table in ("players_player", "events_game", "events_entry"):
        assert after[table] == before[table]


def test_who_was_corrected_since_the_two_were_compared_is_not_merged_unseen(desk):
    kept, twin = player(), player(first_name="Naledi", club="Mopane")
    shown = re.search(r'name="shown" value="([^"]+)"', desk.get(_pair(twin, kept)).content.decode())[1]
    Player.objects.filter(pk=twin.pk).update(last_name="Vandermerwe", club="Kudu")
    sent = {
        "take-club": "old",
        "take-last_name": "old",
        "take-first_name": "new",
        "reason": "One person.",
        "shown": shown,
    }
    told = desk.post(_pair(twin, kept), sent).content.decode()
    assert "was changed by another meanwhile: compare them again" in told
    assert not Merge.objects.exists()


def test_two_people_are_not_listed_again(desk):
    kept, twin = player(), player()
    assert "was not searched for duplicates yet" in desk.get("/admin/ratings/merge/duplicates/").content.decode()
    refresh_duplicates(at=CLOCK)
    desk.post("/admin/ratings/merge/duplicates/", {"old": kept.number, "new": twin.number})
    assert "Nobody seems to be on the register twice" in desk.get("/admin/ratings/merge/duplicates/").content.decode()


def test_what_cannot_be_merged_is_said_before_it_is_tried(desk):
    twin, kept = people(2)
    event_of([(twin, kept, "1-0")], name="Mopane Blitz")
    page = desk.get(_pair(twin, kept)).content.decode()
    assert "both played in Mopane Blitz" in page
    assert "Propose the merge" not in page
    assert not Merge.objects.exists()
    assert "That is one player" in desk.get(_pair(twin, twin)).content.decode()
    assert "No player on the register" in desk.get(f"{ADD}?old=1&new={kept.number}").content.decode()


def test_other_births_want_to_be_confirmed(desk):
    old, new = player(birth_year=1990), player(birth_year=1991)
    sent = {"take-birth": "new", "reason": "One person."}
    assert "Say that you are sure" in desk.post(_pair(old, new), sent).content.decode()
    assert not Merge.objects.exists()
    desk.post(_pair(old, new), {**sent, "sure": "on"})
    assert Merge.objects.get().applied_at


def test_where_published_ratings_change_it_is_calculated_first(desk):
    twin, kept = bureau(6, {1, 5})
    page = desk.get(_pair(twin, kept)).content.decode()
    assert "Propose the merge" in page
    fields = [name for name in ("name", "birth", "sex", "region", "club") if f"take-{name}" in page]
    sent = {f"take-{name}": "new" for name in fields}
    answer = desk.post(_pair(twin, kept), {**sent, "reason": "One person."}, follow=True)
    # The reason beside it is for giving the merge up: a browser must not ask for it here.
    assert "formnovalidate>Calculate what it changes" in answer.content.decode()
    merge = Merge.objects.get()
    answer = desk.post(f"/admin/ratings/merge/{merge.pk}/decide/", {"calculate": "1"})
    rerating = Rerating.objects.get()
    assert answer.headers["Location"] == f"/admin/ratings/rerating/{rerating.pk}/change/"
    process_rerating(rerating.pk)
    assert (
        "withdraw that first"
        in desk.post(
            f"/admin/ratings/merge/{merge.pk}/decide/", {"undo": "1", "reason": "x"}, follow=True
        ).content.decode()
    )
    request_publication(rerating, at=AT)
    process_rerating(rerating.pk)
    assert "take that re-rating back" in desk.get(f"/admin/ratings/merge/{merge.pk}/change/").content.decode()
    take_back(rerating, reason="Two people.", at=AT)
    twin.refresh_from_db()
    assert twin.merged_into is None
    sent = {"undo": "1", "reason": "Two people."}
    answer = desk.post(f"/admin/ratings/merge/{merge.pk}/decide/", sent, follow=True)
    assert "The merge is given up" in answer.content.decode()


def test_a_player_is_split_from_his_page(desk):
    first, second = people(2)
    mine = event_of([(first, second, "1-0")], name="Mopane Blitz").sections.get()
    page = f"/admin/ratings/merge/split/{first.pk}/"
    assert page in desk.get(f"/admin/players/player/{first.pk}/change/").content.decode()
    sent = {"sections": [mine.pk], "last_name": "Cele", "first_name": "Chris", "reason": "Two people."}
    assert "surname of a new player" in desk.post(page, {**sent, "last_name": ""}).content.decode()
    assert desk.post(page, sent).status_code == 302
    assert mine.games.get().white.name == "Chris Cele"
    assert not Amendment.objects.exists()
