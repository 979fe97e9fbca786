"""Who asks for the head alone gets that of the page, and changes nothing: Django asks for no token of a form with it."""

from http.cookies import SimpleCookie

import pytest
from django.db import connection, transaction
from django.http import HttpResponseNotAllowed

from tests.accounts.world import OWN, PlainClient, changes, made_world, noting, routes

pytestmark = pytest.mark.django_db
OF_FORMS = ("events/", "account/", "health/", "privacy/", "calculators/")


@pytest.mark.parametrize("role", ["administrator", "officer"])
def test_where_a_page_is_its_head_is(role):
    world, browser, writes = made_world(), PlainClient(), []
    browser.cookies = SimpleCookie(world.cookies(role))
    told = {}
    for route in routes():
        if route.startswith(OF_FORMS):
            address = world.address(route, OWN, role)
            with transaction.atomic():
                with connection.execute_wrapper(noting(writes)):
                    head = browser.head(address)
                page = browser.get(address)
                transaction.set_rollback(True)
            told[route] = isinstance(head, HttpResponseNotAllowed), isinstance(page, HttpResponseNotAllowed)
    assert len(told) > 60
    assert {route: answers for route, answers in told.items() if answers[0] != answers[1]} == {}
    assert changes(writes) == []
