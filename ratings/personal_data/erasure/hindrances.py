"""Why a player's data cannot be erased at present."""

from datetime import datetime

from django.db.models import Q

from config.lib.leases import free
from events.error_reports.queries import confirmed_reports
from events.models import Appointment, RatingPeriod, Section
from events.rules.states import DECIDED
from players.models import Player
from ratings.models import AmendingFile, Amendment, ImportJob, Merge, RatingRun, Rerating
from ratings.personal_data.erasure.files import Sought, unsent_naming
from ratings.personal_data.erasure.names_of_person import names_of
from ratings.personal_data.erasure.traces import sections_naming
from ratings.personal_data.person import Person, person_of


def busy() -> str:
    """Return which run or re-rating is under way, after whose end data is erased; "" if none is."""
    period = RatingPeriod.objects.filter(state__in=("calculating", "publishing")).first()
    if period is not None:
        return f"a worker is {period.get_state_display()} the ratings of {period}"
    rerating = Rerating.objects.filter(state__in=Rerating.UNDER_WAY).first()
    return f"{rerating} is under way" if rerating else ""


def at_work(at: datetime) -> str:
    """Return which run or re-rating a worker holds, "" if none does. In a back-up that was restored one may be under way that
    nobody is at: whoever begins it again reads anew."""
    for rows in (RatingRun.objects, Rerating.objects):
        held = rows.exclude(free(at=at)).first()
        if held is not None:
            return f"a worker holds {held}, or did so when the back-up was made: that ends within two minutes"
    return ""


def hindrance(player: Player, *, at_all: bool = False) -> str:
    """Return why a player's data cannot be erased, and what is to be done first; "" if it can. `at_all`: only what stands
    against it at any time. What a worker is at is waited for: `busy`."""
    if player.erased_at is not None:
        return f"the data of {player} is erased already"
    if player.merged_into is not None:
        return (
            f"{player} is merged into {player.merged_into}: erase that one, and all of his goes with it. If that is another"
            " person, split that one first, and say there that this record is the other’s"
        )
    if at_all:
        return ""
    person = person_of(player)
    return next(filter(None, (_account(person), *_undecided(person))), "")


def undecided_list() -> str:
    """Return that a list was brought in which is neither taken nor discarded, and may name anybody; "" if none is."""
    job = ImportJob.objects.filter(pieces__isnull=False).first()
    return f"the list {job}, which may name him, is neither taken nor discarded: do that first" if job else ""


def unread_file(since: datetime | None = None) -> str:
    """Return that a new file for a published section, which may name anybody, is not read yet, or came `since` a moment; "" if
    none did."""
    came = Q(error="") if since is None else Q(error="") | Q(at__gte=since)
    file = AmendingFile.objects.filter(came).first()
    return f"the {file} is not read yet, or was just now: wait until it is, or give it up on its page" if file else ""


def unsent(sought: Sought) -> str:
    """Return that a file which is not sent in yet names whoever is sought; "" if none does."""
    upload = unsent_naming(sought)
    if upload is None:
        return ""
    return f"the file {upload} of {upload.event}, which is not sent in yet, names him: erase when it is rated"


def _account(person: Person) -> str:
    for user in person.users:
        if user.is_officer or user.is_superuser or user.is_panel:
            return (
                f"his account {user.email} is an officer’s, superuser’s or panel member’s: a superuser ends that first"
            )
        if user.administrations.filter(until=None).exists():
            return f"his account {user.email} administers a region: end the administration first"
    return ""


def _undecided(person: Person) -> list[str]:
    found = []
    if problem := undecided_list():
        found.append(problem)
    names = names_of(person, "")
    naming = sections_naming(person, names)
    section = Section.objects.filter(pk__in=naming).exclude(event__state__in=DECIDED).first()
    if section is not None:
        found.append(
            f"he has a part or a line in {section}, which is {section.event.get_state_display()}: erase when it is rated"
        )
    if problem := unsent(Sought.of(person, names)):
        found.append(problem)
    appointed = Appointment.objects.filter(arbiter__in=person.arbiters).exclude(event__state__in=DECIDED).first()
    if appointed is not None:
        found.append(f"he is arbiter of {appointed.event}, which is not decided yet: erase when it is")
    merge = Merge.objects.filter(
        Q(old__in=person.keys) | Q(new__in=person.keys), applied_at=None, undone_at=None
    ).first()
    if merge is not None:
        found.append(f"the {merge} is proposed: decide it first")
    amendment = Amendment.objects.filter(Amendment.OPEN, section__in=person.sections).select_related("section").first()
    if amendment is not None:
        found.append(f"the correction of {amendment.section} waits for a re-rating: publish that first, or withdraw it")
    if problem := unread_file():
        found.append(problem)
    # One that was never confirmed waits for nobody: any stranger could keep an erasure away by it.
    report = confirmed_reports().filter(player__in=person.keys, answered_at=None).first()
    if report is not None:
        found.append(f"a report of an error in {report} is not answered yet: answer it first")
    run = RatingRun.objects.filter(period__state="calculated", publication=None, people__player__in=person.keys).first()
    if run is not None:
        found.append(f"{run} is calculated and not published: publish it first")
    return found
