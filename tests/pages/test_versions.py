"""A public page is new as soon as something on it has changed, and the same until then."""

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta

import pytest
from django.apps import apps
from django.db import DatabaseError, connection, models, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import URLResolver, get_resolver
from django.utils import timezone

from accounts.models import User
from config import http_cache
from config.models import TableVersion
from config.table_versions import model_tables
from events.abroad.links import ask_link
from events.amending.content import read_content
from events.models import AbroadLink, Arbiter, BodyApproval, Event, EventMove, Guest, Section, Team
from players.models import FideList, Player, Province, Region, Title
from ratings.models import Amendment, RatingList
from tests.accounts.world import OWN, PlainClient, World, made_world
from tests.admin_pages import posted_form
from tests.builders import officer, with_address
from tests.pages import builders

pytestmark = pytest.mark.django_db


@pytest.fixture
def officer_client(client):
    client.force_login(officer())
    return client


@pytest.fixture
def reader():
    return Client()


@pytest.mark.parametrize(
    ("model", "address", "changed"),
    [
        (Region, "/players/{number}/", {"name": "Egoli"}),
        (Province, "/players/", {"name": "Goldland"}),
        (Title, "/players/{number}/", {"name": "Great Master"}),
        (RatingList, "/lists/main/", {"name": "Chief"}),
        (Arbiter, "/events/{event}/", {"name": "Lindiwe Someone"}),
        (Section, "/events/{event}/", {"name": "Another section"}),
        (Player, "/players/{number}/", {"first_name": "Somebody"}),
        (Event, "/events/", {"name": "Another event"}),
    ],
)
def test_an_edit_at_the_desk_makes_the_pages_new(officer_client, reader, model, address, changed):
    made = builders.players(1)[0]
    event = builders.event("May Open")
    page = address.format(number=made.number, event=event.pk)
    tag = {"if-none-match": reader.get(page).headers["ETag"]}
    assert reader.get(page, headers=tag).status_code == 304
    row = {Region: made.region, Province: made.region.province}.get(model) or model.objects.first()
    form = f"/admin/{row._meta.app_label}/{row._meta.model_name}/{row.pk}/change/"
    assert officer_client.post(form, posted_form(officer_client, form, **changed)).status_code == 302
    assert reader.get(page, headers=tag).status_code == 200


def test_a_change_that_took_its_key_first_and_came_in_last_makes_the_pages_new(reader):
    event = builders.event("May Open")
    at = datetime(2024, 3, 1, tzinfo=UTC)
    key = EventMove.objects.latest("pk").pk
    EventMove.objects.create(pk=key + 200, event=event, source="draft", target="registered", at=at)
    page = f"/events/{event.pk}/"
    tag = {"if-none-match": reader.get(page).headers["ETag"]}
    EventMove.objects.create(pk=key + 100, event=event, source="draft", target="registered", at=at)
    assert reader.get(page, headers=tag).status_code == 200


def test_logging_in_changes_nothing(reader):
    tag = {"if-none-match": reader.get("/events/").headers["ETag"]}
    reader.force_login(User.objects.create_user("nobody@example.org"))
    reader.logout()
    assert reader.get("/events/", headers=tag).status_code == 304


def test_the_version_costs_one_query(reader, django_assert_num_queries):
    tag = {"if-none-match": reader.get("/events/").headers["ETag"]}
    with django_assert_num_queries(1):
        assert reader.get("/events/", headers=tag).status_code == 304


def versioned_routes(patterns=None, prefix: str = "") -> Iterator[str]:
    """The address patterns of the views that are decorated with `versioned`."""
    for pattern in get_resolver().url_patterns if patterns is None else patterns:
        if isinstance(pattern, URLResolver):
            yield from versioned_routes(pattern.url_patterns, prefix + str(pattern.pattern))
            continue
        view = pattern.callback
        while view:
            if getattr(view, "__globals__", None) is vars(http_cache):
                yield prefix + str(pattern.pattern)
            view = getattr(view, "__wrapped__", None)


def api_routes(*, public: bool = True) -> Iterator[str]:
    """The address patterns of operations of the API that are read: by everybody, or with a token."""
    for resolver in get_resolver().url_patterns:
        if isinstance(resolver, URLResolver) and str(resolver.pattern) == "api/":
            for pattern in resolver.url_patterns:
                view = getattr(pattern.callback, "view_class", None)
                if hasattr(view, "get") and view.is_public == public:
                    yield f"api/{pattern.pattern}"


def public_addresses(world: World, reader: Client) -> list[str]:
    """Every public page once, and those whose queries depend on what is asked or shown some more times."""
    event = Event.objects.get(name="Club night")
    number = world.published[0].number
    replay = reader.get("/calculators/chessa/", {"section": event.sections.get().pk, "player": number})
    return [
        *(world.address(route, OWN, "anonymous") for route in versioned_routes()),
        *(world.address(route, OWN, "anonymous") for route in api_routes()),
        "/players/?q=adendorff&region=GAU",
        "/players/suggest/?q=adendorff",
        "/lists/main/?q=adendorff&region=province-GP",
        "/events/?region=GAU",
        f"/events/{event.pk}/",
        f"/players/{number}/2024-03/us/",
        "/calculators/players.json?q=adendorff",
        f"/api/v1/events/{event.pk}/",
        f"/api/v1/sections/{event.sections.get().pk}/",
        f"/api/v1/players/{number}/explanations/2024-03/us/",
        "/api/v1/lists/main/2024-03/?region=GAU&active=true",
        replay.headers["Location"],
    ]


def tables_named(queries: CaptureQueriesContext) -> set[str]:
    """The tables of models after FROM and JOIN in the queries, but for that of the versions."""
    sql = " ".join(query["sql"] for query in queries)
    return set(re.findall(r'(?:FROM|JOIN) "?(\w+)', sql)) & set(model_tables())


def change(model: type[models.Model]) -> None:
    """Change the last column of a row that takes another value; delete a row that only joins others."""
    row = model._base_manager.first()
    assert row, f"the world of this test has no {model.__name__}: add one"
    for field in reversed(model._meta.concrete_fields):
        value = getattr(row, field.attname)
        match field:
            case _ if field.primary_key or field.is_relation:
                continue
            case models.BooleanField():
                new = not value
            case models.CharField() | models.TextField():
                new = f"{value}x"[-(field.max_length or 100) :]
            case models.IntegerField() | models.FloatField() | models.DecimalField():
                new = (value or 0) + 1
            case models.DateField() if value:
                new = value + timedelta(days=1)
            case _:
                continue
        try:
            with transaction.atomic():
                assert model._base_manager.filter(pk=row.pk).update(**{field.attname: new}) == 1
        except DatabaseError:
            continue
        return
    row.delete()


def test_a_change_in_any_table_that_a_page_reads_makes_the_page_new():
    reader = PlainClient(
        raise_request_exception=False
    )  # whether a page can be made of the changed row is no matter here
    world = made_world()
    Guest.objects.create(section=Section.objects.first(), name="Ingrid Abroad", fide_rating=1700)
    BodyApproval.objects.create(event=Event.objects.first(), body="Gauteng Chess", at=timezone.now(), reason="minutes")
    Event.objects.first().hubs.set([Region.objects.first()])
    Team.objects.create(section=Section.objects.first(), number=1, name="Mopane Knights")
    elsewhere = Section.objects.last()
    content = read_content(elsewhere)
    Amendment.objects.create(
        section=elsewhere, before=content, after=content, reason="minutes", at=timezone.now(), applied_at=timezone.now()
    )
    fide = FideList.objects.create(month=date(2024, 4, 1), kinds="SRB", at=timezone.now(), filename="", sha256="")
    world.published[0].fide_ratings.create(kind="S", rating=1850, list=fide)
    ask_link(
        with_address(world.published[0], "abroad@example.org").number,
        "abroad@example.org",
        AbroadLink.Sender.PLAYER,
        at=timezone.now(),
    )
    by_table = {model._meta.db_table: model for model in apps.get_models(include_auto_created=True)}
    wrong, read = [], set()
    for address in public_addresses(world, reader):
        with CaptureQueriesContext(connection) as queries:
            page = reader.get(address)
        tables = tables_named(queries)  # before the next request empties the log
        assert page.status_code == 200, address
        tag = {"if-none-match": page.headers["ETag"]}
        assert reader.get(address, headers=tag).status_code == 304, address
        for table in tables:
            with transaction.atomic():
                change(by_table[table])
                if reader.get(address, headers=tag).status_code == 304:
                    wrong.append(f"{address} stays when {table} changes")
                transaction.set_rollback(True)
        assert reader.get(address, headers=tag).status_code == 304, f"{address}: nothing has changed after all"
        read |= tables
    assert wrong == []
    assert len(read) > 15, read


def test_a_page_stays_when_a_table_changes_that_it_does_not_read(reader):
    builders.event("May Open")
    tag = {"if-none-match": reader.get("/lists/").headers["ETag"]}
    Event.objects.update(name="June Open")
    assert reader.get("/lists/", headers=tag).status_code == 304


def test_a_page_that_reads_a_table_without_a_version_has_none(reader):
    TableVersion.objects.filter(table_name="events_event").delete()
    assert "ETag" not in reader.get("/events/").headers
    assert "ETag" in reader.get("/lists/").headers


@pytest.mark.parametrize(
    "held", ["*", "x", '"x"', '"-"', '"0-"', 'W/"ffffffffffffffffffffffff-0"', '"' + "f" * 4000 + '-0"']
)
def test_a_version_that_was_never_given_is_none(reader, held):
    assert reader.get("/events/", headers={"if-none-match": held}).status_code == 200


def test_a_proxy_may_weaken_a_version_or_send_several(reader):
    tag = reader.get("/events/").headers["ETag"]
    assert reader.get("/events/", headers={"if-none-match": f'"old", W/{tag}'}).status_code == 304
