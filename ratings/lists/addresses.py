"""The list and the month that an address names, for pages, files and API."""

from collections.abc import Iterable

from django.http import Http404

from ratings.lists.definitions import ListDefinition
from ratings.lists.queries import Publication


def addressed_list(lists: Iterable[ListDefinition], code: str) -> ListDefinition:
    """Return the list with a code. Raises Http404."""
    for listing in lists:
        if listing.code == code:
            return listing
    raise Http404(f"There is no rating list “{code}”.")


def addressed_month(published: Iterable[Publication], period: str = "") -> Publication:
    """Return the published month of an address, the latest without one. Raises Http404."""
    for publication in published:
        if period in ("", publication.code):
            return publication
    raise Http404(f"No list of the rating period {period} is published." if period else "No list is published yet.")
