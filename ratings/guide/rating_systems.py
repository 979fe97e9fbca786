"""The four rating systems in short: what moves a rating in each, its figures from the tables of editions, its curves."""

from dataclasses import dataclass
from datetime import date

from django.utils.translation import gettext, gettext_noop

from config.lib.editions import Edition, edition_from
from ratings.edition_notes import note
from ratings.guide.curves import Picture, expected_picture, k_picture
from ratings.guide.figures import figure, k_steps
from ratings.systems import cfc, chessa, icu, uscf

# Names of systems, marked for translation.
_NAMES = (
    gettext_noop("Chess South Africa"), gettext_noop("Irish Chess Union"), gettext_noop("US Chess (USCF)"),
    gettext_noop("Chess Federation of Canada (CFC)"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class SystemGuide:
    """A system for readers: facts as (label, sentence); `edition`: the rules that are drawn, `note` on them."""

    code: str
    name: str
    edition: Edition
    note: str
    facts: tuple[tuple[str, str], ...]
    pictures: tuple[Picture, ...]


def system_guides(today: date) -> list[SystemGuide]:
    """Return the four systems by the rules in force on a day."""
    modules = ((chessa, _chessa), (icu, _icu), (uscf, _uscf), (cfc, _cfc))
    guides = []
    for module, facts in modules:
        edition = edition_from(module.EDITIONS, today)
        pictures = (k_picture(module.CODE, edition), expected_picture(module.CODE, edition))
        guides.append(SystemGuide(module.CODE, gettext(module.NAME), edition, note(edition), facts(edition), pictures))
    return guides


def _chessa(edition: Edition) -> tuple[tuple[str, str], ...]:
    low, high = edition["difference_bounds"]
    return (
        (gettext("Rated"), gettext("A whole month at once: each game from the raw ratings at its start.")),
        (
            "K",
            gettext("By the highest rating so far: %(steps)s.")
            % {"steps": k_steps(edition["k_thresholds"], edition["k_factors"])},
        ),
        (
            gettext("Expected score"),
            gettext("A straight line with an advantage for White, flat beyond %(low)s and %(high)s points.")
            % {"low": figure(low), "high": figure(high)},
        ),
        (
            gettext("New players"),
            gettext("Start at %(rating)s with K %(k)s.") % _of(edition, rating="unrated_rating", k="unrated_k"),
        ),
        (
            gettext("Its own"),
            gettext(
                "The weight of the time control on Main, the last %(tournaments)s tournaments, and the weighted average of"
                " %(window)s ratings: the higher of raw and weighted is published."
            )
            % {"tournaments": len(edition["recent_weights"]), "window": figure(edition["window"])},
        ),
    )


def _icu(edition: Edition) -> tuple[tuple[str, str], ...]:
    return (
        (gettext("Rated"), gettext("Event by event; estimates of the unrated are refined until they settle.")),
        (
            "K",
            gettext(
                "%(high)s from %(high_rating)s on, else %(junior)s under %(junior_age)s years of age, %(new)s in the first"
                " %(new_years)s years of membership, %(otherwise)s afterwards."
            )
            % _of(
                edition,
                high="k_high",
                high_rating="k_high_rating",
                junior="k_junior",
                junior_age="k_junior_age",
                new="k_new",
                new_years="k_new_years",
                otherwise="k_otherwise",
            ),
        ),
        (
            gettext("Expected score"),
            gettext("The logistic curve: %(scale)s points are ten to one.") % _of(edition, scale="expectation_scale"),
        ),
        (
            gettext("New players"),
            gettext("Are provisional for %(games)s games, rated by their performance.")
            % _of(edition, games="full_games"),
        ),
        (
            gettext("Its own"),
            gettext("Bonus points for a fine event of %(games)s games or more, below a ceiling.")
            % _of(edition, games="bonus_games"),
        ),
    )


def _uscf(edition: Edition) -> tuple[tuple[str, str], ...]:
    return (
        (
            gettext("Rated"),
            gettext("Event by event; everybody’s rating after a first pass rates the others in the second."),
        ),
        (
            "K",
            gettext(
                "%(k)s divided by effective games and games of the event: it falls with both. The curves are those of an"
                " established player."
            )
            % _of(edition, k="k"),
        ),
        (
            gettext("Expected score"),
            gettext("The logistic curve over %(scale)s points; a straight line in the special formula for newcomers.")
            % _of(edition, scale="scale"),
        ),
        (
            gettext("New players"),
            gettext(
                "Up to %(special)s games the special formula; provisional up to %(provisional)s. They start by age, or by a"
                " rating elsewhere."
            )
            % _of(edition, special="special_games", provisional="provisional_games"),
        ),
        (
            gettext("Its own"),
            gettext("Bonus points above %(multiplier)s times the root of the games, and floors.")
            % _of(edition, multiplier="bonus_multiplier"),
        ),
    )


def _cfc(edition: Edition) -> tuple[tuple[str, str], ...]:
    return (
        (gettext("Rated"), gettext("Event by event, in whole numbers and exact fractions.")),
        (
            "K",
            gettext("%(below)s below %(boundary)s, %(above)s from there on.")
            % _of(edition, below="k_below", boundary="k_boundary", above="k_from"),
        ),
        (gettext("Expected score"), gettext("A printed table in steps of a hundredth.")),
        (
            gettext("New players"),
            gettext("Are provisional for %(games)s games, rated by their performance.")
            % _of(edition, games="established_games"),
        ),
        (gettext("Its own"), gettext("Bonus points for a lifetime high, and for a jump.")),
    )


def _of(edition: Edition, **names: str) -> dict[str, str]:
    """Return figures of an edition by the names that a text gives them; `names`: the name of each one's constant."""
    return {name: figure(edition[constant]) for name, constant in names.items()}
