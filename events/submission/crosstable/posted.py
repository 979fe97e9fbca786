"""The sent data of results entered by hand: rows, rounds and cells, and changes of the table by its buttons."""

import re
from collections.abc import Mapping

from django.http import QueryDict
from django.utils.translation import gettext

from events.files.crosstable import Place, read_cells, write_cells
from events.models import Format, Section
from events.rules.berger import berger
from events.rules.game_result import Result
from events.rules.tournament import Pairing
from events.submission.crosstable.document import MOST_PLAYERS, MOST_ROUNDS
from events.submission.crosstable.forms import EntryRow
from players.identity import is_chess_sa_id
from players.merged import on_register, players_of
from players.models import Player

FRESH_ROWS, MORE_ROWS = 10, 5
CYCLES = {Format.ROUND_ROBIN: 1, Format.DOUBLE_ROUND_ROBIN: 2}  # in which each player meets every other once
_NUMBER = re.compile(r"[1-9][0-9]{0,3}")
_CELL = re.compile(r"c([1-9][0-9]{0,3})-([1-9][0-9]?)")


def sent_numbers(data: QueryDict) -> list[int]:
    """Return the start numbers of the rows."""
    numbers = [int(text) for text in data.get("numbers", "")[:400].split() if _NUMBER.fullmatch(text)]
    return sorted(set(numbers))[:MOST_PLAYERS] or list(range(1, FRESH_ROWS + 1))


def sent_rounds(data: QueryDict) -> int:
    """Return the number of rounds."""
    text = data.get("rounds", "")
    return min(int(text), MOST_ROUNDS) if _NUMBER.fullmatch(text) else 1


def sent_cells(data: QueryDict) -> dict[Place, str]:
    """Return the cells that are not blank."""
    cells = ((_CELL.fullmatch(name), data.get(name, "")) for name in data)
    return {(int(match[1]), int(match[2])): text for match, text in cells if match and text.strip()}


def complete(data: QueryDict, numbers: list[int]) -> Mapping[int, Player]:
    """Return row → player on the register by the row's id, and fill in names that are blank.

    An id that was entered as the name is moved to its own field.
    """
    for number in numbers:
        typed = data.get(f"p{number}-name", "").strip()
        if is_chess_sa_id(typed) and not data.get(f"p{number}-national_id", "").strip():
            data[f"p{number}-name"], data[f"p{number}-national_id"] = "", typed
    given = {number: data.get(f"p{number}-national_id", "").strip() for number in numbers}
    register = players_of(on_register(), set(filter(is_chess_sa_id, given.values())))
    known = {number: register[player] for number, player in given.items() if player in register}
    for number, player in known.items():
        data[f"p{number}-national_id"] = player.number
        if not data.get(f"p{number}-name", "").strip():
            data[f"p{number}-name"] = f"{player.last_name}, {player.first_name}"
    return known


def change_table(section: Section, data: QueryDict, action: str) -> str:
    """Add rows or a round, remove a player, or pair a round-robin, for the button `action`.

    Return the name of the field to continue with; "" for any other button. Raises ValueError with the reason if impossible.
    """
    numbers, rounds = sent_numbers(data), sent_rounds(data)
    if action == "add-players":
        more = range(numbers[-1] + 1, min(numbers[-1] + MORE_ROWS, numbers[-1] + MOST_PLAYERS - len(numbers)) + 1)
        if not more:
            raise ValueError(
                gettext("By hand a section has %(most)s players at the most. Upload its file instead.")
                % {"most": MOST_PLAYERS}
            )
        data["numbers"] = " ".join(map(str, [*numbers, *more]))
        return f"p{more[0]}-name"
    if action == "add-round":
        if rounds >= MOST_ROUNDS:
            raise ValueError(
                gettext("By hand a section has %(most)s rounds at the most. Upload its file instead.")
                % {"most": MOST_ROUNDS}
            )
        data["rounds"] = str(rounds + 1)
        return f"c{numbers[0]}-{rounds + 1}"
    if action == "remove-player":
        return _remove(data, numbers)
    if action == "pair":
        return _pair(section, data, numbers)
    return ""


def _remove(data: QueryDict, numbers: list[int]) -> str:
    text = data.get("gone", "").strip()
    gone = int(text) if _NUMBER.fullmatch(text) else 0
    if gone not in numbers:
        raise ValueError(gettext("Give the number of the player who is to be removed."))
    for name in [name for name in data if name.startswith((f"p{gone}-", f"c{gone}-"))]:
        del data[name]
    _, _, results = read_cells(sent_cells(data), numbers)
    for (number, round_), cell in results.items():
        if cell.opponent == gone:
            data[f"c{number}-{round_}"] = ""
    data["numbers"] = " ".join(str(number) for number in numbers if number != gone)
    data["gone"] = ""
    return "gone"


def _pair(section: Section, data: QueryDict, numbers: list[int]) -> str:
    players = [
        number for number in numbers if any(data.get(f"p{number}-{name}", "").strip() for name in EntryRow.base_fields)
    ]
    cycles = CYCLES.get(Format(section.format), 1)
    if len(players) < 2:
        raise ValueError(gettext("Enter the players first: the pairings follow from their numbers."))
    if any(text.strip() for text in sent_cells(data).values()):
        raise ValueError(gettext("There are pairings already. Clear the crosstable before it is paired anew."))
    rounds = berger(players, cycles=cycles)
    if len(rounds) > MOST_ROUNDS:
        problem = gettext("%(players)s players make %(rounds)s rounds; by hand %(most)s are the most.")
        raise ValueError(problem % {"players": len(players), "rounds": len(rounds), "most": MOST_ROUNDS})
    pairings = [
        Pairing(number, white, black, None if black else Result.ZERO_BYE)
        for number, pairs in enumerate(rounds, start=1)
        for white, black in pairs
    ]
    for (number, round_), text in write_cells(pairings).items():
        data[f"c{number}-{round_}"] = text
    data["rounds"] = str(max(len(rounds), sent_rounds(data)))
    return f"c{players[0]}-1"
