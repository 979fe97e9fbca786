import logging
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

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


@contextmanager
def undrawn_pages() -> Iterator[None]:
    """Rights are decided before a page is drawn."""
    with patch.object(Template, "render", lambda *given, **named: mark_safe("")):
        yield


@pytest.fixture
def undrawn(quiet):
    with undrawn_pages():
        yield
