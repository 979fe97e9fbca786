"""A standing that was brought in and not calculated: its figures, and which of them were filled in."""

from dataclasses import dataclass

from django.utils.translation import gettext

from config.lib import formatting
from config.lib.database import as_float
from ratings.lists.definitions import ListDefinition
from ratings.models import Rating
from ratings.systems.chessa.constants import EDITIONS

_FIGURES = ("published", "raw", "weighted", "highest")


@dataclass(frozen=True, slots=True)
class BroughtIn:
    """A player's standing on a list as it was brought in: (label, figure), and a sentence for each figure filled in."""

    rows: list[tuple[str, str]]
    filled: list[str]


def brought_in(run: int, player: int, listing: ListDefinition) -> BroughtIn:
    """Return a player's standing of a run that was brought in. Raises Rating.DoesNotExist. One query."""
    figures = [as_float(name) for name in _FIGURES]
    published, raw, weighted, highest, k, pending, standing = Rating.objects.values_list(
        *figures, "k", "pending_penalty", "standing"
    ).get(run_id=run, player_id=player, list_id=listing.id)
    rows = [(gettext("Published rating"), listing.rating(published))]
    if raw is not None:
        rows.append((gettext("Raw rating"), listing.rating(raw)))
    if weighted is not None:
        rows.append((gettext("Weighted rating"), listing.rating(weighted)))
    if highest is not None:
        rows.append((gettext("Highest rating"), listing.rating(highest)))
    if k is not None:
        rows.append((gettext("K of the next month"), listing.k(k)))
    if pending:
        rows.append((gettext("Penalty points that wait for a rating"), f"{pending:g}"))
    return BroughtIn(rows, filled_texts(standing) if listing.is_national else [])


def filled_texts(standing: object) -> list[str]:
    """Return a sentence for each figure of a standing that was not brought and had to be filled in, from its mark."""
    marks = standing if isinstance(standing, dict) else {}
    names = marks.get("filled", [])
    edition = EDITIONS[-1]
    texts = []
    if "raw" in names:
        texts.append(gettext("The raw rating was not known: the published rating stands in its place."))
    if "highest" in names:
        texts.append(gettext("The highest rating was not known: it follows from the rating or from K (article 31)."))
    if "history" in names:
        values = {
            "missing": marks.get("padded", 0),
            "all": edition["window"],
            "rating": formatting.whole(edition["unrated_rating"]),
        }
        texts.append(
            gettext("%(missing)s of the %(all)s former raw ratings were not brought and count %(rating)s (article 49).")
            % values
        )
    return texts
