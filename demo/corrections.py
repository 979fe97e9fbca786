"""A corrected file of a returned section that, as often in practice, is better but not yet right."""

from dataclasses import replace
from datetime import date

from events.files.reader import read
from events.files.trf.writer import write_trf26
from events.rules.tournament import Entrant, Tournament


def corrected(content: bytes, day: date) -> bytes:
    """Return the file with `day` as the day of every round but the last, and two entrants altered.

    The first has a misspelt name and no ids; the second is replaced by a player who is not on the register.
    """
    return write_trf26(_corrected(read(content), day))


def _corrected(tournament: Tournament, day: date) -> Tournament:
    first, second, *remaining = tournament.entrants
    misspelt = _without_ids(first, first.last_name[:-1] + "eh", first.first_name)
    unknown = replace(_without_ids(second, "Quartermain", "Ezekiel"), birth_year=2001)
    days = (day,) * (tournament.rounds - 1) + (None,)
    return replace(tournament, entrants=(misspelt, unknown, *remaining), round_dates=days)


def _without_ids(entrant: Entrant, last: str, first: str) -> Entrant:
    return replace(
        entrant,
        name=f"{last}, {first}",
        last_name=last,
        first_name=first,
        fide_id="",
        national_id="",
        national_rating=None,
        region="",
        birth_date=None,
    )
