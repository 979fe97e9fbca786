"""What `tests.kept` copies is what the builders would have made."""

import pytest
from django.db import transaction

from players.models import Player
from tests.builders import player
from tests.kept import kept, shared

pytestmark = pytest.mark.django_db
made = []


@kept
def first():
    made.append("first")
    return player("Mokoena")


@kept
def second():
    made.append("second")
    return [player("Nkosi"), *Player.objects.filter(last_name="Cele")]


def names():
    return list(Player.objects.order_by("pk").values_list("last_name", flat=True))


def test_a_builder_after_another_is_copied_too():
    with transaction.atomic():
        first()
        second()
        transaction.set_rollback(True)
    made_before = list(made)
    assert (first().last_name, len(second())) == ("Mokoena", 1)
    assert names() == ["Mokoena", "Nkosi"]
    assert made == made_before


def test_a_builder_after_other_rows_makes_its_own():
    first()
    player("Cele")
    assert len(second()) == 2


def test_rows_after_a_rollback_are_not_taken_for_those_of_a_builder():
    with transaction.atomic():
        first()
        transaction.set_rollback(True)
    player("Cele")
    assert len(second()) == 2
    assert sorted(names()) == ["Cele", "Nkosi"]


@pytest.mark.parametrize("time", [1, 2])
def test_rows_of_the_whole_run_are_made_once_and_keys_go_on_after_them(time):
    def make():
        made.append("shared")
        player("Mokoena")
        player("Nkosi")

    shared("two-players", make)
    assert names() == ["Mokoena", "Nkosi"]
    assert player("Cele").pk > Player.objects.get(last_name="Nkosi").pk
    assert made.count("shared") <= 1
