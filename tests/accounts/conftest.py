import logging

import pytest
from django.template.backends.django import Template
from django.utils.safestring import mark_safe

from tests.accounts.world import World, made_world
from tests.ratings.conftest import queue

__all__ = ["queue"]


@pytest.fixture
def world(db) -> World:
    return made_world()


@pytest.fixture
def quiet():
    """A refusal is no line worth writing."""
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


@pytest.fixture
def undrawn(monkeypatch, quiet):
    """Rights are decided before a page is drawn."""
    monkeypatch.setattr(Template, "render", lambda *given, **named: mark_safe(""))
