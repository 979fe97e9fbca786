"""What is published is put right on the command line: a new file for a section, then the months again."""

import json
from datetime import date, timedelta
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from events.amending.differences import differences
from events.operations import accept_event
from ratings.models import Adjustment, Amendment, PublishedRun, Rating, Rerating, Revision
from ratings.rerating.merges import merge_players
from ratings.rerating.operations import claim_rerating, report_progress, request_publication, start_rerating
from ratings.rerating.worker import process_rerating
from ratings.runs.operations import LeaseLostError
from tests.builders import CLOCK, lines, player, round_robin, submitted, trf
from tests.pages.builders import add_list

pytestmark = pytest.mark.django_db
MARCH = date(2024, 3, 1)


@pytest.fixture
def new_file(tmp_path) -> Path:
    """The arbiter's file with other results."""
    path = tmp_path / "corrected.txt"
    path.write_bytes(trf(lines(6), round_robin(6, "=01")))
    return path


def _ratings() -> dict[str, float]:
    run = PublishedRun.objects.get(period__month=MARCH).run
    rows = Rating.objects.filter(run=run, list__code="main").values_list("player__number", "published")
    return {number: float(published) for number, published in rows}


def _rerate(capsys, *options: str) -> list[dict[str, object]]:
    capsys.readouterr()
    call_command("rerate", "2024-03", "--reason", "The arbiter had mixed up two rounds.", *options)
    out, said = capsys.readouterr()
    rows = [json.loads(line) for line in out.splitlines()]
    if "--from-now-on" not in options:
        assert f"published ratings that change from 2024-03 on: {len(rows)}; " in said
        assert ("are published" in said) == ("--publish" in options)
    return rows


def test_a_new_file_without_days_is_of_the_days_of_the_section(section, tmp_path, capsys):
    table = "round,white_id,black_id,result\n"
    for game in section.games.select_related("white", "black"):
        table += f"{game.round},{game.white.number},{game.black.number},{game.result}\n"
    path = tmp_path / "games.csv"
    path.write_text(table.replace("1-0", "0-1", 1))
    call_command("correct", str(section.pk), str(path), "--reason", "Sent again as a table.")
    amendment = Amendment.objects.get()
    after = amendment.after
    assert [row.what.partition(",")[0] for row in differences(amendment.before, after) if "round" in row.what] == [
        "round 1"
    ]
    assert (after["facts"]["starts"], after["facts"]["ends"]) == (str(section.starts), str(section.ends))


@pytest.mark.parametrize(("publishing", "ends"), [(False, "withdrawn"), (True, "published")])
def test_a_command_that_was_killed_stands_in_the_way_of_no_other(section, new_file, capsys, publishing, ends):
    call_command("correct", str(section.pk), str(new_file), "--reason", "Two rounds were mixed up.")
    killed = start_rerating(MARCH, list(Amendment.objects.all()), reason="Killed.", at=CLOCK)
    if publishing:
        process_rerating(killed.pk)
        request_publication(killed, at=timezone.now())
    lease = claim_rerating(killed.pk, at=timezone.now())
    with pytest.raises(CommandError, match=f"{killed} is .*: publish it or withdraw it first"):
        call_command("rerate", "2024-03", "--reason", "Again.")
    Rerating.objects.filter(pk=killed.pk).update(lease_until=timezone.now())
    call_command("rerate", "2024-03", "--reason", "Again.")
    assert f"{killed}, of a command that was broken off, is {ends}" in capsys.readouterr().err
    assert Rerating.objects.get(pk=killed.pk).state == ends
    with pytest.raises(LeaseLostError):
        report_progress(lease, stage="late", progress=1, at=timezone.now())


def test_a_command_that_was_killed_while_it_told_what_changes_stands_in_the_way_of_no_other(section, new_file, capsys):
    call_command("correct", str(section.pk), str(new_file), "--reason", "Two rounds were mixed up.")
    killed = start_rerating(MARCH, list(Amendment.objects.all()), reason="Killed.", at=CLOCK)
    process_rerating(killed.pk)
    with pytest.raises(CommandError, match=f"{killed} is calculated: publish it or withdraw it first"):
        call_command("rerate", "2024-03", "--reason", "Again.")
    Rerating.objects.filter(pk=killed.pk).update(finished_at=timezone.now() - timedelta(hours=1))
    call_command("rerate", "2024-03", "--reason", "Again.")
    assert f"{killed}, of a command that was broken off, is withdrawn" in capsys.readouterr().err


@pytest.mark.parametrize("publishes", ["the same command", "a worker", "the killed command"])
@pytest.mark.parametrize("amended", [True, False])
def test_a_publishing_command_that_was_killed_is_given_again_and_nothing_is_published_twice(
    section, new_file, capsys, publishes, amended
):
    if amended:
        call_command("correct", str(section.pk), str(new_file), "--reason", "Two rounds were mixed up.")
    reason = "The arbiter had mixed up two rounds."
    killed = start_rerating(MARCH, list(Amendment.objects.all()), reason=reason, at=CLOCK)
    process_rerating(killed.pk)
    request_publication(killed, at=timezone.now())
    if publishes == "the killed command":
        process_rerating(killed.pk)
    else:
        claim_rerating(killed.pk, at=timezone.now())
        Rerating.objects.filter(pk=killed.pk).update(lease_until=timezone.now())
    if publishes == "a worker":
        process_rerating(killed.pk)
    for _ in range(2):
        call_command("rerate", "2024-03", "--reason", f" {reason}", "--publish")
        said = capsys.readouterr().err
        assert f"{killed} is published for this reason, and nothing has changed since: nothing is left to do" in said
    assert Rerating.objects.get().state == "published"
    assert list(Revision.objects.values_list("number", "rerating")) == [(1, None), (2, killed.pk)]


@pytest.mark.parametrize("left", ["a reason", "an amendment", "a merge", "a list"])
def test_a_publishing_command_with_something_left_to_do_publishes_again(section, new_file, left):
    reason = "The arbiter had mixed up two rounds."
    call_command("rerate", "2024-03", "--reason", reason, "--publish")
    if left == "a reason":
        reason = "He had mixed up a third."
    elif left == "an amendment":
        call_command("correct", str(section.pk), str(new_file), "--reason", "Two rounds were mixed up.")
    elif left == "a merge":
        merge_players(
            section.entries.earliest("pk").player, player("Mokoena", "Naledi"), reason="One person.", at=CLOCK
        )
    else:
        add_list("later", system="uscf", position=7)
    call_command("rerate", "2024-03", "--reason", reason, "--publish")
    assert Revision.objects.latest("pk").number == 3
    assert Rerating.objects.filter(state="published").count() == 2
    assert not Amendment.objects.filter(Amendment.OPEN).exists()


@pytest.mark.rule("chessa 64")
def test_a_new_file_changes_nothing_before_the_re_rating_is_published(section, new_file, capsys):
    before = _ratings()
    call_command("correct", str(section.pk), str(new_file), "--reason", "The arbiter sent it again.")
    out = capsys.readouterr().out
    assert "nothing is changed before a re-rating from 2024-03 is published" in out
    assert _ratings() == before
    printed = _rerate(capsys)
    assert _ratings() == before
    assert Amendment.objects.get().rerating is None
    on_main = {row["player"]: (row["old"], row["new"]) for row in printed if row["list"] == "main"}
    assert {row["month"] for row in printed} == {"2024-03"}
    assert all(before[number] == pytest.approx(old, abs=1e-9) for number, (old, _) in on_main.items())

    assert _rerate(capsys, "--publish") == printed
    after = _ratings()
    assert {number: new for number, (_, new) in on_main.items()} == pytest.approx(
        {number: after[number] for number in on_main}, abs=1e-9
    )
    assert {number for number in after if after[number] != before[number]} == set(on_main)
    assert Rerating.objects.get(state="published").runs.count() == 1


def test_the_players_of_the_section_are_known_again_and_unchanged_games_keep_their_rows(section, new_file):
    games = set(section.games.values_list("pk", flat=True))
    players = set(section.entries.values_list("player", flat=True))
    call_command("correct", str(section.pk), str(new_file), "--reason", "The arbiter sent it again.")
    after = Amendment.objects.get().after
    assert {row["player_id"] for row in after["entries"]} == players
    assert {row["id"] for row in after["games"]} == games


def test_a_file_that_says_what_is_published_is_no_correction(section, tmp_path, capsys):
    path = tmp_path / "again.txt"
    path.write_bytes(trf(lines(6), round_robin(6)))
    call_command("correct", str(section.pk), str(path), "--reason", "Sent again.")
    assert "nothing to correct" in capsys.readouterr().out
    assert not Amendment.objects.exists()


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"", "error"), (b"not a file", "error"), (trf([*lines(5), *lines(30)[29:]], round_robin(6)), "error")],
)
def test_a_file_with_errors_is_refused(section, tmp_path, content, message):
    path = tmp_path / "bad.txt"
    path.write_bytes(content)
    with pytest.raises(CommandError, match=message):
        call_command("correct", str(section.pk), str(path), "--reason", "Sent again.")
    assert not Amendment.objects.exists()


def test_what_cannot_be_is_one_line(section, new_file):
    with pytest.raises(CommandError, match="there is no section 99999"):
        call_command("correct", "99999", str(new_file), "--reason", "x")
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("correct", str(section.pk), "/nowhere.txt", "--reason", "x")
    with pytest.raises(CommandError, match="give the reason"):
        call_command("correct", str(section.pk), str(new_file), "--reason", " ")
    with pytest.raises(CommandError, match="2024-05 is not published"):
        call_command("rerate", "2024-05", "--reason", "x")
    with pytest.raises(CommandError, match="is not a month"):
        call_command("rerate", "March", "--reason", "x")
    assert not Rerating.objects.exists()


def test_a_section_of_no_published_list_is_corrected_in_its_event(new_file):
    event = submitted()
    accept_event(event, at=CLOCK, reason="Looked at.", penalty_reason="Looked at.")
    with pytest.raises(CommandError, match="not part of a published list: return the event"):
        call_command("correct", str(event.sections.get().pk), str(new_file), "--reason", "x")


@pytest.mark.rule("chessa 64")
def test_the_past_stands_and_the_next_month_is_adjusted(section, new_file, capsys):
    before = _ratings()
    call_command("correct", str(section.pk), str(new_file), "--reason", "The arbiter sent it again.")
    printed = _rerate(capsys, "--from-now-on")
    assert {row["month"] for row in printed} == {"2024-04"}
    assert {row["list"] for row in printed} == {"main", "standard"}
    assert _ratings() == before
    assert Rerating.objects.get().state == "let stand"
    with pytest.raises(CommandError, match="changes no rating"):
        _rerate(capsys, "--from-now-on")


@pytest.mark.rule("chessa 64")
def test_one_player_is_adjusted(section, capsys):
    number = section.entries.first().player.number
    call_command("adjust", number, "main", "-12.5", "--reason", "He was rated twice.")
    assert json.loads(capsys.readouterr().out) == {
        "month": "2024-04", "list": "main", "player": number, "points": -12.5,
    }  # fmt: skip
    for words, message in (
        (("1", "main", "5"), "no player on the register has the Chess SA id 1"),
        ((number, "uscf", "5"), "there is no list “uscf”"),
        ((number, "main", "five"), "“five” are no points"),
        ((number, "main", "NaN"), "“NaN” are no points"),
        ((number, "main", "1.234"), "at most 2 decimals"),
    ):
        with pytest.raises(CommandError, match=message):
            call_command("adjust", *words, "--reason", "He was rated twice.")
    assert Adjustment.objects.count() == 1
