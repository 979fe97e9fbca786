"""Reads a published list for the files that are made of it."""

from collections import Counter
from collections.abc import Iterable
from datetime import date, timedelta

from django.db.models import Sum

from config.lib.database import as_float
from players.hidden import name_in_public
from ratings.downloads.formats.listed import ListedPlayer, PublishedList
from ratings.lists.activity import activity_window
from ratings.lists.definitions import ListDefinition
from ratings.lists.queries import Publication
from ratings.models import Activity, Rating

CHESSA_RULES = "Rating Regulations of Chess South Africa"
_FIGURES = ("published", "raw", "weighted", "highest", "previous")


def published_list(
    publication: Publication, published: Iterable[Publication], listing: ListDefinition, *, whole_birth_dates: bool
) -> PublishedList:
    """Return a list of a published month, its players by last name, first name and number, hidden ones after them by rank,
    with 1 January of the year of birth or with `whole_birth_dates`. Three queries at most."""
    active: Counter[int] | None = None
    if listing.is_national:
        runs = activity_window(publication, published).runs
        counted = Activity.objects.filter(run__in=runs, list=listing.id).values_list("player_id")
        active = Counter(dict(counted.annotate(sum=Sum("games"))))
    rows = (
        Rating.objects.filter(run_id=publication.run, list_id=listing.id, position__isnull=False)
        .order_by("player__last_name", "player__first_name", "player__number")
        .values_list(
            "player_id",
            "rank",
            "player__number",
            "player__fide_id",
            "player__last_name",
            "player__first_name",
            "player__birth_date",
            "player__birth_year",
            "player__sex",
            "player__title_id",
            "player__federation",
            "region__code",
            "player__club",
            "player__hidden_since",
            "k",
            "games",
            *(as_float(name) for name in _FIGURES),
        )
    )
    players = []
    for (
        pk,
        rank,
        number,
        fide_id,
        last,
        first,
        born,
        year,
        sex,
        title,
        federation,
        region,
        club,
        hidden_since,
        k,
        games,
        *figures,
    ) in rows:
        if hidden_since:
            last = name_in_public(f"{first} {last}".strip(), hidden_since)
            number, fide_id, first, born, year = "", None, "", None, None
            sex, title, club = "", "", ""
        players.append(
            ListedPlayer(
                rank=rank,
                number=number,
                fide_id=fide_id,
                last_name=last,
                first_name=first,
                born=_told(born, year, whole=whole_birth_dates),
                sex=sex,
                title=title or "",
                federation=federation,
                region=region or "",
                club=club,
                k=k,
                games=games,
                activity=None if active is None else active[pk],
                key=pk,
                **dict(zip(_FIGURES, figures, strict=True)),
            )
        )
    players.sort(key=lambda player: (False, 0) if player.number else (True, player.rank))
    return PublishedList(
        listing.code,
        listing.name,
        listing.is_national,
        listing.follows(publication.day - timedelta(days=1)) or CHESSA_RULES,
        publication.month,
        publication.day,
        publication.appeared,
        tuple(players),
    )


def _told(born: date | None, year: int | None, *, whole: bool) -> date | None:
    """Return the birth date whole, or 1 January of its year."""
    if born and whole:
        return born
    year = born.year if born else year
    return date(year, 1, 1) if year else None
