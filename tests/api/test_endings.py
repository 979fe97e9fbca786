"""What will end is announced a year ahead: by headers, in the OpenAPI document, and on the page of versions."""

from datetime import date

import pytest
from django.test import RequestFactory
from django.urls import path
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.documentation.operations import ending
from api.manners.endings import Ending
from api.manners.fields import Answer, Text, Whole
from api.manners.views import ApiView

pytestmark = pytest.mark.django_db

OPERATION = Ending(date(2026, 1, 1), date(2027, 3, 1), "Use /api/v1/lists/.")
FIELD = Ending(date(2026, 2, 1), date(2027, 2, 1), "Use first and last name.")


class InnerAnswer(Answer):
    """An object with a field that ends."""

    endings = {"full_name": FIELD}
    full_name = Text(help_text="Both names.")
    last_name = Text()


class OuterAnswer(Answer):
    """An object that holds it."""

    place = Whole()
    player = InnerAnswer(read_only=True)


class Stays(ApiView):
    @extend_schema(responses=OuterAnswer, operation_id="stays")
    def get(self, request: Request) -> Response:
        """Answer with a player."""
        return self.one(OuterAnswer, {"place": 1, "player": {"full_name": "Tom Ashby", "last_name": "Ashby"}})


class Ends(Stays):
    ending = OPERATION

    @extend_schema(responses=OuterAnswer, operation_id="ends")
    def get(self, request: Request) -> Response:
        """Answer with a player, still."""
        return super().get(request)


def headers(view: type[ApiView], query: str = "") -> tuple[str | None, str | None]:
    answer = view.as_view()(RequestFactory().get(f"/api/v1/x/{query}"))
    assert answer.status_code == 200
    assert ("Link" in answer.headers) == ("Sunset" in answer.headers)
    return answer.headers.get("Deprecation"), answer.headers.get("Sunset")


def test_an_operation_and_a_field_that_end_say_so_on_their_answers(settings):
    settings.SITE_URL = "https://ratings.example.org"
    assert headers(Stays) == ("@1769904000", "Mon, 01 Feb 2027 00:00:00 GMT")
    assert headers(Ends) == ("@1767225600", "Mon, 01 Feb 2027 00:00:00 GMT")
    assert headers(Stays, "?fields=place") == (None, None)
    assert headers(Ends, "?fields=place") == ("@1767225600", "Mon, 01 Mar 2027 00:00:00 GMT")
    link = Ends.as_view()(RequestFactory().get("/api/v1/x/")).headers["Link"]
    assert link == '<https://ratings.example.org/api/changes/>; rel="deprecation"; type="text/html"'


def test_the_document_marks_them_and_the_page_takes_its_sentences_from_there():
    patterns = [path("api/v1/stays/", Stays.as_view()), path("api/v1/ends/", Ends.as_view())]
    document = SchemaGenerator(patterns=patterns).get_schema(request=None, public=True)
    ends, stays = (document["paths"][f"/api/v1/{name}/"]["get"] for name in ("ends", "stays"))
    assert (ends.get("deprecated"), stays.get("deprecated")) == (True, None)
    fields = document["components"]["schemas"]["InnerAnswer"]["properties"]
    assert (fields["full_name"].get("deprecated"), fields["last_name"].get("deprecated")) == (True, None)
    assert fields["full_name"]["description"] == "Both names. Ends on 1 Feb 2027. Use first and last name."
    assert ending(document) == [
        "GET /api/v1/ends/. Ends on 1 Mar 2027. Use /api/v1/lists/.",
        "full_name of InnerAnswer. Ends on 1 Feb 2027. Use first and last name.",
    ]


def test_less_than_a_year_is_refused():
    assert Ending(date(2026, 1, 1), date(2027, 1, 1), "").until == date(2027, 1, 1)
    with pytest.raises(ValueError, match="a year ahead"):
        Ending(date(2026, 1, 1), date(2026, 12, 31), "")


def test_other_sites_may_read_the_headers(client):
    exposed = client.get("/api/v1/lists/").headers["Access-Control-Expose-Headers"].split(", ")
    assert {"Deprecation", "Sunset", "Link"} <= set(exposed)
