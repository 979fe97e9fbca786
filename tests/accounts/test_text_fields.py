"""Every field into which text is typed or sent, found by itself: a new one cannot let in what cannot be seen.

Characters that cannot be seen make two names look alike, and turn round what an officer reads (`config.lib.names`).
"""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import django_filters
from django import forms
from django.contrib import admin
from django.contrib.admin.helpers import ActionForm
from django.contrib.auth.forms import AdminPasswordChangeForm, AuthenticationForm, SetPasswordForm, UserChangeForm
from django.core.exceptions import ValidationError
from django.test import RequestFactory
from rest_framework import serializers

from accounts.forms import LogInForm
from accounts.models import User
from config.lib.admin import ShownAdmin
from config.lib.forms import ShownErrors
from config.lib.names import composed, unseen
from ratings.moving_in.admin import ImportJobAdmin
from tests.prepared import ROOT

# One of each kind: control, direction, without width, tag, variation selector, filler, soft hyphen, no character, not composed.
TYPED = [
    f"Moko{char}ena"
    for char in (
        "\x07",
        "\u202e",
        "\u2066",
        "\u200b",
        "\ufeff",
        "\U000e0041",
        "\ufe0f",
        "\u3164",
        "\u00ad",
        "\ufffe",
        "\u2800",
    )
] + ["Ze\u0301", "Ze\u200b\u0301"]
APPS = ("accounts", "api", "config", "events", "players", "ratings")
# Whose page on the desk is a view of its own, with forms of its own.
OWN_PAGES = (ImportJobAdmin,)
# Looked up as it was typed, and never kept.
LOOKED_UP = (LogInForm,)


def _loaded() -> None:
    """Every module of the site is imported, so that all its forms are known."""
    for app in APPS:
        for path in sorted((ROOT / app).rglob("*.py")):
            name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
            if not {"migrations", "management"} & set(Path(name.replace(".", "/")).parts) and name != "config.gunicorn":
                import_module(name)


def _below(kind: type) -> Iterator[type[Any]]:
    for one in kind.__subclasses__():
        if one.__module__.partition(".")[0] in APPS:
            yield one
        yield from _below(one)


def _pages(user: User) -> Iterator[type[Any]]:
    """The forms of the desk's pages, of the tables below them and of actions."""
    request = RequestFactory().get("/")
    request.user = user
    for model, page in admin.site._registry.items():
        yield page.action_form
        if isinstance(page, (ShownAdmin, *OWN_PAGES)):
            continue
        for row in (None, model.objects.first()):
            yield page.get_form(request, row, change=row is not None)
            for table in page.get_inline_instances(request, row):
                yield table.get_formset(request, row).form


def _kept(field: Any, text: str) -> str | None:
    """What a field makes of a text; None if it refuses it."""
    try:
        kept = field.clean(text) if isinstance(field, forms.Field) else field.run_validation(text)
    except (ValidationError, serializers.ValidationError):
        return None
    return kept if isinstance(kept, str) else None


def _let_in(field: Any) -> list[str]:
    typed = [*TYPED, *(f"a@{text}.example.org" for text in TYPED), *(f"https://example.org/{text}" for text in TYPED)]
    kept = [text for text in (_kept(field, text) for text in typed) if text is not None]
    return [ascii(text) for text in kept if unseen(text.replace("\n", "")) or text != composed(text)]


def test_no_field_of_a_form_lets_in_what_cannot_be_seen(world):
    _loaded()
    desk = list(_pages(world.users["superuser"]))
    # The desk gives the fields that a form takes from its model classes of their own.
    of_desk = {base for form in desk for base in form.__mro__}
    kinds = [kind for kind in {*_below(forms.BaseForm)} if kind not in {*of_desk, *LOOKED_UP}]
    wrong = []
    looked_at = 0
    for kind in [*kinds, *desk]:
        for name, field in kind.base_fields.items():
            if not isinstance(field, forms.CharField | forms.JSONField) or isinstance(
                field.widget, forms.PasswordInput
            ):
                continue
            looked_at += 1
            wrong += [f"{kind.__module__}.{kind.__name__}.{name} keeps {text}" for text in _let_in(field)]
    assert not wrong, "\n".join(sorted(set(wrong)))
    assert looked_at > 100


def test_no_field_of_the_api_lets_in_what_cannot_be_seen(world):
    _loaded()
    wrong = []
    looked_at = 0
    for kind in _below(serializers.BaseSerializer):
        for name, field in getattr(kind, "_declared_fields", {}).items():
            inner = getattr(field, "child", field)
            if isinstance(inner, serializers.CharField) and not field.read_only:
                looked_at += 1
                wrong += [f"{kind.__module__}.{kind.__name__}.{name} keeps {text}" for text in _let_in(inner)]
    for kind in _below(django_filters.FilterSet):
        for name, words in kind.base_filters.items():
            if isinstance(words.field, forms.CharField):
                looked_at += 1
                wrong += [f"{kind.__module__}.{kind.__name__}.{name} keeps {text}" for text in _let_in(words.field)]
    assert not wrong, "\n".join(sorted(set(wrong)))
    assert looked_at > 10


def test_every_form_shows_what_its_errors_repeat(world):
    """But those of Django's own, whose errors repeat nothing: passwords, log-in, the choice of an action."""
    _loaded()
    kinds = [*_below(forms.BaseForm)]
    of_desk = {base for form in _pages(world.users["superuser"]) for base in form.__mro__}
    own = (ActionForm, AdminPasswordChangeForm, AuthenticationForm, SetPasswordForm, UserChangeForm)
    wrong = {kind for kind in kinds if not issubclass(kind, (ShownErrors, *own))} - of_desk
    assert not wrong
    assert len(kinds) > 50
