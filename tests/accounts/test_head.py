"""Who asks for the head alone gets that of the page, and changes nothing: Django asks for no token of a form with it."""

import re
from http.cookies import SimpleCookie

import pytest
from django.db import connection, transaction
from django.http import HttpResponseNotAllowed

from tests.accounts.world import OWN, PlainClient, changes, made_world, noting, routes

pytestmark = pytest.mark.django_db
OF_FORMS = re.compile("events/|account/|health/|privacy/|calculators/")


def test_where_a_page_is_its_head_is():
    world, writes, told = made_world(), [], {}
    for role in ("administrator", "officer"):
        browser = PlainClient()
        browser.cookies = SimpleCookie(world.cookies(role))
        for route in filter(OF_FORMS.match, routes()):
            address = world.address(route, OWN, role)
            with transaction.atomic():
                with connection.execute_wrapper(noting(writes)):
                    head = browser.head(address)
                page = browser.get(address)
                transaction.set_rollback(True)
            told[role, route] = isinstance(head, HttpResponseNotAllowed), isinstance(page, HttpResponseNotAllowed)
    assert len(told) > 120
    assert {asked: answers for asked, answers in told.items() if answers[0] != answers[1]} == {}
    assert changes(writes) == []
