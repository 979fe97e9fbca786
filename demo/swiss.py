"""Pairings: a simple Swiss system and round-robins.

The Swiss pairs the top half of a score group with its bottom half, without repeated opponents, balances colours where it
can, and gives the bye to the lowest player without one.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field


class PairingError(Exception):
    """The round cannot be paired without a repeat."""


@dataclass(slots=True)
class PlayerCard:
    """A player's points, opponents and colours so far."""

    number: int
    points: float = 0.0
    met: set[int] = field(default_factory=set)
    balance: int = 0  # games with White less games with Black
    had_white: bool = False  # in the last game
    had_bye: bool = False


@dataclass(frozen=True, slots=True)
class Pairs:
    """A round: (White, Black) by start number, and the start number with the bye."""

    games: tuple[tuple[int, int], ...]
    bye: int | None


def pair_round(cards: Sequence[PlayerCard]) -> Pairs:
    """Pair the players present. Raises PairingError when there is no pairing without a repeat."""
    order = sorted(cards, key=lambda card: (-card.points, card.number))
    if len(order) % 2 == 0:
        matched = _match(order)
        if matched is not None:
            return Pairs(tuple(matched), None)
    for candidate in reversed(order):
        if len(order) % 2 and not candidate.had_bye:
            matched = _match([card for card in order if card is not candidate])
            if matched is not None:
                return Pairs(tuple(matched), candidate.number)
    raise PairingError(f"{len(order)} players cannot be paired without a repeat")


def record_game(white: PlayerCard, black: PlayerCard) -> None:
    """Record a pairing on both cards. The caller adds the points."""
    white.met.add(black.number)
    black.met.add(white.number)
    white.balance += 1
    black.balance -= 1
    white.had_white, black.had_white = True, False


def _match(order: list[PlayerCard]) -> list[tuple[int, int]] | None:
    if not order:
        return []
    first, opponents = order[0], order[1:]
    group = sum(card.points == first.points for card in opponents) + 1
    ideal = group // 2 - 1 if group > 1 else 0

    def cost(place: int) -> tuple[bool, float, bool, int]:
        opponent = opponents[place]
        clash = first.balance * opponent.balance > 0
        return (
            clash and abs(first.balance + opponent.balance) > 3,
            first.points - opponent.points,
            clash,
            abs(place - ideal),
        )

    for place in sorted(
        (place for place, opponent in enumerate(opponents) if opponent.number not in first.met), key=cost
    ):
        remaining = _match(opponents[:place] + opponents[place + 1 :])
        if remaining is not None:
            return [_colours(first, opponents[place]), *remaining]
    return None


def _colours(higher: PlayerCard, lower: PlayerCard) -> tuple[int, int]:
    if higher.balance != lower.balance:
        higher_white = higher.balance < lower.balance
    elif higher.met and lower.met and higher.had_white != lower.had_white:
        higher_white = lower.had_white
    else:
        higher_white = higher.number % 2 == 1
    return (higher.number, lower.number) if higher_white else (lower.number, higher.number)


def round_robin(players: int, *, double: bool = False) -> list[Pairs]:
    """Return the rounds of a round-robin by the circle method; `double` adds them again with colours reversed."""
    circle: list[int | None] = [*range(1, players + 1), *([None] if players % 2 else [])]
    size = len(circle)
    rounds: list[Pairs] = []
    for number in range(size - 1):
        games: list[tuple[int, int]] = []
        bye: int | None = None
        for place in range(size // 2):
            first, second = circle[place], circle[size - 1 - place]
            if first is None or second is None:
                bye = second if first is None else first
            else:
                swap = number % 2 == 1 if place == 0 else place % 2 == 1
                games.append((second, first) if swap else (first, second))
        rounds.append(Pairs(tuple(games), bye))
        circle.insert(1, circle.pop())
    if double:
        rounds += [Pairs(tuple((black, white) for white, black in pairs.games), pairs.bye) for pairs in rounds]
    return rounds
