"""The pages of results from abroad: the request for a link, and the form, opened by link or by a region."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.login_throttle import origin
from accounts.models import User
from accounts.operations import AccountError, count_mail
from accounts.permissions import acting_user
from config.lib import formatting
from config.lib.parsing import parse_pk, whole_number
from events.abroad.fide_list import fill_from_list
from events.abroad.forms import AskForm, ChooseForm, ResultsForm, events_abroad, player_for
from events.abroad.links import MOST_TO_ADDRESS, VALID, is_expired, link_of, token_of
from events.abroad.mails import queue_link
from events.abroad.operations import Channel, check_results, is_late_now, is_on_file, late_abroad_text, submit_abroad
from events.abroad.words import said
from events.access import writable_regions
from events.appeals.links import appeal_token
from events.models import AbroadLink, Event
from events.operations import EventError, LateError, StaleError
from events.public.moves import event_moves
from events.rules.abroad import MOST_ROUNDS
from events.rules.deadlines import abroad_closes
from events.rules.sizes import LONGEST_REASON
from events.rules.states import ACCEPTED_OR_LATER, AWAITING_RESULTS, State
from events.timeline import event_timeline
from events.visibility import accepted_players
from events.wording import Hint, deadline_before, state_words, time_control_hints
from players.models import Player
from ratings.calculators.abroad import adjusted_texts, preview


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def abroad(request: HttpRequest) -> HttpResponse:
    """Show what results from abroad must hold; mail a link, or lead an administrator to the form for a player."""
    user = request.user if isinstance(request.user, User) and writable_regions(request.user).exists() else None
    choosing = request.method == "POST" and request.POST.get("do") == "choose" and user is not None
    data = request.POST if request.method == "POST" else None
    ask = AskForm(None if choosing else data, label_suffix="")
    choose = (
        ChooseForm(data if choosing else None, user=user, label_suffix="", initial=_chosen(request)) if user else None
    )
    sent: AskForm | ChooseForm = choose if choosing and choose else ask
    if data is not None and sent.is_valid():
        values = sent.cleaned_data
        if isinstance(sent, ChooseForm):
            address = reverse("events:abroad-for", args=[values["chosen"].number])
            return redirect(f"{address}?event={values['event'].pk}" if values["event"] else address)
        try:
            _mail_link(request, values)
            # The answer is the same for every number, so that it does not tell who is on the register.
            return redirect("events:abroad-sent")
        except AccountError as error:
            sent.add_error("email", str(error))
    for form in (ask, choose) if choose else (ask,):
        form.describe()
    context = {"here": "events", "ask": ask, "choose": choose, "sent": sent, "days": VALID.days}
    return render(request, "events/abroad/start.html", context, status=200 if data is None else 422)


def _mail_link(request: HttpRequest, values: dict[str, Any]) -> None:
    address = values["email"]
    count_mail(address, origin(request), at=timezone.now(), purpose="abroad", most=MOST_TO_ADDRESS)
    # Hazard: do not look up the player here; neither the answer nor its time may reveal whose address is on record.
    queue_link(values["number"], address, AbroadLink.Sender(values["sender"]))


def _chosen(request: HttpRequest) -> dict[str, Any]:
    event = _open_event(request) if request.GET.get("event") else None
    if event is None:
        return {}
    numbers = list(event.sections.filter(entries__isnull=False).values_list("entries__player__number", flat=True)[:2])
    return {"event": event.pk, "chosen": numbers[0] if len(numbers) == 1 else ""}


def _open_event(request: HttpRequest) -> Event:
    """Return the event named in the address. One that is closed meanwhile is reported when the form is sent."""
    if not isinstance(request.user, User):
        raise Http404("There is no such event.")
    return get_object_or_404(
        events_abroad(request.user, still_open=request.method != "POST"), pk=parse_pk(request.GET["event"])
    )


@require_safe
def abroad_sent(request: HttpRequest) -> HttpResponse:
    """Show that the link is mailed if there is such a player."""
    return render(request, "events/abroad/sent.html", {"here": "events", "days": VALID.days})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def abroad_link(request: HttpRequest, token: str) -> HttpResponse:
    """Show the form of a mailed link, or the state of the event once its results are sent in."""
    link, now = link_of(token), timezone.now()
    expired = link is not None and is_expired(link, at=now)
    if link is None or (expired and request.method != "POST"):
        return not_open(request, expired=expired)
    if expired:
        # Hazard: without its player: who had his address must not learn what he is called now.
        return _Page(request, Player(), Channel(link=link), now).refuse(expired_text())
    if link.event is None or link.event.state in AWAITING_RESULTS:
        return _Page(request, link.player, Channel(link=link, event=link.event), now).answer()
    if request.method == "POST":
        return _Page(request, link.player, Channel(link=link, event=link.event), now).answer_used(link.event)
    return _progress(request, link, link.event)


def not_open(request: HttpRequest, *, expired: bool) -> HttpResponse:
    """Answer 404: the link is none, or opens no more."""
    context = {"here": "events", "expired": expired, "days": VALID.days}
    return render(request, "events/abroad/expired.html", context, status=404)


def expired_text() -> str:
    """Return why a form is not sent in whose link expired while it was typed."""
    text = gettext(
        "A link holds for %(days)s days, and while its address is on record for the player: this one opens no more."
    )
    return text % {"days": VALID.days}


def _progress(request: HttpRequest, link: AbroadLink, event: Event) -> HttpResponse:
    state = State(event.state)
    steps = event_timeline(
        state, event.starts, event.ends, event_moves(event.pk), today=timezone.localdate(), abroad=True
    )
    refused = event.refusals.filter(section=None, lifted_at=None).first()
    context = {
        "here": "events",
        "event": event,
        "appeal": reverse("events:appeal-link", args=[appeal_token(refused)]) if refused else "",
        "player": link.player,
        "days": formatting.days(event.starts, event.ends),
        "sentence": state_words(state).sentence,
        "public": state in ACCEPTED_OR_LATER,
        "steps": steps,
    }
    return render(request, "events/abroad/state.html", context)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def abroad_for(request: HttpRequest, number: str) -> HttpResponse:
    """Show the form for a player of the user's region; `event` in the address is the one that it fills or corrects."""
    user = acting_user(request)
    if not writable_regions(user).exists():
        raise PermissionDenied
    player = player_for(user, number)
    if player is None:
        raise Http404("Nobody of your region has this number.")
    event = _open_event(request) if request.GET.get("event") else None
    return _Page(request, player, Channel(by=user, event=event), timezone.now()).answer()


@dataclass
class _Page:
    """The page of the form, opened through a channel."""

    request: HttpRequest
    player: Player
    channel: Channel
    now: datetime
    filled: str = ""  # what was filled in from FIDE's list

    def answer(self) -> HttpResponse:
        """Show the form, preview what was entered, or send it in."""
        if self.request.method != "POST":
            return self._show(ResultsForm(self.player, self.channel.event))
        data, action = self.request.POST.copy(), self.request.POST.get("do", "look")
        if action == "add":
            _add_round(data)
        form = ResultsForm(self.player, self.channel.event, data)
        if action != "send":  # what is sent in was seen before
            self.filled = fill_from_list(data, form.entered())
            if self.filled:
                form = ResultsForm(self.player, self.channel.event, data)
        valid = form.is_valid(at=self.now)
        if action == "add":
            return self._show(form, quiet=True)
        if not valid:
            return self._show(form, code=422)
        if action != "send":
            return self._show(form, looked=True)
        return self._send(form)

    def answer_used(self, event: Event) -> HttpResponse:
        """Answer a form that was sent after the event's results by the same link: what it says now is not sent in."""
        form = ResultsForm(self.player, None, self.request.POST)
        is_sent = self.request.POST.get("do") == "send" and form.is_valid(at=self.now)
        if is_sent and is_on_file(event, self.player, form.results()):  # sent twice, by a double click
            return redirect(self.request.path)
        text = gettext(
            "By this link the results of %(event)s were sent in before, and it is for one event. To correct them, ask the"
            " bureau to return them."
        )
        return self.refuse(text % {"event": event.name})

    def refuse(self, why: str) -> HttpResponse:
        """Show what was typed, and why nothing of it is sent in."""
        data = self.request.POST.copy()
        if data.get("do") == "add":
            _add_round(data)
        form = ResultsForm(self.player, None, data)
        form.entered()
        self.channel = replace(self.channel, event=None)
        return self._show(form, quiet=True, closed=why, code=409)

    def _send(self, form: ResultsForm) -> HttpResponse:
        channel = Channel(self.channel.by, self.channel.link, self.channel.event, form.head.value("version") or 0)
        reason = reason_of(self.request)
        try:
            event = submit_abroad(self.player, form.results(), at=self.now, channel=channel, reason=reason)
        except LateError as error:
            return self._show(form, looked=True, reason_error=str(error), code=422)
        except StaleError as error:
            text = gettext("%(problem)s. Load the page again to see it; nothing of theirs is overwritten.") % {
                "problem": error
            }
            return self._show(form, general=text, code=409)
        except EventError as error:
            return self._show(form, general=str(error), code=422)
        if channel.link:
            return redirect(self.request.path)
        messages.success(
            self.request,
            gettext("The results of %(player)s are with the ratings officer.") % {"player": self.player.name},
        )
        return redirect("events:event", event.pk)

    def _team(self) -> str:
        """Return the address of the form for a whole team; "" where one player alone can be meant."""
        link = self.channel.link
        if self.channel.event:
            return ""
        if link is None:
            return reverse("events:abroad-team")
        beside = accepted_players().filter(email=link.address).exclude(pk=link.player_id)
        return reverse("events:abroad-team-link", args=[token_of(link)]) if beside.exists() else ""

    def _show(
        self,
        form: ResultsForm,
        *,
        looked: bool = False,
        quiet: bool = False,
        general: str = "",
        reason_error: str = "",
        closed: str = "",
        code: int = 200,
    ) -> HttpResponse:
        bound = form.head.is_bound and not quiet
        problems = form.problems() if bound else []
        if general:
            problems.insert(0, ("", formatting.sentence(general)))
        if reason_error:
            problems.append(("id_reason", reason_error))
        if quiet:
            for part in form.parts:
                part.errors.clear()
        results = form.results()
        late = bool(results.ends) and is_late_now(self.player, results, self.channel.event, at=self.now)
        texts = adjusted_texts(results, today=timezone.localdate(self.now))
        event, facts = self.channel.event, list[Hint]()
        if results.base is not None and results.ends is not None:
            facts = time_control_hints(results.base, results.increment, results.ends)
        context = {
            "here": "events",
            "player": self.player,
            "by_link": self.channel.link,
            "team": "" if closed else self._team(),
            "event": event,
            "returned": _returned(event),
            "form": form,
            "rows": [(row, texts.get(row.round, "")) for row in form.games.forms],
            "full": len(form.games.forms) >= MOST_ROUNDS,
            "most": MOST_ROUNDS,
            "facts": facts,
            "deadline": deadline_before(abroad_closes(results.ends), "10", at=self.now) if results.ends else None,
            "problems": problems,
            "closed": closed,
            "late": late_abroad_text(results) if late else "",
            "reason": reason_of(self.request),
            "reason_error": reason_error,
            "looked": looked,
            "filled": self.filled,
            "preview": preview(self.player.number, results) if looked else None,
            "findings": [(said(row), row.article) for row in check_results(self.player, results, event=event)]
            if looked
            else [],
            "sent_from": self.request.get_full_path(),
        }
        return render(self.request, "events/abroad/form.html", context, status=code)


def reason_of(request: HttpRequest) -> str:
    """Return why results come late, as it was typed."""
    return request.POST.get("reason", "").replace("\0", "")[:LONGEST_REASON]


def _add_round(data: QueryDict) -> None:
    count = whole_number(data.get("game-TOTAL_FORMS") or "", digits=3) or 0
    data["game-TOTAL_FORMS"] = str(min(count + 1, MOST_ROUNDS))


def _returned(event: Event | None) -> str:
    if event is None or event.state != State.RETURNED:
        return ""
    move = event.moves.filter(target=State.RETURNED).last()
    return move.reason if move else ""
