"""Pairings: a simple Swiss of our own, and round-robins.

The Swiss pairs score groups top half against bottom half, lets nobody meet twice, evens out the colours where it can, and
gives the bye to the lowest who had none.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field


class PairingError(Exception):
    """The round cannot be paired without a repeat."""


@dataclass(slots=True)
class PlayerCard:
    """What a player's rounds so far come to."""

    number: int
    points: float = 0.0
    met: set[int] = field(default_factory=set)
    balance: int = 0  # Whites less Blacks
    had_white: bool = False  # in his last game
    had_bye: bool = False


@dataclass(frozen=True, slots=True)
class Pairs:
    """A round: (White, Black) by start number, and who has the bye."""

    games: tuple[tuple[int, int], ...]
    bye: int | None


def pair_round(cards: Sequence[PlayerCard]) -> Pairs:
    """Pair those who are present. PairingError when there is no pairing without a repeat."""
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
    """Put a pairing on both cards. Points are the caller's."""
    white.met.add(black.number)
    black.met.add(white.number)
    white.balance += 1
    black.balance -= 1
    white.had_white, black.had_white = True, False


def _match(order: list[PlayerCard]) -> list[tuple[int, int]] | None:
    if not order:
        return []
    first, rest = order[0], order[1:]
    group = sum(card.points == first.points for card in rest) + 1
    ideal = group // 2 - 1 if group > 1 else 0

    def cost(place: int) -> tuple[bool, float, bool, int]:
        other = rest[place]
        clash = first.balance * other.balance > 0
        return (
            clash and abs(first.balance + other.balance) > 3,
            first.points - other.points,
            clash,
            abs(place - ideal),
        )

    for place in sorted((place for place, other in enumerate(rest) if other.number not in first.met), key=cost):
        others = _match(rest[:place] + rest[place + 1 :])
        if others is not None:
            return [_colours(first, rest[place]), *others]
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
    """Everybody against everybody by the circle method; doubled, a second time with the colours changed."""
    circle: list[int | None] = [*range(1, players + 1), *([None] if players % 2 else [])]
    size = len(circle)
    rounds: list[Pairs] = []
    for number in range(size - 1):
        games: list[tuple[int, int]] = []
        bye: int | None = None
        for place in range(size // 2):
            one, other = circle[place], circle[size - 1 - place]
            if one is None or other is None:
                bye = other if one is None else one
            else:
                swap = number % 2 == 1 if place == 0 else place % 2 == 1
                games.append((other, one) if swap else (one, other))
        rounds.append(Pairs(tuple(games), bye))
        circle.insert(1, circle.pop())
    if double:
        rounds += [Pairs(tuple((black, white) for white, black in pairs.games), pairs.bye) for pairs in rounds]
    return rounds
