"""An erasure takes a person out of everything that is his, and nothing from others who are called as he is."""

from datetime import date, timedelta

import pytest
from django.utils import timezone

from accounts.models import Decision, Mail, User
from accounts.trail.operations import record
from events.archive import store_file
from events.models import Arbiter, ErrorReport, Event, Guest, Submission, SubmissionFinding, SubmittedFile
from events.registration.operations import discard_draft
from players.models import FideListed, Player
from players.operations import NewPlayer, register_players, save_player
from ratings.personal_data.clearing import clear_personal_data
from ratings.personal_data.erasure.names_of_person import namesakes
from ratings.personal_data.erasure.operations import erase_player
from ratings.personal_data.person import person_of
from ratings.personal_data.remains import forget_account
from tests.builders import (
    CLOCK,
    MARCH,
    Line,
    desk_line,
    event_of,
    everything,
    lines,
    officer,
    people,
    publish,
    region,
    round_robin,
    submitted,
    trf,
    with_address,
)
from tests.ratings.personal_data.test_erasure import held

pytestmark = pytest.mark.django_db


@pytest.fixture
def his():
    """A child."""
    return with_address(*register_players([NewPlayer("Xylander", "Quentin")], at=CLOCK), "xylander@example.org")


def erase(row: Player) -> Player:
    erase_player(Player.objects.get(pk=row.pk), at=CLOCK, by=None, reason="his mother asks")
    return Player.objects.get(pk=row.pk)


def test_who_is_called_so_but_for_an_accent_keeps_his_files_and_texts():
    """The files of six events, in which the erased had never played."""
    his, other = register_players([NewPlayer("Niekerk", "Andre"), NewPlayer("Niekerk", "André")], at=CLOCK)
    assert namesakes(person_of(his)) == [other]
    event = submitted()
    file = store_file("round,white,black,result\n1,André Niekerk,Bo Nel,1-0\n".encode())
    Submission.objects.filter(section__event=event).update(file=file)
    Event.objects.filter(pk=event.pk).update(state="withdrawn", place="With André Niekerk")
    erase_player(his, at=CLOCK, by=None, reason="his mother asks")
    file.refresh_from_db()
    assert ("André Niekerk" in bytes(file.content).decode(), file.replaced_at) == (True, None)
    assert Event.objects.get().place == "With André Niekerk"


def test_who_was_called_so_before_she_married_keeps_her_line_her_file_and_her_trail(his):
    her = register_players([NewPlayer("Xylander", "Quentin", birth_date=date(1980, 5, 17))], at=CLOCK)[0]
    played = [Line("Xylander, Quentin", national=her.number, born="1980/05/17"), *lines(6)[1:]]
    event = submitted(trf(played, round_robin(6)))
    file = SubmittedFile.objects.get(submissions__section__event=event)
    for row in (his, her):
        record("changed", row, at=CLOCK, by=None, reason="Quentin Xylander moved")
    own = event_of([(*people(2), "1-0")])
    Event.objects.filter(pk=own.pk).update(organiser_name="Quentin Xylander", organiser_number=her.number)
    her.last_name = "Vexelby"
    her._history_date = timezone.now() + timedelta(days=400)
    save_player(her)
    assert namesakes(person_of(his)) == [her]
    erased = erase(his)
    assert event.sections.get().entries.get(player=her).name_in_file == "Xylander, Quentin"
    file.refresh_from_db()
    assert ("Xylander, Quentin" in bytes(file.content).decode(), file.replaced_at) == (True, None)
    assert Event.objects.get(pk=own.pk).organiser_name == "Quentin Xylander"
    told = dict(Decision.objects.filter(action="changed").values_list("subject_name", "reason"))
    assert told == {
        f"Quentin Xylander ({her.number})": "Quentin Xylander moved",
        str(erased): f"{erased.last_name} moved",
    }


@pytest.mark.parametrize("fields", [{"last_name": "Vexelby"}, {"first_name": "", "last_name": ""}])
def test_the_trail_says_who_decided_though_he_has_married_or_his_account_was_cleared(his, fields):
    father = User.objects.create_user("father@example.org", first_name="Quentin", last_name="Xylander", is_officer=True)
    record("waived", people(1)[0], at=CLOCK, by=father, reason="right")
    User.objects.filter(pk=father.pk).update(**fields)
    erase(his)
    assert Decision.objects.get(action="waived").actor_name == "Quentin Xylander (father@example.org)"


@pytest.mark.parametrize(
    "address",
    [
        "quentin.xylander@example.org", "quentin-xylander@example.net",
        # In which that of the child is a part.
        "petrus.xylander@example.org", "x+xylander@example.org", "o'xylander@example.org", "xylander@example.org.za",
    ],
)  # fmt: skip
def test_no_account_of_another_is_changed(his, address):
    """A father who is called as his child was shut out for good: his address was “(erased)@example.org”."""
    father = User.objects.create_user(
        address, first_name="Quentin", last_name="Xylander", is_officer=True, is_staff=True
    )
    record("waived", his, at=CLOCK, by=father, reason="right")
    mail = Mail.objects.create(kind="x", to=address, created_at=CLOCK, state="waiting", next_at=CLOCK)
    erased = erase(his)
    father.refresh_from_db()
    assert (father.email, father.get_full_name()) == (address, "Quentin Xylander")
    assert Mail.objects.get(pk=mail.pk).to == address
    decision = Decision.objects.filter(action="waived").get()
    assert decision.actor_name == f"Quentin Xylander ({address})"
    assert decision.subject_name == str(erased)


def test_the_trail_says_who_decided_though_his_address_has_the_name(his):
    """And the account no name, as a superuser's."""
    other = User.objects.create_superuser("quentin.xylander@example.org")
    record(
        "disabled",
        other,
        at=CLOCK,
        by=other,
        reason="asked (quentin.xylander@example.org), quentin.xylander@gone.example",
    )
    erased = erase(his)
    decision = Decision.objects.filter(action="disabled").get()
    assert (decision.actor_name, decision.subject_name) == (other.email, other.email)
    assert decision.reason == "asked (quentin.xylander@example.org), (erased)@gone.example"
    assert erased.last_name not in decision.reason


@pytest.mark.parametrize("around", ["'{}'", "- {}", "<{}>,", "“{}”.", "mailto:{}", "x-{}"])
def test_his_address_goes_whatever_stands_around_it(his, around):
    text = around.format("xylander@example.org")
    record("waived", region(), at=CLOCK, by=None, reason=text)
    erase(his)
    kept = Decision.objects.get(action="waived").reason
    assert kept == (text if around == "x-{}" else around.format("(erased)").replace("((erased))", "(erased)"))


def test_two_who_are_called_as_addresses_are_made_can_both_be_erased(his):
    """Two addresses became one, which no two accounts have: the second was never erased."""
    twin = register_players([NewPlayer("Ywander", "Peregrine")], at=CLOCK)[0]
    for name in ("quentin.xylander", "peregrine.ywander"):
        User.objects.create_user(f"{name}@example.org")
    assert erase(his).erased_at
    assert erase(twin).erased_at


def test_a_report_of_another_is_still_answered_at_his_address(his):
    section = event_of([(*people(2), "1-0")]).sections.get()
    publish()
    report = ErrorReport.objects.create(
        section=section, player=section.games.get().white, month=MARCH, wrong="1-0", right="0-1", role="player", at=CLOCK,
        reporter_name="Quentin Xylander", reporter_email="quentin.xylander@example.org",
    )  # fmt: skip
    erase(his)
    report.refresh_from_db()
    assert report.reporter_email == "quentin.xylander@example.org"


@pytest.mark.parametrize("first", ["Søren", "Zoë"])
@pytest.mark.parametrize("plain", [False, True])
def test_a_name_written_plainly_is_anothers_who_is_called_so_with_all_its_letters(first, plain):
    without = first.translate(str.maketrans("øë", "oe"))
    his, other = register_players([NewPlayer("Großmann", first), NewPlayer("Großmann", first)], at=CLOCK)
    if plain:
        Player.objects.filter(pk=other.pk).update(first_name=without)
    texts = [f"{name} won" for name in (f"{first} Grossmann", f"{without} Grossmann", f"{without} Großmann")]
    for text in texts:
        Mail.objects.create(kind="x", to="x@example.org", text=text, created_at=CLOCK, state="sent", sent_at=CLOCK)
    erase(his)
    assert [mail.text for mail in Mail.objects.order_by("pk")] == texts


@pytest.mark.parametrize(("on_record", "replaced"), [(True, False), (False, True)])
def test_files_that_name_an_arbiter_of_the_name_stay_as_they_were_sent_in(his, on_record, replaced):
    """Unless nothing tells that he is another."""
    if on_record:
        Arbiter.objects.create(name="Quentin Xylander")
    event = event_of([(*people(2), "1-0")])
    file = store_file(b"012 Mopane Open\n102 Xylander, Quentin\n")
    Submission.objects.create(section=event.sections.get(), file=file, name="y.trf", at=CLOCK, format="TRF16")
    publish()
    erase(his)
    submission = Submission.objects.get(name="y.trf")
    assert (b"Xylander" not in bytes(submission.file.content)) is replaced


@pytest.mark.parametrize(("fide_id", "renamed"), [(14390009, False), (14398765, True), (None, True)])
def test_whom_a_player_met_abroad_is_another_by_his_fide_id(his, fide_id, renamed):
    Player.objects.filter(pk=his.pk).update(fide_id=14398765)
    section = event_of([(*people(2), "1-0")]).sections.get()
    guest = Guest.objects.create(section=section, name="Xylander, Quentin", fide_id=fide_id, fide_rating=1900)
    publish()
    erased = erase(his)
    guest.refresh_from_db()
    assert guest.name == (erased.last_name if renamed else "Xylander, Quentin")


def test_whom_a_player_met_abroad_is_not_he_by_an_id_that_he_had_by_mistake(his):
    for fide_id in (14390009, None):
        his.fide_id = fide_id
        save_player(his)
    section = event_of([(*people(2), "1-0")]).sections.get()
    for name in ("Varga, Henrik", "Xylander, Q."):
        Guest.objects.create(section=section, name=name, fide_id=14390009, fide_rating=1900)
    publish()
    erased = erase(his)
    assert list(Guest.objects.order_by("pk").values_list("name", "fide_id")) == [
        ("Varga, Henrik", 14390009),
        (erased.last_name, None),
    ]


def test_a_fide_id_that_was_a_year_by_a_slip_stands_in_no_file_of_his(his):
    for fide_id in (2010, 14398765):
        his.fide_id = fide_id
        save_player(his)
    event = event_of([(*people(2), "1-0")])
    file = store_file(b"012 Mopane Open\n132 2010/03/07\n")
    Submission.objects.create(section=event.sections.get(), file=file, name="y.trf", at=CLOCK, format="TRF16")
    publish()
    erase(his)
    assert b"2010" in bytes(Submission.objects.get(name="y.trf").file.content)


def test_whom_fide_lists_under_the_name_is_not_renamed(his):
    FideListed.objects.create(fide_id=14390009, name="Xylander, Quentin", federation="RSA", since=MARCH)
    erase(his)
    assert FideListed.objects.get().name == "Xylander, Quentin"


def test_a_closed_account_takes_nothing_from_an_address_that_is_longer():
    closed = User.objects.create_user("nel@example.org", is_active=False)
    other = User.objects.create_user("petrus.nel@example.org")
    record("waived", region(), at=CLOCK, by=other, reason="asked by nel@example.org.")
    forget_account(closed, at=CLOCK)
    decision = Decision.objects.get(action="waived")
    assert (decision.actor_name, decision.reason) == ("petrus.nel@example.org", "asked by (erased).")


def test_the_page_tells_who_else_is_called_so(client, his):
    """Of whom nothing is erased: an account may be his all the same."""
    User.objects.create_user("q@example.org", first_name="Quentin", last_name="Xylander")
    User.objects.create_user("other@example.org", first_name="Quentin", last_name="Other")
    Arbiter.objects.create(name="Xylander, Quentin Karl")
    Arbiter.objects.create(name=his.name, player=his, number=his.number)
    client.force_login(officer())
    page = " ".join(client.get(f"/admin/ratings/erasure/players/{his.pk}/").content.decode().split())
    assert "<b>Others are called so:</b> user q@example.org; arbiter Xylander, Quentin Karl." in page


@pytest.mark.parametrize(
    ("name", "goes"), [("Xylander Q", True), ("Qzmaiden, Q.", True), ("Grace Tenza", False), ("Piet van Wyk", False)]
)
def test_a_record_as_arbiter_is_his_by_his_fide_id(his, name, goes):
    """As the AOC's list gives it, without a Chess SA id. Of another name the id may be there by mistake."""
    for last_name in ("van Qzmaiden", "van Xylander"):
        his.last_name, his.fide_id = last_name, 14398765
        save_player(his)
    arbiter = Arbiter.objects.create(name=name, fide_id=14398765)
    erased = erase(his)
    arbiter.refresh_from_db()
    assert (arbiter.name == erased.last_name) is goes
    assert (arbiter.name == name) is not goes


def test_who_has_one_name_is_named_in_no_row_about_him(client):
    superuser = User.objects.create_superuser("chief@example.org")
    his = register_players([NewPlayer("Xylanderson", "")], at=CLOCK)[0]
    record("changed", his, at=CLOCK, by=superuser, reason="as Xylanderson asked")
    record("amended", region(), at=CLOCK, by=superuser, before={f"round 1, {his} – Dube": "1-0"})
    desk_line(his, superuser)
    assert {"accounts_decision", "django_admin_log"} <= held(everything(), "Xylanderson").keys()
    erase(his)
    assert held(everything(), "Xylanderson") == {}


def test_an_arbiter_of_one_name_who_was_deleted_is_named_in_no_row_about_him():
    arbiter = Arbiter.objects.create(name="Xylanderson")
    record("added", arbiter, at=CLOCK, by=None, reason="new")
    arbiter.delete()
    clear_personal_data(at=CLOCK)
    assert held(everything(), "Xylanderson") == {}


def test_a_draft_that_was_discarded_names_its_organiser_no_more():
    event = Event.objects.create(
        name="Mopane Open", region=region(), starts=MARCH, ends=MARCH, state="draft", organiser_name="Qzorg Draftee"
    )
    event.organiser_name = "Qzorgtwo Draftee"
    event.save()
    record("organiser changed", event, at=CLOCK, by=None, before={"Chief Organiser": "Qzorg Draftee"}, after={})
    kept = Event.objects.create(name="Other", region=region(), starts=MARCH, ends=MARCH, organiser_name="Qzorg Kept")
    discard_draft(event)
    clear_personal_data(at=CLOCK)
    assert held(everything(), "Qzorg Draftee", "Qzorgtwo") == {}
    assert Event.objects.get(pk=kept.pk).history.get().organiser_name == "Qzorg Kept"


@pytest.mark.parametrize(
    ("message", "stays"),
    [
        ("{twin} ({twin_number}): the register has 2008-05-17, the file 2008-05-18.", True),
        ("{twin} was born on 17 May 2008.", True),
        ("{twin} and {his} were born on 17 May 2008.", False),
        ("{twin} ({twin_number}) and {his_number}: 2008-05-17.", False),
        ("The line has 2008-05-17.", False),
    ],
)
def test_a_birth_date_beside_the_name_of_his_twin_alone_is_hers(message, stays):
    section = submitted().sections.get()
    his, twin = (entry.player for entry in section.entries.all()[:2])
    for player in (his, twin):
        player.birth_date, player.birth_year, player.last_name = date(2008, 5, 17), 2008, "Buthelezi"
    his.first_name, twin.first_name = "Anele", "Bets"
    for player in (his, twin):
        save_player(player)
    told = message.format(twin=twin.name, twin_number=twin.number, his=his.name, his_number=his.number)
    found = SubmissionFinding.objects.create(
        submission=section.submissions.get(), severity="note", code="birth-date", message=told, article="16"
    )
    Event.objects.update(state="refused")
    erase_player(his, at=CLOCK, by=None, reason="asked for")
    found.refresh_from_db()
    left = found.message
    assert (left == told) is stays
    assert stays or "2008" not in left
