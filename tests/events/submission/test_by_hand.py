"""Results entered by hand: a crosstable becomes a file that goes the way of every file."""

import re
from datetime import date, timedelta

import pytest
from django.utils import timezone

from events.files.reader import read
from events.models import Format, Section, Upload
from events.operations import move_event
from events.rules.game_result import Result
from events.rules.states import State
from events.submission.uploads import discard
from players.models import Player
from tests.builders import everything, region
from tests.events.submission.by_hand import address, fields, names, send
from tests.events.submission.world import FIRST, LAST, clean, codes, current, do, known, played, table, taken

pytestmark = pytest.mark.django_db

ROUND = {"c1-1": "4w1", "c2-1": "3w½"}


def robin(**fields) -> Section:
    section = played(**fields).sections.get()
    section.format, section.planned_rounds = Format.ROUND_ROBIN, 3
    section.save()
    section.rounds.filter(number__gt=3).delete()
    return section


def text(answer) -> str:
    return answer.content.decode()


@pytest.mark.parametrize("action", ["look", "keep"])
def test_what_is_left_out_of_a_typed_name_is_said(desk, action):
    section = robin()
    typed = names() | ROUND | {"p1-name": names()["p1-name"].replace(",", "\u200b,")}
    answer = desk.post(address(section), {**fields(desk.get(address(section))), **typed, "do": action}, follow=True)
    assert "left out of the names with the numbers 1." in text(answer)
    assert "\u200b" not in text(answer)
    assert "left out of the names" not in text(send(desk, section, "look", **names(), **ROUND))


def test_a_round_robin_is_paired_entered_and_submitted(desk, administrator):
    section = robin()
    page = send(desk, section, "pair", **names())
    paired = fields(page)
    assert (paired["c1-1"], paired["c4-1"], paired["c2-1"]) == ("4w", "1b", "3w")
    results = {name: f"{value}1" for name, value in paired.items() if name.startswith("c") and "w" in value}
    answer = send(desk, section, page=page, **results)
    assert answer.status_code == 302
    assert answer["Location"].endswith(f"/results/#section-{section.pk}")
    upload = current(section.event)
    assert upload.name.startswith(f"entered by hand {timezone.localdate():%Y-%m-%d} ")
    assert (upload.by, upload.pending) == (administrator, False)
    assert upload.report["read"] == {
        "format": "TRF26",
        "encoding": "ascii",
        "name": "Mopane Open",
        "players": 4,
        "rounds": 3,
        "games": 6,
        "forfeits": 0,
        "byes": 0,
    }
    assert codes(upload) == ["arbiter-missing", "too-few-players", "too-few-rounds"]
    table(desk, upload, "others")
    do(desk, section.event, "submit", declared="on", reason="A small club.")
    section.event.refresh_from_db()
    assert section.event.state == State.SUBMITTED
    assert section.games.filter(result=Result.WHITE_WINS).count() == 6
    assert list(section.rounds.values_list("date", flat=True)) == [FIRST, FIRST, LAST]
    assert Player.objects.get(last_name="Cele").birth_date == date(1983, 5, 17)


def test_one_side_of_a_game_is_enough(desk):
    section = robin()
    send(desk, section, **names(), **ROUND)
    tournament = read(bytes(current(section.event).file.content), "a.trf")
    assert [(one.white, one.black, one.result) for one in tournament.pairings] == [(1, 4, "1-0"), (2, 3, "1/2-1/2")]
    assert [(one.points, one.rank) for one in tournament.entrants] == [(1, 1), (0.5, 2), (0.5, 3), (0, 4)]
    assert not tournament.errors
    assert {one.code for one in tournament.findings} <= {"missing-record"}


@pytest.mark.rule("chessa 13.3")
def test_the_file_says_what_is_registered(desk):
    section = robin(place="Thohoyandou")
    send(desk, section, **names(), **ROUND)
    tournament = read(bytes(current(section.event).file.content), "a.trf")
    assert (tournament.name, tournament.city, tournament.federation) == ("Mopane Open", "Thohoyandou", "RSA")
    assert (tournament.starts, tournament.ends, tournament.round_dates) == (FIRST, LAST, (FIRST, FIRST, LAST))
    assert (tournament.time_control.base, tournament.time_control.increment) == (90, 30)
    assert tournament.planned_rounds == 3


def test_rows_for_the_registered_rounds_and_ten_for_a_swiss(desk):
    assert fields(desk.get(address(robin())))["numbers"] == "1 2 3 4"
    swiss = played().sections.get()
    assert fields(desk.get(address(swiss)))["numbers"] == "1 2 3 4 5 6 7 8 9 10"
    assert "Pair by Berger" not in text(desk.get(address(swiss)))


def test_an_id_is_enough_for_who_is_on_the_register(desk):
    people = known(2)
    section = robin()
    page = send(desk, section, "look", p1__name=people[0].number, p2__national_id=people[1].number)
    assert fields(page)["p1-name"] == f"{people[0].last_name}, {people[0].first_name}"
    assert fields(page)["p1-national_id"] == people[0].number
    assert fields(page)["p2-name"] == f"{people[1].last_name}, {people[1].first_name}"
    send(desk, section, page=page, **{"c1-1": "2w1"})
    upload = current(section.event)
    assert [one["number"] for one in upload.report["matched"]] == [one.number for one in people]
    assert "birth-dates-missing" not in codes(upload)


@pytest.mark.parametrize(
    ("typed", "anchor", "said"),
    [
        ({"p1__name": "Anele Adendorff"}, "id_p1-name", "a comma"),
        ({"p1__name": ""}, "id_p1-name", "Give the name"),
        ({"p1__name": "A" * 20 + ", " + "B" * 12}, "id_p1-name", "33 letters"),
        ({"p1__name": "A, " + "B" * 10_000}, "id_p1-name", "170"),
        ({"p1__national_id": "12345678"}, "id_p1-national_id", "nine digits"),
        ({"p1__national_id": "١٢٣٤٥٦٧٨٩"}, "id_p1-national_id", "nine digits"),
        ({"p1__national_id": "999000001", "p2__national_id": "999000001"}, "id_p2-national_id", "Player 1 has this"),
        ({"p1__fide_id": "99999"}, "id_p1-fide_id", "from 100000 on"),
        ({"p1__fide_id": "²"}, "id_p1-fide_id", "from 100000 on"),
        ({"p1__born": "2999-01-01"}, "id_p1-born", "Write the date of birth"),
        ({"p1__born": "1900"}, "id_p1-born", "Write the date of birth"),
        ({"p1__born": "soon"}, "id_p1-born", "Write the date of birth"),
        ({"p1__sex": "X"}, "id_p1-sex", "X"),
        ({"c1-1": "9w1"}, "id_c1-1", "no player 9"),
        ({"c1-1": "1w1"}, "id_c1-1", "own opponent"),
        ({"c1-1": "2w1", "c2-1": "1b1"}, "id_c2-1", "does not go with"),
        ({"d1": "2999-01-01"}, "id_d1", "cannot be meant"),
        ({"d1": "1900-01-01"}, "id_d1", "cannot be meant"),
        ({"d1": "tomorrow"}, "id_d1", "year, month and day"),
    ],
)
def test_what_is_wrong_is_said_at_its_field_and_nothing_is_lost(desk, typed, anchor, said):
    section = robin()
    before = everything()
    answer = send(
        desk, section, **(names() | ROUND | {name.replace("__", "-"): value for name, value in typed.items()})
    )
    assert answer.status_code == 422
    page = text(answer)
    assert f'<a href="#{anchor}">' in page
    assert f'id="{anchor}_error"' in page
    assert said in page
    again = fields(answer)
    for name, value in (names() | ROUND | {name.replace("__", "-"): value for name, value in typed.items()}).items():
        assert again[name] == (value if value != "X" else "")
    assert everything() == before


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ({"c1-1": "9w1"}, "Speler 1, ronde 1: Daar is geen speler 9 nie."),
        ({"c1-1": "2w1", "c2-1": "1b1"}, "Die sel van speler 1 het die uitslag 1, wat nie met hierdie een klop nie."),
        ({"p1-name": ""}, "Speler 1, Naam: Gee die naam, of die Chess SA-id"),
    ],
)
def test_what_is_wrong_is_said_in_the_reader_s_language(desk, typed, shown):
    desk.cookies["language"] = "af"
    assert shown in text(send(desk, robin(), **(names() | ROUND | typed)))


def test_nobody_entered_yet(desk):
    answer = desk.post(address(robin()), {"do": "keep"})
    assert answer.status_code == 422
    assert "Enter the players first." in text(answer)


def test_rows_and_rounds_are_added_with_everything_typed_kept(desk):
    section = robin()
    page = send(desk, section, "add-players", **names(), **ROUND)
    assert fields(page)["numbers"] == "1 2 3 4 5 6 7 8 9"
    assert re.search('<input[^>]* name="p5-name"[^>]* autofocus', text(page))
    page = send(desk, section, "add-round", page=page)
    assert fields(page)["rounds"] == "4"
    assert {name: fields(page)[name] for name in (names() | ROUND)} == names() | ROUND


def test_no_more_than_a_page_can_hold(desk):
    section = robin()
    page = send(desk, section, "add-players", numbers=" ".join(map(str, range(1, 59))))
    assert fields(page)["numbers"].endswith(" 59 60")
    assert send(desk, section, "add-players", page=page).status_code == 422
    page = send(desk, section, "add-round", rounds="15")
    assert page.status_code == 422
    assert "15 rounds at the most" in text(page)
    for nonsense in ("", "0", "-1", "²", "9" * 5000):
        assert desk.post(address(section), {"do": "look", "numbers": nonsense, "rounds": nonsense}).status_code == 422


def test_a_player_is_taken_out_with_his_games(desk):
    section = robin()
    page = send(desk, section, "remove-player", gone="4", **names(), **ROUND)
    left = fields(page)
    assert left["numbers"] == "1 2 3"
    assert (left["c1-1"], left["c2-1"]) == ("", "3w½")
    assert "p4-name" not in left
    assert send(desk, section, "remove-player", gone="x").status_code == 422


def test_pairing_anew_overwrites_nothing(desk):
    section = robin()
    answer = send(desk, section, "pair", **names(), **ROUND)
    assert answer.status_code == 422
    assert "pairings already" in text(answer)
    assert fields(answer)["c1-1"] == "4w1"
    assert send(desk, section, "pair").status_code == 422


def test_the_page_opens_with_the_section_s_file_and_tells_what_changed(desk):
    known()
    event = played()
    first = taken(event)
    section = event.sections.get()
    page = desk.get(address(section))
    shown = fields(page)
    assert shown["base"] == f"upload-{first.pk}"
    assert shown["p1-name"] == "Adendorff, Anele"
    assert shown["p1-born"] == "1980-05-17"
    was = shown["c1-1"]
    other = was.split("w")[0].split("b")[0]
    mirrored = shown[f"c{other}-1"]
    turned = {"1": "0", "0": "1"}
    changes = {
        "c1-1": was[:-1] + turned.get(was[-1], "1"),
        f"c{other}-1": mirrored[:-1] + turned.get(mirrored[-1], "0"),
    }
    answer = send(desk, section, page=page, p1__name="Adendorff, Anele B", **changes)
    assert answer.status_code == 302
    second = current(event)
    first.refresh_from_db()
    assert first.discarded_at is not None
    assert bytes(first.file.content) == clean()
    assert second.report["before"] == "open.trf"
    tournament = read(bytes(second.file.content), second.name)
    assert tournament.entrants[0].name == "Adendorff, Anele B"
    assert tournament.entrants[1:] != ()
    assert not tournament.errors
    assert "points-differ" not in {one.code for one in tournament.findings}


def test_a_files_name_is_shown_with_signs_for_what_cannot_be_seen(desk):
    event = played()
    taken(event, clean().replace(b"Adendorff", "Ade\u202endorff".encode()))
    page = desk.get(address(event.sections.get())).content.decode()
    assert ">Ade‹U+202E›ndorff, Anele<" in page


def test_what_the_page_does_not_show_of_a_file_is_kept(desk):
    event = played()
    content = (
        clean(name="Mopane Open")
        .replace(b"001    1 m    ", b"001    1 m FM ")
        .replace(b"122 90+30", b"122 90+30\n162 W 3.0")
    )
    taken(event, content)
    section = event.sections.get()
    send(desk, section, p2__fide_id="14300001")
    before, after = read(content, "a.trf"), read(bytes(current(event).file.content), "b.trf")
    assert after.entrants[0].title == "FM"
    assert after.entrants[1].fide_id == "14300001"
    for name in (
        "name",
        "city",
        "federation",
        "starts",
        "ends",
        "round_dates",
        "chief_arbiter",
        "time_control",
        "extra_lines",
    ):
        assert getattr(before, name) == getattr(after, name)
    assert [(one.round, one.white, one.black, one.result) for one in before.pairings] == [
        (one.round, one.white, one.black, one.result) for one in after.pairings
    ]
    assert [one.points for one in before.entrants] == [one.points for one in after.entrants]


def test_nothing_changed_makes_no_file(desk):
    known()
    event = played()
    taken(event)
    send(desk, event.sections.get(), p2__fide_id="14300001")
    before = everything()
    answer = send(desk, event.sections.get())
    assert answer.status_code == 302
    assert everything() == before
    assert "Nothing was changed" in text(desk.get(answer["Location"]))


def test_what_could_not_be_read_is_said_and_completed_here(desk):
    known()
    event = played()
    taken(event, clean().replace(b" w 1", b" w X", 1))
    section = event.sections.get()
    page = desk.get(address(section))
    assert "could not be read" in text(page)
    assert "The result “X” is unknown" in text(page)
    assert fields(page)["c1-1"] == ""
    send(desk, section, page=page, **{"c1-1": "6w1"})
    assert "unknown-result" not in codes(current(event))


def test_answers_on_the_results_page_go_on_holding_unless_the_table_says_otherwise(desk):
    event = played()
    upload = taken(event, clean(dated=False))
    section = event.sections.get()
    table(desk, upload, "others")
    days = {f"u{upload.pk}-days-{number}": FIRST.isoformat() for number in range(1, 6)}
    do(desk, event, f"{upload.pk}/corrections/days", **days)
    assert fields(desk.get(address(section)))["d1"] == FIRST.isoformat()
    person = known(1)[0]
    send(desk, section, d1=LAST.isoformat(), p1__national_id=person.number)
    after = current(event)
    assert read(bytes(after.file.content), "a.trf").round_dates[0] == LAST
    assert sorted(after.corrections.values_list("kind", "key")) == [("player", str(number)) for number in range(2, 7)]
    assert [one["number"] for one in after.report["matched"]] == [person.number]


def test_a_returned_section_opens_with_the_players_it_was_taken_for(desk):
    event = played()
    upload = taken(event)
    table(desk, upload, "others")
    do(desk, event, "submit", declared="on")
    event.refresh_from_db()
    move_event(event, State.RETURNED, at=timezone.now(), reason="Round 1 is wrong.")
    section = event.sections.get()
    submission = section.submissions.get()
    page = desk.get(address(section))
    assert fields(page)["base"] == f"submission-{submission.pk}"
    assert fields(page)["p1-national_id"] == section.entries.get(number=1).player.number
    send(desk, section, page=page, p1__fide_id="14300055")
    assert len(current(event).report["matched"]) == 6
    do(desk, event, "submit", declared="on")
    event.refresh_from_db()
    assert event.state == State.SUBMITTED
    assert section.submissions.count() == 2


def test_another_s_newer_file_is_not_overwritten_unawares(desk):
    known()
    event = played()
    taken(event)
    section = event.sections.get()
    page = desk.get(address(section))
    newer = taken(event, clean(results="1=00"), name="newer.trf")
    before = everything()
    answer = send(desk, section, page=page, p1__fide_id="14300001")
    assert answer.status_code == 409
    assert "newer.trf" in text(answer)
    assert fields(answer)["p1-fide_id"] == "14300001"
    assert everything() == before
    third = taken(event, clean(results="0=00"), name="third.trf")
    answer = send(desk, section, "replace", page=answer)
    assert answer.status_code == 409
    assert "third.trf" in text(answer)
    answer = send(desk, section, "replace", page=answer)
    assert answer.status_code == 302
    for upload in (newer, third):
        upload.refresh_from_db()
        assert upload.discarded_at is not None
    assert current(event).name.startswith("entered by hand")


def test_a_file_taken_away_meanwhile_is_said(desk):
    event = played()
    upload = taken(event)
    page = desk.get(address(event.sections.get()))
    discard(upload, at=timezone.now())
    answer = send(desk, event.sections.get(), page=page)
    assert answer.status_code == 409
    assert "taken away meanwhile" in text(answer)
    assert send(desk, event.sections.get(), "replace", page=answer).status_code == 302


@pytest.mark.parametrize("state", [State.SUBMITTED, State.WITHDRAWN])
def test_only_a_registered_or_returned_event_takes_results(desk, state):
    section = robin()
    page = desk.get(address(section))
    move_event(section.event, state, at=timezone.now(), reason="no")
    answer = desk.get(address(section))
    assert answer.status_code == 302
    answer = send(desk, section, page=page, **names(), **ROUND)
    assert answer.status_code == 409
    assert fields(answer)["c1-1"] == "4w1"
    assert not Upload.objects.exists()


def test_a_file_too_large_to_be_corrected_here(desk):
    event = played()
    taken(event, clean(62))
    section = event.sections.get()
    page = desk.get(address(section))
    assert "62 players" in text(page)
    assert "data-by-hand" not in text(page)
    assert desk.post(address(section), {"base": f"upload-{current(event).pk}"}).status_code == 422


def test_another_region_finds_nothing_and_an_arbiter_may_not(client, arbiter, administrator):
    section = robin(region=region("LCP"))
    client.force_login(administrator)
    assert client.get(address(section)).status_code == 404
    assert client.post(address(section), names()).status_code == 404
    section.event.appointments.create(arbiter=arbiter, position=1)
    client.force_login(arbiter.user)
    assert client.get(address(section)).status_code == 403
    assert client.post(address(section), names()).status_code == 403
    other = robin()
    client.force_login(administrator)
    assert client.get(f"/events/{other.event_id}/results/{section.pk}/by-hand/").status_code == 404


@pytest.mark.parametrize("token", ["upload-²", "upload-" + "9" * 30, "submission-1", "x", "-"])
def test_a_token_of_nothing_is_no_file_of_the_section(desk, token):
    other = taken(played())
    section = robin()
    before = everything()
    for base in (token, f"upload-{other.pk}"):
        answer = send(desk, section, base=base, **names(), **ROUND)
        assert answer.status_code == 409
    assert everything() == before


def test_the_results_page_leads_here(desk):
    section = robin()
    page = text(desk.get(f"/events/{section.event_id}/results/"))
    assert address(section) in page
    assert "entered by hand" in page
    taken(section.event)
    page = text(desk.get(f"/events/{section.event_id}/results/"))
    assert "Correct by hand" in page


def test_rounds_outside_the_registered_days_widen_the_file_s(desk):
    section = robin()
    day = LAST + timedelta(days=1)
    send(desk, section, d3=day.isoformat(), **names(), **ROUND)
    upload = current(section.event)
    assert read(bytes(upload.file.content), "a.trf").ends == day
    assert "dates-differ" in codes(upload)
