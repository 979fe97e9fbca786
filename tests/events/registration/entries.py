"""What an organiser sends."""

from datetime import timedelta

from django.utils import timezone

from events.models import Arbiter, Event
from players.models import Player
from tests.builders import everything, player, region

NEW = "/events/register/"


def ahead(days: int):
    """A day so many days from today."""
    return timezone.localdate() + timedelta(days=days)


def organiser() -> str:
    """The Chess SA id of somebody on the register."""
    found = Player.objects.filter(last_name="Nkosi").first() or player("Nkosi", "Thandi")
    return found.number


def arbiter(name: str = "Grace Tenza", **fields) -> Arbiter:
    """An arbiter on the register of arbiters."""
    return Arbiter.objects.get_or_create(name=name, defaults={"title": "IA", **fields})[0]


def entry(starts: int | str = 30, **fields) -> dict[str, object]:
    """A whole registration of one section on one day; `starts` is so many days ahead."""
    day = ahead(starts).isoformat() if isinstance(starts, int) else starts
    given = {
        "version": 0,
        "name": "Mopane Open",
        "region": region().pk,
        "kind": "otb",
        "starts": day,
        "ends": day,
        "place": "Pretoria",
        "organiser_name": "Thandi Nkosi",
        "organiser_number": organiser(),
        "section-TOTAL_FORMS": 1,
        "section-INITIAL_FORMS": 1,
        "section-0-name": "A",
        "section-0-format": "swiss",
        "section-0-base": 15,
        "section-0-increment": 10,
        "section-0-rounds": 5,
        "arbiter-TOTAL_FORMS": 1,
        "arbiter-INITIAL_FORMS": 1,
        "arbiter-0-arbiter": arbiter().pk,
        "do": "register",
    }
    return given | {name.replace("__", "-"): value for name, value in fields.items()}


def send(client, address=NEW, **fields):
    """The answer to a registration."""
    return client.post(address, entry(**fields))


def draft(client, **fields) -> Event:
    """The one draft that there is then."""
    assert send(client, do="save", **fields).status_code == 302
    return Event.objects.get()


def saved() -> dict[str, list[tuple[object, ...]]]:
    """Every row but what is kept as it was typed because it cannot be saved."""
    return {table: rows for table, rows in everything().items() if table != "events_unsavedregistration"}
