"""What is at work when something is killed: a run, a publication, a re-rating and the check of a file, begun by a button."""

import hashlib
import re
from pathlib import Path
from typing import Any, NamedTuple

from tests import prepared
from tests.faults.bureau import Bureau
from tests.faults.month import at_stage

KEY = "a bureau that is killed has a secret key that all its copies share: 0123456789"
SESSION = "theofficerwhomalltestsofkillsknow"
_OFFICER = f"""
from datetime import timedelta
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.utils import timezone
from tests.builders import officer
by = officer("officer@example.org")
data = {{SESSION_KEY: str(by.pk), BACKEND_SESSION_KEY: "accounts.backends.RoleBackend",
        HASH_SESSION_KEY: by.get_session_auth_hash(), "seen": int(timezone.now().timestamp())}}
Session.objects.create(session_key="{SESSION}", session_data=SessionStore().encode(data),
                       expire_date=timezone.now() + timedelta(days=7))
"""
# April is published as well, and a result of March is amended.
_AMENDED = """
from datetime import date
from django.core.management import call_command
from django.db import transaction
from django.utils import timezone
from events.amending.edits import with_result
from events.models import Section
from events.rules.game_result import Result
from ratings.downloads.operations import make_downloads
from ratings.models import PublishedRun
from ratings.rerating.amendments import amend
from tests.federation import load
with transaction.atomic():
    load(players=2000, games=600, sections=10, month=date(2024, 4, 1))
for command in ("calculate", "publish"):
    call_command(command, "2024-04")
for published in PublishedRun.objects.all():
    make_downloads(published.run_id, at=timezone.now())
section = Section.objects.filter(period__month=date(2024, 3, 1)).earliest("pk")
game = section.games.filter(result="1-0").earliest("pk")
amend(section, lambda content: with_result(content, game.pk, Result.BLACK_WINS), reason="The score sheet.", at=timezone.now())
"""
_REGISTERED = """
from tests.events.submission.world import known, played
known(30)
played()
"""
# A file that a worker sends in is checked, and nothing is left to do but the declaration.
_CHECKED = """
from tests.events.submission.world import many, on_register, played, taken
people, content = many()
on_register(people)
taken(played(), content)
"""
_FILE = """
from tests.events.submission.world import clean
print(clean(30).decode(), end="")
"""


class Step(NamedTuple):
    """A button that an officer presses, and what comes of it."""

    address: str  # with the names of `keys`
    fields: dict[str, str]
    keys: dict[str, str]  # name → the query that finds it
    asked: str  # a query: whether what the button asks for is on record
    done: str  # a query: whether it is done


class Work(NamedTuple):
    """Something that the bureau does. `tasks`: those of its worker's tasks that do it."""

    steps: tuple[Step, ...]
    tasks: tuple[str, ...]
    base: str  # the stage of the month that it begins with, "" for a bureau without data
    filling: str  # what is there besides, as code


_RUN = {"run": "SELECT max(id) FROM ratings_ratingrun"}
_RERATING = {"rerating": "SELECT max(id) FROM ratings_rerating"}
_STATE = "SELECT count(*) FROM {} WHERE state = '{}'"
WORKS = {
    "run": Work(
        (
            Step(
                "/admin/events/ratingperiod/{period}/calculate/",
                {"reason": "The month has ended."},
                {"period": "SELECT id FROM events_ratingperiod"},
                "SELECT count(*) FROM ratings_ratingrun",
                _STATE.format("ratings_ratingrun", "calculated"),
            ),
        ),
        ("ratings.tasks.calculate_or_publish",),
        "accepted",
        "",
    ),
    "publication": Work(
        (
            Step(
                "/admin/ratings/ratingrun/{run}/publish/",
                {"month": "2024-03"},
                _RUN,
                "SELECT count(*) FROM ratings_ratingrun WHERE state IN ('publishing', 'published')",
                "SELECT count(*) FROM ratings_download",
            ),
        ),
        ("ratings.tasks.calculate_or_publish", "ratings.downloads.tasks.make_files"),
        "calculated",
        "",
    ),
    "rerating": Work(
        (
            Step(
                "/admin/ratings/amendment/",
                {"action": "calculate", "_selected_action": "{amendment}", "reason": "A result was entered wrongly."},
                {"amendment": "SELECT max(id) FROM ratings_amendment"},
                "SELECT count(*) FROM ratings_rerating",
                _STATE.format("ratings_rerating", "calculated"),
            ),
            Step(
                "/admin/ratings/rerating/{rerating}/decide/",
                {"do": "publish", "month": "2024-03"},
                _RERATING,
                "SELECT count(*) FROM ratings_rerating WHERE state IN ('publishing', 'published')",
                "SELECT count(DISTINCT download.run_id) = 2 FROM ratings_download download"
                " JOIN ratings_publishedrun published ON published.run_id = download.run_id"
                " JOIN ratings_ratingrun run ON run.id = download.run_id WHERE run.rerating_id IS NOT NULL",
            ),
        ),
        ("ratings.rerating.tasks.calculate_or_publish_rerating", "ratings.downloads.tasks.make_files"),
        "published",
        _AMENDED,
    ),
    "upload": Work(
        (
            Step(
                "/events/{event}/results/upload/",
                {},
                {"event": "SELECT max(id) FROM events_event"},
                "SELECT count(*) FROM events_upload",
                "SELECT count(*) FROM events_upload WHERE checked = asked AND section_id IS NOT NULL",
            ),
        ),
        ("events.submission.tasks.check_upload",),
        "",
        _REGISTERED,
    ),
    "submission": Work(
        (
            Step(
                "/events/{event}/results/submit/",
                {"declared": "on", "shown": "{shown}"},
                {
                    "event": "SELECT max(id) FROM events_event",
                    "shown": "SELECT event.version || '-' || upload.id || '.' || upload.asked FROM events_upload upload"
                    " JOIN events_event event ON event.id = upload.event_id",
                },
                "SELECT (SELECT count(*) FROM events_declaration) + (SELECT count(*) FROM events_submission)",
                _STATE.format("events_event", "submitted"),
            ),
        ),
        ("events.submission.tasks.submit_large",),
        "",
        _CHECKED,
    ),
}


def template(kind: str, name: str) -> str:
    """The database of a bureau that is about to begin the work: the template of a `Bureau`."""
    work = WORKS[name]

    def make(folder: Path) -> None:
        bureau = Bureau(kind, folder, at_stage(kind, work.base) if work.base else "")
        bureau.env["SECRET_KEY"] = KEY
        bureau.python(_OFFICER + work.filling)
        if kind == "servers":
            (folder / prepared.DATABASE).write_text(bureau.name)

    folder = prepared.once(f"{kind}-before-{name}", make)
    return (folder / prepared.DATABASE).read_text() if kind == "servers" else str(folder / "bureau.sqlite3")


def uploaded_file(kind: str) -> bytes:
    """The file of the event that is registered."""

    def make(folder: Path) -> None:
        bureau = Bureau(kind, folder)
        (folder / "file.trf").write_text(bureau.python(_FILE))
        bureau.close()

    return (prepared.once(f"{kind}-file", make) / "file.trf").read_bytes()


_IGNORED = (
    "axes_", "django_", "sqlite_", "config_", "auth_",
    "ratings_live", "ratings_duplicate", "ratings_likely", "events_reviewclaim",
)  # fmt: skip
_FIGURES = """
    SELECT period.month, list.code, run.state, player_id, "rank", rating.position, rating.games, rating.k,
           CAST(raw AS double precision), CAST(weighted AS double precision), CAST(published AS double precision),
           CAST(highest AS double precision), CAST(rating.change AS double precision),
           CAST(weighted_performance AS double precision), pending_penalty, window_sum, window_weighted, recent
    FROM ratings_rating rating JOIN ratings_ratingrun run ON run.id = rating.run_id
    JOIN events_ratingperiod period ON period.id = run.period_id JOIN ratings_ratinglist list ON list.id = rating.list_id
    ORDER BY period.month, list.code, run.state, player_id
"""
_ACCOUNTS = {
    "decisions": "SELECT action, subject, subject_name, actor_id, actor_role, reason FROM accounts_decision",
    "mails": 'SELECT kind, "to", subject FROM accounts_mail',
    "runs": "SELECT period_id, state, stage, rerating_id, error, players, games FROM ratings_ratingrun",
    "months": "SELECT month, state FROM events_ratingperiod",
    "events": "SELECT id, state FROM events_event",
    "moves of events": "SELECT event_id, source, target FROM events_eventmove",
    "published": "SELECT revision.period_id, revision.number, run.state FROM ratings_revision revision"
    " JOIN ratings_ratingrun run ON run.id = revision.run_id",
    "files of months": "SELECT run.period_id, run.state, name FROM ratings_download download"
    " JOIN ratings_ratingrun run ON run.id = download.run_id",
    "re-ratings": "SELECT state, stage, error, reason FROM ratings_rerating",
    "held": "SELECT 'run', id FROM ratings_ratingrun WHERE lease IS NOT NULL"
    " UNION ALL SELECT 're-rating', id FROM ratings_rerating WHERE lease IS NOT NULL",
    "erasures": "SELECT player_id, state, error, reason FROM ratings_erasure",
    "erased": "SELECT id, last_name, first_name FROM players_player WHERE erased_at IS NOT NULL",
    "uploads": "SELECT name, error, section_id, report FROM events_upload",
}
_PSEUDONYM = re.compile(r"Player \d{7}")  # drawn by chance


def account(bureau: Bureau) -> dict[str, Any]:
    """What is to be as in an undisturbed bureau: numbers of rows, decisions, mails, states, figures and reports."""
    listing = "SELECT name FROM sqlite_master WHERE type = 'table'"
    if bureau.kind == "servers":
        listing = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
    tables = sorted(str(name) for (name,) in bureau.rows(listing) if not str(name).startswith(_IGNORED))
    found: dict[str, Any] = {f"rows of {table}": bureau.value(f"SELECT count(*) FROM {table}") for table in tables}
    for name, query in _ACCOUNTS.items():
        found[name] = sorted(_PSEUDONYM.sub("a pseudonym", str(row)) for row in bureau.rows(query))
    figures = [
        tuple(bytes(value) if isinstance(value, (bytes, memoryview)) else value for value in row)
        for row in bureau.rows(_FIGURES)
    ]
    found["figures"] = hashlib.sha256(repr(figures).encode()).hexdigest()
    return found


def differences(undisturbed: dict[str, Any], present: dict[str, Any]) -> list[str]:
    """What differs, a line each."""
    lines = []
    for name, right in undisturbed.items():
        found = present.get(name)
        if found == right:
            continue
        if isinstance(right, list) and isinstance(found, list):
            more, less = [row for row in found if row not in right], [row for row in right if row not in found]
            lines.append(f"{name}: {len(found)} for {len(right)}; more: {more[:3]}; less: {less[:3]}")
        else:
            lines.append(f"{name}: {found} for {right}")
    return lines
