"""Answering what the checks ask: beside the finding, seen afterwards, and taken back."""

import json
from datetime import date, timedelta

import pytest
from django.utils import timezone

from config.languages import style
from config.lib import formatting
from events.models import Appointment, Arbiter, Correction, Membership
from events.operations import EventError
from events.rules.deadlines import last_day_to_submit
from events.submission.uploads import Answer, answer_questions
from players.models import Player
from players.operations import NewPlayer, register_players
from tests.builders import CLOCK, Line, everything, lines, officer, player, region, round_robin, trf
from tests.events.submission.world import (
    FIRST,
    LAST,
    answer_penalties,
    clean,
    codes,
    correction,
    current,
    do,
    known,
    played,
    table,
    taken,
)

pytestmark = pytest.mark.django_db


def texts(answered) -> str:
    return answered.content.decode()


def page(desk, event) -> str:
    return texts(desk.get(f"/events/{event.pk}/results/"))


def table_page(desk, upload, line: int = 0) -> str:
    asked = f"?line={line}" if line else ""
    return texts(desk.get(f"/events/{upload.event_id}/results/{upload.pk}/players/{asked}"))


def with_first(line: Line) -> bytes:
    """A file whose first player is this one."""
    return trf([line, *lines(6)[1:]], round_robin(6), starts=FIRST, ends=LAST)


@pytest.mark.rule("chessa 56")
def test_all_who_are_like_nobody_are_confirmed_at_once_and_taken_back_one_by_one(desk):
    event = played()
    upload = taken(event)
    assert "Say who the 6 players are" in page(desk, event)
    assert "All 6 others are new players" in table_page(desk, upload)
    table(desk, upload, "others")
    upload.refresh_from_db()
    assert upload.report["counts"]["error"] == 0
    assert page(desk, event).count(">Undo<") == 6
    assert table_page(desk, upload).count('value="undo-') == 6
    do(desk, event, f"corrections/{upload.corrections.first().pk}/undo")
    assert "It is a new player" in table_page(desk, upload)
    assert Player.objects.count() == 0


def test_a_player_is_chosen_among_those_who_are_alike_with_the_difference_letter_by_letter(desk):
    known()
    alike = Player.objects.order_by("number").first()
    event = played()
    upload = taken(event, with_first(Line(f"{alike.last_name}x, {alike.first_name}", born="")))
    said = table_page(desk, upload)
    assert "Who is Adendorffx, Anele?" in said
    assert "Adendorff<mark>x</mark>, Anele" in said
    table(desk, upload, "take-1", who_1=alike.number)
    upload.refresh_from_db()
    assert upload.report["questions"] == []
    said = page(desk, event)
    assert "<s>Who is Adendorffx, Anele (start number 1)?</s>" in said
    assert f"is Anele Adendorff ({alike.number})." in said


@pytest.mark.rule("chessa 16")
@pytest.mark.parametrize(
    ("born", "said"),
    [("2001/05/13", "differs in the day"), ("2001", "agrees in")],
)
def test_birth_dates_of_another_region_are_not_told(desk, arbiter, born, said):
    """Who uploads a name with a guessed date does not learn the register's, nor the letters that agree with it."""
    register_players(
        [NewPlayer("Botha", "Naledi", birth_date=date(2001, 5, 12), region=region("LCP"), sex="F")], at=timezone.now()
    )
    event = played()
    Appointment.objects.create(event=event, arbiter=arbiter, position=1)
    upload = taken(event, with_first(Line("Botha, Naledi", born=born)))
    asked = table_page(desk, upload)
    assert said in asked
    assert "2001/05/12" not in asked
    assert f"<td>{born}</td>" in asked or f"<td><mark>{born}</mark></td>" in asked
    desk.force_login(arbiter.user)
    assert "2001/05/12" not in page(desk, event)
    desk.force_login(officer())
    assert said not in table_page(desk, upload)


@pytest.mark.rule("chessa 16")
@pytest.mark.parametrize(("lines_of_a_name", "compared"), [(2, True), (3, False)])
def test_many_lines_of_one_name_do_not_find_out_a_birth_date(desk, lines_of_a_name, compared):
    register_players(
        [NewPlayer("Botha", "Naledi", birth_date=date(2001, 5, 12), region=region("LCP"), sex="F")], at=timezone.now()
    )
    event = played()
    guesses = [Line("Botha, Naledi", born=f"2001/05/{day}") for day in range(12, 12 + lines_of_a_name)]
    upload = taken(event, trf([*guesses, *lines(6)[lines_of_a_name:]], round_robin(6), starts=FIRST, ends=LAST))
    found = upload.report["matched"] + upload.report["questions"]
    assert bool(found) == compared
    told = table_page(desk, upload)
    assert ("same birth date" in told or "differs in the day" in told) == compared


def test_birth_dates_of_ones_own_region_are_shown_but_not_to_arbiters(desk, arbiter):
    register_players(
        [NewPlayer("Botha", "Naledi", birth_date=date(2001, 5, 12), region=region(), sex="F")], at=timezone.now()
    )
    event = played()
    Appointment.objects.create(event=event, arbiter=arbiter, position=1)
    upload = taken(event, with_first(Line("Botha, Nalede", born="2001/05/13")))
    assert "2001/05/1<mark>2</mark>" in table_page(desk, upload)
    desk.force_login(arbiter.user)
    assert "2001/05/1" not in page(desk, event)
    assert desk.get(f"/events/{event.pk}/results/{upload.pk}/players/").status_code == 403


def test_an_arbiter_is_told_who_answers_and_gets_no_form(desk, arbiter):
    known()
    event = played()
    Appointment.objects.create(event=event, arbiter=arbiter, position=1)
    desk.force_login(arbiter.user)
    asked = page(desk, event)
    assert "The Regional Administrator uploads the arbiter" in asked
    alike = Player.objects.order_by("number").first()
    taken(event, with_first(Line(f"{alike.last_name}x, {alike.first_name}", born="")))
    asked = page(desk, event)
    assert "The Regional Administrator says who they are" in asked
    assert "Say who the player is" not in asked


def test_another_player_is_given_by_his_number(desk):
    known()
    event = played()
    upload = taken(event, with_first(Line("Adendorfx, Anele")))
    somebody = player("Zwane", "Zola")
    for wrong in ("12345678", "999999998", "１" * 9):
        answered = table(desk, upload, "search-1", other_1=wrong)
        assert answered.status_code == 422
        assert 'href="#id_other-1"' in texts(answered)
        assert 'id="id_other-1"' in texts(answered)
        assert f'value="{wrong}"' in table_page(desk, upload)
    table(desk, upload, "search-1", other_1=somebody.number)
    upload.refresh_from_db()
    assert somebody.number in [one["number"] for one in upload.report["matched"]]


def test_no_page_of_a_file_tells_by_which_pseudonym_somebody_is_called(desk):
    """Who has the name would find him on the lists."""
    known()
    event = played()
    erased = player("Zwane", "Zola")
    Player.objects.filter(pk=erased.pk).update(
        erased_at=CLOCK, hidden_since=CLOCK.date(), last_name="Player 1234567", first_name="", sex=""
    )
    upload = taken(event, with_first(Line("Zwane, Zola")))
    table(desk, upload, "search-1", other_1=erased.number)
    upload.refresh_from_db()
    assert "player-erased" in codes(upload)
    assert "1234567" not in json.dumps(upload.report)
    assert "1234567" not in table_page(desk, upload, 1)


def test_nor_does_a_question_or_its_answer(desk):
    known()
    erased = player("Zwane", "Zola")
    Player.objects.filter(pk=erased.pk).update(
        erased_at=CLOCK, hidden_since=CLOCK.date(), last_name="Player 1234567", first_name="", sex=""
    )
    upload = taken(played(), with_first(Line("Zwane, Zola", national=erased.number)))
    assert [one["number"] for line in upload.report["questions"] for one in line["candidates"]] == [erased.number]
    assert "1234567" not in json.dumps(upload.report)
    table(desk, upload, "take-1", who_1=erased.number)
    (answer,) = upload.corrections.all()
    assert answer.answer == f"Zwane, Zola (start number 1) is {erased.number}."


def test_a_line_that_was_found_by_itself_is_changed_all_the_same(desk):
    known()
    event = played()
    upload = taken(event)
    assert "Who is Adendorff, Anele?" in table_page(desk, upload, 1)
    table(desk, upload, "new-1")
    upload.refresh_from_db()
    assert "player-alike" in codes(upload)
    assert len(upload.report["matched"]) == 5


def test_a_wrong_answer_about_a_line_that_was_found_comes_back_with_its_form(desk):
    known()
    event = played()
    upload = taken(event)
    answered = table(desk, upload, "search-1", other_1="123")
    assert answered.status_code == 422
    assert "Who is Adendorff, Anele?" in texts(answered)
    assert 'id="id_other-1"' in texts(answered)


def test_a_line_whom_nobody_resembles_is_somebody_on_the_register_all_the_same(desk):
    known()
    event = played()
    upload = taken(event, with_first(Line("Qwabe, Xolani")))
    assert [line["start"] for line in upload.report["unknown"]] == [1]
    assert "Somebody else on the register<" in table_page(desk, upload)
    table(desk, upload, "search-1", other_1=player("Zwane", "Zola").number)
    upload.refresh_from_db()
    assert "Zola Zwane" in [line["known"] for line in upload.report["matched"]]


@pytest.mark.parametrize(
    ("form", "fields"),
    [
        ("control", {"which": "file", "reason": "The clocks showed it."}),
        ("dates", {"which": "file"}),
        ("arbiters", {"arbiter": "1"}),
        ("encoding", {"code_page": "cp1253"}),
    ],
)
def test_what_a_report_does_not_ask_is_not_answered(desk, form, fields):
    Arbiter.objects.create(pk=1, name="Grace Tenza")
    event = played()
    known()
    upload = taken(event)
    before = everything()
    answered = correction(desk, upload, form, **fields)
    assert answered.status_code == 422
    assert "is asked no more" in texts(answered)
    assert everything() == before


@pytest.mark.rule("chessa 13.3")
def test_the_days_of_rounds_are_offered_as_registered(desk):
    known()
    event = played()
    upload = taken(event, clean(dated=False))
    assert codes(upload) == ["round-dates-missing"]
    assert f'value="{FIRST.isoformat()}"' in page(desk, event)
    days = {f"_{number}": (FIRST if number < 3 else LAST).isoformat() for number in range(1, 6)}
    answered = correction(desk, upload, "days", **(days | {"_2": "2999-01-01"}))
    assert answered.status_code == 422
    answered = correction(desk, upload, "days", **dict.fromkeys(days, ""))
    assert "at least one round" in texts(answered)
    correction(desk, upload, "days", **days)
    upload.refresh_from_db()
    assert codes(upload) == []


@pytest.mark.rule("chessa 22")
@pytest.mark.parametrize(("which", "note"), [("file", ""), ("registration", "time-control-given")])
def test_which_time_control_was_played(desk, which, note):
    known()
    event = played()
    upload = taken(event, clean(control="60+30"))
    assert codes(upload) == ["time-control-differs"]
    assert correction(desk, upload, "control").status_code == 422
    correction(desk, upload, "control", which=which, reason="The clocks showed it.")
    upload.refresh_from_db()
    assert codes(upload) == []
    notes = [one["code"] for group in upload.report["groups"] for one in group["findings"]]
    assert (note in notes) is bool(note)


@pytest.mark.rule("chessa 13.2")
@pytest.mark.parametrize(
    ("which", "days"),
    [("file", (FIRST - timedelta(days=1), LAST - timedelta(days=1))), ("registration", (FIRST, LAST))],
)
def test_on_which_days_it_was_played(desk, which, days):
    known()
    event = played()
    file_days = {"starts": FIRST - timedelta(days=1), "ends": LAST - timedelta(days=1)}
    upload = taken(event, clean(**file_days, dated=False))
    assert codes(upload) == ["round-dates-missing", "dates-differ"]
    correction(desk, upload, "dates", which=which)
    upload.refresh_from_db()
    assert codes(upload) == ["round-dates-missing"]
    answer_penalties(desk, upload)
    assert do(desk, event, "submit", declared="on", reason="The club has the days.").status_code == 302
    section = event.sections.get()
    assert section.submissions.exists()
    assert (section.starts, section.ends) == days


@pytest.mark.rule("chessa 14.2", "chessa 14.3")
def test_a_new_players_details_are_added(desk):
    known()
    event = played()
    upload = taken(event, with_first(Line("Zwane, Zola", sex="", born="")))
    table(desk, upload, "others")
    upload.refresh_from_db()
    assert set(codes(upload)) == {"birth-dates-missing", "sex-missing"}
    answered = table(desk, upload, "keep", birth_1="1890-01-01", sex_1="F")
    assert answered.status_code == 422
    table(desk, upload, "keep", birth_1="1999-05-17", sex_1="F")
    upload.refresh_from_db()
    assert codes(upload) == []


@pytest.mark.rule("chessa 14.2")
def test_what_the_register_knows_is_not_asked_again(desk):
    known()
    event = played()
    unborn = [Line(one.name, sex="", born="") for one in lines(6)]
    upload = taken(event, trf(unborn, round_robin(6), starts=FIRST, ends=LAST))
    for number, one in enumerate(Player.objects.order_by("number"), start=1):
        table(desk, upload, f"take-{number}", **{f"who_{number}": one.number})
    upload.refresh_from_db()
    assert codes(upload) == []


def test_an_arbiter_more(desk):
    known()
    event = played()
    upload = taken(event, clean(arbiter=""))
    assert "arbiter-missing" in codes(upload)
    assert correction(desk, upload, "arbiters").status_code == 422
    found = Arbiter.objects.create(name="Grace Tenza", title="IA", number="100000123")
    correction(desk, upload, "arbiters", arbiter=found.pk)
    upload.refresh_from_db()
    assert "arbiter-missing" not in codes(upload)
    assert not event.appointments.exists()


def test_a_file_of_dos_waits_for_its_code_page(desk):
    known()
    event = played()
    upload = taken(event, clean().replace(b"Anele", "Anelü".encode("cp850")))
    assert "control-character" in codes(upload)
    assert "Are these names right?" in page(desk, event)
    correction(desk, upload, "encoding", code_page="cp850")
    upload.refresh_from_db()
    assert "control-character" not in codes(upload)


def test_the_code_page_of_a_file_that_does_not_tell_it(desk):
    event = played()
    upload = taken(event, clean().replace(b"Anele", "Anelę".encode("cp1250")))
    assert upload.report["samples"] == ["Adendorff, Anelê"]
    correction(desk, upload, "encoding", code_page="cp1250")
    upload.refresh_from_db()
    assert upload.report["unknown"][0]["name"] == "Adendorff, Anelę"
    answered = page(desk, event)
    assert "Are these names right?" not in answered
    assert "The file is written in" in answered
    do(desk, event, f"{upload.pk}/check")
    assert "Are these names right?" not in page(desk, event)
    again = taken(event, clean(results="0=").replace(b"Anele", "Anelę".encode("cp1250")))
    assert again.report["unknown"][0]["name"] == "Adendorff, Anelę"
    assert "Are these names right?" not in page(desk, event)
    do(desk, event, f"corrections/{again.corrections.get(kind='encoding').pk}/undo")
    assert "Are these names right?" in page(desk, event)


def test_somebody_elses_answer_is_not_overwritten(desk):
    event = played()
    upload = taken(event, clean(control="60+30"))
    correction(desk, upload, "control", which="file", reason="The clocks showed it.")
    before = everything()
    answered = correction(desk, upload, "control", which="registration", reason="The clocks showed it.")
    assert answered.status_code == 422
    assert (
        "This was answered meanwhile: All games were played with 60+30, as in the file: The clocks showed it."
        in texts(answered)
    )
    assert everything() == before


def test_an_answer_to_a_file_that_gave_way_is_refused(desk):
    event = played()
    old = taken(event, clean(control="60+30"))
    taken(event, clean(results="0="), name="new.trf")
    answered = correction(desk, old, "control", which="file", reason="The clocks showed it.")
    assert answered.status_code == 422
    assert "given way to another file" in texts(answered)
    with pytest.raises(EventError, match="given way"):
        answer_questions(old, [Answer("day", "1", "2024-01-01", "", "")], at=timezone.now(), by=None)
    assert not Correction.objects.filter(upload=old).exists()


def test_an_answer_that_is_gone_is_not_taken_back_twice(desk):
    event = played()
    upload = taken(event, clean(control="60+30"))
    correction(desk, upload, "control", which="file", reason="The clocks showed it.")
    gone = current(event).corrections.get().pk
    do(desk, event, f"corrections/{gone}/undo")
    answered = do(desk, event, f"corrections/{gone}/undo")
    assert answered.status_code == 422
    assert "taken back already" in texts(answered)


def test_a_question_that_another_browser_has_answered_is_not_answered_again(desk):
    event = played()
    upload = taken(event)
    table(desk, upload, "new-1")
    other = known(1)[0]
    before = everything()
    for answered in (table(desk, upload, "new-1"), table(desk, upload, "search-1", other_1=other.number)):
        assert answered.status_code == 422
        assert "answered meanwhile" in texts(answered)
    assert everything() == before


@pytest.mark.parametrize(
    ("control", "key"), [("penalty", "withdrawal-9-9"), ("take-99", ""), ("days", ""), ("new-99", "")]
)
def test_what_is_not_asked_is_not_answered(desk, control, key):
    known()
    event = played()
    upload = taken(event)
    send = table if control.endswith("-99") else correction
    answered = send(desk, upload, control, **({} if send is table else {"key": key, "notice": "without"}))
    assert answered.status_code == 422
    assert "asked no more" in texts(answered)


def test_a_player_who_left_the_register_is_asked_for_again(desk):
    event = played()
    upload = taken(event)
    chosen = register_players([NewPlayer("Zulu", "Ayanda")], at=timezone.now())[0]
    table(desk, upload, "search-1", other_1=chosen.number)
    chosen.delete()
    do(desk, event, f"{upload.pk}/check")
    upload.refresh_from_db()
    assert "player-gone" in codes(upload)
    do(desk, event, f"corrections/{upload.corrections.get().pk}/undo")
    upload.refresh_from_db()
    assert "player-gone" not in codes(upload)


def test_an_arbiter_who_was_deleted_since_is_not_appointed(desk):
    known()
    event = played()
    upload = taken(event, clean(arbiter=""))
    found = Arbiter.objects.create(name="Grace Tenza", title="IA", number="100000123")
    correction(desk, upload, "arbiters", arbiter=found.pk)
    found.delete()
    answered = do(desk, event, "submit", declared="on", reason="He was there.")
    assert answered.status_code == 302
    assert not event.appointments.exists()


@pytest.mark.parametrize(("control", "first", "second"), [("control", "60+30", "5+0"), ("control", "60+30", "60+30")])
def test_which_time_control_is_right_is_asked_again_for_another(desk, control, first, second):
    event = played()
    upload = taken(event, clean(control=first))
    correction(desk, upload, control, which="file", reason="The clocks showed it.")
    upload = taken(event, clean(control=second, results="0="), name="b.trf")
    assert ("time-control-differs" in codes(upload)) == (first != second)


@pytest.mark.parametrize("moved", [0, 2])
def test_which_days_are_right_is_asked_again_for_others(desk, moved):
    event = played()
    early = FIRST - timedelta(days=1)
    upload = taken(event, clean(starts=early))
    correction(desk, upload, "dates", which="file")
    upload = taken(event, clean(starts=early - timedelta(days=moved), results="0="), name="b.trf")
    assert ("dates-differ" in codes(upload)) == bool(moved)


def test_a_day_outside_the_section_is_set_on_the_page(desk):
    known()
    event = played()
    head, days, rest = clean().partition(b"\n132")
    upload = taken(event, head + days + rest.replace(f"{LAST:%y/%m/%d}".encode(), b"00/01/01", 1))
    assert "round-dates-outside" in codes(upload)
    (asked,) = upload.report["days"]
    correction(desk, upload, "days", **{f"_{asked['round']}": LAST.isoformat()})
    upload.refresh_from_db()
    assert "round-dates-outside" not in codes(upload)


@pytest.mark.rule("chessa 13.3")
@pytest.mark.parametrize(("days", "refused"), [(-1, True), (0, False), (1, False), (2, True)])
def test_a_day_outside_the_event_is_refused_where_it_is_typed(desk, days, refused):
    known()
    event = played()
    upload = taken(event, clean(dated=False))
    typed = FIRST + timedelta(days=days)
    answered = correction(desk, upload, "days", _1=typed.isoformat())
    assert (answered.status_code == 422) is refused
    assert (f"lies outside the event’s days, {formatting.days(FIRST, LAST)}." in texts(answered)) is refused
    assert upload.corrections.exists() is not refused


@pytest.mark.rule("chessa 13.3")
@pytest.mark.parametrize("answer", ["", "file", "registration"])
def test_the_days_of_a_round_are_those_of_the_answer_which_days_are_right(desk, answer):
    """Until it is answered, those of the file and of the registration are both taken."""
    known()
    event = played()
    upload = taken(event, clean(dated=False, starts=FIRST - timedelta(days=2), ends=FIRST - timedelta(days=1)))
    if answer:
        correction(desk, upload, "dates", which=answer)
    for day, right in ((FIRST - timedelta(days=2), "file"), (LAST, "registration")):
        answered = correction(desk, upload, "days", **{f"_{1 if right == 'file' else 2}": day.isoformat()})
        assert (answered.status_code == 422) is (answer not in ("", right))


@pytest.mark.rule("chessa 14.2")
@pytest.mark.parametrize(("born", "refused"), [("1900-01-01", True), ("1900-12-31", True), ("1901-01-01", False)])
def test_a_birth_in_1900_is_unknown_and_not_typed(desk, born, refused):
    event = played()
    upload = taken(event, with_first(Line("Adendorff, Anele")))
    table(desk, upload, "others")
    assert (table(desk, upload, "keep", birth_1=born).status_code == 422) is refused


@pytest.mark.parametrize("own", [True, False])
@pytest.mark.parametrize("sex", ["w", "m"])
def test_that_a_birth_date_agrees_is_said_in_ones_own_region_only(desk, own, sex):
    home = region() if own else region("LCP")
    register_players(
        [NewPlayer("Botha", "Naledi", birth_date=date(2001, 5, 12), region=home, sex="F")], at=timezone.now()
    )
    event = played()
    upload = taken(event, with_first(Line("Botha, Naledi", born="2001/05/12", sex=sex)))
    assert upload.report["questions" if sex == "m" else "matched"]
    assert ("same birth date" in page(desk, event) + table_page(desk, upload)) is own


def test_a_reader_of_afrikaans_is_asked_in_afrikaans_and_the_answer_is_kept_in_english(desk):
    desk.defaults["HTTP_ACCEPT_LANGUAGE"] = "af"
    event = played()
    upload = taken(event)
    assert "Sê wie die 6 spelers is" in page(desk, event)
    table(desk, upload, "others")
    answer = upload.corrections.order_by("pk").first()
    name = answer.answer.partition(" (start number ")[0]
    assert answer.answer == f"{name} (start number {answer.key}) is a new player."
    assert f"{name} (beginnommer {answer.key}) is ’n nuwe speler." in page(desk, event)
    refused = texts(do(desk, event, "submit"))
    assert "Verklaar dat alle inligting korrek is (artikel 57.2)." in refused
    with formatting.written(style("af")):
        assert f"sluit op {formatting.day(last_day_to_submit(event.ends))} (artikel 61)" in refused


def test_the_code_page_of_one_file_holds_for_the_next_of_the_event(desk):
    event = played("Open", "Junior")
    first, second = event.sections.all()
    strange = clean().replace(b"Anele", "Anelę".encode("cp1250"))
    upload = taken(event, strange, section=first)
    asked = [found["code"] for group in upload.report["groups"] for found in group["findings"]]
    assert "encoding-guessed" in asked
    correction(desk, upload, "encoding", code_page="cp1250")
    upload.refresh_from_db()
    answered = upload.report
    assert answered["samples"] == []
    assert "encoding-guessed" not in [found["code"] for group in answered["groups"] for found in group["findings"]]
    other = taken(event, strange, section=second, name="junior.trf")
    assert other.corrections.get(kind="encoding").value == "cp1250"
    assert other.report["samples"] == []


@pytest.mark.rule("chessa 6")
@pytest.mark.parametrize(
    "named",
    ["K Modise", "K, Modise", "Modise, K", "NA Modise K", "Modise Karabo", "Karabo Modisse", "K. Modise (100000123)"],
)
def test_an_arbiter_whom_the_file_names_otherwise_may_be_the_same_person(desk, named):
    known()
    event = played()
    found = Arbiter.objects.create(name="Karabo Modise", title="NA", number="100000123")
    Arbiter.objects.create(name="Karin Botha", title="NA", number="100000124")
    Membership.objects.create(arbiter=found, year=FIRST.year, paid_on=date(FIRST.year, 1, 1))
    upload = taken(event, clean(arbiter=named))
    asked = page(desk, event)
    if "arbiter-uncertain" in codes(upload):
        assert "It is the same person" in asked
        assert "Karin Botha" not in asked
        (row,) = upload.report["arbiters"]
        correction(desk, upload, "named-arbiters", _0=row["alike"][0][0])
        upload.refresh_from_db()
    assert not {"arbiter-uncertain", "arbiter-unknown", "arbiter-id-missing"} & set(codes(upload))


def test_no_arbiter_of_another_id_is_offered_and_nobody_can_be_chosen(desk):
    known()
    event = played()
    Arbiter.objects.create(name="Karabo Modise", title="NA", number="100000123")
    assert "arbiter-uncertain" not in codes(taken(event, clean(arbiter="K Modise (100000999)")))
    upload = taken(event, clean(arbiter="K Modise"))
    assert "arbiter-uncertain" in codes(upload)
    answered = correction(desk, upload, "named-arbiters", _0="")
    assert (answered.status_code, "Choose who it is." in texts(answered)) == (422, True)
    correction(desk, upload, "named-arbiters", _0=upload.report["arbiters"][0]["alike"][0][0])
    again = taken(event, clean(arbiter="K Modise", results="01=1"))
    assert "arbiter-uncertain" not in codes(again)
    do(desk, event, f"corrections/{again.corrections.get(kind='named-arbiter').pk}/undo")
    again.refresh_from_db()
    assert "arbiter-uncertain" in codes(again)
