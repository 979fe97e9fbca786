"""Events as their organisers see them: registration, withdrawal, permissions, appeals, results abroad."""

from events.models import Appeal, Event, KeptBackReport, PermissionRequest, Refusal, WithdrawalRequest
from tests.accounts.filled.form import REASON, Fields, Filled, key
from tests.accounts.filled.results import in_state
from tests.accounts.world import OWN, World
from tests.events.abroad.entries import this_month
from tests.events.abroad.test_team import team


def _to_come(world: World) -> None:
    in_state("registered")(world)
    PermissionRequest.objects.all().delete()
    Event.objects.filter(pk=world.rows["event", OWN].pk).update(starts="2099-03-02", ends="2099-03-03")


def _open_refusal(world: World) -> None:
    Appeal.objects.all().delete()
    Refusal.objects.update(lifted_at=None)


def _region(world: World) -> Fields:
    return {"region": str(world.region(OWN).pk)}


FORMS = [
    Filled(
        "administrator",
        "events/register/",
        lambda world: {"name": "Spring Open", "starts": "2099-03-01", "ends": "2099-03-02", **_region(world)},
    ),
    Filled(
        "arbiter",
        "events/not-registered/",
        lambda world: {
            "name": "Spring Open",
            "place": "Hall",
            "starts": "2024-03-02",
            "ends": "2024-03-03",
            "party": "arbiter",
            "account": "They said no.",
            **_region(world),
        },
    ),
    Filled(
        "administrator",
        "events/<int:event>/edit/",
        lambda world: {
            "name": "Winter Open",
            "organiser_number": world.published[0].number,
            "organiser_name": f"{world.published[0].first_name} {world.published[0].last_name}",
        },
        in_state("draft"),
    ),
    Filled(
        "administrator",
        "events/<int:event>/withdraw/",
        {"reason": REASON},
        lambda world: (WithdrawalRequest.objects.all().delete(), in_state("registered")(world)),
    ),
    Filled("administrator", "events/<int:event>/copy/", paged=False),
    Filled(
        "administrator",
        "events/<int:event>/permission/",
        lambda world: {
            "party": "administrator",
            "section": key("section")(world),
            "players": "5",
            "rounds": "5",
            "reason": REASON,
        },
        _to_come,
    ),
    Filled("administrator", "events/<int:event>/permission/<int:permission>/", {"reason": REASON}),
    Filled(
        "administrator",
        "events/<int:event>/appeal/",
        lambda world: {"refusal": key("refusal")(world), "appellant": "GAU", "grounds": REASON},
        _open_refusal,
    ),
    Filled(
        "arbiter",
        "events/<int:event>/kept-back/",
        {"party": "arbiter", "account": REASON},
        lambda world: (KeptBackReport.objects.all().delete(), in_state("registered")(world)),
    ),
    Filled("administrator", "events/abroad/team/", lambda world: team(world.abroad[OWN].number), paged=False),
    Filled(
        "administrator",
        "events/^abroad/for/(?P<number>[0-9]{9})/$",
        lambda world: {**this_month(), "do": "send"},
        paged=False,
    ),
]
