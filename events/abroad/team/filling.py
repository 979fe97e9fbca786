"""Fills the form of a team from a file: what the file says replaces what stands there, all else stays."""

from dataclasses import dataclass, field

from django.http import QueryDict
from django.utils.translation import gettext

from events.abroad.forms import game_values
from events.abroad.team.forms import FIRST_PLAYERS, TeamForm, offered, widened
from events.files.abroad_csv.results import ListedPlayer, TeamResults
from events.rules.abroad import MOST_TEAM_PLAYERS
from players.identity import CHESS_SA_DIGITS, Person, is_chess_sa_id, names_agree
from players.search import LONGEST_SEARCH

_LONGEST_NAME = LONGEST_SEARCH - CHESS_SA_DIGITS - len(" ()")  # that leaves room for the number


@dataclass
class _Row:
    """A row of the form: `fields` by what follows `p0-` in their names; `pk` of its player; `free`: it may be taken."""

    fields: dict[str, str]
    pk: int | None = None
    sent: bool = False
    free: bool = False


@dataclass(frozen=True, slots=True)
class Filled:
    """The form's data with what a file says, and the remarks on ids. `full`: why nothing was filled in, or ""."""

    data: QueryDict
    remarks: list[str] = field(default_factory=list)
    full: str = ""


def fill_from_file(form: TeamForm, results: TeamResults) -> Filled:
    """Put the event and the players of a file into the data of a form.

    A player goes into the row that names him already, else into a blank one, else into a new one; whose results are sent in
    is left out. Rows that only offer a player and have no games make room.
    """
    assert form.data is not None  # noqa: S101 - only of what was sent
    rows = _rows(form)
    remarks: list[str] = []
    for listed in results.players:
        who, pk = _who(form, listed, remarks)
        row = next((row for row in rows if (pk and row.pk == pk) or row.fields.get("who") == who), None)
        row = row or next((row for row in rows if row.free), None)
        if row is None:
            row = _Row({})
            rows.append(row)
        if not row.sent:
            row.fields, row.pk, row.free = _fields(listed, who), pk, False
    while rows[-1].free and len(rows) > FIRST_PLAYERS:
        rows.pop()
    if len(rows) > MOST_TEAM_PLAYERS:
        text = gettext(
            "With the players of the file the form would have %(count)s, and %(most)s fit. Send in first what stands here."
        )
        return Filled(form.data, full=text % {"count": len(rows), "most": MOST_TEAM_PLAYERS})
    return Filled(_data(form.data, rows, results), remarks)


def _rows(form: TeamForm) -> list[_Row]:
    assert form.data is not None  # noqa: S101 - as above
    rows = []
    for row in form.rows:
        prefix = f"p{row.place}-"
        fields = {name.removeprefix(prefix): form.data.get(name, "") for name in form.data if name.startswith(prefix)}
        played = any(game.filled for game in row.results.games.forms)
        only_offered = row.player is not None and row.who == offered(row.player) and not played
        free = not row.sent and (not row.used or only_offered)
        rows.append(_Row({} if free else fields, row.player.pk if row.player else None, sent=bool(row.sent), free=free))
    return rows


def _who(form: TeamForm, listed: ListedPlayer, remarks: list[str]) -> tuple[str, int | None]:
    """Return the text by which a player is found, and his primary key if he is. An id that is another's is left out."""
    name = listed.name[:_LONGEST_NAME]
    if is_chess_sa_id(listed.number):
        who = f"{name} ({listed.number})"
        found, _ = form.find(who)
        if found is None:
            return who, None
        theirs = Person(found.last_name, found.first_name)
        if names_agree(Person(listed.last_name, listed.first_name), theirs):
            return who, found.pk
        text = gettext("Line %(line)s: %(number)s is the Chess SA id of %(player)s. %(name)s is looked up by name.")
        remarks.append(text % {"line": listed.line, "number": listed.number, "player": found.name, "name": listed.name})
    found, _ = form.find(name)
    return name, found.pk if found else None


def _fields(listed: ListedPlayer, who: str) -> dict[str, str]:
    fields = {"who": who, "game-TOTAL_FORMS": str(max((game.round for game in listed.games), default=0))}
    for game in listed.games:
        for name, value in game_values(game).items():
            fields[f"game-{game.round - 1}-{name}"] = "" if value is None else str(value)
    return fields


def _data(sent: QueryDict, rows: list[_Row], results: TeamResults) -> QueryDict:
    data = QueryDict(mutable=True)
    places = tuple(f"p{place}-" for place in range(MOST_TEAM_PLAYERS))
    for name in sent:
        if not name.startswith(places):
            data[name] = sent.get(name, "")
    head = {
        "name": results.event,
        "starts": results.starts.isoformat() if results.starts else "",
        "ends": results.ends.isoformat() if results.ends else "",
        "results_url": results.website,
    }
    for name, value in head.items():
        if value:
            data[name] = value
    for place, row in enumerate(rows):
        for name, value in row.fields.items():
            data[f"p{place}-{name}"] = value
    data["players"] = str(len(rows))
    return widened(data)
