"""Two regions with everything that an address can name, and a user for each role: his own region is GAU."""

import hashlib
import json
import re
from collections.abc import Callable, Iterator
from datetime import date
from typing import Any

from django.apps import apps
from django.contrib.auth.tokens import default_token_generator
from django.contrib.contenttypes.models import ContentType
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone
from django.utils.encoding import force_bytes
from django.utils.http import urlencode, urlsafe_base64_encode

from accounts.models import Decision, Mail, Token, User
from accounts.retention.queries import retention
from config.lib.days import next_month
from events.abroad.links import ask_link, token_of
from events.amending.content import read_content
from events.appeals.links import appeal_token
from events.attachments.operations import take
from events.error_reports.links import token_of as report_token
from events.models import (
    AbroadLink,
    Appeal,
    Appointment,
    Arbiter,
    ErrorReport,
    KeptBackReport,
    Membership,
    NotRegisteredReport,
    Penalty,
    PermissionRequest,
    Refusal,
    Upload,
    WithdrawalRequest,
)
from events.readings.queries import readings
from players.models import Region, RegionalAdministrator, Title
from ratings.downloads.operations import SUMS, make_downloads
from ratings.live.operations import refresh_live
from ratings.models import Adjustment, AmendingFile, Amendment, Erasure, ImportJob, Merge, Notice, RatingList, Rerating
from ratings.moving_in.jobs.operations import create_job
from ratings.moving_in.jobs.worker import process_job
from ratings.moving_in.steps import STEPS
from tests.builders import (
    CLOCK,
    MARCH,
    event_of,
    lines,
    officer,
    panel,
    people,
    period,
    player,
    publish,
    region,
    round_robin,
    submitted,
    trf,
    with_address,
)
from tests.events.attachments.files import PDF, PNG
from tests.kept import kept
from tests.ratings.calculators.test_forms import VALID

ROLES = ("anonymous", "no role", "arbiter", "administrator", "panel", "officer", "superuser")
OWN, OTHER = "own", "other"
QUERIES = {
    "error-reports/new/": "?section={section}",
    "autocomplete/": "?app_label=events&model_name=penalty&field_name=player",
    "<slug:system>/case.json": "?" + urlencode(VALID["chessa"]),
}

# What is sent to operations of the API, which read no forms.
DOCUMENTS = {
    "api/v1/players/lookup/": {"data": '{"players": [{"name": "Adendorff"}]}', "content_type": "application/json"},
    "api/v1/calculators/<slug:system>/": {"data": "[]", "content_type": "application/json"},
    "api/v1/files/check/": {"data": b"012 Open", "content_type": "application/octet-stream"},
}


def routes(patterns=None, prefix: str = "") -> Iterator[str]:
    """Every address of the site, as the addresses' patterns write it."""
    for pattern in get_resolver().url_patterns if patterns is None else patterns:
        if isinstance(pattern, URLResolver):
            yield from routes(pattern.url_patterns, prefix + str(pattern.pattern))
        else:
            assert isinstance(pattern, URLPattern)
            # The admin names its apps in the order in which they were imported.
            yield re.sub(r"(?<=<app_label>)[a-z|]+", "app", prefix + str(pattern.pattern))


class PlainClient(Client):
    """A test client that keeps neither templates nor contexts of pages, nor log-ins: many pages are only asked for."""

    def request(self, **request):
        return self.handler(self._base_environ(**request))


def noting(writes: list[str]) -> Callable[..., Any]:
    """What keeps the statements that change rows, for `connection.execute_wrapper`."""

    def note(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
        result = execute(sql, params, many, context)
        if sql.startswith(("INSERT", "UPDATE", "DELETE")):
            writes.append(sql)
        return result

    return note


def changes(writes: list[str]) -> list[str]:
    """Those of the statements that change more than sessions."""
    return [sql for sql in writes if "django_session" not in sql]


class World:
    """`users` by role; `address` fills a route with one's own objects or another region's."""

    def __init__(self) -> None:
        self.users: dict[str, User | None] = {
            "anonymous": None,
            "no role": User.objects.create_user("nobody@example.org"),
            "arbiter": User.objects.create_user("arbiter@example.org", is_staff=True),
            "administrator": User.objects.create_user("gau@example.org", is_staff=True),
            "panel": panel(),
            "officer": officer(),
            "superuser": User.objects.create_superuser("chief@example.org"),
        }
        self.other_user = User.objects.create_user("lcp@example.org", is_staff=True)
        for user, code in ((self.users["administrator"], "GAU"), (self.other_user, "LCP")):
            RegionalAdministrator.objects.create(user=user, region=region(code), since=date(2024, 1, 1))
        self.tokens = {
            user: Token.objects.create(
                user=user, name="program", digest=str(user.pk), scopes="submit read:own", created_at=CLOCK,
                last_day=date(2099, 1, 1),
            )
            for user in (*self.users.values(), self.other_user)
            if user
        }  # fmt: skip
        self.secret = "chessa_a-program-of-an-officer"
        Token.objects.filter(user=self.users["officer"]).update(digest=hashlib.sha256(self.secret.encode()).hexdigest())
        self.logged_in: dict[str, dict[str, str]] = {}
        self.rows: dict[tuple[str, str], object] = {}
        self.links: dict[str, str] = {}
        self.letters: dict[tuple[str, ...], str] = {}  # role, route, method, address → what was answered in this test
        for scope, code, results in ((OWN, "GAU", "1=0"), (OTHER, "LCP", "0=")):
            self._region(scope, code, results)
        self.abroad = {
            scope: with_address(player(region=region(code)), "abroad@example.org")
            for scope, code in ((OWN, "GAU"), (OTHER, "LCP"))
        }
        self.published = people(2)
        RatingList.objects.create(code="us", name="US", position=9, system="uscf")
        self.published_section = event_of([(*self.published, "1-0")], code="LVT").sections.get()
        run = publish()
        content = read_content(self.published_section)
        rerating = Rerating.objects.create(first=period(), reason="clocks", queued_at=CLOCK, state="withdrawn")
        amendment = Amendment.objects.create(
            section=self.published_section, before=content, after=content, reason="clocks", at=CLOCK
        )
        new_file = AmendingFile.objects.create(
            section=self.published_section, name="anew.trf", base_minutes=90, increment_seconds=30, reason="clocks",
            at=CLOCK, error="It has no games.",
        )  # fmt: skip
        adjustment = Adjustment.objects.create(
            player=self.published[0],
            list=RatingList.objects.get(code="main"),
            period=period(next_month(MARCH)),
            points=10,
            reason="clocks",
            at=CLOCK,
        )
        make_downloads(run.pk, at=CLOCK)
        refresh_live(at=CLOCK)
        notice = Notice.objects.create(text="Closed on Monday")
        moment = timezone.now()
        listed = create_job(
            ImportJob.Kind.REGISTER, filename="players.csv", chunks=[b"Surname\nCele\n"], at=CLOCK, by=None
        )
        process_job(listed.pk, STEPS[listed.kind])
        mail = Mail.objects.create(kind="decision", to="a@example.org", created_at=moment, next_at=moment)
        merge = Merge.objects.create(
            old=self.published[0], new=self.published[1], reason="One person.", at=CLOCK, undone_at=CLOCK
        )
        erasure = Erasure.objects.create(
            player=self.published[0], pseudonym="Player 1234567", state="done", asked_at=CLOCK, at=CLOCK, reason="x"
        )
        for scope in (OWN, OTHER):
            for model, row in (
                ("merge", merge),
                ("ratinglist", RatingList.objects.get(code="main")),
                ("ratingperiod", period()),
                ("ratingrun", run),
                ("rerating", rerating),
                ("amendment", amendment),
                ("amendingfile", new_file),
                ("adjustment", adjustment),
                ("notice", notice),
                ("erasure", erasure),
                ("readings", readings()),
                ("retention", retention()),
                ("title", Title.objects.first()),
                ("decision", Decision.objects.first()),
                ("mail", mail),
                ("importjob", listed),
            ):
                self.rows[model, scope] = row

    def _region(self, scope: str, code: str, results: str) -> None:
        entrants = lines(6) if scope == OWN else lines(12)[6:]  # each region has its own players
        event = submitted(trf(entrants, round_robin(6, results), name=f"{code} Open"), code=code)
        section = event.sections.get()
        player = section.entries.first().player
        arbiter = Arbiter.objects.create(
            name=f"Grace {code}", title="IA", user=self.users["arbiter"] if scope == OWN else None
        )
        Membership.objects.create(arbiter=arbiter, year=2024, paid_on=date(2024, 1, 2))
        Appointment.objects.create(event=event, arbiter=arbiter, position=1)
        penalty = Penalty.objects.create(section=section, player=player, round=2, kind="forfeit", points=20)
        submission = section.submissions.get()
        upload = Upload.objects.create(
            event=event,
            section=section,
            file=submission.file,
            name="open.trf",
            at=CLOCK,
            asked_at=CLOCK,
            submission=submission,
        )
        correction = upload.corrections.create(
            kind="penalty", key="forfeit-1-2", value="", question="", answer="", at=CLOCK
        )
        submission.findings.create(severity="note", code="x", message="A note.")
        refusal = Refusal.objects.create(event=event, section=section, at=CLOCK, reason="clocks", lifted_at=CLOCK)
        asked = PermissionRequest.objects.create(section=section, at=CLOCK, players=5, rounds=5, reason="withdrawn")
        withdrawal = WithdrawalRequest.objects.create(event=event, at=CLOCK, reason="it rained")
        kept_back = KeptBackReport.objects.create(event=event, party="arbiter", account="the file lies there", at=CLOCK)
        not_registered = NotRegisteredReport.objects.create(
            name="Open", region=region(code), place="Hall", starts=CLOCK.date(), ends=CLOCK.date(), party="arbiter",
            account="they said no", at=CLOCK,
        )  # fmt: skip
        appeal = Appeal.objects.create(
            refusal=refusal, at=CLOCK, appellant=code, grounds="they were set alike", party=Appeal.Party.SENDER
        )
        self.rows["evidence", scope] = take("sheet.pdf", PDF, at=CLOCK, by=None, appeal=appeal)
        self.rows["refusal", scope] = refusal
        report = ErrorReport.objects.create(
            section=section, month=MARCH, wrong="0-1", right="1-0", role="player", reporter_name="A", at=CLOCK,
            confirmed_at=CLOCK,
        )  # fmt: skip
        self.rows["proof", scope] = take("sheet.png", PNG, at=CLOCK, by=None, report=report)
        attachment = take("proof.pdf", PDF, at=CLOCK, by=None, event=event, about="fee-unpaid")
        home = region(code)
        for row in (
            event,
            section,
            player,
            arbiter,
            penalty,
            asked,
            appeal,
            withdrawal,
            kept_back,
            not_registered,
            submission,
            upload,
            correction,
            attachment,
            report,
            home,
            home.province,
        ):
            self.rows[row._meta.model_name, scope] = row

    def region(self, scope: str) -> Region:
        """The region of the own event, or of another region's."""
        return self.rows["region", scope]

    def cookies(self, role: str) -> dict[str, str]:
        """The cookies of a role that is logged in."""
        user = self.users[role]
        if user and role not in self.logged_in:
            client = Client()
            client.force_login(user)
            self.logged_in[role] = {name: cookie.value for name, cookie in client.cookies.items()}
        return self.logged_in.get(role, {})

    def document(self, route: str) -> dict[str, object]:
        """What is sent to an operation of the API."""
        if route == "api/v1/crosstables/":
            numbers = [player.number for player in self.published]
            return {"data": json.dumps({"players": numbers}), "content_type": "application/json"}
        return DOCUMENTS.get(route, {})

    def row(self, route: str, scope: str, role: str):
        """The row that a route of the admin names; a user's own is himself."""
        model = re.match(r"admin/\w+/(\w+)/", route)
        if model and model[1] == "user":
            return self.users[role] or self.other_user if scope == OWN else self.other_user
        if model and model[1] == "token":
            return self.tokens[self.users["administrator"] if scope == OWN else self.other_user]
        return self.rows[model[1] if model else "event", scope]

    def address(self, route: str, scope: str, role: str) -> str:
        """A route filled. Fails for a part of an address that nobody has thought of yet."""
        player, event = self.published[scope == OTHER], self.rows["event", scope]
        if "abroad/" in route:
            player = self.abroad[scope]
        unnamed = iter(("object_id", "version_id"))

        def part(found: re.Match[str]) -> str:
            name = found[1] or found[2] or next(unnamed)
            if name in ("object_id", "id"):
                return str(self.row(route, scope, role).pk)
            if name == "version_id":
                return str(self.row(route, scope, role).history.latest().pk)
            if name == "pk" and "tokens/" in route:
                return str(self.tokens[self.users[role] or self.other_user if scope == OWN else self.other_user].pk)
            if name == "token" and "error-reports/" in route:
                return report_token(self.rows["errorreport", scope])
            if name == "attachment" and "error-reports/" in route:
                return str(self.rows["proof", scope].pk)
            if name == "token" and "appeals/" in route:
                return appeal_token(self.rows["refusal", scope])
            if name == "attachment" and "appeals/" in route:
                return str(self.rows["evidence", scope].pk)
            if name == "token" and "abroad/" in route:
                if scope not in self.links:  # only so many are sent in an hour
                    self.links[scope] = token_of(
                        ask_link(player.number, "abroad@example.org", AbroadLink.Sender.PLAYER, at=timezone.now())
                    )
                return self.links[scope]
            if ".trf" in route:
                return str(self.published_section.pk if name == "section" else self.published_section.event_id)
            if name in ("uidb64", "token"):
                user = self.other_user
                key, token = urlsafe_base64_encode(force_bytes(user.pk)), default_token_generator.make_token(user)
                return key if name == "uidb64" else token
            if name == "period" and "ratingperiod/" in route:
                return str(self.rows["ratingperiod", scope].pk)
            return {
                "number": player.number,
                "other": self.published[scope == OWN].number,
                "event": str(event.pk),
                "section": "players" if "sitemap" in route else str(self.rows["section", scope].pk),
                "player": str(player.pk),
                "merge": str(self.rows["merge", scope].pk),
                "rerating": str(self.rows["rerating", scope].pk),
                "run": str(self.rows["ratingrun", scope].pk),
                "upload": str(self.rows["upload", scope].pk),
                "attachment": str(self.rows["attachment", scope].pk),
                "correction": str(self.rows["correction", scope].pk),
                "finding": str(self.rows["submission", scope].findings.order_by("pk").first().pk),
                "permission": str(self.rows["permissionrequest", scope].pk),
                "penalty": str(self.rows["penalty", scope].pk),
                "form": "days",
                "key": "forfeit-1-2",
                "submission": str(self.rows["submission", scope].pk),
                "arbiter": str(self.rows["arbiter", scope].pk),
                "month": f"{MARCH:%Y-%m}",
                "period": f"{MARCH:%Y-%m}",
                "code": "us" if route.endswith("/case\\.json$") else "GAU" if "regions/" in route else "main",
                "name": SUMS,
                "kind": "register",
                "tray": "clean",
                "mail": str(self.rows["mail", scope].pk),
                "system": "chessa",
                "app_label": "events",
                "content_type_id": str(ContentType.objects.get_for_model(apps.get_model("events", "event")).pk),
                "url": "nothing-here/",
            }[name]

        path = re.sub(r"\(\?P<(\w+)>(?:[^()]|\([^)]*\))*\)|<(?:\w+:)?(\w+)>|\([^)]*\)", part, route.replace("\\", ""))
        query = next((asked for name, asked in QUERIES.items() if route.endswith(name)), "")
        query = query.replace("{section}", str(self.published_section.pk))
        return "/" + path.replace("^", "").replace("$", "").replace("\\", "") + query


@kept
def made_world() -> World:
    """A world, whose rows are made once in a test process."""
    return World()
