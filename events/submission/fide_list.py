"""The people of a section on FIDE's list of the month in which it began."""

from collections.abc import Collection, Iterator, Sequence
from datetime import date

from events.rules.fide_list import ListedPeople, ListedPerson, entrant_findings
from events.rules.findings import Finding
from events.rules.tournament import Entrant
from players.fide import month_held, people_listed
from players.identity import FIDE_ID_DIGITS
from players.models import FideRating

_KINDS = {kind.label: kind for kind in FideRating.Kind}


def people_on_list(fide_ids: Collection[int], starts: date, type_of_game: str) -> ListedPeople | None:
    """Return who of these ids is on the list that counted on a day; None if none with the type's ratings is held.

    Three queries, one without a list.
    """
    month = month_held(starts, _KINDS[type_of_game]) if type_of_game in _KINDS else None
    if month is None:
        return None
    people = {
        fide_id: ListedPerson(
            row.name, row.federation, {"standard": row.standard, "rapid": row.rapid, "blitz": row.blitz}
        )
        for fide_id, row in people_listed(fide_ids, month).items()
    }
    return ListedPeople(month, people)


def listed_entrants(entrants: Sequence[Entrant], starts: date, type_of_game: str) -> Iterator[Finding]:
    """Yield what FIDE's list says otherwise of a file's FIDE ids; nothing without a list of the month."""
    ids = {int(row.fide_id) for row in entrants if row.fide_id.isdecimal() and len(row.fide_id) <= FIDE_ID_DIGITS}
    listed = people_on_list(ids, starts, type_of_game) if ids else None
    if listed:
        yield from entrant_findings(entrants, listed)
