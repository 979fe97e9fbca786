"""New players on the register: their numbers, and what follows from their names and birth dates."""

from datetime import date
from importlib import import_module

import pytest
from django.apps import apps
from django.db import IntegrityError, transaction
from django.forms import modelform_factory
from django.utils import timezone

from players.admin_forms import PlayerForm
from players.models import Player, RegionalAdministrator
from players.operations import FIRST_NUMBER, NewPlayer, register_players, save_player
from tests.admin_pages import form_errors, posted_form
from tests.builders import CLOCK, officer, player, refused_by, region

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("character", "name"),
    [
        ("\u200d", "U+200D (zero width joiner)"),
        ("\u200c", "U+200C (zero width non-joiner)"),
        ("\u202e", "U+202E (right-to-left override)"),
        ("\x07", "U+0007 (control character)"),
        ("\xad", "U+00AD (soft hyphen)"),
    ],
)
def test_a_character_that_cannot_be_seen_is_refused_in_a_name(character, name):
    form_class = modelform_factory(Player, PlayerForm, fields=["last_name", "first_name"])
    form = form_class({"last_name": f"Bo{character}tha", "first_name": "Zoë"})
    assert form.errors["last_name"] == [f"There is a character that cannot be seen, {name}. Remove it."]
    assert "first_name" not in form.errors


def test_a_name_is_kept_with_composed_letters():
    (player,) = register_players([NewPlayer("Viljoen", "Zoe\u0308")], at=timezone.now())
    assert Player.objects.get(pk=player.pk).first_name == "Zoë"


def numbers(*people):
    return [one.number for one in register_players(list(people), at=CLOCK)]


def test_the_first_players_get_the_first_numbers():
    assert numbers(NewPlayer("A", "B"), NewPlayer("C", "D")) == [f"{FIRST_NUMBER}", f"{FIRST_NUMBER + 1}"]


def test_a_number_of_nine_digits_is_kept_and_the_next_free_one_follows_it():
    assert numbers(NewPlayer("A", "B", national_id="100000050")) == ["100000050"]
    assert numbers(NewPlayer("C", "D")) == ["100000051"]


@pytest.mark.parametrize("given", ["12345", "1000000501", "10000005a", "١٠٠٠٠٠٠٥٠"])
def test_a_number_that_is_none_is_replaced(given):
    assert numbers(NewPlayer("A", "B", national_id=given)) == [f"{FIRST_NUMBER}"]


def test_a_number_that_somebody_brings_is_not_given_to_another():
    player(national_id="100000050")
    people = (NewPlayer("E", "F", national_id=f"{FIRST_NUMBER}"), NewPlayer("G", "H", national_id=f"{FIRST_NUMBER}"))
    assert numbers(*people) == [f"{FIRST_NUMBER}", "100000051"]
    assert numbers(NewPlayer("A", "B"), NewPlayer("C", "D", national_id="100000052")) == ["100000053", "100000052"]


def test_numbers_at_the_end_of_the_range_do_not_move_the_next_one():
    player(national_id="987654321")
    assert numbers(NewPlayer("A", "B")) == [f"{FIRST_NUMBER}"]


def test_name_and_year_follow():
    one = player("Van Wyk", "Zoë", birth_date=date(2001, 5, 17), birth_year=1999)
    assert (one.folded_name, one.birth_year) == (" van wyk zoe", 2001)
    one.last_name = "Nel"
    save_player(one)
    assert Player.objects.get().folded_name == " nel zoe"
    assert one.history.count() == 2


def test_names_that_an_older_release_folded_otherwise_are_folded_again():
    """Of Thiong\u02bco and Thiong'o, who look alike, one was found by a name that the other has not."""
    one, other = player("Thiong\u02bco", "Wanja"), player("Van Wyk", "Zoë")
    Player.objects.filter(pk=one.pk).update(folded_name=" thiong\u02bco wanja")
    Player.history.filter(id=one.pk).update(folded_name=" thiong\u02bco wanja")
    import_module("players.migrations.0010_names_folded_again").fold_again(apps, None)
    names = {one.pk: " thiongo wanja", other.pk: " van wyk zoe"}
    assert dict(Player.objects.values_list("pk", "folded_name")) == names
    assert dict(Player.history.values_list("id", "folded_name")) == names


def test_nobody_is_registered_when_one_cannot_be():
    player(fide_id=14300001)
    with pytest.raises(IntegrityError), transaction.atomic():
        numbers(NewPlayer("A", "B"), NewPlayer("C", "D", fide_id=14300001))
    assert Player.objects.count() == 1


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("player_number_has_nine_digits", {"number": "12345678"}),
        ("player_number_has_nine_digits", {"number": "12345678x"}),
        ("player_sex_known_or_blank", {"sex": "X"}),
        ("player_birth_year_plausible", {"birth_year": 1879}),
        ("player_birth_year_plausible", {"birth_year": 2101}),
        ("player_birth_year_agrees", {"birth_year": 2000, "birth_date": date(2001, 1, 1)}),
    ],
)
def test_constraints_of_players(name, fields):
    one = player()
    with refused_by(name):
        Player.objects.filter(pk=one.pk).update(**fields)


@pytest.mark.parametrize("fields", [{"birth_year": 1880}, {"birth_year": 2100}, {"sex": "F"}])
def test_limits_that_constraints_allow(fields):
    assert Player.objects.filter(pk=player().pk).update(**fields) == 1


@pytest.mark.rule("chessa 57", "chessa 58")
def test_a_region_has_one_administrator_at_a_time():
    first = RegionalAdministrator.objects.create(user=officer(), region=region(), since=date(2024, 1, 1))
    with refused_by("one_administrator_in_office_a_region"):
        RegionalAdministrator.objects.create(user=first.user, region=region(), since=date(2024, 2, 1))
    with refused_by("administration_ends_after_start"):
        RegionalAdministrator.objects.filter(pk=first.pk).update(until=date(2023, 12, 31))
    RegionalAdministrator.objects.filter(pk=first.pk).update(until=date(2024, 1, 1))
    RegionalAdministrator.objects.create(user=first.user, region=region(), since=date(2024, 2, 1))


@pytest.fixture
def desk(client):
    client.force_login(officer())
    return client


def corrected(desk, one, **changed):
    address = f"/admin/players/player/{one.pk}/change/"
    return desk.post(address, posted_form(desk, address, **changed))


def test_a_birth_date_is_corrected_into_another_year(desk):
    one = player(birth_date=date(2001, 5, 17))
    assert corrected(desk, one, birth_date="2000-05-17").status_code == 302
    one.refresh_from_db()
    assert (one.birth_date, one.birth_year) == (date(2000, 5, 17), 2000)


def test_a_year_beside_another_date_is_told_at_its_field(desk):
    one = player(birth_date=date(2001, 5, 17))
    answer = corrected(desk, one, birth_year="1999")
    assert form_errors(answer) == ["The date of birth is of 2001: correct one of them."]


@pytest.mark.parametrize(
    ("born", "asked"), [("2001-05-17", True), ("", True), ("2001-05-18", False), ("2000-05-17", False)]
)
def test_a_namesake_is_added_only_when_it_is_said_that_he_is_somebody_else(desk, born, asked):
    one = player("Botha", "Naledi", birth_date=date(2001, 5, 17))
    address = "/admin/players/player/add/"
    data = posted_form(desk, address, number="100000077", last_name="Botha", first_name="naledi", birth_date=born)
    answer = desk.post(address, data)
    assert (answer.status_code == 200) == asked
    if asked:
        assert f"{one} is on the register already." in form_errors(answer)[0]
        assert desk.post(address, data | {"another_person": "on"}).status_code == 302
    assert Player.objects.count() == 2


def test_a_name_in_two_alphabets_that_look_alike_is_not_added(desk):
    address = "/admin/players/player/add/"
    data = posted_form(desk, address, number="100000077", last_name="\u041c\u043e\u0443\u043e", first_name="Jack")
    assert "has words of two alphabets that look alike" in form_errors(desk.post(address, data))[0]
    assert not Player.objects.exists()


@pytest.mark.parametrize("model", ["players/player", "events/arbiter"])
def test_a_fide_id_has_at_most_eleven_figures(desk, model):
    """As many as the columns of a tournament file have: what is longer is cut to another's there."""
    names = {"last_name": "Cele", "first_name": "Anna", "number": "100000077", "name": "Anna Cele"}
    names |= {"title": "NA"} if model == "events/arbiter" else {}
    data = posted_form(desk, f"/admin/{model}/add/", fide_id="123456789012", **names)
    assert form_errors(desk.post(f"/admin/{model}/add/", data)) == ["A FIDE id has at most 11 figures."]
