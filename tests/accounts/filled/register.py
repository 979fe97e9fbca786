"""The desk's register: players, regions with their administrators, provinces, titles, arbiters; merges and erasures."""

from players.models import Province, Region
from ratings.models import Amendment, Erasure, ImportPiece, Merge
from tests.accounts.filled.form import REASON, Fields, Filled, changed, deleted, file, key
from tests.accounts.world import OWN, World
from tests.builders import people, player


def _erasable(world: World) -> None:
    """Nothing stands against erasing the first player's data."""
    Erasure.objects.all().delete()
    Amendment.objects.all().delete()
    ImportPiece.objects.all().delete()


def _unnamed(world: World) -> None:
    """The world's own rows of the register are new ones, which are named nowhere: only such are deleted."""
    province = Province.objects.create(code="ZZN", name="Nowhere")
    world.rows["province", OWN] = province
    world.rows["region", OWN] = Region.objects.create(code="ZZN", name="Nowhere")
    world.rows["player", OWN] = player("Cele", "Zanele")


def _two(world: World) -> Fields:
    return {"old": world.published[0].number, "new": world.published[1].number}


def _strangers(world: World) -> str:
    """Two who played no game with each other."""
    old, new = people(2)
    return f"?old={old.number}&new={new.number}"


APPOINTED = {"email": "new@example.org", "first_name": "Thandi", "last_name": "Nkosi"}
LISTED = b"number;name;title;fee_year;paid_on\n;Zodwa Cele;National Arbiter;;\n"

FORMS = [
    Filled("officer", "admin/players/region/<path:object_id>/administrator/", {**APPOINTED, "appoint": "1"}),
    Filled("officer", "admin/players/region/add/", {"code": "ZZZ", "name": "Nowhere"}),
    Filled("officer", "admin/players/province/add/", {"code": "ZZ", "name": "Nowhere"}),
    Filled("officer", "admin/players/title/add/", {"code": "XM", "name": "Master", "position": "99"}),
    Filled(
        "officer",
        "admin/players/player/add/",
        lambda world: {
            "number": "199900009",
            "last_name": "Cele",
            "first_name": "Zanele",
            "sex": "F",
            "federation": "RSA",
            "birth_year": "1990",
            "region": key("region")(world),
            "reason_for_change": REASON,
        },
    ),
    *changed("players", "region", "province", "title", name="Elsewhere"),
    *changed("players", "player", also=("administrator",), email="new@example.org"),
    Filled(
        "administrator",
        "admin/players/player/<path:object_id>/change/",
        {"email": "new@example.org", "reason_for_change": REASON},
    ),
    *deleted("players", "title"),
    *(form for model in ("region", "province", "player") for form in deleted("players", model, _unnamed)),
    *changed("events", "arbiter", name="Grace Tenza-Nkosi"),
    *deleted("events", "arbiter", lambda world: world.rows["arbiter", OWN].appointments.all().delete()),
    Filled("officer", "admin/events/arbiter/add/", {"name": "Zanele Cele", "title": "IA", "federation": "RSA"}),
    Filled("officer", "admin/events/arbiter/<path:object_id>/account/", {**APPOINTED, "link": "1"}),
    Filled(
        "officer",
        "admin/events/arbiter/import/",
        {"confirm": "1"},
        shown=lambda world: {"file": file("list.csv", LISTED)},
    ),
    Filled("officer", "admin/ratings/merge/duplicates/", _two, paged=False),
    Filled("officer", "admin/ratings/merge/add/", {"reason": REASON}, query=_strangers),
    Filled(
        "officer",
        "admin/ratings/merge/<int:merge>/decide/",
        {"reason": REASON},
        lambda world: Merge.objects.update(undone_at=None),
        paged=False,
    ),
    Filled(
        "officer",
        "admin/ratings/merge/split/<int:player>/",
        lambda world: {
            "sections": [str(world.published_section.pk)],
            "last_name": "Cele",
            "first_name": "Chris",
            "reason": REASON,
        },
        lambda world: Amendment.objects.all().delete(),
        paged=False,
    ),
    Filled(
        "officer",
        "admin/ratings/erasure/players/<int:player>/",
        lambda world: {"number": world.published[0].number, "reason": REASON},
        _erasable,
    ),
    Filled("officer", "admin/ratings/erasure/players/<int:player>/export/", paged=False),
]
