"""The first hour of an empty bureau: its steps in order, with how far each is."""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from django.db.models import Count, Max, Q
from django.urls import reverse

from accounts.models import User
from accounts.permissions import in_office
from config.branding import Brand
from config.lib import formatting
from events.models import Event
from players.models import Player, Region
from ratings.models import ImportJob, PublishedRun, RatingRun

_REGISTER, _OPENING, _TRIAL = ImportJob.Kind.REGISTER, ImportJob.Kind.OPENING, ImportJob.Kind.TRIAL
_IS_OPENING = Q(run__kind=RatingRun.Kind.OPENING)


class Progress(StrEnum):
    """How far a step is."""

    DONE = "done"
    NEXT = "next"
    TO_DO = "to do"
    LEFT_OUT = "left out"


@dataclass(slots=True)
class Step:
    """A step, what the database says of it, and the pages on which it is done: label and address."""

    name: str
    text: str
    done: bool
    links: tuple[tuple[str, str], ...]
    progress: Progress = Progress.TO_DO


def is_running() -> bool:
    """Return whether the bureau has published a list of its own, calculated from games."""
    return PublishedRun.objects.filter(run__kind=RatingRun.Kind.CALCULATED).exists()


def first_steps(brand: Brand) -> list[Step]:
    """Return the steps in order. The first that is not done is the next one; of a bureau that runs, it was left out."""
    published = PublishedRun.objects.aggregate(
        calculated=Count("pk", filter=Q(run__kind=RatingRun.Kind.CALCULATED)),
        month=Max("run__period__month", filter=_IS_OPENING),
        players=Max("run__players", filter=_IS_OPENING),
    )
    running = published["calculated"] > 0
    regions = Region.objects.aggregate(
        regions=Count("pk", distinct=True),
        administered=Count("pk", filter=in_office("administrators__"), distinct=True),
    )
    steps = [
        _name(brand),
        _regions(regions["regions"]),
        _people(regions["administered"]),
        _register(),
        _opening(published["month"], published["players"]),
        _trial(),
        *_events(running),
    ]
    rest = Progress.LEFT_OUT if running else Progress.NEXT
    for step in steps:
        if step.done:
            step.progress = Progress.DONE
        else:
            step.progress = rest
            rest = Progress.LEFT_OUT if running else Progress.TO_DO
    return steps


def _name(brand: Brand) -> Step:
    text = f"The pages and mails say “{brand.name}”"
    text += "." if brand.is_named else ": no federation’s name was set. Set it, also if it is this one."
    text += " Whoever runs the site sets name, colours and logo: FEDERATION, BUREAU, ACCENT_COLOURS, LOGO where it is started."
    return Step("The federation’s name", text, brand.is_named, (("The public pages", reverse("ratings:home")),))


def _regions(regions: int) -> Step:
    text = (
        f"{formatting.count(regions, 'region')} on record. Add those that are missing: the register and events name a region by"
        " its code."
    )
    return Step("Regions", text, bool(regions), (("Regions", reverse("admin:players_region_changelist")),))


def _people(administered: int) -> Step:
    active = (
        Count("pk", filter=Q(is_active=True, is_officer=True)),
        Count("pk", filter=Q(is_active=True, is_panel=True)),
    )
    of_users = User.objects.aggregate(officers=active[0], panel=active[1])
    text = (
        f"{formatting.count(of_users['officers'], 'ratings officer')}, {of_users['panel']} on the appeals panel,"
        f" {formatting.count(administered, 'region')} with a Regional Administrator. A superuser adds officers and the panel;"
        " an administrator is appointed on the page of the region, and gets a mail with the way to log in."
    )
    links = (
        ("Users", reverse("admin:accounts_user_changelist")),
        ("Regions", reverse("admin:players_region_changelist")),
    )
    return Step("Officers and Regional Administrators", text, bool(of_users["officers"] and administered), links)


def _register() -> Step:
    players = Player.objects.count()
    text = (
        f"{formatting.count(players, 'player')} on the register. Bring it in from a file, CSV or XLSX; every difference is"
        " shown before anything is kept."
    )
    return Step("The register of players", text, bool(players), (("Bring in a register", _bring(_REGISTER)),))


def _opening(month: date | None, players: int | None) -> Step:
    if month is not None:
        text = f"Signed: {formatting.count(players or 0, 'rated player')}, after {month:%Y-%m}."
        links = (("The lists", f"/lists/main/{month:%Y-%m}/"),)
    else:
        text = (
            "The standings from which the first month is calculated. A federation without ratings leaves it out:"
            " everybody begins unrated. It comes before the first event is accepted."
        )
        links = (("Bring in the opening balance", _bring(_OPENING)),)
    return Step("The opening balance", text, month is not None, links)


def _trial() -> Step:
    compared = ImportJob.objects.filter(kind=_TRIAL, summary__has_key="lists").count()
    text = (
        "Enter the events of the month after the opening balance, and compare what is calculated here with what the old"
        " bureau published; nothing is published."
    )
    if compared:
        text = f"{formatting.count(compared, 'comparison')} with the old bureau’s lists."
    return Step("A trial month", text, bool(compared), (("Compare a trial month", _bring(_TRIAL)),))


def _events(running: bool) -> tuple[Step, Step]:
    found = Event.objects.aggregate(
        events=Count("pk", distinct=True),
        accepted=Count("sections", filter=Q(sections__period__isnull=False), distinct=True),
    )
    events, accepted = found["events"], found["accepted"]
    first = Step(
        "The first event",
        f"{formatting.count(events, 'event')} registered, {formatting.count(accepted, 'section')} accepted. Register it, upload"
        " the arbiter’s file, correct and submit it; then accept it here.",
        bool(accepted),
        (
            ("Register an event", reverse("events:register")),
            ("Events", reverse("admin:events_event_changelist")),
        ),
    )
    lists = Step(
        "The first list",
        "Published." if running else "Calculate the month, look at what the run shows, and publish it.",
        running,
        (
            ("Rating periods", reverse("admin:events_ratingperiod_changelist")),
            ("Rating runs", reverse("admin:ratings_ratingrun_changelist")),
        ),
    )
    return first, lists


def _bring(kind: ImportJob.Kind) -> str:
    return reverse("admin:ratings_importjob_bring", args=[kind.value])
