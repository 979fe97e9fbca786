"""Base classes of the apps' admin pages."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from typing import Any, ClassVar

from django.contrib import admin, messages
from django.contrib.admin import SimpleListFilter
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME, ActionForm
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.db.models import Model, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from simple_history.admin import SimpleHistoryAdmin
from simple_history.models import DeletedObject, ModelChange, ModelDelta
from simple_history.template_utils import HistoricalRecordContextHelper

from config.lib import formatting
from config.lib.forms import PlainTextField
from config.lib.shown import is_shown, row_version


def never(*args: object, **options: object) -> bool:
    """Return False: as a class's `has_add_permission` or the like, it refuses this to every user."""
    return False


DELETING = "delete_selected"  # which has a limit of its own
MOST_CHOSEN = 500  # rows that an action is done to at once


class AsShownAdmin(admin.ModelAdmin):
    """A list whose actions, the deletion too, do nothing to a row that was changed since the list showed it.

    `watched`: the fields whose change counts; without any, all; `watched_beside`: further values of the list's rows. Hazard:
    what the row's own user, or a worker, changes all the time would keep it from ever being acted on.
    """

    watched: ClassVar[tuple[str, ...]] = ()
    watched_beside: ClassVar[tuple[str, ...]] = ()

    def action_checkbox(self, obj: Model) -> SafeString:
        """Return the box by which a row is chosen, which carries along what is shown of it."""
        return format_html("{}{}", super().action_checkbox(obj), self.carried(obj))

    def response_action(self, request: HttpRequest, queryset: QuerySet[Any], *place: Any) -> HttpResponse | None:
        """Do what was asked for, unless one of the rows was changed since it was shown, or they are too many for a request."""
        across = request.POST.get("select_across") == "1" and request.POST.get("action") != DELETING
        if across and (count := queryset.count()) > MOST_CHOSEN:
            message = f"Nothing was done: {count} are chosen, and at most {MOST_CHOSEN} at once can be. Narrow the list first."
            self.message_user(request, message, messages.ERROR)
            return HttpResponseRedirect(request.get_full_path())
        chosen = queryset.filter(pk__in=request.POST.getlist(ACTION_CHECKBOX_NAME))
        if changed := next((row for row in chosen if not self.is_as_shown(request, row)), None):
            message = f"Nothing was done: {changed} was changed by another meanwhile. The list shows it as it is now."
            self.message_user(request, message, messages.ERROR)
            return HttpResponseRedirect(request.get_full_path())
        return super().response_action(request, queryset, *place)

    def carried(self, row: Model) -> SafeString:
        """Return a hidden field with what a page shows of a row."""
        return format_html('<input type="hidden" name="shown-{}" value="{}">', row.pk, self._version(row))

    def is_as_shown(self, request: HttpRequest, row: Model) -> bool:
        """Return whether a row is as the page showed it that was sent (`carried`); so is one of which it carries nothing."""
        return is_shown(request, self._version(row), f"shown-{row.pk}")

    def _version(self, row: Model) -> str:
        return row_version(row, self.watched, self.watched_beside)


class ShownAdmin(AsShownAdmin):
    """An admin page whose rows only operations change: a row is shown, and its page is not saved.

    Hazard: Django saves a page without a field like any other, and so writes the whole row as it was read, over what a worker
    or another user has written since.
    """

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Show the rows under their name: Django's title says that one is selected to be changed."""
        title = formatting.sentence(str(self.opts.verbose_name_plural))
        answer: HttpResponse = super().changelist_view(request, {"title": title, **(extra_context or {})})
        return answer

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show a row without the buttons to save it, or the page to add one. Raises PermissionDenied if a row is sent back."""
        if object_id is not None:
            if request.method == "POST":
                raise PermissionDenied
            buttons = ("show_save", "show_save_and_continue", "show_save_and_add_another")
            title = f"View {self.opts.verbose_name}"
            extra_context = {"title": title, **(extra_context or {}), **dict.fromkeys(buttons, False)}
        answer: HttpResponse = super().changeform_view(request, object_id, form_url, extra_context)
        return answer


class _HistoryWords(HistoricalRecordContextHelper):
    """The changes of one version in words: without the columns that only the software reads."""

    _LEFT_OUT = frozenset({"folded_name", "version"})

    def context_for_delta_changes(self, delta: ModelDelta) -> list[dict[str, Any]]:
        """Return field, old and new value of each change."""
        shown = [change for change in delta.changes if change.field not in self._LEFT_OUT]
        changes: list[dict[str, Any]] = super().context_for_delta_changes(replace(delta, changes=shown))
        return changes

    def prepare_delta_change_value(self, change: ModelChange, value: Any) -> Any:
        """Return a value as it is shown: a dash for none, and words for a row that is gone."""
        if isinstance(value, DeletedObject):
            name = value.model._meta.verbose_name
            return "–" if value.pk is None else f"{name} {value.pk}, which is no longer there"
        if isinstance(value, bool):
            return "yes" if value else "no"
        return "–" if value in (None, "") else super().prepare_delta_change_value(change, value)


class RecordedAdmin(SimpleHistoryAdmin):
    """An admin page with the history of every change. Old versions cannot be restored: that would bypass the operations."""

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show the changes of a row. Raises Http404 if the user may not see it."""
        self._guard(request, object_id)
        answer: HttpResponse = super().history_view(request, object_id, extra_context)
        return answer

    def history_form_view(
        self, request: HttpRequest, object_id: str, version_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show an old version. Raises PermissionDenied for POST, which would restore it, and Http404."""
        if request.method == "POST":
            raise PermissionDenied
        self._guard(request, object_id)
        answer: HttpResponse = super().history_form_view(request, object_id, version_id, extra_context)
        return answer

    def get_historical_record_context_helper(self, request: HttpRequest, historical_record: Any) -> _HistoryWords:
        """Return what writes the changes of a version."""
        return _HistoryWords(self.model, historical_record)

    def _guard(self, request: HttpRequest, object_id: str) -> None:
        # django-simple-history ignores `get_queryset`. A deleted row is shown only to users with the right to change.
        if self.get_object(request, unquote(object_id)) is None and not self.has_change_permission(request):
            raise Http404("There is no such row, or it is another region’s.")


def waiting_filter(**sets: tuple[str, Callable[[date], QuerySet[Any]]]) -> type[SimpleListFilter]:
    """Return a filter of a list by what waits for the bureau. `sets`: choice → its words, and its rows on a day."""

    class WaitingFilter(SimpleListFilter):
        """What waits for the bureau, by the query set that the desk's tray counts."""

        title = "what waits"
        parameter_name = "waiting"

        def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
            """Return the choices besides all rows."""
            return [(choice, words) for choice, (words, _) in sets.items()]

        def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
            """Return the rows that wait today. Raises IncorrectLookupParameters for another choice than those."""
            choice = self.value()
            if choice is None:
                return queryset
            if choice not in sets:
                raise IncorrectLookupParameters(choice)
            return queryset.filter(pk__in=sets[choice][1](timezone.localdate()).values("pk"))

    return WaitingFilter


def state_filter(name: str, parameter: str, **states: tuple[str, Q]) -> type[SimpleListFilter]:
    """Return a filter of a list, called `name`, by the state of its rows. `states`: choice → its words, and which rows."""

    class StateFilter(SimpleListFilter):
        """The state of the rows, in the words of the list."""

        title = name
        parameter_name = parameter

        def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
            """Return the choices besides all rows."""
            return [(choice, words) for choice, (words, _) in states.items()]

        def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
            """Return the rows in the state. Raises IncorrectLookupParameters for another choice than those."""
            choice = self.value()
            if choice is None:
                return queryset
            if choice not in states:
                raise IncorrectLookupParameters(choice)
            return queryset.filter(states[choice][1])

    return StateFilter


class ReasonForm(ActionForm):
    """The form of an admin action, with a field for the reason."""

    reason = PlainTextField(required=False, label="Reason", max_length=500)
