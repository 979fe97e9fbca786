"""The examples on the page of the API: commands that a test runs as they stand there."""

import json
from dataclasses import dataclass
from typing import Any

from events.models import Event
from events.visibility import public_events
from ratings.lists.definitions import list_definitions
from ratings.lists.queries import publications, tops

_CASE = {
    "system": "uscf",
    "players": [
        {"id": "a", "rating": 1500, "games": 40},
        {"id": "b", "rating": 1600, "games": 40},
    ],
    "events": [{"id": "e", "ended": "2024-03-02", "games": [{"white": "a", "black": "b", "result": "1-0"}]}],
}


@dataclass(frozen=True, slots=True)
class Example:
    """A command with what it is for."""

    purpose: str
    command: str


@dataclass(frozen=True, slots=True)
class Objects:
    """What the examples name: a published month, two of the first on its first list, an event with a section."""

    period: str = "2024-03"
    number: str = "100000001"
    opponent: str = "100000002"
    event: int = 1
    section: int = 1


def objects() -> Objects:
    """Return what there is of the kind on this site; the names of the regulations' examples where there is nothing yet."""
    latest = next(iter(publications()), None)
    best = tops(latest.run, list_definitions()[:1], size=20) if latest else []
    event = Event.objects.filter(public_events(), sections__isnull=False).order_by("-ends", "-pk").first()
    section = event.sections.order_by("position", "pk").first() if event else None
    given: dict[str, Any] = {}
    if latest:
        given["period"] = latest.code
    if best:
        numbers = (row.number for row in best[0][1] if row.number)  # hidden players have none
        given |= dict(zip(("number", "opponent"), numbers, strict=False))
    if event and section:
        given |= {"event": event.pk, "section": section.pk}
    return Objects(**given)


def examples(site: str, named: Objects) -> list[Example]:
    """Return the examples for a site, its address without a slash at the end."""
    api = f"{site}/api/v1"
    table = json.dumps({"players": [named.number, named.opponent]})
    asked = json.dumps({"players": [{"number": named.number}, {"name": "Mokoena, Naledi", "birth_year": 2001}]})
    return [
        Example("The first hundred places of the Main list", f"curl '{api}/lists/main/{named.period}/?limit=100'"),
        Example(
            "The whole list as CSV, three columns of it",
            f"curl -H 'Accept: text/csv' '{api}/lists/main/{named.period}/?fields=number,name,rating'",
        ),
        Example(
            "The active women of a region, an object a line",
            f"curl -H 'Accept: application/x-ndjson' '{api}/lists/main/{named.period}/?region=GAU&sex=F&active=true'",
        ),
        Example("Players by name", f"curl '{api}/players/?q=mokoena'"),
        Example("A player with all ratings", f"curl '{api}/players/{named.number}/'"),
        Example("His history on one list", f"curl '{api}/players/{named.number}/history/?list=main'"),
        Example("His games with White", f"curl '{api}/players/{named.number}/games/?colour=white'"),
        Example(
            "Why his rating is what it is", f"curl '{api}/players/{named.number}/explanations/{named.period}/main/'"
        ),
        Example(
            "The players of an entry list",
            f"curl -H 'Content-Type: application/json' -d '{asked}' '{api}/players/lookup/'",
        ),
        Example("Two players head to head", f"curl '{api}/players/{named.number}/against/{named.opponent}/'"),
        Example(
            "All that some players have played against each other",
            f"curl -H 'Content-Type: application/json' -d '{table}' '{api}/crosstables/'",
        ),
        Example("A month to recompute", f"curl '{api}/periods/{named.period}/'"),
        Example("The events of a month", f"curl '{api}/events/?month={named.period}'"),
        Example("A section with standings and crosstable", f"curl '{api}/sections/{named.section}/'"),
        Example("The section as a tournament file (TRF26)", f"curl '{api}/sections/{named.section}.trf'"),
        Example(
            "What an event would do to a rating",
            f"curl -H 'Content-Type: application/json' -d '{json.dumps(_CASE)}' '{api}/calculators/uscf/'",
        ),
        Example(
            "What is wrong with a file",
            f"curl -H 'Content-Type: application/octet-stream' --data-binary @results.trf '{api}/files/check/'",
        ),
    ]
