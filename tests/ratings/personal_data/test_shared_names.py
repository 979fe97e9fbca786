"""A player of whom another has all names and one more is erased: whatever hangs by keys on him, his sections and their events
is about him, and so are the trail and the desk's log of it. Each text of these says his name before."""

import re
from collections.abc import Iterator
from itertools import chain

import pytest
from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.db import IntegrityError, models, transaction

from accounts.models import Decision, Mail
from accounts.trail.operations import key_of, record
from accounts.trail.triggers import rewriting
from events.models import Appeal, Arbiter, ErrorReport, Event, Refusal, Section, Submission, Upload
from players.models import Player
from players.operations import NewPlayer, register_players, save_player
from ratings.merging.rows import played_in
from ratings.models import Amendment
from ratings.personal_data.erasure.operations import erase_player
from ratings.personal_data.erasure.texts import text_fields
from tests.accounts.world import OWN, made_world
from tests.builders import CLOCK, desk_line

pytestmark = pytest.mark.django_db

NAME = "Quentin Xylander"
# What is his if it hangs on one of these that is. The sections beside his are others'.
ON_TRAIL = (Player, Arbiter, Section, Event, Submission, Upload, Refusal, Appeal, ErrorReport)
CARRIERS = (*ON_TRAIL, Amendment)
# Keys and codes, and the names of those who play, organise, decide and report: a row says by an id whose they are.
NOT_WRITTEN = re.compile(
    r"subject|part_of|about|actor_\w+|action|kind|key|code|form|format|encoding|federation|\w+_name|\w+_number|\w+_in_file"
)


def hanging(rows: set[models.Model]) -> Iterator[models.Model]:
    """Yield the rows that have the key of one of some rows, or were one of them, but no other player's."""
    players = {row.pk for row in rows if isinstance(row, Player)}
    for model in apps.get_models():
        of = getattr(model, "instance_type", None)  # whose former versions it keeps
        for column in model._meta.concrete_fields:
            kind = of if column.name == "id" else column.related_model if column.is_relation else None
            keys = [row.pk for row in rows if type(row) is kind]
            for row in model._base_manager.filter(**{f"{column.attname}__in": keys}) if keys else ():
                if getattr(row, "player_id", None) in {None, *players}:
                    yield row


def rows_of(player: Player) -> set[models.Model]:
    """All that is about a player, or about his sections and their events."""
    sections = played_in(player).select_related("event")
    found: set[models.Model] = set()
    new = {player, *sections, *(section.event for section in sections)}
    while new:
        found |= new
        new = {
            row
            for row in hanging({row for row in new if isinstance(row, CARRIERS)} | {player})
            if type(row) is not Section
        }
        new -= found
    return found


def write_name(row: models.Model) -> None:
    """Put his name into the texts and documents of a row, where it may stand."""
    for field in text_fields().get(type(row), ()):
        value = getattr(row, field.attname)
        if NOT_WRITTEN.fullmatch(field.attname) or isinstance(field, models.EmailField) or isinstance(value, list):
            continue
        if (field.max_length or len(NAME)) < len(NAME):
            continue
        told = value | {"note": NAME} if isinstance(value, dict) else NAME
        try:
            with transaction.atomic():
                type(row)._base_manager.filter(pk=row.pk).update(**{field.attname: told})
        except IntegrityError:  # a text that goes with a state, such as why it was taken back
            continue


def naming(rows: set[models.Model]) -> list[str]:
    """Return which fields of some rows have his name."""
    present = chain.from_iterable(type(row)._base_manager.filter(pk=row.pk) for row in rows)
    return [
        f"{type(row).__name__}.{field.attname}"
        for row in present
        for field in row._meta.concrete_fields
        if NAME in str(getattr(row, field.attname)) and not NOT_WRITTEN.fullmatch(field.attname)
    ]


@pytest.mark.parametrize("of", ["submitted", "published"])
def test_nothing_of_his_names_him_though_another_is_called_so(of):
    world = made_world()
    his = world.rows["player", OWN] if of == "submitted" else world.published[0]
    his.first_name, his.last_name = NAME.split()
    save_player(his)
    register_players([NewPlayer("Xylander", "Quentin Karl")], at=CLOCK)
    rows = rows_of(his)
    for row in [row for row in rows if isinstance(row, ON_TRAIL)]:
        record("waived", row, at=CLOCK, by=None, reason=NAME, before={NAME: "1-0"}, after={"note": NAME})
        desk_line(row, world.users["officer"], NAME)
        Mail.objects.create(
            kind="x", to="x@example.org", about=key_of(row), text=NAME, created_at=CLOCK, state="sent", sent_at=CLOCK
        )
    told = [*Decision.objects.filter(action="waived"), *LogEntry.objects.all(), *Mail.objects.filter(text=NAME)]
    with rewriting():
        for row in rows:
            write_name(row)
    rows.update(told)
    before = naming(rows)
    assert len(before) > 50, before
    erase_player(his, at=CLOCK, by=None, reason="asked for", again=True)
    assert naming(rows) == []
