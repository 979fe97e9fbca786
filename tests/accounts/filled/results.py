"""An event's results: files, their corrections and penalties, what is typed by hand, sending in."""

from collections.abc import Callable

from events.models import Event, Section, Upload
from events.submission.tasks import check_upload
from tests.accounts.filled.form import REASON, Filled, file, key
from tests.accounts.world import OWN, World
from tests.builders import Line, Pair, lines, round_robin, trf
from tests.events.attachments.files import PDF
from tests.events.submission.world import taken

RESULTS = "events/<int:event>/results/"
UPLOAD = f"{RESULTS}<int:upload>/"


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


def _with(content: bytes) -> Callable[[World], object]:
    """The event is returned, and this file of its section is uploaded and checked."""

    def before(world: World) -> None:
        in_state("returned")(world)
        section = Section.objects.get(pk=world.rows["section", OWN].pk)
        world.rows["upload", OWN] = taken(section.event, content, section=section)

    return before


def _forfeited() -> list[list[Pair]]:
    """Rounds to the second of which the first player did not come."""
    rounds = round_robin(6)
    rounds[1] = [(white, black, {white: "-", black: "+"}.get(1, result)) for white, black, result in rounds[1]]
    return rounds


def _on_hold(world: World) -> None:
    world.rows["submission", OWN].findings.create(severity="hold", code="fee-unpaid", message="The fee is not paid.")


FORMS = [
    Filled("administrator", f"{RESULTS}upload/", lambda world: {"file": file()}, in_state("returned"), paged=False),
    Filled("administrator", f"{RESULTS}submit/", {"declared": "on", "reason": REASON}, _checked),
    Filled("administrator", f"{RESULTS}recall/", {"recall_reason": REASON}, paged=False),
    Filled("administrator", f"{RESULTS}proofs/<int:attachment>/remove/", {}, in_state("returned"), paged=False),
    Filled(
        "administrator",
        f"{UPLOAD}assign/",
        lambda world: {"section": key("section")(world)},
        in_state("returned"),
        paged=False,
    ),
    Filled("administrator", f"{UPLOAD}discard/", {}, in_state("returned"), paged=False),
    Filled("administrator", f"{UPLOAD}check/", {}, in_state("returned"), paged=False),
    Filled("administrator", f"{UPLOAD}undo-new/", {}, in_state("returned"), paged=False),
    Filled(
        "administrator",
        f"{UPLOAD}players/",
        {"do": "others"},
        _with(trf([Line(f"{name}, Zodwa", sex="") for name in ("Adebe", "Bhengu", "Duma", "Fuze")], round_robin(4))),
        paged=False,
    ),
    Filled(
        "administrator",
        f"{UPLOAD}corrections/<slug:form>/",
        lambda world: {f"u{key('upload')(world)}-days-1": "2024-03-02"},
        _with(trf(lines(6), round_robin(6), dated=False)),
        paged=False,
    ),
    Filled(
        "arbiter",
        f"{UPLOAD}penalties/<slug:key>/",
        lambda world: {f"u{key('upload')(world)}-penalty-forfeit-1-2-notice": "without"},
        _with(trf(lines(6), _forfeited())),
        paged=False,
    ),
    Filled("administrator", f"{RESULTS}corrections/<int:correction>/undo/", {}, in_state("returned"), paged=False),
    Filled("arbiter", f"{RESULTS}penalties/answers/<int:correction>/undo/", {}, in_state("returned"), paged=False),
    Filled(
        "arbiter",
        f"{RESULTS}penalties/<int:penalty>/",
        lambda world: {f"p{key('penalty')(world)}-notice": "without"},
        paged=False,
    ),
    Filled("administrator", f"{RESULTS}submitted/<int:submission>/again/", {}, in_state("returned"), paged=False),
    Filled(
        "administrator",
        f"{RESULTS}<int:section>/by-hand/",
        {"do": "keep", "p1-name": "Adebe, Zodwa"},
        in_state("returned"),
    ),
    Filled(
        "administrator",
        f"{RESULTS}attach/",
        lambda world: {"about": "fee-unpaid", "proof": file("a.pdf", PDF + b"\n% the fee")},
        _on_hold,
        paged=False,
    ),
]
