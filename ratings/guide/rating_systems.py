"""The four rating systems in short: what moves a rating in each, its figures from the tables of editions, its curves."""

from dataclasses import dataclass
from datetime import date

from config.lib.editions import Edition, edition_from
from ratings.guide.curves import Picture, expected_picture, k_picture
from ratings.guide.figures import k_steps
from ratings.systems import cfc, chessa, icu, uscf


@dataclass(frozen=True, slots=True)
class SystemGuide:
    """A system for readers: facts as (label, sentence); `edition`: the rules that are drawn."""

    code: str
    name: str
    edition: Edition
    facts: tuple[tuple[str, str], ...]
    pictures: tuple[Picture, ...]


def system_guides(today: date) -> list[SystemGuide]:
    """Return the four systems by the rules in force on a day."""
    modules = ((chessa, _chessa), (icu, _icu), (uscf, _uscf), (cfc, _cfc))
    guides = []
    for module, facts in modules:
        edition = edition_from(module.EDITIONS, today)
        pictures = (k_picture(module.CODE, edition), expected_picture(module.CODE, edition))
        guides.append(SystemGuide(module.CODE, module.NAME, edition, facts(edition), pictures))
    return guides


def _chessa(edition: Edition) -> tuple[tuple[str, str], ...]:
    low, high = edition["difference_bounds"]
    return (
        ("Rated", "A whole month at once: each game from the raw ratings at its start."),
        ("K", f"By the highest rating so far: {k_steps(edition['k_thresholds'], edition['k_factors'])}."),
        (
            "Expected score",
            f"A straight line with an advantage for White, flat beyond {low:g} and {high:g} points.".replace("-", "−"),
        ),
        ("New players", f"Start at {edition['unrated_rating']:g} with K {edition['unrated_k']:g}."),
        (
            "Its own",
            f"The weight of the time control on Main, the last {len(edition['recent_weights'])} tournaments, and the weighted"
            f" average of {edition['window']:g} ratings: the higher of raw and weighted is published.",
        ),
    )


def _icu(edition: Edition) -> tuple[tuple[str, str], ...]:
    return (
        ("Rated", "Event by event; estimates of the unrated are refined until they settle."),
        (
            "K",
            f"{edition['k_high']:g} from {edition['k_high_rating']:g} on, else {edition['k_junior']:g} under"
            f" {edition['k_junior_age']:g} years of age, {edition['k_new']:g} in the first {edition['k_new_years']:g} years of"
            f" membership, {edition['k_otherwise']:g} afterwards.",
        ),
        ("Expected score", f"The logistic curve: {edition['expectation_scale']:g} points are ten to one."),
        ("New players", f"Are provisional for {edition['full_games']:g} games, rated by their performance."),
        ("Its own", f"Bonus points for a fine event of {edition['bonus_games']:g} games or more, below a ceiling."),
    )


def _uscf(edition: Edition) -> tuple[tuple[str, str], ...]:
    return (
        ("Rated", "Event by event; everybody’s rating after a first pass rates the others in the second."),
        (
            "K",
            f"{edition['k']:g} divided by effective games and games of the event: it falls with both. The curves are those of"
            " an established player.",
        ),
        (
            "Expected score",
            f"The logistic curve over {edition['scale']:g} points; a straight line in the special formula for newcomers.",
        ),
        (
            "New players",
            f"Up to {edition['special_games']:g} games the special formula; provisional up to"
            f" {edition['provisional_games']:g}. They start by age, or by a rating elsewhere.",
        ),
        ("Its own", f"Bonus points above {edition['bonus_multiplier']:g} times the root of the games, and floors."),
    )


def _cfc(edition: Edition) -> tuple[tuple[str, str], ...]:
    return (
        ("Rated", "Event by event, in whole numbers and exact fractions."),
        ("K", f"{edition['k_below']:g} below {edition['k_boundary']:g}, {edition['k_from']:g} from there on."),
        ("Expected score", "A printed table in steps of a hundredth."),
        ("New players", f"Are provisional for {edition['established_games']:g} games, rated by their performance."),
        ("Its own", "Bonus points for a lifetime high, and for a jump."),
    )
