"""Lists in the layout of FIDE's rating lists, as text and as XML, so that what reads those reads ours. Pure.

The number of the federation stands where FIDE's stands. Source: FIDE's downloads page, layouts of its single lists (text of
136 columns) and of the list of all three types of game (158 columns).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from xml.sax.saxutils import escape

from config.lib.formatting import one_line
from ratings.downloads.formats.listed import ListedPlayer, PublishedList, ascii_text

_LONGEST_NAME = 60
_WOMEN = frozenset({"WGM", "WIM", "WFM", "WCM"})
_PARTS = ("", "rapid_", "blitz_")  # of the XML's fields


def single_text(listing: PublishedList) -> bytes:
    """Return one list as text: ASCII, CRLF, a heading, a line for each player."""
    heading = f"{_heading()}FOA {f'{listing.day:%b%y}'.upper():6}{'Gms':4}{'K':3}{'B-day':6}Flag"
    lines = (f"{_person(player)}{'':4}{_figures(player)}{_end(player)}" for player in listing.players)
    return _text([heading, *lines])


def combined_text(lists: Sequence[PublishedList]) -> bytes:
    """Return the lists for standard, rapid and blitz games side by side as text; who is on none of them is left out."""
    headings = "".join(f"{kind + 'RTNG':6}{kind + 'GM':4}{kind + 'K':3}" for kind in "SRB")
    rows = [f"{_heading()}{headings}{'B-day':6}Flag"]
    for player, on_lists in _side_by_side(lists):
        rows.append(f"{_person(player)}{''.join(_figures(on_list) for on_list in on_lists)}{_end(player)}")
    return _text(rows)


def single_xml(listing: PublishedList) -> bytes:
    """Return one list as XML."""
    return _xml(_player_xml(player, [player]) for player in listing.players)


def combined_xml(lists: Sequence[PublishedList]) -> bytes:
    """Return the lists for standard, rapid and blitz games side by side as XML."""
    return _xml(_player_xml(player, on_lists) for player, on_lists in _side_by_side(lists))


def _side_by_side(
    lists: Sequence[PublishedList],
) -> Iterator[tuple[ListedPlayer, list[ListedPlayer | None]]]:
    """Yield each player by name with the lines on each list, None where the player is not on it."""
    by_id: list[Mapping[str, ListedPlayer]] = [
        {player.number or f"hidden-{player.key}": player for player in listing.players} for listing in lists
    ]
    people = {id: player for of_list in reversed(by_id) for id, player in of_list.items()}
    for id, player in sorted(people.items(), key=lambda item: (item[1].last_name, item[1].first_name, item[0])):
        yield player, [of_list.get(id) for of_list in by_id]


def _heading() -> str:
    return f"{'ID Number':15}{'Name':61}{'Fed':4}{'Sex':4}{'Tit':5}{'WTit':5}{'OTit':15}"


def _person(player: ListedPlayer) -> str:
    """Columns 1 to 109: id, name, federation, sex, title, women's title."""
    women = player.title if player.title in _WOMEN else ""
    return (
        f"{player.number:15}{ascii_text(player.name)[:_LONGEST_NAME]:61}{player.federation:4}{player.sex:4}"
        f"{player.title:5}{women:5}{'':15}"
    )


def _figures(player: ListedPlayer | None) -> str:
    if player is None:
        return f"{'0':6}{'0':4}{'0':3}"
    return f"{player.rounded:<6}{min(player.games, 999):<4}{_whole(player.k):3}"


def _end(player: ListedPlayer) -> str:
    return f"{_year(player):6}{_flag(player)}"


def _year(player: ListedPlayer) -> str:
    return str(player.born.year) if player.born else "0"


def _flag(player: ListedPlayer) -> str:
    return ("w" if player.sex == "F" else "") + ("i" if player.is_inactive else "")


def _whole(value: float | None) -> str:
    return "0" if value is None else f"{value:.0f}"


def _text(lines: Iterable[str]) -> bytes:
    return "".join(f"{line.rstrip()}\r\n" for line in lines).encode("ascii")


def _player_xml(player: ListedPlayer, on_lists: Sequence[ListedPlayer | None]) -> str:
    fields = {
        "fideid": player.number,
        "name": player.name,
        "country": player.federation,
        "sex": player.sex,
        "title": player.title,
        "w_title": player.title if player.title in _WOMEN else "",
        "o_title": "",
        "foa_title": "",
    }
    for part, on_list in zip(_PARTS, on_lists, strict=False):
        fields[f"{part}rating"] = str(on_list.rounded) if on_list else "0"
        fields[f"{part}games"] = str(on_list.games) if on_list else "0"
        fields[f"{part}k"] = _whole(on_list.k) if on_list else "0"
    fields |= {"birthday": _year(player), "flag": _flag(player)}
    return "".join(f"<{name}>{escape(one_line(text))}</{name}>\n" for name, text in fields.items())


def _xml(players: Iterable[str]) -> bytes:
    body = "".join(f"<player>\n{player}</player>\n" for player in players)
    return f'<?xml version="1.0" encoding="utf-8"?>\n<playerslist>\n{body}</playerslist>\n'.encode()
