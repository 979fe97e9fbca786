"""Admin pages whose changes are put on the trail, with what stood there before and after."""

import logging
import re
from collections.abc import Collection, Iterable
from typing import Any, ClassVar

from django import forms
from django.contrib import messages
from django.contrib.admin.actions import delete_selected
from django.contrib.admin.utils import NestedObjects, unquote
from django.db import IntegrityError, models, router, transaction
from django.db.models import Model, Q, QuerySet
from django.db.models.fields.reverse_related import ForeignObjectRel
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html_join
from django.utils.http import urlencode

from accounts.permissions import acting_user
from accounts.trail.meanwhile import MeanwhileMixin, is_changed_meanwhile, noticing, noticing_rows
from accounts.trail.operations import key_of, record
from accounts.trail.right_lost import right_lost
from accounts.trail.values import choice_text, value_text
from config.lib import formatting
from config.lib.admin import AsShownAdmin
from config.lib.forms import LineField, MailAddressField, PageAddressField, PlainTextField, ShownErrors
from config.lib.texts import plain_text
from config.messages import forget_queued

REASON = "reason_for_change"
HIDDEN = "(hidden)"
MOST_DELETED = 100  # rows at once, with a confirmation that lists all that goes with them
_MOST_NAMED = 5  # rows of a kind that keep others from being deleted

log = logging.getLogger(__name__)


class ChangeReasonForm(MeanwhileMixin):
    """A form of the admin that asks for the reason when a row is changed, not when it is added; and notices what was changed
    meanwhile."""

    reason_for_change = PlainTextField(
        label="Reason for the change", max_length=500, help_text="It stands on the trail, beside what you change."
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        if self.instance.pk is None:
            del self.fields[REASON]


class DeletionForm(ShownErrors, forms.Form):
    """The reason for a deletion."""

    reason_for_change = PlainTextField(
        label="Reason for the deletion", max_length=500, help_text="It stands on the trail, beside what is deleted."
    )


class TrailAdmin(AsShownAdmin):
    """An admin page whose additions, changes and deletions are put on the trail.

    What another user changed on it since it was opened, the rows of its tables included, is not overwritten (`meanwhile`).
    A deletion needs a reason; with a `form` that is a ChangeReasonForm, a change, too. `hidden_on_trail`: fields of the row
    whose values not all readers of the trail may see; that they were changed stands there, and what stood there in the row's
    own history. Characters that cannot be seen are refused in a line and left out of a text.
    """

    hidden_on_trail: tuple[str, ...] = ()
    formfield_overrides: ClassVar = {
        models.CharField: {"form_class": LineField},
        models.TextField: {"form_class": PlainTextField},
        models.SlugField: {},  # which is a CharField, with a form field of its own
        models.EmailField: {"form_class": MailAddressField},
        # Not the widget of Django's desk, which shows the address a second time, as it was typed.
        models.URLField: {"form_class": PageAddressField, "widget": forms.URLInput(attrs={"class": "vURLField"})},
    }
    delete_confirmation_template = "admin/delete_with_reason.html"
    delete_selected_confirmation_template = "admin/delete_selected_with_reason.html"

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.form = noticing(self.form)

    def get_inline_instances(self, request: HttpRequest, obj: Any = None) -> Any:
        """Return the tables of the page, each with forms that notice what was changed meanwhile."""
        inlines = super().get_inline_instances(request, obj)
        for inline in inlines:
            inline.form, inline.formset = noticing(inline.form), noticing_rows(inline.formset)
        return inlines

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> Any:
        """Add or change a row; what another user added at the same moment is found by the form when it looks again, or said in
        words where that does not look for it."""
        try:
            return super().changeform_view(request, object_id, form_url, extra_context)
        except IntegrityError:
            forget_queued(request)
        try:
            return super().changeform_view(request, object_id, form_url, extra_context)
        except IntegrityError as error:
            forget_queued(request)
            # Its first line names the constraint, the others quote the row.
            log.warning("a form of the desk was refused by the database: %s", str(error).partition("\n")[0])
        message = (
            "Nothing was saved: a row like one of these is on record, or was added meanwhile. Here it is as it is now."
        )
        self.message_user(request, message, messages.ERROR)
        return HttpResponseRedirect(request.get_full_path())

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Ask for the reason, and delete; what another made of it at the same moment is found when it looks again."""
        try:
            return self._delete_as_shown(request, object_id, extra_context)
        except IntegrityError:
            forget_queued(request)
            return self._delete_as_shown(request, object_id, extra_context)

    @transaction.atomic
    def _delete_as_shown(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None
    ) -> HttpResponse:
        row = self.get_object(request, unquote(object_id))
        if row is not None and request.method == "POST":
            # Who erases his data is waited for: what is put on the trail is read after it.
            self.model._base_manager.select_for_update(of=("self",)).filter(pk=row.pk).first()
            row = self.get_object(request, unquote(object_id))
        if row is not None and self.has_delete_permission(request, row):
            if self._lacks_reason(request):
                return HttpResponseRedirect(request.get_full_path())
            if not self.is_as_shown(request, row):
                message = f"Nothing was deleted: {row} was changed by another meanwhile. Here it is as it is now."
                self.message_user(request, message, messages.ERROR)
                return HttpResponseRedirect(request.get_full_path())
        context = {**(extra_context or {}), "reason_form": DeletionForm(), "carried": row and self.carried(row)}
        return super().delete_view(request, object_id, context)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show or change a row; who lost the right to change it while he wrote gets his words back."""
        if request.method == "POST":
            row = self.get_object(request, unquote(object_id))
            if not self.has_change_permission(request, row):
                closed = "" if row is None else self.closed(request, row)
                return right_lost(request, _typed(request, self.model), closed=closed)
        return super().change_view(request, object_id, form_url, extra_context)

    def closed(self, request: HttpRequest, row: Any) -> str:
        """Return why a row can be changed no more by somebody who has the right to it, a sentence; "" if he has none."""
        return ""

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """Let the rows that are deleted together need a reason, too."""
        actions = super().get_actions(request)
        if deleting := actions.get("delete_selected"):
            # The stubs want a text for an answer.
            actions["delete_selected"] = (_delete_selected, *deleting[1:])  # type: ignore[assignment]
        return actions

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """Return what would be deleted with rows, or what keeps them from it, as Django's pages show it.

        Hazard: Django reads and writes out each of thousands of games to say that their players cannot be deleted.
        """
        if keeping := _keeping([row.pk for row in objs], self.model):
            return [], {}, set(), keeping
        return super().get_deleted_objects(objs, request)

    def _lacks_reason(self, request: HttpRequest) -> bool:
        """Return whether a confirmed deletion gives no reason that can be kept, and tell the user."""
        form = DeletionForm(request.POST)
        if "post" not in request.POST or form.is_valid():
            return False
        problem = " ".join(map(str, form.errors[REASON]))
        self.message_user(request, f"Nothing was deleted. Reason: {problem}", messages.ERROR)
        return True

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Put the reason last, and leave it out where nothing can be changed."""
        fields = [name for name in super().get_fields(request, obj) if name != REASON]
        changeable = obj is not None and self.has_change_permission(request, obj)
        return [*fields, REASON] if changeable and issubclass(self.form, ChangeReasonForm) else fields

    def render_change_form(self, request: HttpRequest, context: dict[str, Any], *args: Any, **options: Any) -> Any:
        """Show the page, with the way to what the trail says of the row."""
        row = options.get("obj")
        if row is not None and acting_user(request).has_perm("accounts.view_decision"):
            context["trail"] = trail_address(row)
        page = super().render_change_form(request, context, *args, **options)
        inlines = context["inline_admin_formsets"]
        if is_changed_meanwhile(context["adminform"].form, [inline.formset for inline in inlines]):
            page.status_code = 409
        return page

    def construct_change_message(self, request: HttpRequest, form: Any, formsets: Any, add: bool = False) -> Any:
        """Keep what was changed for the trail."""
        request.trail_of_change = _differences(  # type: ignore[attr-defined]
            form, formsets or [], self.hidden_on_trail
        )
        return super().construct_change_message(request, form, formsets, add)

    def log_addition(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        """Put an addition on the trail, with what was given."""
        _, after = getattr(request, "trail_of_change", ({}, {}))
        self._record(request, "added", obj, {}, after)
        return super().log_addition(request, obj, message)

    def log_change(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        """Put a change of fields on the trail; what an action does is recorded by its operation."""
        before, after = getattr(request, "trail_of_change", ({}, {}))
        if before or after:
            self._record(request, "changed", obj, before, after)
        return super().log_change(request, obj, message)

    def log_deletions(self, request: HttpRequest, queryset: QuerySet[Any]) -> Any:
        """Put deletions on the trail, with what the rows held, and those that go with them."""
        for row in queryset:
            self._record(request, "deleted", row, _facts(row, self.hidden_on_trail) | _gone_with(row))
        return super().log_deletions(request, queryset)

    def part_of(self, row: Any) -> Model | None:
        """Return the row on whose page decisions on this one belong, such as a section's event; None if there is none."""
        section = getattr(row, "section", row)
        return getattr(section, "event", None)

    def _record(
        self,
        request: HttpRequest,
        action: str,
        row: Model,
        before: dict[str, str] | None = None,
        after: dict[str, str] | None = None,
    ) -> None:
        record(
            action,
            row,
            at=timezone.now(),
            by=acting_user(request),
            part_of=self.part_of(row),
            before=before,
            after=after,
            reason=plain_text(request.POST.get(REASON, "")),
        )


def _typed(request: HttpRequest, model: type[Model]) -> list[str]:
    """Return what was typed into the fields of a row and of the tables below it, and the reason."""
    names = {field.name for field in model._meta.fields}
    cells = re.compile(rf".+-\d+-(?!(id|{model._meta.model_name})$)\w+")  # but for the keys of rows
    values = [
        (re.sub("[-_]", " ", name), value)
        for name, value in request.POST.items()
        if value and value != request.POST.get(f"initial-{name}") and not name.startswith("initial-")
        if name in names or cells.fullmatch(name)
    ]
    return ["\n".join(f"{name}: {value}" for name, value in values), request.POST.get(REASON, "")]


def trail_address(row: Model) -> str:
    """Return the address of what the trail says of a row."""
    return f"{reverse('admin:accounts_decision_changelist')}?{urlencode({'about': key_of(row)})}"


def _delete_selected(page: TrailAdmin, request: HttpRequest, rows: QuerySet[Any]) -> HttpResponse | None:
    """Delete the chosen rows, once they are confirmed with a reason: all of them, each with its line on the trail, or none."""
    if page._lacks_reason(request):
        return None
    if (count := rows.count()) > MOST_DELETED:
        message = f"Nothing was deleted: {count} were chosen, and at most {MOST_DELETED} are deleted at once."
        page.message_user(request, message, messages.ERROR)
        return None
    try:
        with transaction.atomic():  # Django writes what it logs before it deletes
            answer = delete_selected(page, request, rows)
    except IntegrityError:
        forget_queued(request)
        message = "Nothing was deleted: another has changed what belongs to them at this moment. Look at them again."
        page.message_user(request, message, messages.ERROR)
        return None
    if isinstance(answer, TemplateResponse):
        shown = format_html_join("", "{}", ((page.carried(row),) for row in rows))
        answer.context_data = {**(answer.context_data or {}), "reason_form": DeletionForm(), "carried": shown}
    return answer


def _keeping(keys: Collection[Any], model: type[Model]) -> list[str]:
    """Return in words the first rows of each kind that keep rows with some keys from being deleted."""
    naming: dict[type[Model], Q] = {}
    for relation in model._meta.get_fields(include_hidden=True):
        if isinstance(relation, ForeignObjectRel) and relation.on_delete is models.PROTECT:
            other = relation.related_model
            naming[other] = naming.get(other, Q()) | Q(**{f"{relation.field.name}__in": keys})
    named: list[str] = []
    for other, condition in naming.items():
        rows, kind = other._base_manager.filter(condition), other._meta.verbose_name
        named += [f"{kind}: {row}" for row in rows.order_by("pk")[:_MOST_NAMED]]
        if (more := rows.count() - _MOST_NAMED) > 0:
            named.append(f"{kind}: {formatting.number(more)} more")
    return named


def _facts(row: Model, hidden: Collection[str] = ()) -> dict[str, str]:
    """Return what a row holds, by field, without its key and what is blank."""
    facts = {}
    for field in row._meta.fields:
        value = getattr(row, f"get_{field.name}_display", None)
        text = value_text(value() if value and field.choices else getattr(row, field.name))
        if text and not field.primary_key:
            facts[str(field.verbose_name)] = HIDDEN if field.name in hidden else text
    return facts


def _gone_with(row: Model) -> dict[str, str]:
    """Return what the rows hold that the database deletes with a row, such as an arbiter's fees."""
    collector = NestedObjects(using=router.db_for_write(type(row), instance=row))
    collector.collect([row])
    return {
        f"{other._meta.verbose_name} {other}": ", ".join(f"{label}: {text}" for label, text in _facts(other).items())
        for rows in collector.data.values()
        for other in rows
        if other != row
    }


def _differences(form: Any, formsets: Iterable[Any], hidden: Collection[str]) -> tuple[dict[str, str], dict[str, str]]:
    """Return what the form and its rows changed, before and after."""
    before: dict[str, str] = {}
    after: dict[str, str] = {}
    _add_fields(form, "", before, after, hidden)
    for formset in formsets:
        kind = str(formset.model._meta.verbose_name)
        deleted = {row.pk for row in getattr(formset, "deleted_objects", [])}
        for row_form in formset.forms:
            row = row_form.instance
            if not row_form.has_changed() or (row.pk is None and not deleted):
                continue
            name = f"{kind} {value_text(row)}"
            if row_form in getattr(formset, "deleted_forms", []):
                before[name], after[name] = _held(row_form, formset.fk.name), "removed"
            else:
                _add_fields(row_form, f"{name}: ", before, after, left_out=(formset.fk.name, row._meta.pk.name))
    return before, after


def _add_fields(
    form: Any,
    prefix: str,
    before: dict[str, str],
    after: dict[str, str],
    hidden: Collection[str] = (),
    left_out: Collection[str] = (),
) -> None:
    stored = _stored(form)
    # What the page itself sets beside the typed values is on the trail, too; what it sets back is not.
    others = [name for name, value in stored.items() if name not in form.changed_data and _first(form, name) != value]
    for name in [*form.changed_data, *others]:
        if name in (REASON, "DELETE", *left_out):
            continue
        field = form.fields.get(name)
        label = prefix + str((field and field.label) or name)
        if name in hidden or field is None or isinstance(field.widget, forms.PasswordInput):
            # Django's form of a password names a field that it does not have.
            before[label] = after[label] = HIDDEN
            continue
        old = choice_text(field, _first(form, name))
        new = choice_text(field, stored.get(name, form.cleaned_data.get(name)))
        if old != new:
            before[label], after[label] = old, new


def _first(form: Any, name: str) -> Any:
    """Return the value of a field before the change."""
    return form.initial.get(name, form.fields[name].initial)


def _stored(form: Any) -> dict[str, Any]:
    """Return the values of a form's row as they were saved, by field."""
    if not isinstance(form, forms.BaseModelForm):
        return {}
    columns = form.instance._meta.get_fields()
    return {
        column.name: column.value_from_object(form.instance)
        for column in columns
        if column.name in form.fields and hasattr(column, "value_from_object")
    }


def _held(form: Any, parent: str) -> str:
    """Return what stood in a row that is removed; `parent`: its link to the row of the page."""
    fields = [(name, field) for name, field in form.fields.items() if name not in (parent, "DELETE", REASON, "id")]
    held = [(str(field.label or name), choice_text(field, _first(form, name))) for name, field in fields]
    return ", ".join(f"{label}: {text}" for label, text in held if text)
