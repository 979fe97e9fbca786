"""The page of the desk on which a request is read and answered: what it says on the left, the answer beside it."""

import json
from collections.abc import Callable
from typing import Any, ClassVar

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone

from accounts.permissions import acting_user
from accounts.trail.right_lost import right_lost
from config.lib.admin import AsShownAdmin
from config.lib.shown import is_shown
from events.claims import claim, claim_of, release
from events.models import Event


class AnswerPage(AsShownAdmin):
    """An admin page whose rows are answered on their own pages, by the actions of the list. `open_states`: those that wait.

    `answer_keys`: the keys of the actions in their order; `correctable`: the fields that can still be corrected by who asked.
    Who loses the right while writing, or comes after another's answer or a correction, gets the words back.
    """

    open_states: ClassVar[tuple[str, ...]] = ()
    answer_keys: ClassVar[str] = "ax"
    correctable: ClassVar[tuple[str, ...]] = ()
    change_form_template = "admin/events/answer.html"

    def get_urls(self) -> list[URLPattern]:
        """Add the answer to a row, and who has it open."""
        name = f"events_{self.opts.model_name}"
        return [
            path("<int:object_id>/answer/", self._answer_view, name=f"{name}_answer"),
            path("<int:object_id>/claim/", self.admin_site.admin_view(self._claim_view), name=f"{name}_claim"),
            *super().get_urls(),
        ]

    def waiting(self, request: HttpRequest) -> QuerySet[Any]:
        """Return the rows that wait, who waits longest first."""
        return self.get_queryset(request).filter(state__in=self.open_states).order_by("at", "pk")

    def why_not(self, request: HttpRequest, row: Any) -> str:
        """Return why the user leaves the answer to another; "" if the user may give it."""
        return ""

    def as_shown(self, row: Any) -> str:
        """Return what the page shows of a row that can be corrected or added to meanwhile, as the page carries it along."""
        files = [file.pk for file in row.attachments.order_by("pk")] if hasattr(row, "attachments") else []
        return json.dumps([[getattr(row, name) for name in self.correctable], files])

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show a request with its answer."""
        row = self.get_object(request, object_id)
        context = dict(extra_context or {})
        if row is not None:
            context |= self._answer_context(request, row)
        return super().change_view(request, object_id, form_url, context)

    def _answer_context(self, request: HttpRequest, row: Any) -> dict[str, Any]:
        choices = self._choices(request)
        later = Q(at__gt=row.at) | Q(at=row.at, pk__gt=row.pk)
        others = self.waiting(request).exclude(pk=row.pk)
        following = others.filter(later).first() or others.first() if choices else None
        event = _event_of(row)
        officer = acting_user(request).has_perm("events.change_event")
        holder = claim_of(row, at=timezone.now()) if choices else None
        return {
            "choices": [(name, words, key) for (name, words), key in zip(choices, self.answer_keys, strict=False)],
            "is_open": row.state in self.open_states,
            "why_not": self.why_not(request, row) if choices and row.state in self.open_states else "",
            "answer_address": self._address(row.pk, "answer"),
            "claim_address": self._address(row.pk, "claim"),
            "following": following and self._address(following.pk, "change"),
            "event_review": reverse("admin:events_event_review", args=[event.pk]) if event and officer else "",
            "shown": self.as_shown(row),
            "holder": holder,
            "is_own": holder is not None and holder.by == acting_user(request),
            "typed": request.POST.get("reason", ""),
        }

    def _choices(self, request: HttpRequest) -> list[tuple[str, str]]:
        """Return the answers that the user may give: names and words of the list's actions."""
        given = self.get_actions(request)
        found = [(name, given[name]) for name in map(str, self.actions or ()) if name in given]
        return [(name, str(action[2]).partition(" (")[0]) for name, action in found if action]

    def _address(self, key: int, page: str) -> str:
        return reverse(f"admin:events_{self.opts.model_name}_{page}", args=[key])

    def _answer_view(self, request: HttpRequest, object_id: int) -> HttpResponse:
        if request.method == "POST" and not (request.user.is_authenticated and self._choices(request)):
            typed = request.POST.get("reason", "")
            if typed or request.user.is_authenticated:
                return right_lost(request, [typed])
        answer: HttpResponse = self.admin_site.admin_view(self._for_deciders)(request, self._answer_row, object_id)
        return answer

    def _for_deciders(
        self, request: HttpRequest, view: Callable[[HttpRequest, int], HttpResponse], object_id: int
    ) -> HttpResponse:
        """Let in those who may answer; who only opens the address, after a log-in perhaps, gets the page of the row."""
        if not self._choices(request):
            raise PermissionDenied
        if request.method != "POST":
            return HttpResponseRedirect(self._address(object_id, "change"))
        return view(request, object_id)

    def _answer_row(self, request: HttpRequest, object_id: int) -> HttpResponse:
        """Answer by one of the actions; then lead to the next row that waits."""
        row = self._row(request, object_id)
        name = request.POST.get("do", "")
        if name not in dict(self._choices(request)):
            self.message_user(request, "Nothing was answered: choose an answer.", messages.ERROR)
            return self._unanswered(request, object_id)
        if not is_shown(request, self.as_shown(row)):
            changed = "Nothing was answered: it was corrected, or added to, meanwhile. Read it as it stands now."
            self.message_user(request, changed, messages.ERROR)
            return self._unanswered(request, object_id)
        following = self._answer_context(request, row)["following"]
        if action := self.get_actions(request)[name]:
            action[0](self, request, self.get_queryset(request).filter(pk=object_id))
        if getattr(request, "has_refused", False):
            return self._unanswered(request, object_id)
        row.refresh_from_db()
        if row.state in self.open_states:  # it is looked at, and answered later
            return HttpResponseRedirect(self._address(row.pk, "change"))
        release(row)
        if following is None:
            self.message_user(request, f"No other waits: {self.opts.verbose_name_plural}.", messages.INFO)
        return HttpResponseRedirect(following or reverse(f"admin:events_{self.opts.model_name}_changelist"))

    def _unanswered(self, request: HttpRequest, object_id: int) -> HttpResponse:
        """Show the page again, with what was typed. It is asked for as by GET, since nothing of it is a form of the admin."""
        typed = request.POST.get("reason", "")
        request.method = "GET"
        page = self.change_view(request, str(object_id), "", {})
        if isinstance(page, TemplateResponse) and page.context_data is not None:
            page.context_data["typed"] = typed
        page.status_code = 422
        return page

    def _claim_view(self, request: HttpRequest, object_id: int) -> HttpResponse:
        return self._for_deciders(request, self._claim, object_id)

    def _claim(self, request: HttpRequest, object_id: int) -> HttpResponse:
        """Note that the page is open here, or that it was left."""
        row, user = self._row(request, object_id), acting_user(request)
        if request.POST.get("do") == "leave":
            release(row, by=user)
        else:
            claim(row, at=timezone.now(), by=user)
        if request.headers.get("X-Requested-With") == "review":
            return HttpResponse(status=204)
        return HttpResponseRedirect(self._address(row.pk, "change"))

    def _row(self, request: HttpRequest, object_id: int) -> Any:
        row = self.get_queryset(request).filter(pk=object_id).first()
        if row is None:
            raise Http404("There is no such row, or it is another region’s.")
        return row


def _event_of(row: Any) -> Event | None:
    """Return the event that a request is about; None if it names none."""
    section = getattr(row, "section", None)
    refusal = getattr(row, "refusal", None)
    event = getattr(section or refusal or row, "event", None)
    return event if isinstance(event, Event) else None
