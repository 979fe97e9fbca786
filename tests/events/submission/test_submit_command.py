"""`manage.py submit`: exit status, findings, and nothing saved when something is wrong."""

import pytest
from django.core.management import CommandError, call_command

from events.models import Event, RatingPeriod
from players.models import Player
from tests.builders import Line, everything, lines, open_file, player, round_robin, trf

pytestmark = pytest.mark.django_db


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "open.txt"
    path.write_bytes(open_file())
    return path


def submit(path, *words, region="GAU"):
    call_command("submit", str(path), "--region", region, *words)


CREATE = ("--base", "90", "--increment", "30", "--create-players", "--late-reason", "It was not registered.")


def refused(path, *words, region="GAU"):
    before = everything()
    with pytest.raises(CommandError) as error:
        submit(path, *words, region=region)
    assert everything() == before
    return str(error.value)


def test_a_file_is_registered_submitted_and_accepted(file, capsys):
    submit(file, *CREATE, "--accept", "--reason", "a test of the command", "--name", "Spring Open")
    event = Event.objects.get()
    assert (event.name, event.state, event.region.code) == ("Spring Open", "accepted", "GAU")
    assert f"{RatingPeriod.objects.get()}" == "2024-03"
    out = capsys.readouterr().out
    assert "open.txt: TRF16, 6 players (0 known), 5 rounds, 15 played games" in out
    assert f"event {event.pk}: accepted for 2024-03" in out
    assert event.moves.last().reason == "a test of the command"


@pytest.mark.rule("chessa 12", "chessa 17.6")
def test_findings_on_hold_are_waived_for_a_reason_only(tmp_path):
    path = tmp_path / "five.txt"
    path.write_bytes(trf(lines(5), round_robin(5)))
    assert "give the reason why it is rated all the same" in refused(path, *CREATE, "--accept")
    message = refused(path, *CREATE, "--accept", "--reason", "a small club")
    assert "1 penalty without an answer" in message
    assert message.endswith("here the reason is given with --penalty-reason")
    submit(path, *CREATE, "--accept", "--reason", "a small club", "--penalty-reason", "no answer came")


@pytest.mark.rule("chessa 12.2", "chessa 60")
def test_what_was_not_registered_is_taken_in_for_a_reason_only(file):
    message = refused(file, *CREATE[:5])
    assert "The last day to register this event was 28 Feb 2024 (article 60.1). Say why" in message
    submit(file, *CREATE)
    assert [(row.target, row.reason) for row in Event.objects.get().moves.all()] == [
        ("registered", "It was not registered."),
        ("submitted", ""),
    ]


def test_who_is_like_somebody_on_the_register_is_new_only_when_it_is_said(tmp_path):
    player(*lines(6)[0].name.split(", "))
    path = tmp_path / "open.txt"
    path.write_bytes(trf(lines(6), round_robin(6)))
    assert "1 new player is like somebody on the register" in refused(path, *CREATE)
    submit(path, *CREATE, "--namesakes")
    assert Player.objects.count() == 7


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (CREATE[:4], "Lines 10–15: "),
        ((*CREATE, "--started", "2024-03-09", "--ended", "2024-03-08"), "before it starts"),
        ((*CREATE, "--ended", "2999-01-01"), "still to come"),
        ((*CREATE, "--ended", "9999-12-31"), "still to come"),
        ((*CREATE, "--ended", "08/03/2024"), "write it as 2024-03-29"),
        ((*CREATE, "--ended", "2024-02-30"), "is not a date"),
        (("--base", "3"), "under 5 is not rated"),
        (("--base", "-5"), "from 0 to 1000"),
        (("--base", "1001"), "from 0 to 1000"),
        (("--base", "9.5"), "from 0 to 1000"),
        ((*CREATE, "--increment", "x"), "from 0 to 1000"),
        ((*CREATE, "--format", "knockout"), "invalid choice"),
        ((*CREATE, "--match", "1"), "12=100000123"),
        ((*CREATE, "--match", "1=999999999"), "no player with Chess SA id 999999999"),
        ((*CREATE, "--name", "Cape\u200b Open"), "--name: There is a character that cannot be seen, U+200B"),
        ((*CREATE, "--organiser", "Zo\u202ee"), "--organiser: There is a character that cannot be seen, U+202E"),
        ((*CREATE, "--match", "77=100000001"), "start number 77 is not in the file"),
        ((*CREATE, "--match", "1=100000001", "--match", "1=100000002"), "start number 1 is matched twice"),
    ],
)
def test_what_is_said_wrongly_changes_nothing(file, words, message):
    player(national_id="100000001")
    player(national_id="100000002")
    assert message in refused(file, *words)


def test_a_date_before_anybody_kept_ratings_changes_nothing(file):
    """Accepted, it would open every month since."""
    assert "1 Jan 1900" in refused(file, *CREATE, "--started", "1900-01-01", "--ended", "1900-01-01", "--accept")


@pytest.mark.rule("chessa 13.4")
def test_an_unknown_region_is_answered_with_the_known_ones(file):
    assert "no region has the code XXX; known are CSA, GAU" in refused(file, *CREATE, region="XXX")


@pytest.mark.parametrize(
    ("content", "message"), [(b"", "empty"), (b"PK\x03\x04rest of an archive", "first:"), (b"\xff\xfe\x00", "first:")]
)
def test_what_is_no_tournament_changes_nothing(tmp_path, content, message):
    path = tmp_path / "file"
    path.write_bytes(content)
    assert message in refused(path, *CREATE)


def test_a_folder_or_a_missing_file_is_named(tmp_path):
    assert "cannot be read: Is a directory" in refused(tmp_path, *CREATE)
    assert "cannot be read: No such file" in refused(tmp_path / "none", *CREATE)


def test_a_second_time_is_refused(file):
    submit(file, *CREATE)
    assert "submitted before" in refused(file, *CREATE)


def test_the_message_names_line_and_column_of_the_first_error(tmp_path):
    path = tmp_path / "bad.txt"
    rounds = round_robin(6)
    path.write_bytes(trf(lines(6), rounds).replace(b"   6 w 1", b"   9 w 1"))
    message = refused(path, *CREATE)
    assert "first: Line 10, column " in message


def test_a_line_is_matched_by_hand(tmp_path):
    known = player("Steyn", "Willem")
    path = tmp_path / "open.txt"
    path.write_bytes(trf([Line("Mokoena, Naledi", born="2000/01/01"), *lines(5)], round_robin(6)))
    submit(path, *CREATE, "--match", f"1={known.number}")
    assert known.entries.get().match_reason == "chosen by the uploader"
    assert Player.objects.count() == 6
