"""Names at the end of texts that are stored shortened: Mandla Hlatshwa."""

import pytest

from accounts.models import Decision
from events.models import Event, Submission
from players.models import FideList, FideQuestion
from players.operations import NewPlayer, register_players, save_player
from ratings.personal_data.erasure.names import Names, spellings
from ratings.personal_data.erasure.operations import erase_player
from tests.admin_pages import opened_form
from tests.builders import CLOCK, officer, submitted

NAME = "Player 1234567"


def erased_from(text, first, last, *others):
    sought = Names(NAME, sure=spellings(first, last), others=[frozenset(name.split()) for name in others])
    return sought.replaced(text, tied=False, is_cut=True)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("so Mandla Hlatshwa", f"so {NAME}"),
        ("so MANDLA  HLA", f"so {NAME}"),
        ("so Hlatshwayo, Man", f"so {NAME}"),
        ("so Hlatshwayo Mand", f"so {NAME}"),
        ("Mandla Hla", NAME),
        ("of Mandla Hlatshwayo and of Mandla Hlatshw", f"of {NAME} and of {NAME}"),
        ("so Mandla Hl", "so Mandla Hl"),  # too little to tell
        ("so Mandla", "so Mandla"),
        ("so Mandla Hlo", "so Mandla Hlo"),
        ("so Tamandla Hlatshw", "so Tamandla Hlatshw"),
        ("Mandla Hlat and others", "Mandla Hlat and others"),
        ("", ""),
    ],
)
def test_a_name_cut_at_the_end_is_found(text, left):
    assert erased_from(text, "Mandla", "Hlatshwayo") == left


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("so Anna van der Mer", f"so {NAME}"),
        ("so van der Merwe, Ann", f"so {NAME}"),
        ("so van der Merwe Anna", f"so {NAME}"),
        ("so Anna van der", "so Anna van der"),  # or Anna van der Walt
        ("so Piet van der Mer", "so Piet van der Mer"),
        ("so van der Mer", "so van der Mer"),
    ],
)
def test_short_words_of_a_surname_tell_nobody(text, left):
    assert erased_from(text, "Anna", "van der Merwe") == left


def test_of_two_others_beside_one_another_nothing_goes():
    for text in ("Jan Nel, Piet", "1,Jan Nel,Piet"):
        assert erased_from(text, "Pieter", "Nel", "nel jan") == text


def test_a_text_that_is_whole_keeps_its_end():
    assert Names(NAME, sure=spellings("Anna", "Botha")).replaced("so Anna Both", tied=False) == "so Anna Both"


@pytest.mark.django_db
def test_what_was_cut_where_it_is_stored_names_him_no_more():
    (his,) = register_players([NewPlayer("Hlatshwayo", "Mandla")], at=CLOCK)
    (other,) = register_players([NewPlayer("Dube", "Thandi")], at=CLOCK)
    event = submitted()
    event.state = "withdrawn"
    event.save()
    reason = ("y" * 84 + " Mandla Hlatshwayo asked that")[:100]
    assert reason.endswith(" Mandla Hlatshwa")
    Event.history.filter(id=event.pk).update(history_change_reason=reason)
    fide = FideList.objects.create(month="2026-11-01", at=CLOCK, filename="x")
    why = "z" * 283 + " Hlatshwayo, Mand"
    assert len(why) == 300
    question = FideQuestion.objects.create(player=other, fide_id=14300002, listed=[], why=why, list=fide)
    Submission.objects.filter(section__event=event).update(name="w" * 239 + "_Mandla_Hlatshwa")
    erase_player(his, at=CLOCK, by=None, reason="he asks")
    question.refresh_from_db()
    found = [version.history_change_reason for version in Event.history.filter(id=event.pk)]
    found += [question.why, Submission.objects.get(section__event=event).name]
    assert not [text for text in found if "Hla" in text]


@pytest.mark.django_db
def test_of_two_who_are_erased_in_turn_the_name_at_the_end_is_found_though_the_text_is_shorter_by_then():
    his, other = register_players([NewPlayer("Hlatshwayo", "Mandla"), NewPlayer("Vandermerwe", "Annabella")], at=CLOCK)
    event = submitted()
    event.state = "withdrawn"
    event.save()
    reason = "y" * 60 + " Annabella Vandermerwe: Mandla Hlatshwayo"[:40]
    assert len(reason) == 100
    Event.history.filter(id=event.pk).update(history_change_reason=reason)
    for player in (other, his):
        erase_player(player, at=CLOCK, by=None, reason="he asks")
    for version in Event.history.filter(id=event.pk):
        assert "Mandla" not in version.history_change_reason


@pytest.mark.django_db
def test_after_the_erasure_of_an_address_the_name_at_the_end_is_found_though_the_text_is_shorter_by_then():
    his, other = register_players([NewPlayer("Hlatshwayo", "Mandla"), NewPlayer("Zulu", "Thabo")], at=CLOCK)
    other.email = "someone.very.long@example.org"
    save_player(other)
    event = submitted()
    event.state = "withdrawn"
    event.save()
    reason = f"{other.email}: Mandla Hlatsh".rjust(100, "y").replace("ysomeone", " someone")
    assert len(reason) == 100
    Event.history.filter(id=event.pk).update(history_change_reason=reason)
    for player in (other, his):
        erase_player(player, at=CLOCK, by=None, reason="he asks")
    left = {version.history_change_reason for version in Event.history.filter(id=event.pk)}
    assert not [text for text in left if "Mandla" in text]


@pytest.mark.django_db
@pytest.mark.parametrize(
    "name", ["Match {} - Jan Smit", "{} v Jan Smit", "The file of {} and Jan Smit", "{} – Smit, Jan"]
)
@pytest.mark.parametrize("on_register", [True, False])
def test_whose_whole_name_is_how_his_begins_keeps_it_in_a_text_from_which_another_was_erased(name, on_register):
    """Jan Smit, when Jan Smith is erased: not in a text that was too short to be cut, though nobody knows him."""
    called = [NewPlayer("Smith", "Jan"), NewPlayer("Botha", "Anna"), *[NewPlayer("Smit", "Jan")] * on_register]
    his, other, *_ = register_players(called, at=CLOCK)
    event = submitted()
    Event.objects.filter(pk=event.pk).update(state="withdrawn", name=name.format("Anna Botha"))
    Submission.objects.filter(section__event=event).update(name=name.format("Anna Botha"))
    pseudonym = erase_player(other, at=CLOCK, by=None, reason="she asks").pseudonym
    erase_player(his, at=CLOCK, by=None, reason="he asks")
    assert {Event.objects.get().name, Submission.objects.get().name} == {name.format(pseudonym)}


@pytest.mark.django_db
@pytest.mark.parametrize(("on_register", "stays"), [(True, True), (False, False)])
def test_a_text_as_long_as_its_field_may_end_in_the_whole_name_of_another(on_register, stays):
    called = [NewPlayer("Smith", "Jan"), *[NewPlayer("Smit", "Jan")] * on_register]
    his, *_ = register_players(called, at=CLOCK)
    event = submitted()
    event.state = "withdrawn"
    event.save()
    reason = "y" * 91 + " Jan Smit"
    assert len(reason) == 100
    Event.history.filter(id=event.pk).update(history_change_reason=reason)
    erase_player(his, at=CLOCK, by=None, reason="he asks")
    assert (Event.history.filter(id=event.pk).first().history_change_reason == reason) is stays


@pytest.mark.django_db
def test_a_reason_in_a_history_ends_where_a_word_does(client):
    event = submitted()
    client.force_login(officer())
    page = f"/admin/events/event/{event.pk}/change/"
    reason = "y" * 84 + " Mandla Hlatshwayo asked that the place be written so"
    answer = client.post(page, opened_form(client, page, place="Hall", reason_for_change=reason))
    assert answer.status_code == 302
    assert Event.history.filter(id=event.pk).first().history_change_reason == "y" * 84 + " Mandla"
    assert Decision.objects.filter(subject=f"events.event {event.pk}", reason=reason).exists()
