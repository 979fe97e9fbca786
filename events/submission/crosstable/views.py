"""The page on which a section's results are entered or corrected by hand."""

import json

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.models import User
from accounts.permissions import acting_user
from config.lib.forms import plain_data
from config.lib.names import unseen
from events.access import visible_events, writable_regions
from events.files.crosstable import FORFEITED, MIRROR, read_cell
from events.models import Format, Section
from events.operations import EventError
from events.rules.states import AWAITING_RESULTS
from events.rules.tournament import Tournament
from events.submission.crosstable import document
from events.submission.crosstable.posted import CYCLES, change_table, sent_numbers
from events.submission.crosstable.sheet import Sheet, opened_sheet, sent_sheet
from events.submission.tasks import check_or_wake
from events.submission.words import line_shown
from events.wording import state_name

_WORTH = {text: result.points for text in MIRROR if (result := read_cell(f"1w{text}"))}
_BYE_TEXTS = ("bye", "bye1", "bye½", "-", "bye0", "u", "f", "h", "z")
_BYES = {text: result.points for text in _BYE_TEXTS if (result := read_cell(text))}
# for the script of the page, so that texts and points of results are defined once
SPELLINGS = json.dumps({"mirror": MIRROR, "worth": _WORTH, "byes": _BYES, "forfeits": FORFEITED})


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def by_hand(request: HttpRequest, event: int, section: int) -> HttpResponse:
    """Show and keep the players and the crosstable of a section, as a file that is checked like an uploaded one."""
    user = acting_user(request)
    own_event = get_object_or_404(visible_events(user).select_related("region"), pk=event)
    part = get_object_or_404(Section.objects.select_related("event"), pk=section, event=own_event)
    if not writable_regions(user).filter(pk=own_event.region_id).exists():
        raise PermissionDenied
    if request.method == "POST":
        return _sent(request, part, user)
    if own_event.state not in AWAITING_RESULTS:
        text = gettext("%(event)s is %(state)s: its results are no longer changed here.")
        messages.info(request, text % {"event": own_event.name, "state": state_name(own_event.state)})
        return redirect("events:results", own_event.pk)
    source = document.source_of(part)
    try:
        tournament = document.opened(part, source)
    except document.TooLargeError as error:
        return _page(request, part, source, None, large=str(error))
    return _page(request, part, source, opened_sheet(part, tournament), tournament=tournament)


def _sent(request: HttpRequest, section: Section, user: User) -> HttpResponse:
    data, now = plain_data(request.POST), timezone.now()
    source = document.source_named(section, data.get("base", ""))
    try:
        tournament = document.opened(section, source)
    except document.TooLargeError as error:
        return _page(request, section, source, None, large=str(error), code=422)
    action = data.get("do", "look")
    try:
        focus = change_table(section, data, action)
    except ValueError as error:
        sheet = sent_sheet(tournament, data)
        problem = (_WHERE.get(action, ""), str(error))
        return _page(request, section, source, sheet, tournament=tournament, data=data, problems=[problem], code=422)
    sheet = sent_sheet(tournament, data)
    if focus:
        return _page(request, section, source, sheet, tournament=tournament, data=data, focus=focus)
    if not sheet.is_valid():
        return _page(request, section, source, sheet, tournament=tournament, data=data, code=422)
    if numbers := [number for number in sent_numbers(data) if unseen(request.POST.get(f"p{number}-name", "").strip())]:
        text = gettext("Characters that cannot be seen were left out of the names with the numbers %(numbers)s.")
        messages.warning(request, text % {"numbers": ", ".join(map(str, numbers))})
    if action not in ("keep", "replace"):
        return _page(request, section, source, sheet, tournament=tournament, data=data, looked=True)
    entered = document.assembled(tournament, sheet.players(), sheet.played_on(), sheet.pairings)
    expected = {data.get("base", ""), *([data.get("over", "")] if action == "replace" else [])}
    try:
        upload = document.store(section, source, entered, before=tournament, expected=expected, at=now, by=user)
    except document.SupersededError:
        return _page(request, section, source, sheet, tournament=tournament, data=data, newer=True, code=409)
    except EventError as error:
        return _page(
            request, section, source, sheet, tournament=tournament, data=data, problems=[("", str(error))], code=409
        )
    if upload is None:
        messages.info(request, gettext("Nothing was changed: %(file)s stays as it is.") % {"file": source.name})
    else:
        check_or_wake(upload, at=now)
        text = gettext("The results are kept and checked, as the file “%(file)s”. Nothing is submitted yet.")
        messages.success(request, text % {"file": upload.name})
        for sentence in document.left_out(entered):
            messages.warning(request, sentence)
    return redirect(f"{reverse('events:results', args=[section.event_id])}#section-{section.pk}")


_WHERE = {"remove-player": "id_gone", "pair": "crosstable", "add-players": "players", "add-round": "crosstable"}


def _page(
    request: HttpRequest,
    section: Section,
    source: document.Source,
    sheet: Sheet | None,
    *,
    tournament: Tournament | None = None,
    data: QueryDict | None = None,
    problems: list[tuple[str, str]] | None = None,
    large: str = "",
    focus: str = "",
    newer: bool = False,
    looked: bool = False,
    code: int = 200,
) -> HttpResponse:
    current = document.source_of(section) if newer else document.Source()
    for row in sheet.rows if sheet else []:
        if focus == f"{row.prefix}-name":
            row.fields["name"].widget.attrs["autofocus"] = True
    context = {
        "here": "events",
        "event": section.event,
        "section": section,
        "source": source,
        "sheet": sheet,
        "unread": [line_shown(finding.as_line) for finding in tournament.errors] if tournament and data is None else [],
        "large": large,
        "focus": focus,
        "looked": looked,
        "newer": _said_by_other(current) if newer else "",
        "over": current.token,
        "gone": data.get("gone", "") if data else "",
        "problems": [*(problems or []), *(sheet.problems() if sheet else [])],
        "robin": Format(section.format) in CYCLES,
        "spellings": SPELLINGS,
        "counts": _counts(),
    }
    return render(request, "events/submission/by_hand.html", context, status=code)


def _said_by_other(current: document.Source) -> str:
    if current.at is None:
        return gettext("The file that you opened was taken away meanwhile.")
    by = current.by
    if by and by.is_officer:
        text = gettext("The ratings officer brought %(file)s at %(time)s, after you opened this page.")
    else:
        text = gettext("Somebody of the region brought %(file)s at %(time)s, after you opened this page.")
    return text % {"file": current.name, "time": f"{timezone.localtime(current.at):%H:%M}"}


def _counts() -> str:
    """Return the counts of the page's script in the reader's language, for one and for many."""
    return json.dumps(
        {
            "games": [ngettext("%(count)s game", "%(count)s games", number) for number in (1, 2)],
            "forfeits": [ngettext("%(count)s forfeit", "%(count)s forfeits", number) for number in (1, 2)],
            "missing": [gettext("%(count)s without a result yet")] * 2,
            "clashes": [
                ngettext(
                    "%(count)s cell does not agree with the opponent’s",
                    "%(count)s cells do not agree with the opponent’s",
                    number,
                )
                for number in (1, 2)
            ],
        }
    )
