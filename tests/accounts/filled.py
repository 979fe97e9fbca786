"""For each address that takes a form: the form as who may send it fills it in, so that it changes something.

What a page's own form holds already is read from the page; here stands what is typed besides.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from accounts.models import Mail
from config.lib.days import next_month
from events.models import Appeal, Event, KeptBackReport, PermissionRequest, Refusal, Upload, WithdrawalRequest
from events.submission.tasks import check_upload
from ratings.models import Amendment, Erasure, ImportPiece, Merge, RatingList
from tests.accounts.world import OWN, World
from tests.builders import MARCH, calculate, open_file, period
from tests.events.attachments.files import PDF

Fields = dict[str, Any]
REASON = "Put right after a call."


class Filled(NamedTuple):
    """A form: who sends it, to which route, what is typed, in which state of the world. `paged`: the rest is the page's.

    `also`: who else may send it to the desk; elsewhere the table of addresses says so.
    """

    role: str
    route: str
    typed: Fields | Callable[[World], Fields] = {}
    before: Callable[[World], object] = lambda world: None
    paged: bool = True
    also: tuple[str, ...] = ()

    def fields(self, world: World) -> Fields:
        """What is typed."""
        return dict(self.typed(world) if callable(self.typed) else self.typed)


def in_state(state: str) -> Callable[[World], object]:
    """The event is in a state before it is sent in: its file is checked and not submitted."""

    def before(world: World) -> None:
        Event.objects.filter(pk=world.rows["event", OWN].pk).update(state=state)
        Upload.objects.filter(event=world.rows["event", OWN]).update(submission=None)

    return before


def _checked(world: World) -> None:
    """The event is returned, its file checked."""
    in_state("returned")(world)
    check_upload(world.rows["upload", OWN].pk)


def _failed(world: World) -> None:
    Mail.objects.update(state="failed", next_at=None)


def _on_hold(world: World) -> None:
    world.rows["submission", OWN].findings.create(severity="hold", code="fee-unpaid", message="The fee is not paid.")


def _to_come(world: World) -> None:
    in_state("registered")(world)
    PermissionRequest.objects.all().delete()
    Event.objects.filter(pk=world.rows["event", OWN].pk).update(starts="2099-03-02", ends="2099-03-03")


def _open_refusal(world: World) -> None:
    Appeal.objects.all().delete()
    Refusal.objects.update(lifted_at=None)


def _erasable(world: World) -> None:
    """Nothing stands against erasing the first player's data."""
    Erasure.objects.all().delete()
    Amendment.objects.all().delete()
    ImportPiece.objects.all().delete()


def _two(world: World) -> Fields:
    return {"old": world.published[0].number, "new": world.published[1].number}


def _to_publish(world: World) -> None:
    """The month after the published one is calculated."""
    world.rows["ratingrun", OWN] = calculate(next_month(MARCH))


def _list_key(code: str) -> str:
    return str(RatingList.objects.get(code=code).pk)


def _file(name: str = "open.trf", content: bytes | None = None) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, open_file() if content is None else content)


def _key(model: str) -> Callable[[World], str]:
    return lambda world: str(world.rows[model, OWN].pk)


def _action(
    role: str, app: str, model: str, name: str, row: Callable[[World], str] | None = None, **given: Any
) -> Filled:
    """An action of a list of the desk, on one row."""
    before, also = given.pop("before", lambda world: None), given.pop("also", ())
    chosen = row or _key(model)
    return Filled(
        role,
        f"admin/{app}/{model}/",
        lambda world: {"action": name, "_selected_action": chosen(world), "reason": REASON, **given},
        before,
        paged=False,
        also=also,
    )


def _changed(app: str, *models: str, also: tuple[str, ...] = (), **typed: Any) -> list[Filled]:
    """Forms of rows of the desk, with something changed and the reason for it."""
    typed["reason_for_change"] = REASON
    return [
        Filled("officer", f"admin/{app}/{model}/<path:object_id>/change/", dict(typed), also=also) for model in models
    ]


RESULTS = "events/<int:event>/results/"
UPLOAD = f"{RESULTS}<int:upload>/"
SENT_IN = {"name": "Spring Open", "place": "Hall", "starts": "2024-03-02", "ends": "2024-03-03"}

FORMS: list[Filled] = [
    Filled(
        "administrator",
        "events/register/",
        lambda world: {
            "name": "Spring Open",
            "starts": "2099-03-01",
            "ends": "2099-03-02",
            "region": str(world.region(OWN).pk),
        },
    ),
    Filled(
        "arbiter",
        "events/not-registered/",
        lambda world: {**SENT_IN, "region": str(world.region(OWN).pk), "party": "arbiter", "account": "They said no."},
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
    Filled("administrator", f"{RESULTS}upload/", lambda world: {"file": _file()}, in_state("returned"), paged=False),
    Filled("administrator", f"{RESULTS}submit/", {"declared": "on", "reason": REASON}, _checked),
    Filled("administrator", f"{RESULTS}recall/", {"recall_reason": REASON}, paged=False),
    Filled("administrator", f"{RESULTS}proofs/<int:attachment>/remove/", {}, in_state("returned"), paged=False),
    Filled(
        "administrator",
        f"{UPLOAD}assign/",
        lambda world: {"section": _key("section")(world)},
        in_state("returned"),
        paged=False,
    ),
    Filled("administrator", f"{UPLOAD}discard/", {}, in_state("returned"), paged=False),
    Filled("administrator", f"{UPLOAD}check/", {}, in_state("returned"), paged=False),
    Filled("administrator", f"{UPLOAD}undo-new/", {}, in_state("returned"), paged=False),
    Filled("administrator", f"{RESULTS}corrections/<int:correction>/undo/", {}, in_state("returned"), paged=False),
    Filled("arbiter", f"{RESULTS}penalties/answers/<int:correction>/undo/", {}, in_state("returned"), paged=False),
    Filled(
        "arbiter",
        f"{RESULTS}penalties/<int:penalty>/",
        lambda world: {f"p{_key('penalty')(world)}-notice": "without"},
        paged=False,
    ),
    Filled("administrator", f"{RESULTS}submitted/<int:submission>/again/", {}, in_state("returned"), paged=False),
    Filled(
        "administrator",
        "events/<int:event>/permission/",
        lambda world: {
            "party": "administrator",
            "section": _key("section")(world),
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
        lambda world: {"refusal": _key("refusal")(world), "appellant": "GAU", "grounds": REASON},
        _open_refusal,
    ),
    Filled(
        "arbiter",
        "events/<int:event>/kept-back/",
        {"party": "arbiter", "account": REASON},
        lambda world: (KeptBackReport.objects.all().delete(), in_state("registered")(world)),
    ),
    Filled(
        "no role",
        "account/tokens/",
        lambda world: {"name": "Swiss", "scopes": "submit", "last_day": f"{timezone.localdate()}"},
    ),
    Filled("no role", "account/tokens/<int:pk>/withdraw/", paged=False),
    Filled("superuser", "admin/accounts/user/<id>/password/", {"password1": "vlakvark-17", "password2": "vlakvark-17"}),
    Filled(
        "superuser",
        "admin/accounts/user/add/",
        {"email": "new@example.org", "password1": "vlakvark-17", "password2": "vlakvark-17"},
    ),
    Filled(
        "superuser",
        "admin/accounts/user/<path:object_id>/change/",
        {"first_name": "Thandi", "reason_for_change": REASON},
    ),
    _action("superuser", "accounts", "user", "disable", lambda world: str(world.other_user.pk), also=("officer",)),
    _action(
        "officer",
        "accounts",
        "token",
        "withdraw",
        lambda world: str(world.tokens[world.other_user].pk),
        also=("superuser",),
    ),
    _action(
        "officer",
        "accounts",
        "mail",
        "send_again",
        before=_failed,
    ),
    Filled(
        "officer",
        "admin/players/region/<path:object_id>/administrator/",
        {"email": "new@example.org", "first_name": "Thandi", "last_name": "Nkosi", "appoint": "1"},
    ),
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
            "region": _key("region")(world),
            "reason_for_change": REASON,
        },
    ),
    *_changed("players", "region", "province", "title", name="Elsewhere"),
    *_changed("players", "player", also=("administrator",), email="new@example.org"),
    Filled(
        "administrator",
        "admin/players/player/<path:object_id>/change/",
        {"email": "new@example.org", "reason_for_change": REASON},
    ),
    *(
        Filled(
            "officer",
            f"admin/{model}/<path:object_id>/delete/",
            {"reason_for_change": REASON, "post": "yes"},
            paged=False,
        )
        for model in ("players/title", "ratings/notice")
    ),
    *_changed("events", "event", "section", name="Winter Open"),
    *_changed("events", "arbiter", name="Grace Tenza-Nkosi"),
    *_changed("events", "readings", activity_months="18"),
    *_changed("ratings", "ratinglist", name="The list"),
    *_changed("ratings", "notice", text="Closed on Tuesday"),
    Filled("officer", "admin/events/arbiter/add/", {"name": "Zanele Cele", "title": "IA", "federation": "RSA"}),
    Filled(
        "officer",
        "admin/events/arbiter/<path:object_id>/account/",
        {"email": "new@example.org", "first_name": "Grace", "last_name": "Tenza", "link": "1"},
    ),
    Filled(
        "officer", "admin/ratings/ratinglist/add/", {"name": "Third", "code": "third", "position": "7", "system": "icu"}
    ),
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
    *(
        Filled(role, f"admin/events/{model}/<int:object_id>/answer/", {"do": do, "reason": REASON}, paged=False)
        for role, model, do in (
            ("panel", "appeal", "dismiss"),
            ("panel", "appeal", "uphold"),
            ("officer", "permissionrequest", "decline"),
            ("officer", "withdrawalrequest", "decline"),
            ("officer", "keptbackreport", "dismiss"),
            ("officer", "notregisteredreport", "dismiss"),
            ("officer", "errorreport", "reject"),
        )
    ),
    *(
        Filled(role, f"admin/events/{model}/<int:object_id>/claim/", paged=False)
        for role, model in (
            ("panel", "appeal"),
            ("officer", "permissionrequest"),
            ("officer", "withdrawalrequest"),
            ("officer", "keptbackreport"),
            ("officer", "notregisteredreport"),
            ("officer", "errorreport"),
        )
    ),
    *(
        _action(role, "events", model, name)
        for role, model, name in (
            ("panel", "appeal", "dismiss"),
            ("officer", "permissionrequest", "grant"),
            ("officer", "withdrawalrequest", "decline"),
            ("officer", "keptbackreport", "dismiss"),
            ("officer", "notregisteredreport", "dismiss"),
            ("officer", "errorreport", "reject"),
            ("officer", "penalty", "drop"),
            ("officer", "event", "send_back"),
            ("officer", "event", "refuse"),
        )
    ),
    Filled(
        "officer",
        "admin/events/event/<int:event>/review/decide/",
        lambda world: {"do": "refuse", "what": "event", "reason": REASON, "letter": REASON},
    ),
    Filled(
        "officer",
        "admin/events/event/<int:event>/review/penalties/<int:penalty>/",
        {"do": "drop", "reason": REASON},
        paged=False,
    ),
    Filled("officer", "admin/events/event/<int:event>/review/claim/", paged=False),
    Filled(
        "officer",
        "admin/events/ratingperiod/<int:period>/calculate/",
        {"reason": REASON},
        lambda world: world.rows.update({("ratingperiod", OWN): period(next_month(MARCH))}),
        paged=False,
    ),
    Filled("officer", "admin/accounts/mail/<int:mail>/again/", {}, _failed, paged=False),
    Filled(
        "officer",
        "admin/events/event/<int:event>/review/holds/<int:finding>/",
        {"reason": REASON},
        lambda world: world.rows["submission", OWN].findings.update(severity="hold"),
        paged=False,
    ),
    Filled(
        "officer",
        "admin/ratings/ratingrun/<int:run>/publish/",
        {"month": f"{next_month(MARCH):%Y-%m}"},
        _to_publish,
        paged=False,
    ),
    Filled("officer", "admin/ratings/merge/duplicates/", _two, paged=False),
    Filled(
        "officer",
        "admin/ratings/merge/<int:merge>/decide/",
        {"reason": REASON},
        lambda world: Merge.objects.update(undone_at=None),
        paged=False,
    ),
    Filled(
        "officer",
        "admin/ratings/erasure/players/<int:player>/",
        lambda world: {"number": world.published[0].number, "reason": REASON},
        _erasable,
    ),
    Filled("officer", "admin/ratings/erasure/players/<int:player>/export/", paged=False),
    *_changed("accounts", "retention", mail_days="120"),
    _action("officer", "events", "ratingperiod", "start", lambda world: str(period(next_month(MARCH)).pk)),
    _action("officer", "ratings", "amendment", "give_up"),
    _action("officer", "ratings", "adjustment", "withdraw"),
    Filled(
        "officer",
        "admin/ratings/importjob/bring/<slug:kind>/",
        lambda world: {"file": _file("players.csv", b"Surname\nCele\n")},
    ),
    Filled(
        "administrator",
        f"{RESULTS}attach/",
        lambda world: {"about": "fee-unpaid", "proof": _file("a.pdf", PDF + b"\n% the fee")},
        _on_hold,
        paged=False,
    ),
]

# Addresses that take a form and change nothing by it: lists are searched, other pages are only shown again.
READ = (
    r"<path:object_id>/(history/)?$|^admin/$|^admin/login/$|decision/|app_label|event/add/|/importjob/$|/preview/$"
    r"|accounts/retention/$|ratings/erasure/$|^privacy/my-data/"
    r"|players/(region|province|title|player)/$|events/(section|arbiter|submission|readings)/$"
    r"|ratings/(ratinglist|ratingrun|notice|merge|rerating)/$"
)
# Not filled in here: forms in several steps, and those that the world has nothing for. Each has its own tests of rights.
ELSEWHERE = (
    "events/<int:event>/results/<int:upload>/players/",  # the file's lines are all known
    "events/<int:event>/results/<int:upload>/corrections/<slug:form>/",
    "events/<int:event>/results/<int:upload>/penalties/<slug:key>/",
    "events/<int:event>/results/<int:section>/by-hand/",
    "events/abroad/team/",
    "events/^abroad/for/(?P<number>[0-9]{9})/$",
    "account/week/",  # everybody's own
    "account/sent-in/",
    "account/password/",
    "admin/players/region/<path:object_id>/delete/",  # only what is named nowhere is deleted
    "admin/players/province/<path:object_id>/delete/",
    "admin/players/player/<path:object_id>/delete/",
    "admin/events/arbiter/<path:object_id>/delete/",
    "admin/events/arbiter/import/",
    "admin/events/penalty/add/",
    "admin/events/submission/add/",
    "admin/ratings/importjob/<path:object_id>/change/",
    "admin/ratings/amendment/section/<int:section>/",
    "admin/ratings/merge/add/",
    "admin/ratings/merge/split/<int:player>/",
)
