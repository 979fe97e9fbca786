"""The desk's months: runs, lists and notices, what is brought in, what is put right of published months."""

from config.lib.days import next_month
from ratings.models import Amendment, RatingList, Rerating
from tests.accounts.filled.form import REASON, Filled, action, changed, deleted, file
from tests.accounts.world import OWN, World
from tests.builders import MARCH, calculate, period


def _to_publish(world: World) -> None:
    """The month after the published one is calculated."""
    world.rows["ratingrun", OWN] = calculate(next_month(MARCH))


def _list_key(code: str) -> str:
    return str(RatingList.objects.get(code=code).pk)


def _published(world: World) -> None:
    """The section of the address is the published one, and nothing is amended of it."""
    Amendment.objects.all().delete()
    world.rows["section", OWN] = world.published_section


FORMS = [
    Filled(
        "officer",
        "admin/events/ratingperiod/<int:period>/calculate/",
        {"reason": REASON},
        lambda world: world.rows.update({("ratingperiod", OWN): period(next_month(MARCH))}),
        paged=False,
    ),
    action("officer", "events", "ratingperiod", "start", lambda world: str(period(next_month(MARCH)).pk)),
    Filled(
        "officer",
        "admin/ratings/ratingrun/<int:run>/publish/",
        {"month": f"{next_month(MARCH):%Y-%m}"},
        _to_publish,
        paged=False,
    ),
    *changed("ratings", "ratinglist", name="The list"),
    Filled(
        "officer", "admin/ratings/ratinglist/add/", {"name": "Third", "code": "third", "position": "7", "system": "icu"}
    ),
    *changed("ratings", "notice", text="Closed on Tuesday"),
    *deleted("ratings", "notice"),
    Filled("officer", "admin/ratings/notice/add/", {"text": "Closed on Monday"}),
    Filled(
        "officer",
        "admin/ratings/adjustment/add/",
        lambda world: {
            "player": str(world.published[0].pk),
            "list": _list_key("main"),
            "points": "12",
            "reason": REASON,
        },
    ),
    action("officer", "ratings", "adjustment", "withdraw"),
    Filled(
        "officer",
        "admin/ratings/amendment/section/<int:section>/",
        {"do": "leave-out", "leave-out-reason": REASON},
        _published,
        paged=False,
    ),
    action("officer", "ratings", "amendment", "give_up"),
    Filled(
        "officer",
        "admin/ratings/rerating/<int:rerating>/decide/",
        {"do": "withdraw"},
        lambda world: Rerating.objects.update(state="calculated"),
        paged=False,
    ),
    Filled(
        "officer",
        "admin/ratings/importjob/bring/<slug:kind>/",
        lambda world: {"file": file("players.csv", b"Surname\nCele\n")},
    ),
    Filled("officer", "admin/ratings/importjob/<path:object_id>/change/", {"do": "discard"}, paged=False),
]
