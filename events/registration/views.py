"""The pages on which organisers register, change and copy events."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.models import User
from accounts.permissions import acting_user
from config.languages import in_readers_style
from config.lib import formatting
from config.lib.parsing import whole_number
from events.access import writable_regions
from events.arbiters.operations import asks_reason
from events.mails import mail_officers
from events.models import Event, Kind, UnsavedRegistration
from events.operations import EventError, GoneError, ReasonError, StaleError
from events.readings.queries import readings
from events.registration import operations
from events.registration.form_rows import MOST_ROWS
from events.registration.forms import RegistrationForm
from events.registration.hints import arbiter_hints, registration_deadline, section_hints, twin_text
from events.registration.operations import register as register_draft
from events.registration.queries import possible_duplicates, regions_called, registration_data, registration_of
from events.registration.unsaved import BEGUN_KEPT, SHOWN, as_data, begun_by, forget_typed, keep_typed, typed_of
from events.rules.findings import Finding
from events.rules.registration import RegistrationData, registration_errors
from events.rules.sizes import LONGEST_NAME, LONGEST_REASON
from events.rules.states import State
from events.wording import state_name
from players.models import Region

Outcome = State | EventError | list[Finding]


def _own(request: HttpRequest, event: int) -> Event:
    return get_object_or_404(Event, pk=event, region__in=writable_regions(acting_user(request)))


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def register(request: HttpRequest) -> HttpResponse:
    """Show and save a new registration; administrators of a region may."""
    if not writable_regions(acting_user(request)).exists():
        raise PermissionDenied
    return _answer(request, None)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest, event: int) -> HttpResponse:
    """Show and change a draft, or a registered event before its results are submitted or while they are returned."""
    own = _own(request, event)
    if not operations.is_editable(own):
        text = gettext("%(event)s is %(state)s: its registration is no longer changed here.")
        messages.info(request, text % {"event": own.name, "state": state_name(own.state)})
        return redirect("events:mine")
    return _answer(request, own)


def _answer(request: HttpRequest, event: Event | None) -> HttpResponse:
    now = timezone.now()
    if request.method != "POST":
        return _opened(request, event, now)
    action, data, user = request.POST.get("do", "save"), request.POST.copy(), acting_user(request)
    if action == "forget":
        return _forget(request, event, data)
    _take_hub(data)
    changed_rows = action == "add-hub" or _change_rows(data, action) or _fill_days(user, event, data, action)
    form = RegistrationForm(user, event, data)
    valid = form.is_valid()
    if changed_rows or action == "look":
        keeps = changed_rows and (event is None or event.state == State.DRAFT)
        is_kept = not keeps or keep_typed(data, event=event, page=_page_key(data), at=now, by=user)
        form.forget_blanks()
        return _page(request, form, now, status=_not_saved(gettext("Not saved yet."), is_kept))
    draft = event is None or event.state == State.DRAFT
    stored = form if valid else form.savable() if draft else None
    if stored is None:
        is_kept = form.torn or keep_typed(data, event=event, page=_page_key(data), at=now, by=user)
        return _page(request, form, now, status=_not_saved(gettext("Not saved yet."), is_kept), code=422)
    try:
        with transaction.atomic():
            saved = operations.save_registration(
                stored.registration(),
                at=now,
                by=user,
                change_reason=request.POST.get("change_reason", "")[:LONGEST_REASON],
            )
            if saved.state == State.LATE:
                _ask_again(saved, data.get("reason", ""), now, user)
            _give_keys(data, saved, stored)
            forget_typed(data, event=saved, page=_page_key(data), by=user)
            is_whole = saved.state != State.DRAFT or (valid and form.is_lossless)
            is_kept = is_whole or keep_typed(data, event=saved, page=None, at=now, by=user)
            # Not after it: who was cut off in between would be told that the page was sent twice, and keep a draft.
            is_asked = valid and action == "register" and saved.state == State.DRAFT
            outcome = _register(data, saved, now, user) if is_asked else None
    except operations.SentTwiceError as error:
        return _sent_twice(request, error.event)
    except StaleError:
        if action == "register" and event and _has_registered(user, event):
            return _sent_twice(request, event)
        return _page(request, form, now, stale=event, status=gettext("Not saved."), code=409)
    except EventError as error:
        is_gone = isinstance(error, GoneError)
        is_kept = is_gone or keep_typed(data, event=event, page=_page_key(data), at=now, by=user)
        status = _not_saved(gettext("Not saved."), is_kept)
        return _page(request, form, now, general=str(error), status=status, code=422)
    if not valid and is_kept:
        partly = gettext("Draft saved at %(time)s; what is marked stays as you typed it.")
        return _page(request, _again(user, saved, data), now, status=partly % {"time": _clock(now)}, code=422)
    if outcome is not None:
        return _registered(request, data, saved, now, outcome, is_kept=is_kept)
    saved_at = (
        gettext("Draft saved at %(time)s.")
        if saved.state == State.DRAFT
        else gettext("Registration saved at %(time)s.")
    )
    text = _saved(saved_at % {"time": _clock(now)}, is_kept)
    if not valid:
        return _page(request, _again(user, saved, data), now, status=text, code=422)
    if "HX-Request" in request.headers or not is_kept:
        return _page(request, _again(user, saved, data), now, status=text)
    messages.success(request, text)
    return redirect("events:edit", saved.pk)


def _not_saved(status: str, is_kept: bool) -> str:
    if is_kept:
        return status
    others = gettext("Somebody has typed here meanwhile, and that is kept: what you typed now is not.")
    return f"{status} {others}"


def _saved(status: str, is_kept: bool) -> str:
    if is_kept:
        return status
    others = gettext(
        "Somebody has typed here meanwhile, and that is kept: what you typed and could not be saved is not."
    )
    return f"{status} {others}"


def _fill_days(user: User, event: Event | None, data: QueryDict, action: str) -> bool:
    """Fill in the days of all rounds of a section, for the button `days-` and its row. Return False for any other button."""
    verb, _, row = action.partition("-")
    place = _place(row)
    if verb != "days":
        return False
    form = RegistrationForm(user, event, data)
    form.is_valid()
    if place >= len(form.sections.forms):
        return False
    section = form.sections.forms[place]
    for number, day in enumerate(section.days_at_once(form.head), start=1):
        data[section.add_prefix(f"day_{number}")] = day.isoformat()
    return True


def _ask_again(saved: Event, reason: str, now: datetime, user: User) -> None:
    operations.ask_again(saved, at=now, by=user, reason=reason)
    page = f"{reverse('admin:events_event_changelist')}?state__exact={State.LATE.value}"
    mail_officers(saved, "Request to register late corrected", operations.late_reason(saved), page)


def _take_hub(data: QueryDict) -> None:
    """Put the region whose name was typed among the hubs, where it names one alone."""
    found = regions_called(data.get("hub", "")) if data.get("kind") == Kind.HYBRID else []
    if len(found) == 1:
        data["hub"] = ""
        if str(found[0].pk) not in data.getlist("hubs"):
            data.appendlist("hubs", str(found[0].pk))


def _clock(now: datetime) -> str:
    return f"{timezone.localtime(now):%H:%M}"


def _page_key(data: QueryDict) -> UUID | None:
    """Return the key of the page of a new event; None for none."""
    try:
        return UUID(data.get("page", ""))
    except ValueError:
        return None


def _opened(request: HttpRequest, event: Event | None, now: datetime) -> HttpResponse:
    """Show a registration as it is saved, or as it was typed where not all of that could be saved."""
    user = acting_user(request)
    begun = [] if event or "new" in request.GET else begun_by(user)
    begun.sort(key=lambda one: str(one.pk) != request.GET.get("begun"))
    typed = typed_of(event) if event else next(iter(begun), None)
    if typed is None or "saved" in request.GET:
        return _page(request, RegistrationForm(user, event), now)
    form = RegistrationForm(user, event, as_data(typed))
    if form.is_valid() and form.is_lossless and event is not None and typed.version != event.version:
        return _page(request, RegistrationForm(user, event), now)
    form.forget_blanks()
    stale = event if event and typed.version != event.version else None
    return _page(request, form, now, stale=stale, typed=typed, others=begun[1:])


def _forget(request: HttpRequest, event: Event | None, data: QueryDict) -> HttpResponse:
    """Drop what is kept as it was typed, and show what is saved."""
    forget_typed(data, event=event, page=_page_key(data), by=acting_user(request))
    messages.success(request, gettext("What was typed and not saved is taken away."))
    return redirect("events:edit", event.pk) if event else redirect("events:register")


def _sent_twice(request: HttpRequest, saved: Event) -> HttpResponse:
    """Redirect the second request of a double click to where the first one leads."""
    if not writable_regions(acting_user(request)).filter(pk=saved.region_id).exists():
        raise Http404(gettext("This page began the registration of another region."))
    messages.info(request, gettext("The page was sent twice: %(event)s is saved once.") % {"event": saved.name})
    return redirect(*("events:edit", saved.pk) if saved.state == State.DRAFT else ("events:event", saved.pk))


def _has_registered(user: User, event: Event) -> bool:
    event.refresh_from_db(fields=["state"])
    last = event.moves.last()
    return event.state in (State.REGISTERED, State.LATE) and last is not None and last.actor_id == user.pk


def _register(data: QueryDict, saved: Event, now: datetime, user: User) -> Outcome:
    """Register a draft that was saved in the caller's transaction. Return its state, or why it stays a draft."""
    if errors := list(registration_errors(registration_of(saved))):
        return errors
    reason = data.get("reason", "")
    try:
        with transaction.atomic():
            state = register_draft(saved, at=now, by=user, reason=reason)
            if state is State.LATE:
                page = f"{reverse('admin:events_event_changelist')}?state__exact={State.LATE.value}"
                mail_officers(saved, "Permission asked to register late", reason, page)
            forget_typed(data, event=saved, by=user)
    except EventError as error:
        return error
    return state


def _registered(
    request: HttpRequest, data: QueryDict, saved: Event, now: datetime, outcome: Outcome, *, is_kept: bool
) -> HttpResponse:
    """Lead to the event, or show what keeps its draft from being registered."""
    if not isinstance(outcome, State):
        again = _again(acting_user(request), saved, data)
        status = _saved(gettext("Draft saved; it is not registered yet."), is_kept)
        if isinstance(outcome, ReasonError):
            return _page(request, again, now, status=status, reason_error=str(outcome), code=422)
        if isinstance(outcome, EventError):
            return _page(request, again, now, general=str(outcome), status=status, code=422)
        again.add_findings(outcome)
        return _page(request, again, now, status=status, code=422)
    if outcome is State.LATE:
        text = gettext("%(event)s came late: the ratings officer is asked for permission.")
    else:
        text = gettext("%(event)s is registered.")
    messages.success(request, text % {"event": saved.name})
    for twin in possible_duplicates(saved.name, saved.starts, saved.ends, beside=saved):
        with in_readers_style():
            messages.warning(request, twin_text(twin))
    return redirect("events:event", saved.pk)


def _give_keys(data: QueryDict, saved: Event, stored: RegistrationForm) -> None:
    """Put the keys and the version that saving gave into what was sent.

    `stored`: the form as it was saved, without what is wrong in it.
    """
    data["version"] = str(saved.version)
    keys = list(saved.sections.order_by("position").values_list("pk", flat=True))
    rows = [form for form in stored.sections.forms if form.filled]
    known = {form.value("section") for form in rows}
    fresh = [key for key in keys if key not in known]
    for form in rows:
        if form.value("section") not in keys and fresh:
            data[form.add_prefix("section")] = str(fresh.pop(0))


def _again(user: User, saved: Event, data: QueryDict) -> RegistrationForm:
    """Return the checked form as it was sent, to be shown once more."""
    form = RegistrationForm(user, saved, data)
    form.is_valid()
    return form


_FAR = 1000  # greater than the place of any row


def _place(text: str) -> int:
    """Return the place of a row from its text in a form; _FAR if it is no number."""
    place = whole_number(text, digits=3)
    return _FAR if place is None else place


def _change_rows(data: QueryDict, action: str) -> bool:
    """Add a blank row at the end, or remove one, for the button `action`. Return False for any other button."""
    verb, _, rest = action.partition("-")
    prefix, _, number = rest.partition("-")
    if verb not in ("add", "remove") or prefix not in ("section", "arbiter"):
        return False
    total = _place(data.get(f"{prefix}-TOTAL_FORMS", "0"))
    count = min(total, MOST_ROWS) if total < _FAR else 0
    if verb == "add":
        count = min(count + 1, MOST_ROWS)
    elif (removed := _place(number)) < count:
        for name in [name for name in data if name.startswith(f"{prefix}-")]:
            _, _, tail = name.partition("-")
            number, dash, field = tail.partition("-")
            if not dash or not removed <= (place := _place(number)) < _FAR:
                continue
            values = data.pop(name)
            if place > removed:
                data[f"{prefix}-{place - 1}-{field}"] = values[-1]
        count -= 1
    data[f"{prefix}-TOTAL_FORMS"] = str(count)
    return True


def _page(
    request: HttpRequest,
    form: RegistrationForm,
    now: datetime,
    *,
    stale: Event | None = None,
    typed: UnsavedRegistration | None = None,
    others: Sequence[UnsavedRegistration] = (),
    general: str = "",
    reason_error: str = "",
    status: str = "",
    code: int = 200,
) -> HttpResponse:
    problems = form.problems() if form.head.is_bound else []
    if general:
        problems.insert(0, ("", general))
    if reason_error:
        problems.append(("id_reason", reason_error))
    by_script = "HX-Request" in request.headers
    if by_script:
        if code == 422:
            form.forget_blanks()
            problems = form.problems() or problems
            values = {"status": status, "problem": problems[0][1], "count": len(problems) - 1}
            more = gettext("%(status)s %(problem)s And %(count)s more.")
            status = (more if values["count"] else gettext("%(status)s %(problem)s")) % values
        form.forget_blanks()
        problems = []
    event, shown = form.event, form.shown()
    locked = operations.why_locked(event, at=now) if event else ""
    if locked:
        form.lock()
    draft = event is None or event.state == State.DRAFT
    waits = event is not None and event.state == State.LATE
    with in_readers_style():
        context = {
            "here": "events",
            "form": form,
            "event": event,
            "draft": draft,
            "address": reverse("events:edit", args=[event.pk]) if event else reverse("events:register"),
            "problems": problems,
            "stale": _saved_by_other(stale, acting_user(request)) if stale else "",
            "status": status,
            "reason": form.head.data.get("reason", operations.late_reason(event) if event and waits else ""),
            "waits": waits,
            "typed": typed,
            "typed_shown": typed.at.isoformat() if typed else form.head.data.get(SHOWN, ""),
            "begun_kept": BEGUN_KEPT.days,
            "typed_by_other": typed is not None and typed.by_id != acting_user(request).pk,
            "others": [(other, str(other.fields.get("name", [""])[0])[:LONGEST_NAME]) for other in others],
            "reason_error": reason_error,
            "failed": code != 200,
            "change_reason": form.head.data.get("change_reason", ""),
            "asks_change_reason": event is not None and asks_reason(event, at=now),
            "locked": locked,
            "regions": Region.objects.all(),
            "twins": _twins(shown.event, beside=event) if draft else [],
            "code": code,
            "live": True,
            **_rows(form, registration_data(shown), now),
        }
    # A draft that is saved as one goes is seldom complete: a status of failure would be an error in the browser's console.
    return render(request, "events/registration/register.html", context, status=200 if by_script else code)


def _twins(shown: Event, *, beside: Event | None) -> list[dict[str, Any]]:
    twins = possible_duplicates(shown.name, shown.starts, shown.ends, beside=beside)
    return [{"id": twin.pk, "text": twin_text(twin)} for twin in twins]


def _rows(form: RegistrationForm, data: RegistrationData, now: datetime) -> dict[str, Any]:
    sections, begins = zip(form.sections.forms, data.sections, strict=True), readings().aoc_year_begins
    return {
        "deadline": registration_deadline(data, at=now),
        "section_rows": [(row, section_hints(data, section)) for row, section in sections],
        "arbiter_rows": [
            (row, arbiter_hints(data, arbiter, place=place, begins=begins))
            for place, (row, arbiter) in enumerate(zip(form.arbiters.forms, data.arbiters, strict=True))
        ],
    }


def _saved_by_other(event: Event, reader: User) -> str:
    last = event.history.select_related("history_user").first()
    if last is None:
        return gettext("Somebody else of the region saved this registration, after you opened it.")
    user = last.history_user
    if user == reader:
        who = gettext("You, in another window, saved this registration at %(time)s, after you opened it.")
    elif user and user.is_officer:
        who = gettext("The ratings officer saved this registration at %(time)s, after you opened it.")
    else:
        who = gettext("Somebody else of the region saved this registration at %(time)s, after you opened it.")
    return who % {"time": f"{timezone.localtime(last.history_date):%H:%M}"}


@login_required
@require_POST
def copy(request: HttpRequest, event: int) -> HttpResponse:
    """Create a draft from an event of the user's region."""
    own = _own(request, event)
    try:
        draft = operations.copy_event(own, at=timezone.now())
    except EventError as error:
        messages.error(request, gettext("Nothing was copied: %(problem)s.") % {"problem": error})
        return redirect("events:mine")
    with in_readers_style():
        days = formatting.days(draft.starts, draft.ends)
    message = gettext("A draft for %(days)s, the same weekdays. Check it and register it.")
    messages.success(request, message % {"days": days})
    return redirect("events:edit", draft.pk)
