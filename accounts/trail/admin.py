"""Admin page of the trail: read only, with filters, and all that is chosen as CSV."""

import csv
import io
from collections.abc import Iterator
from typing import Any

from django.contrib import admin
from django.contrib.admin.options import IncorrectLookupParameters
from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.http import HttpRequest, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from accounts.models import Decision
from config.lib import spreadsheets
from config.lib.admin import never

_COLUMNS = ("time", "who", "as", "action", "on what", "key", "part of", "before", "after", "reason")


class AboutFilter(admin.SimpleListFilter):
    """Decisions on one row and on its parts, by the row's key."""

    title = "object"
    parameter_name = "about"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Offer the row that is asked for, under the name that it bore last."""
        key = request.GET.get(self.parameter_name, "")
        if not key:
            return []
        last = Decision.objects.filter(subject=key).first()
        return [(key, last.subject_name if last else key)]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Decision]) -> QuerySet[Decision]:
        """Return what was decided on the row or a part of it."""
        key = self.value()
        return queryset.filter(Q(subject=key) | Q(part_of=key)) if key else queryset


class TextFilter(admin.SimpleListFilter):
    """A filter by what is typed into a field."""

    template = "admin/accounts/decision/text_filter.html"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Return what stands for the field: Django shows no filter without a choice."""
        return [("", "")]

    def choices(self, changelist: Any) -> Any:
        """Yield what the field needs: its text, the other filters, and the way back to all."""
        others = [
            (name, text)
            for name, texts in changelist.filter_params.items()
            if name != self.parameter_name
            for text in texts
        ]
        if changelist.query:
            others.append(("q", changelist.query))
        without = changelist.get_query_string(remove=[self.parameter_name])
        yield {"name": self.parameter_name, "text": self.value() or "", "others": others, "without": without}


class PersonFilter(TextFilter):
    """Decisions of a person, by a part of the name or address."""

    title = "person"
    parameter_name = "person"

    def queryset(self, request: HttpRequest, queryset: QuerySet[Decision]) -> QuerySet[Decision]:
        """Return the decisions of those who are called so."""
        text = self.value()
        return queryset.filter(actor_name__icontains=text) if text else queryset


class NamedFilter(TextFilter):
    """Decisions on rows of a kind, and on their parts, by a part of the name that a row bore. `kind`: label of the model;
    decisions on rows of the models `beside` have the name in theirs."""

    kind = ""
    beside: tuple[str, ...] = ()

    def queryset(self, request: HttpRequest, queryset: QuerySet[Decision]) -> QuerySet[Decision]:
        """Return what was decided on rows that are or were called so."""
        text = self.value()
        if not text:
            return queryset
        named = Decision.objects.filter(subject__startswith=f"{self.kind} ", subject_name__icontains=text)
        keys = named.order_by().values("subject")
        found = Q(subject__in=keys) | Q(part_of__in=keys)
        for model in self.beside:
            found |= Q(subject__startswith=f"{model} ", subject_name__icontains=text)
        return queryset.filter(found)


class EventFilter(NamedFilter):
    """Decisions on an event and its parts."""

    title = "event"
    parameter_name = "event"
    kind = "events.event"


class PlayerFilter(NamedFilter):
    """Decisions on a player, on his penalties and on reports of errors that name him."""

    title = "player"
    parameter_name = "player"
    kind = "players.player"
    beside = ("events.penalty", "events.errorreport", "ratings.merge")


class RoleFilter(admin.AllValuesFieldListFilter):
    """Decisions of those who acted in a role."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.title = "role"


@admin.register(Decision)
class DecisionAdmin(admin.ModelAdmin):
    """The trail: who decided what, as what, when and why. Nothing of it can be changed or deleted."""

    list_display = ("at", "who", "what", "details")
    list_filter = (AboutFilter, PersonFilter, EventFilter, PlayerFilter, "action", ("actor_role", RoleFilter))
    search_fields = ("actor_name", "subject_name", "reason")
    date_hierarchy = "at"
    fields = ("at", "actor_name", "actor_role", "action", "subject_name", "difference", "reason")
    readonly_fields = fields
    change_list_template = "admin/accounts/decision/change_list.html"
    has_add_permission = has_change_permission = has_delete_permission = never

    @admin.display(description="who, as what", ordering="actor_name")
    def who(self, decision: Decision) -> SafeString:
        """Return name and role."""
        return format_html('{}<div class="help">{}</div>', decision.actor_name, decision.actor_role)

    @admin.display(description="decision", ordering="action")
    def what(self, decision: Decision) -> SafeString:
        """Return the action, and on what."""
        return format_html("{}<div>{}</div>", decision.action, decision.subject_name)

    @admin.display(description="before → after, reason")
    def details(self, decision: Decision) -> SafeString:
        """Return each field that was changed, before and after, and the reason."""
        return self.difference(decision) + format_html_join(
            "", "<div>{}</div>", [(decision.reason,)] if decision.reason else []
        )

    @admin.display(description="before → after")
    def difference(self, decision: Decision) -> SafeString:
        """Return each field that was changed, before and after."""
        return format_html_join("", "<div>{}: {} → {}</div>", _differences(decision))

    def get_urls(self) -> list[URLPattern]:
        """Add the address of the CSV."""
        return [
            path("csv/", self.admin_site.admin_view(self.csv_view), name="accounts_decision_csv"),
            *super().get_urls(),
        ]

    def csv_view(self, request: HttpRequest) -> HttpResponseBase:
        """Return the decisions that the page's filters choose, latest first. Raises PermissionDenied.

        A filter that cannot be meant leads back to the page, as on the page itself.
        """
        if not self.has_view_permission(request):
            raise PermissionDenied
        try:
            chosen = self.get_changelist_instance(request).get_queryset(request)
        except (IncorrectLookupParameters, OverflowError):
            return redirect("admin:accounts_decision_changelist")
        answer = StreamingHttpResponse(_csv(chosen), content_type="text/csv; charset=utf-8")
        answer["Content-Disposition"] = 'attachment; filename="decisions.csv"'
        return answer


def _differences(decision: Decision) -> list[tuple[str, str, str]]:
    labels = [*decision.before, *(label for label in decision.after if label not in decision.before)]
    return [(label, decision.before.get(label) or "–", decision.after.get(label) or "–") for label in labels]


def _csv(decisions: QuerySet[Decision]) -> Iterator[str]:
    buffer = io.StringIO()
    writer = csv.writer(buffer)

    def line(cells: Any) -> str:
        buffer.seek(0)
        buffer.truncate()
        writer.writerow([spreadsheets.cell(text) for text in cells])
        return buffer.getvalue()

    yield "\ufeff" + line(_COLUMNS)
    for decision in decisions.iterator(chunk_size=1000):
        yield line(
            (
                timezone.localtime(decision.at).isoformat(timespec="seconds"),
                decision.actor_name,
                decision.actor_role,
                decision.action,
                decision.subject_name,
                decision.subject,
                decision.part_of,
                "; ".join(f"{label}: {text}" for label, text in decision.before.items()),
                "; ".join(f"{label}: {text}" for label, text in decision.after.items()),
                decision.reason,
            )
        )
