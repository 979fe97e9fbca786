"""Events on the desk: their records, what is asked and answered of them, the review, files that an officer takes in."""

from django.db.models import Q

from events.models import Game, Refusal
from tests.accounts.filled.form import REASON, Filled, action, changed, file, key
from tests.accounts.world import OWN, World
from tests.builders import lines, round_robin, trf

# Who answers what, by a button of its page, and as an action of its list.
ANSWERS = (
    ("panel", "appeal", "dismiss"),
    ("officer", "permissionrequest", "decline"),
    ("officer", "withdrawalrequest", "decline"),
    ("officer", "keptbackreport", "dismiss"),
    ("officer", "notregisteredreport", "dismiss"),
    ("officer", "errorreport", "reject"),
)


def _missed(world: World) -> None:
    """The player was not at the board in round 3."""
    player = world.rows["player", OWN]
    Game.objects.filter(Q(white=player) | Q(black=player), section=world.rows["section", OWN], round=3).delete()


REVIEW = "admin/events/event/<int:event>/review/"

FORMS = [
    *changed("events", "event", "section", name="Winter Open"),
    *changed("events", "readings", activity_months="18"),
    *(
        Filled(role, f"admin/events/{model}/<int:object_id>/answer/", {"do": do, "reason": REASON}, paged=False)
        for role, model, do in (*ANSWERS, ("panel", "appeal", "uphold"))
    ),
    *(Filled(role, f"admin/events/{model}/<int:object_id>/claim/", paged=False) for role, model, _ in ANSWERS),
    *(
        action(role, "events", model, name)
        for role, model, name in (
            *ANSWERS,
            ("officer", "permissionrequest", "grant"),
            ("officer", "penalty", "drop"),
            ("officer", "event", "send_back"),
            ("officer", "event", "refuse"),
        )
    ),
    action("officer", "events", "section", "take_back", before=lambda world: Refusal.objects.update(lifted_at=None)),
    Filled(
        "officer",
        "admin/events/penalty/add/",
        lambda world: {
            "section": key("section")(world),
            "player": key("player")(world),
            "round": "3",
            "kind": "forfeit",
            "points": "20",
        },
        _missed,
    ),
    Filled(
        "officer",
        "admin/events/submission/add/",
        lambda world: {
            "upload": file(content=trf(lines(18)[12:], round_robin(6), name="Spring Open")),
            "region": key("region")(world),
            "base": "90",
            "increment": "30",
            "section_format": "swiss",
            "create_players": "on",
            "late_reason": REASON,
        },
    ),
    Filled("officer", f"{REVIEW}decide/", {"do": "refuse", "what": "event", "reason": REASON, "letter": REASON}),
    Filled("officer", f"{REVIEW}penalties/<int:penalty>/", {"do": "drop", "reason": REASON}, paged=False),
    Filled("officer", f"{REVIEW}claim/", paged=False),
    Filled(
        "officer",
        f"{REVIEW}holds/<int:finding>/",
        {"reason": REASON},
        lambda world: world.rows["submission", OWN].findings.update(severity="hold"),
        paged=False,
    ),
]
