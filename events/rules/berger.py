"""The pairings of a round-robin by the tables of Berger. Pure.

Source: FIDE Handbook C.05, annex 1, “Details of Berger tables”.
"""

from collections.abc import Sequence


def berger(numbers: Sequence[int], *, cycles: int = 1) -> list[list[tuple[int, int | None]]]:
    """The rounds of everybody against everybody, each a list of (White, Black); Black is None for who is free.

    The players stand in the order of their lots. A second cycle is the first with colours changed.
    """
    places: list[int | None] = [*numbers, *([None] if len(numbers) % 2 else [])]
    count = len(places)
    rounds: list[list[tuple[int, int | None]]] = []
    for cycle in range(cycles):
        for round_ in range(count - 1):
            pairs = _round(round_, count)
            sides = [
                (places[white], places[black]) for white, black in (pairs if cycle % 2 == 0 else map(_turned, pairs))
            ]
            rounds.append([_free_last(*pair) for pair in sides])
    return rounds


def _round(round_: int, count: int) -> list[tuple[int, int]]:
    """Places from 0. The last place meets one place after the other, changing colours; the rest stand around that one."""
    turning, last = count - 1, count - 1
    pivot = round_ * (count // 2) % turning
    pairs = [(pivot, last) if round_ % 2 == 0 else (last, pivot)]
    return pairs + [((pivot + step) % turning, (pivot - step) % turning) for step in range(1, count // 2)]


def _turned(pair: tuple[int, int]) -> tuple[int, int]:
    return pair[1], pair[0]


def _free_last(white: int | None, black: int | None) -> tuple[int, int | None]:
    if white is None:
        white, black = black, None
    assert white is not None  # noqa: S101 - one place at the most is empty
    return white, black
