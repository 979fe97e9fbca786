"""Lines of a file and players on the register as data for the comparison."""

from dataclasses import replace

from config.lib.days import is_birth_year
from events.rules.tournament import Entrant
from players.identity import FIDE_ID_DIGITS, Person, is_chess_sa_id
from players.models import Player


def person_of(entrant: Entrant) -> Person:
    """Return a line of a file as data for the comparison."""
    return Person(
        last_name=entrant.last_name,
        first_name=entrant.first_name,
        national_id=chess_sa_id(entrant),
        fide_id=entrant.fide_id,
        birth_date=entrant.birth_date,
        birth_year=entrant.birth_year,
        sex=entrant.sex,
    )


def reading_for(entrant: Entrant, player: Player) -> Person:
    """Return a line as data for the comparison with a player.

    An id in the column for FIDE ids that is the player's Chess SA id is read so.
    """
    if entrant.fide_id != player.number:
        return person_of(entrant)
    return replace(person_of(entrant), national_id=player.number, fide_id="")


def chess_sa_id(entrant: Entrant) -> str:
    """Return the national id of a line; "" if it is another federation's."""
    return entrant.national_id if entrant.national_federation in ("", "RSA") else ""


def ids_on_line(entrant: Entrant) -> tuple[str, int | None]:
    """Return the Chess SA id and the FIDE id of a line, as `usable_ids` does."""
    return usable_ids(chess_sa_id(entrant), entrant.fide_id)


def usable_ids(number: str, fide_id: str) -> tuple[str, int | None]:
    """Return a text as Chess SA id and a text as FIDE id; "" and None for what is none.

    Nine digits in the column for FIDE ids may be either, since South African files have Chess SA ids there: they are both.
    """
    return (
        next((text for text in (number, fide_id) if is_chess_sa_id(text)), ""),
        int(fide_id) if fide_id.isdecimal() and len(fide_id) <= FIDE_ID_DIGITS and int(fide_id) else None,
    )


def without_day(person: Person) -> Person:
    """Return a person with the year of birth alone."""
    year = person.birth_date.year if person.birth_date else person.birth_year
    return replace(person, birth_date=None, birth_year=year)


def known_person(player: Player) -> Person:
    """Return a player on the register as data for the comparison; a birth in 1900 or before stands for an unknown one."""
    if player.birth_year and not is_birth_year(player.birth_year):
        return Person(player.last_name, player.first_name, player.number, str(player.fide_id or ""), sex=player.sex)
    return Person(
        last_name=player.last_name,
        first_name=player.first_name,
        national_id=player.number,
        fide_id=str(player.fide_id or ""),
        birth_date=player.birth_date,
        birth_year=player.birth_year,
        sex=player.sex,
    )
