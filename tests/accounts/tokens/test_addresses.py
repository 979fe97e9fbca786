"""What a program's token opens: its scopes at its own operations, nothing once it has ended, and no page."""

import hashlib
import re
from datetime import date

import pytest
from django.db import connection, transaction
from django.utils import timezone

from accounts.models import Token, User
from events.submission.operations import DECLARATION
from tests.accounts.filled.results import in_state
from tests.accounts.test_every_address import outcome, table
from tests.accounts.world import OTHER, OWN, PlainClient, World, changes, noting
from tests.builders import open_file

pytestmark = pytest.mark.usefixtures("quiet")
PROGRAM = PlainClient(raise_request_exception=False)
FILE = "api/v1/events/<int:event>/sections/<int:section>/file/"
SUBMIT = "api/v1/events/<int:event>/submit/"
MINE = "api/v1/me/events/"
ENDED = ("past its last day", "withdrawn", "of a closed account", "unknown")
KINDS = ("submit", "read:own", "submit read:own", "of another region", "of no role", *ENDED)

# Operation → what each of KINDS that is valid gets, with the letters of `addresses.txt`. The events are the own region's.
OPERATIONS = {
    (FILE, "get"): "+++00",
    (FILE, "put"): "+-+00",
    (SUBMIT, "get"): "+-+00",
    (SUBMIT, "post"): "+-+00",
    (MINE, "get"): "-++++",
}


@pytest.fixture
def headers(world: World) -> dict[str, dict[str, str]]:
    """Kind of token → the header that a program sends."""
    administrator, closed = (
        world.users["administrator"],
        User.objects.create_user("closed@example.org", is_active=False),
    )
    users = {"of another region": world.other_user, "of no role": world.users["no role"], "of a closed account": closed}
    found = {}
    for kind in KINDS:
        secret = f"chessa_{kind}"
        found[kind] = {"HTTP_AUTHORIZATION": f"Bearer {secret}"}
        if kind != "unknown":
            Token.objects.create(
                user=users.get(kind, administrator),
                name=kind,
                digest=hashlib.sha256(secret.encode()).hexdigest(),
                scopes=kind if kind.startswith(("submit", "read")) else "submit read:own",
                created_at=timezone.now(),
                last_day=date(2024, 4, 1) if kind == "past its last day" else date(2099, 1, 1),
                withdrawn_at=timezone.now() if kind == "withdrawn" else None,
                last_used_at=timezone.now(),  # the use is noted once a minute
            )
    return found


def sent(route: str, method: str) -> dict[str, object]:
    """What an operation is sent: what its page would take."""
    if method == "put":
        return {"data": open_file(), "content_type": "application/octet-stream"}
    return {"data": {"declaration": DECLARATION}, "content_type": "application/json"} if method == "post" else {}


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: f"{operation[1]} {operation[0].split('/')[-2]}")
def test_a_token_opens_what_its_scopes_say(world, headers, operation):
    in_state("returned")(world)
    route, method = operation
    address = world.address(route, OWN, "administrator")
    valid = [kind for kind in KINDS if kind not in ENDED]
    wanted = {**dict(zip(valid, OPERATIONS[operation], strict=True)), **dict.fromkeys(ENDED, "L")}
    found = {}
    for kind, header in headers.items():
        writes: list[str] = []
        with transaction.atomic(), connection.execute_wrapper(noting(writes)):
            answer = getattr(PROGRAM, method)(address, **sent(route, method), **header)
            transaction.set_rollback(True)
        found[kind] = "+" if answer.status_code in (202, 422, 409) else outcome(answer, address)
        if wanted[kind] != "+":
            assert changes(writes) == [], kind
        elif method == "put":
            assert changes(writes), kind
    assert found == wanted


def test_a_program_cannot_name_a_section_of_another_region_under_its_own_event(world, headers):
    in_state("returned")(world)
    own, foreign = world.rows["event", OWN].pk, world.rows["section", OTHER].pk
    for method in ("get", "put"):
        answer = getattr(PROGRAM, method)(
            f"/api/v1/events/{own}/sections/{foreign}/file/", **sent(FILE, method), **headers["submit read:own"]
        )
        assert answer.status_code == 404, method


def test_public_operations_answer_any_valid_token_as_they_answer_strangers(world, headers):
    """An ended token is refused there, too: its program learns of it."""
    wrong = []
    for route, cells in table().items():
        if not re.match(r"api/\^?v1/", route) or "L" in cells[0]:
            continue
        method = "get" if cells[0][0] == "+" else "post"
        address, document = world.address(route, OWN, "anonymous"), world.document(route) if method == "post" else {}
        plain = getattr(PROGRAM, method)(address, **document).status_code
        for kind in ("read:own", "of no role", "past its last day", "withdrawn", "of a closed account"):
            status = getattr(PROGRAM, method)(address, **document, **headers[kind]).status_code
            if status != (401 if kind in ENDED else plain):
                wrong.append(f"{method} {address} with a token {kind}: {status}")
    assert wrong == []
