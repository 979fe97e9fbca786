"""Pages in Chromium, from a server of their own: real static files, real headers, an embedded database."""

import os

import pytest
from django.db import connections
from playwright.sync_api import expect

from tests.faults.bureau import Bureau

# Playwright keeps an event loop in the thread of the tests; Django would refuse later tests of this process its database.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")

LAUNCH = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

# Twelve rounds, sixty players, long names, a bye, a forfeit; a second month; events that wait.
FEDERATION = """
from datetime import UTC, date, datetime
from django.db import transaction
from accounts.models import User
from events.models import Game, Guest
from events.rules.states import State
from players.operations import save_player
from ratings.live.operations import refresh_live
from tests.pages import builders
User.objects.create_superuser("chief@example.org", "correct horse 9", is_officer=True)
with transaction.atomic():
    players = builders.players(60)
    players[1].first_name, players[1].last_name = "Christoffel Johannes Maximiliaan", "van Nieuwenhuizen-Bezuidenhout"
    save_player(players[1])
    big = builders.event("The Championship of the Northern and Eastern Districts for Everybody", sections=["A", "B"])
    first, second = big.sections.all()
    pairings = []
    for round_ in range(1, 13):
        for place in range(30):
            white, black = players[place], players[30 + (place + round_) % 30]
            if round_ % 2:
                white, black = black, white
            pairings.append((round_, white, black, ["1-0", "0-1", "1/2-1/2", "1-0", "+--"][(place * round_) % 5]))
    builders.play(first, pairings)
    builders.round_robin(second, players[:6])
builders.publish(builders.MARCH)
with transaction.atomic():
    april = builders.event("April Rapid", ends=date(2024, 4, 20), time_control=(15, 10))
    builders.round_robin(april.sections.get(), players[:8])
builders.publish(builders.APRIL)
with transaction.atomic():
    waiting = builders.event("May Classic", ends=date(2024, 5, 11), state=State.SUBMITTED)
    builders.round_robin(waiting.sections.get(), players[:6])
    builders.event("June Blitz", ends=date(2024, 6, 11), state=State.REGISTERED)
    abroad = builders.event("Sitges International Chess Festival", ends=date(2024, 2, 11)).sections.get()
    guest = Guest.objects.create(section=abroad, name="Rasmussen-Villaverde, Konstantin Augusto", performance=2189)
    for round_ in range(1, 4):
        Game.objects.create(section=abroad, round=round_, white=players[2], guest=guest, result="1/2-1/2")
    builders.players(1, last="Unplayed")
refresh_live(at=datetime(2024, 5, 22, 8, 30, tzinfo=UTC))
"""

# They only matter when something is wrong: a busy machine takes its time.
expect.set_options(timeout=60_000)


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """The address of a bureau with two published months."""
    bureau = Bureau("embedded", tmp_path_factory.mktemp("site"))
    bureau.python(FEDERATION)
    yield bureau.serve()
    bureau.close()


@pytest.fixture(scope="session")
def empty_site(tmp_path_factory):
    """The address of a bureau in which nothing has happened yet."""
    bureau = Bureau("embedded", tmp_path_factory.mktemp("empty"))
    yield bureau.serve()
    bureau.close()


@pytest.fixture(scope="session")
def base_url():
    """None: each bureau has its own. Playwright's fixture of this name is one that the next pytest refuses."""


@pytest.fixture(scope="session")
def playwright(playwright):
    """While its event loop runs, tests of its process have a database connection of their own: it is closed with it."""
    yield playwright
    connections.close_all()


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    """Debian's Chromium; the small one, which has no window, takes less than half of the processor's time."""
    program = os.environ.get("CHROMIUM", "/usr/bin/chromium")
    return {**browser_type_launch_args, "executable_path": program, "args": LAUNCH}


@pytest.fixture(scope="module")
def window(browser):
    """One window for tests that only look at address after address: to open one takes longer than to look."""
    context = browser.new_context()
    yield context.new_page()
    context.close()


@pytest.fixture
def complaints(request):
    """What the browser's console says against a page: errors, refused styles and scripts."""
    page = request.getfixturevalue("window" if "window" in request.fixturenames else "page")
    found: list[str] = []
    heard = {
        "console": lambda message: found.append(message.text) if message.type in ("error", "warning") else None,
        "pageerror": lambda error: found.append(str(error)),
    }
    for event, listener in heard.items():
        page.on(event, listener)
    yield found
    for event, listener in heard.items():
        page.remove_listener(event, listener)
