import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client

from ratings.live.operations import refresh_live
from tests.kept import kept
from tests.pages import builders

Get = Callable[..., Any]
AT = datetime(2024, 5, 22, 8, 30, tzinfo=UTC)


@pytest.fixture
@kept
def federation():
    """Six players with two published months and a live list, on the four lists and one of another system."""
    builders.add_list("us", system="uscf")
    made = builders.federation()
    refresh_live(at=AT)
    return made


@pytest.fixture
def get(client: Client) -> Get:
    """The JSON at an address of the API, which must be there."""

    def ask(path: str, status: int = 200, **headers: str) -> Any:
        response = client.get(f"/api/v1/{path}", headers=headers)
        assert response.status_code == status, response.content
        return response.json()

    return ask


@pytest.fixture
def post(client: Client) -> Get:
    """What the API answers to a document of JSON."""

    def ask(path: str, document: object, status: int = 200) -> Any:
        response = client.post(f"/api/v1/{path}", json.dumps(document), content_type="application/json")
        assert response.status_code == status, response.content
        return response.json()

    return ask
