"""An officer puts right what is published, on the desk."""

import re
from datetime import date
from html import unescape

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from events.models import Game, Section
from events.operations import EventError
from ratings.models import Adjustment, Amendment, PublishedRun, RatingList, Rerating
from ratings.rerating.amendments import drop
from ratings.rerating.worker import process_rerating
from tests.builders import CLOCK, Line, event_of, lines, officer, people, player, publish, round_robin, trf
from tests.ratings.rerating.conftest import amend_a_result

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk(client):
    client.force_login(officer())
    return client


def _page(section: Section) -> str:
    return f"/admin/ratings/amendment/section/{section.pk}/"


def _text(answer) -> str:
    return re.sub(r"\s+", " ", unescape(re.sub("<[^>]+>", " ", answer.content.decode())))


def _amend(desk, section: Section, form: str, **fields: object) -> str:
    given = {"do": form, **{f"{form}-{name}": value for name, value in {"reason": "It is so.", **fields}.items()}}
    return _text(desk.post(_page(section), given, follow=True))


def _shown(game: Game) -> str:
    return f"{game.pk}:{game.white_id}:{game.result}"


def _decide(desk, rerating: Rerating, do: str, **fields: str) -> str:
    return _text(desk.post(f"/admin/ratings/rerating/{rerating.pk}/decide/", {"do": do, **fields}, follow=True))


def test_two_who_correct_different_facts_at_pages_opened_together_keep_both(desk, section):
    page = desk.get(_page(section)).content.decode()
    shown = dict(re.findall(r'name="(initial-facts-\w+)" value="([^"]*)"', page))
    assert sorted(shown) == [
        f"initial-facts-{name}" for name in ("base_minutes", "ends", "increment_seconds", "starts")
    ]
    typed = {name.removeprefix("initial-"): value for name, value in shown.items()}
    for change in ({"facts-base_minutes": "60"}, {"facts-increment_seconds": "10"}):
        desk.post(_page(section), {"do": "facts", "facts-reason": "It is so.", **shown, **typed, **change})
    facts = Amendment.objects.get().after["facts"]
    assert (facts["base_minutes"], facts["increment_seconds"]) == (60, 10)
    again = {"do": "facts", "facts-reason": "It is so.", **shown, **typed, "facts-base_minutes": "45"}
    assert "the base time, minutes was corrected meanwhile" in _text(desk.post(_page(section), again))
    assert Amendment.objects.get().after["facts"]["base_minutes"] == 60


def test_a_correction_of_colours_that_is_sent_twice_is_made_once(desk, section):
    game = section.games.filter(result="1-0").order_by("pk").first()
    page = desk.get(_page(section)).content.decode()
    assert f'<option value="{_shown(game)}">' in page
    _amend(desk, section, "result", game=_shown(game), right="colours")
    again = _amend(desk, section, "result", game=_shown(game), right="colours")
    assert "It was corrected meanwhile: choose the game as it stands now." in again
    corrected = next(row for row in Amendment.objects.get().after["games"] if row["id"] == game.pk)
    assert (corrected["white_id"], corrected["black_id"], corrected["result"]) == (game.black_id, game.white_id, "0-1")


def test_a_file_takes_the_place_only_of_what_the_page_showed(desk, section):
    stale = re.search(r'name="shown" value="(\w+)"', desk.get(_page(section)).content.decode())[1]
    game = section.games.filter(result="1-0").order_by("pk").first()
    _amend(desk, section, "result", game=_shown(game), right="1/2-1/2")

    def send(shown: str) -> str:
        file = SimpleUploadedFile("anew.trf", bytes(section.submissions.get().file.content))
        control = {"file-base_minutes": section.base_minutes, "file-increment_seconds": section.increment_seconds}
        given = {"do": "file", "file-reason": "It is so.", "file-file": file, "shown": shown, **control}
        return desk.post(_page(section), given, follow=True).content.decode()

    refused = send(stale)
    assert "the section was corrected meanwhile" in refused
    assert next(row for row in Amendment.objects.get().after["games"] if row["id"] == game.pk)["result"] == "1/2-1/2"
    assert "nothing is left to correct" in send(re.search(r'name="shown" value="(\w+)"', refused)[1])
    assert not Amendment.objects.exists()


def test_what_another_has_added_to_an_amendment_is_not_given_up_unseen(desk, section):
    amendment = amend_a_result(section)
    page = desk.get("/admin/ratings/amendment/").content.decode()
    name, shown = re.search(r'name="(shown-\d+)" value="([^"]+)"', page).groups()
    _amend(desk, section, "facts", base_minutes=60, increment_seconds=0, starts="2024-03-02", ends="2024-03-03")
    gave_up = {"action": "give_up", "_selected_action": amendment.pk, "reason": "Of no use.", name: shown}
    assert "was changed by another meanwhile" in _text(desk.post("/admin/ratings/amendment/", gave_up, follow=True))
    assert Amendment.objects.get().after["facts"]["base_minutes"] == 60
    with pytest.raises(EventError, match="was added to meanwhile"):
        drop(amendment, at=CLOCK, reason="Of no use.")


def test_what_is_right_is_said_step_by_step_calculated_published_and_taken_back(desk, section):
    first, second = section.games.filter(result="1-0").order_by("pk")[:2]
    before = PublishedRun.objects.get().run
    assert "What is right is kept" in _amend(desk, section, "result", game=_shown(first), right="0-1")
    assert "What is right is kept" in _amend(desk, section, "result", game=_shown(second), right="colours")
    assert "What is right is kept" in _amend(desk, section, "facts", base_minutes=60, increment_seconds=0,
                                             starts="2024-03-02", ends="2024-03-03")  # fmt: skip
    amendment = Amendment.objects.get()
    page = _text(desk.get(_page(section)))
    assert "base time, minutes 90 60" in page
    asked = {"action": "calculate", "_selected_action": amendment.pk, "reason": "Three errors were reported."}
    answer = desk.post("/admin/ratings/amendment/", asked, follow=True)
    rerating = Rerating.objects.get()
    assert answer.redirect_chain[-1][0] == f"/admin/ratings/rerating/{rerating.pk}/change/"
    process_rerating(rerating.pk)
    text = _text(desk.get(f"/admin/ratings/rerating/{rerating.pk}/change/"))
    assert "Published ratings that change, by month and list" in text
    assert "Main, 2024-03: greatest change first" in text
    assert "Type the month, 2024-03, to publish its lists; you typed “2024-04”" in _decide(
        desk, rerating, "publish", month="2024-04"
    )
    assert Rerating.objects.get().state == "calculated"
    assert "is being published" in _decide(desk, rerating, "publish", month="2024-03")
    process_rerating(rerating.pk)
    assert PublishedRun.objects.get().run.rerating == rerating
    assert "Give the reason" in _decide(desk, rerating, "take back")
    assert "the former lists are in force again" in _decide(desk, rerating, "take back", reason="It was right.")
    assert PublishedRun.objects.get().run == before


def test_a_section_that_is_corrected_twice_keeps_both_reasons(desk, section):
    first, second = section.games.filter(result="1-0").order_by("pk")[:2]
    _amend(desk, section, "result", game=_shown(first), right="0-1", reason="The score sheet of round 1.")
    _amend(desk, section, "result", game=_shown(second), right="0-1", reason="The arbiter's letter.")
    _amend(desk, section, "result", game=_shown(second), right="1/2-1/2", reason="The arbiter's letter.")
    assert Amendment.objects.get().reason == "The score sheet of round 1.\nThe arbiter's letter."
    assert _text(desk.get(_page(section))).count("The score sheet of round 1. The arbiter's letter.") == 1


def test_a_withdrawn_re_rating_gives_its_amendments_back(desk, section):
    amendment = amend_a_result(section)
    asked = {"action": "calculate", "_selected_action": amendment.pk, "reason": "An error."}
    desk.post("/admin/ratings/amendment/", asked)
    rerating = Rerating.objects.get()
    assert "withdraw that to change it" in _text(desk.get(_page(section)))
    assert "part of" in _amend(desk, section, "facts", base_minutes=60, increment_seconds=0, starts="2024-03-02",
                               ends="2024-03-03")  # fmt: skip
    assert "is withdrawn" in _decide(desk, rerating, "withdraw")
    gave_up = {"action": "give_up", "_selected_action": amendment.pk, "reason": ""}
    assert "give the reason" in _text(desk.post("/admin/ratings/amendment/", gave_up, follow=True))
    desk.post("/admin/ratings/amendment/", gave_up | {"reason": "The sheet was another one."})
    assert not Amendment.objects.exists()


def test_a_re_rating_that_failed_is_calculated_again(desk, section):
    amendment = amend_a_result(section)
    asked = {"action": "calculate", "_selected_action": amendment.pk, "reason": "An error."}
    desk.post("/admin/ratings/amendment/", asked)
    Rerating.objects.update(state="failed", error="given up")
    failed = Rerating.objects.get()
    assert "Calculate it again" in _text(desk.get(f"/admin/ratings/rerating/{failed.pk}/change/"))
    assert "is being calculated" in _decide(desk, failed, "again")
    again = process_rerating(Rerating.objects.latest("pk").pk)
    assert (again.state, list(again.amendments.all())) == ("calculated", [amendment])
    failed.refresh_from_db()
    assert failed.state == "withdrawn"


def test_a_player_is_taken_for_another_and_nobody_for_an_unknown_id(desk, section):
    taken = section.entries.first().player
    right = player("Nel", "Anna")
    assert "Nobody on the register has this id" in _amend(desk, section, "player", taken=taken.pk, right="999999999")
    assert not Amendment.objects.exists()
    assert "What is right is kept" in _amend(desk, section, "player", taken=taken.pk, right=right.number)


def test_penalties_come_and_go(desk, section):
    fined = section.entries.first().player
    assert "What is right is kept" in _amend(
        desk, section, "penalty", player=fined.pk, round=2, kind="forfeit", points="20"
    )
    row = Amendment.objects.get().after["penalties"][0]
    shown = f"{row['id']}:{fined.pk}:2:{row['points']}"
    assert f'value="{shown}"' in desk.get(_page(section)).content.decode()
    for older in (f"{row['id']}:{fined.pk}:3:{row['points']}", f"{row['id']}:{fined.pk + 1}:2:{row['points']}"):
        assert "It was dropped, or entered anew, meanwhile" in _amend(desk, section, "drop-penalty", penalty=older)
    assert "nothing is left to correct" in _amend(desk, section, "drop-penalty", penalty=shown)
    assert not Amendment.objects.exists()


def test_a_new_file_is_read_and_its_errors_are_said(desk, section, tmp_path):
    path = tmp_path / "new.txt"
    path.write_bytes(trf(lines(6), round_robin(6, "=01")))
    fields = {"base_minutes": 90, "increment_seconds": 30}
    with path.open("rb") as file:
        assert "What is right is kept" in _amend(desk, section, "file", file=file, **fields)
    path.write_bytes(b"nothing")
    with path.open("rb") as file:
        assert "error" in _amend(desk, section, "file", file=file, **fields)
    with path.open("rb") as file:
        wrong = _amend(desk, section, "file", file=file, players="x=1", **fields)
    assert "write the start number and the Chess SA id" in wrong


def test_newcomers_of_a_file_sent_in_anew_are_entered_on_the_register_first(desk, section, tmp_path):
    path = tmp_path / "right.trf"
    path.write_bytes(trf([*lines(5), Line("Nofanele, Zola")], round_robin(6, "=01")))
    with path.open("rb") as file:
        said = _amend(desk, section, "file", file=file, base_minutes=90, increment_seconds=30)
    assert "enter them on the register first, then name them under “Players”" in said
    assert "--create-players" not in said


def test_a_section_is_left_out_and_taken_in_again(desk, section):
    assert "What is right is kept" in _amend(desk, section, "leave-out")
    assert "nothing is left to correct" in _amend(desk, section, "take-in", period=section.period_id)
    assert not Amendment.objects.exists()


@pytest.mark.parametrize(
    "kind", ["result", "player", "facts", "penalty", "drop-penalty", "leave-out", "take-in", "file"]
)
def test_nothing_is_kept_without_a_reason_or_of_an_empty_form(desk, section, kind):
    desk.post(_page(section), {"do": kind})
    assert not Amendment.objects.exists()


def test_a_run_of_a_re_rating_is_not_published_by_itself(desk, section):
    amendment = amend_a_result(section)
    desk.post("/admin/ratings/amendment/", {"action": "calculate", "_selected_action": amendment.pk, "reason": "x"})
    run = process_rerating(Rerating.objects.get().pk).runs.get()
    answer = desk.post(f"/admin/ratings/ratingrun/{run.pk}/publish/", {"month": str(run.period)}, follow=True)
    assert "publish that" in _text(answer)


def test_a_month_that_is_published_meanwhile_is_told_and_taken_in(desk, section):
    """What a re-rating changes is whole no longer once another month is published: it is calculated again."""
    amendment = amend_a_result(section)
    desk.post("/admin/ratings/amendment/", {"action": "calculate", "_selected_action": amendment.pk, "reason": "x"})
    first = process_rerating(Rerating.objects.get().pk)
    page = f"/admin/ratings/rerating/{first.pk}/change/"
    shown = _text(desk.get(page))
    assert "Publish the corrected lists" in shown
    event_of([(*people(2), "1-0")], date(2024, 4, 6))
    publish(date(2024, 4, 1))
    shown = _text(desk.get(page))
    assert f"2024-04 was published after {first} was calculated. What is shown below is not all" in shown
    assert "Publish the corrected lists" not in shown
    assert "2024-04 was published after" in _decide(desk, first, "publish", month="2024-03")
    assert "is being calculated" in _decide(desk, first, "again")
    second = process_rerating(Rerating.objects.latest("pk").pk)
    first.refresh_from_db()
    assert (first.state, second.state, second.reason) == ("withdrawn", "calculated", "x")
    assert [run.period.month.month for run in second.runs.order_by("period__month")] == [3, 4]
    assert list(second.amendments.all()) == [amendment]
    assert "is being published" in _decide(desk, second, "publish", month="2024-03")
    assert process_rerating(second.pk).state == "published"


def test_the_filter_of_amendments_speaks_in_their_words(desk, section):
    amend_a_result(section)
    shown = _text(desk.get("/admin/ratings/amendment/"))
    assert "waits to be calculated" in shown
    assert "Not empty" not in shown
    for state, count in (("waits", 1), ("rerated", 0), ("applied", 0), ("stands", 0)):
        assert f"{count} amendment" in _text(desk.get(f"/admin/ratings/amendment/?state={state}"))


def test_adjustments_of_a_published_list_stay_and_it_is_said(desk, section):
    asked = {"action": "calculate", "_selected_action": amend_a_result(section).pk, "reason": "An error."}
    desk.post("/admin/ratings/amendment/", asked)
    rerating = process_rerating(Rerating.objects.get().pk)
    _decide(desk, rerating, "let stand")
    given = {"player": section.entries.first().player_id, "list": RatingList.objects.get(code="main").pk}
    desk.post("/admin/ratings/adjustment/add/", given | {"points": "5", "reason": "By hand."})
    event_of([(*people(2), "1-0")], date(2024, 4, 6))
    publish(date(2024, 4, 1))
    shown = _text(desk.get(f"/admin/ratings/rerating/{rerating.pk}/change/"))
    assert "2024-04, whose list has the adjustments, is published: they are part of it" in shown
    assert "Withdraw the adjustments" not in shown
    said = "2024-04 is published: its adjustments are part of its list, and are neither changed nor withdrawn."
    assert said in _decide(desk, rerating, "withdraw adjustments", reason="x")
    by_hand = {"action": "withdraw", "_selected_action": Adjustment.objects.get(rerating=None).pk, "reason": "x"}
    assert said in _text(desk.post("/admin/ratings/adjustment/", by_hand, follow=True))
    assert not Adjustment.objects.filter(withdrawn_at__isnull=False).exists()


@pytest.mark.parametrize(("ends", "kept"), [("2024-03-31", True), ("2024-04-01", False)])
def test_a_section_cannot_end_after_the_month_in_which_it_is_rated(desk, section, ends, kept):
    given = {"base_minutes": 90, "increment_seconds": 30, "starts": "2024-03-02", "ends": ends}
    text = _amend(desk, section, "facts", **given)
    assert ("cannot end after that month" in text) is not kept
    assert Amendment.objects.exists() is kept


@pytest.mark.rule("chessa 64")
def test_the_past_is_let_stand_and_the_adjustments_are_withdrawn(desk, section):
    desk.post(
        "/admin/ratings/amendment/",
        {"action": "calculate", "_selected_action": amend_a_result(section).pk, "reason": "An error."},
    )
    rerating = process_rerating(Rerating.objects.get().pk)
    page = f"/admin/ratings/rerating/{rerating.pk}/change/"
    assert "What would be corrected from now on" in _text(desk.get(page))
    assert "corrected from the next list on" in _decide(desk, rerating, "let stand")
    count = Adjustment.objects.count()
    text = _text(desk.get(page))
    assert f"{count} in the calculation of 2024-04" in text
    assert "let stand, corrected from 2024-04 on" in _text(desk.get("/admin/ratings/amendment/"))
    assert "Give the reason" in _decide(desk, rerating, "withdraw adjustments")
    assert "amendments wait again" in _decide(desk, rerating, "withdraw adjustments", reason="It shall be re-rated.")
    assert "waits to be calculated" in _text(desk.get("/admin/ratings/amendment/"))
    assert "2024-04 withdrawn, with" in _text(desk.get("/admin/ratings/adjustment/"))


def test_one_player_is_adjusted_by_hand_and_it_is_withdrawn(desk, section):
    add = "/admin/ratings/adjustment/add/"
    main = RatingList.objects.get(code="main").pk
    given = {"player": section.entries.first().player_id, "list": main, "points": "-12.5", "reason": "Rated twice."}
    assert "is not rated on" in _text(desk.post(add, given | {"player": player("Nel", "Anna").pk}))
    assert "at most 2 decimals" in _text(desk.post(add, given | {"points": "1000.5"})).replace("up to 1000, with ", "")
    assert "was added successfully" in _text(desk.post(add, given, follow=True))
    made = Adjustment.objects.get()
    assert (str(made.period), made.points_text, made.by.email) == ("2024-04", "−12.5", "officer@example.org")
    assert "Rated twice." in _text(desk.get(f"/admin/ratings/adjustment/{made.pk}/change/"))
    withdraw = {"action": "withdraw", "_selected_action": made.pk}
    assert "give the reason" in _text(desk.post("/admin/ratings/adjustment/", withdraw | {"reason": ""}, follow=True))
    answer = desk.post("/admin/ratings/adjustment/", withdraw | {"reason": "Once only."}, follow=True)
    assert "the next calculation leaves them out" in _text(answer)


def test_what_is_not_published_is_not_amended_and_says_where_it_is_corrected(desk):
    event = event_of([(*people(2), "1-0")], name="Not published")
    page = _page(event.sections.get())
    shown = desk.get(page).content.decode()
    assert "is not part of a published list: return the event, and correct it there." in shown
    assert "Keep this as right" not in shown
    desk.post(page, {"do": "leave-out", "reason": "x"})
    assert not Amendment.objects.exists()
