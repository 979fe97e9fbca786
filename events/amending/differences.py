"""What differs between two documents of a section's content, in words."""

from collections.abc import Callable
from dataclasses import dataclass

from django.utils.translation import gettext, gettext_noop, ngettext

from events.amending.content import Content, Row
from events.models import RatingPeriod
from players.hidden import in_public, name_in_public
from players.models import Player

_FACTS = {
    "base_minutes": gettext_noop("base time, minutes"),
    "increment_seconds": gettext_noop("increment, seconds a move"),
    "format": gettext_noop("format"),
    "disabled": gettext_noop("for disabled players only"),
    "planned_rounds": gettext_noop("planned rounds"),
    "starts": gettext_noop("first day"),
    "ends": gettext_noop("last day"),
}

_STATES = {
    "proposed": gettext_noop("proposed"),
    "confirmed": gettext_noop("in force"),
    "dropped": gettext_noop("dropped"),
}


@dataclass(frozen=True, slots=True)
class ContentDifference:
    """What it is about, what it is in the one document and what in the other; "" for nothing."""

    what: str
    before: str
    after: str


def differences(before: Content, after: Content, *, public: bool = False) -> list[ContentDifference]:
    """Return the differences between two documents of a section: its facts, then who played, games and penalties.

    `public`: players are named as the public sees them.
    """
    players = _players(before, after)
    names, guests = _names(players, public=public), _guests(before, after, players, public=public)
    found = [
        ContentDifference(gettext(label), _fact(before["facts"][name]), _fact(after["facts"][name]))
        for name, label in _FACTS.items()
        if before["facts"][name] != after["facts"][name]
    ]
    if before["facts"]["period_id"] != after["facts"]["period_id"]:
        found.append(ContentDifference(gettext("rated in"), *(_month(content) for content in (before, after))))
    found += _lines(
        before,
        after,
        "entries",
        lambda row: gettext("player %(number)s") % {"number": row["number"]},
        lambda row: (
            ngettext("%(player)s, %(points)s point", "%(player)s, %(points)s points", _plural(row))
            % {"player": names[row["player_id"]], "points": f"{float(row['points']):g}"}
        ),
    )
    found += _games(before, after, names, guests)
    found += _lines(
        before,
        after,
        "penalties",
        lambda row: (
            gettext("penalty of %(player)s, round %(round)s")
            % {"player": names[row["player_id"]], "round": row["round"]}
        ),
        lambda row: (
            ngettext("%(points)s point, %(status)s", "%(points)s points, %(status)s", _plural(row))
            % {"points": f"{float(row['points']):g}", "status": _state(row)}
        ),
    )
    return found


def _plural(row: Row) -> int:
    """Return the number that chooses the words for a row's points: 1 point, and 0.5 or 2 points."""
    return 1 if float(row["points"]) == 1 else 2


def _players(*contents: Content) -> dict[int, Player]:
    sides = {row[side] for content in contents for row in content["games"] for side in ("white_id", "black_id")}
    tables = ("entries", "penalties", "guests")
    others = {row["player_id"] for content in contents for name in tables for row in content[name]}
    return Player.objects.in_bulk((sides | others) - {None})


def _names(players: dict[int, Player], *, public: bool) -> dict[int, str]:
    shown = {key: in_public(player) if public else player for key, player in players.items()}
    return {key: f"{player.name} ({player.number})" if player.number else player.name for key, player in shown.items()}


def _state(row: Row) -> str:
    state = _STATES[row["status"]]
    return gettext(state)


def _fact(value: object) -> str:
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    return "" if value is None else str(value)


def _month(content: Content) -> str:
    period = content["facts"]["period_id"]
    return "" if period is None else str(RatingPeriod.objects.get(pk=period))


def _lines(
    before: Content, after: Content, table: str, what: Callable[[Row], str], line: Callable[[Row], str]
) -> list[ContentDifference]:
    old, new = ({row["id"]: row for row in content[table]} for content in (before, after))
    found = []
    for key in sorted(old.keys() | new.keys(), key=abs):
        was, is_now = (line(rows[key]) if key in rows else "" for rows in (old, new))
        if was != is_now:
            found.append(ContentDifference(what(old.get(key) or new[key]), was, is_now))
    return found


def _guests(before: Content, after: Content, players: dict[int, Player], *, public: bool) -> dict[int, str]:
    """Return the names of the opponents abroad by their keys; in public not that of a hidden player on the register, or whose
    FIDE id is his."""
    rows = {row["id"]: row for content in (before, after) for row in content["guests"]}
    if not public:
        return {key: row["name"] for key, row in rows.items()}
    ids = {row["fide_id"] for row in rows.values()} - {None}
    bearers = Player.objects.filter(fide_id__in=ids).exclude(hidden_since=None) if ids else ()
    hidden = {player.fide_id: player.hidden_since for player in bearers}

    def name_of(row: Row) -> str:
        player = players.get(row["player_id"])
        return name_in_public(row["name"], (player and player.hidden_since) or hidden.get(row["fide_id"]))

    return {key: name_of(row) for key, row in rows.items()}


def _games(before: Content, after: Content, names: dict[int, str], guests: dict[int, str]) -> list[ContentDifference]:
    def sides(row: Row) -> str:
        white, black = (names.get(row[side], "") for side in ("white_id", "black_id"))
        if row["guest_id"] is not None:
            guest = guests[row["guest_id"]]
            white, black = white or guest, black or guest
        return f"{white} – {black}" if black else white

    return _lines(
        before,
        after,
        "games",
        lambda row: gettext("round %(round)s, %(players)s") % {"round": row["round"], "players": sides(row)},
        lambda row: f"{sides(row)} {row['result']}",
    )
