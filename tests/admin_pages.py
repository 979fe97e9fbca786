"""Pages of the admin as a browser sends them back."""

from typing import Any

from django.contrib import admin
from django.db.models import Model
from django.forms import MultiWidget, Widget, model_to_dict
from django.test import Client, RequestFactory

from accounts.models import User


def posted_form(client: Client, address: str, **changed: object) -> dict[str, Any]:
    """What a page of the admin would send, with some fields changed (`sections-0-name` as `sections__0__name`)."""
    page = client.get(address)
    assert page.status_code == 200, page.status_code
    inlines = page.context["inline_admin_formsets"]
    forms = [page.context["adminform"].form]
    forms += [inline.formset.management_form for inline in inlines]
    forms += [form for inline in inlines for form in inline.formset.initial_forms]
    data: dict[str, Any] = {}
    for form in forms:
        for bound in form:
            if (value := bound.value()) is not False:
                data |= _sent(bound.field.widget, bound.html_name, value)
    if "reason_for_change" in data:
        data["reason_for_change"] = "put right for a test"
    return data | {name.replace("__", "-"): value for name, value in changed.items()}


def _sent(widget: Widget, name: str, value: Any) -> dict[str, Any]:
    """What a browser sends of a field: in parts, if it has several."""
    if not isinstance(widget, MultiWidget):
        return {name: "" if value is None else value}
    parts = zip(widget.widgets_names, widget.decompress(value), strict=True)
    return {f"{name}{ending}": "" if part is None else str(part) for ending, part in parts}


def form_errors(answer: Any) -> list[str]:
    """Every error on a page that was sent back: of the form, of its inlines, of their rows."""
    form, errors_found = answer.context["adminform"].form, []
    errors_found += [text for texts in form.errors.values() for text in texts]
    for inline in answer.context["inline_admin_formsets"]:
        errors_found += list(inline.formset.non_form_errors())
        errors_found += [text for errors in inline.formset.errors for texts in errors.values() for text in texts]
    return errors_found


def opened_form(client: Client, address: str, **changed: object) -> dict[str, Any]:
    """What a browser would send of a page of the admin: its fields, some of them changed, and what it showed of them."""
    page = client.get(address)
    forms = [page.context["adminform"].form]
    forms += [form for inline in page.context["inline_admin_formsets"] for form in inline.formset.initial_forms]
    shown: dict[str, Any] = {}
    for bound in (bound for form in forms for bound in form if bound.field.show_hidden_initial):
        initial = bound.field.prepare_value(bound.initial)
        shown |= _sent(bound.field.hidden_widget(), bound.html_initial_name, initial)
    return posted_form(client, address) | shown | {name.replace("__", "-"): value for name, value in changed.items()}


def sent_form(row: Model, user: User, **values: object) -> Any:
    """The form of a row's page that a user has sent, before it is looked at."""
    admin.autodiscover()
    request = RequestFactory().get("/")
    request.user = user
    form = admin.site.get_model_admin(type(row)).get_form(request, row, change=True)
    return form({**model_to_dict(row), **values, "reason_for_change": "told so"}, instance=row)
