"""Reading the register: searching players, and who a player is."""

from dataclasses import dataclass
from datetime import date

from config.lib import formatting
from config.lib.pages import PAGE_SIZE, keyset_page
from events.rules.age_groups import age_group
from events.visibility import public_players
from players.search import Choice, suggested_players
from ratings.lists.definitions import ListDefinition
from ratings.lists.queries import Publication, published_ratings


@dataclass(frozen=True, slots=True)
class Profile:
    """What is shown in public of who a player is: never the birth date."""

    id: int
    number: str
    name: str
    fide_id: int | None
    title: str
    title_name: str
    region: str
    region_name: str
    federation: str
    birth_year: int | None
    age_group: str
    sex: str


def profile(number: str, *, today: date) -> Profile | None:
    """A player by his number; None when there is none. One query."""
    row = (
        public_players()
        .filter(number=number)
        .values_list(
            "id",
            "number",
            "first_name",
            "last_name",
            "fide_id",
            "title_id",
            "title__name",
            "region__code",
            "region__name",
            "federation",
            "birth_year",
            "sex",
        )
        .first()
    )
    if row is None:
        return None
    id_, number, first, last, fide_id, title, title_name, region, region_name, federation, birth_year, sex = row
    return Profile(
        id=id_,
        number=number,
        name=f"{first} {last}".strip(),
        fide_id=fide_id,
        title=title or "",
        title_name=title_name or "",
        region=region or "",
        region_name=region_name or "",
        federation=federation,
        birth_year=birth_year,
        age_group=age_group(birth_year, today=today),
        sex=sex,
    )


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """A player found on the register, with his ratings on the latest lists, in the lists' order."""

    number: str
    name: str
    title: str
    region: str
    region_name: str
    birth_year: int | None
    fide_id: int | None
    ratings: list[str]


@dataclass(frozen=True, slots=True)
class PlayerPage:
    """A stretch of the register by name. `before` and `after` are the numbers to go on from; None at either end."""

    rows: list[PlayerRow]
    total: int
    before: str | None
    after: str | None

    @property
    def total_text(self) -> str:
        """How many players were found."""
        return formatting.count(self.total, "player")


def players(
    choice: Choice,
    lists: list[ListDefinition],
    latest: Publication | None,
    *,
    after: str = "",
    before: str = "",
    size: int = PAGE_SIZE,
) -> PlayerPage:
    """Players by name, after or before the one of a number. Three queries, a fourth to go on from a number."""
    chosen = public_players().filter(choice.on_name(), choice.place.condition())
    total = chosen.count()
    stretch = keyset_page(
        chosen.values_list(
            "id",
            "number",
            "first_name",
            "last_name",
            "title_id",
            "region__code",
            "region__name",
            "birth_year",
            "fide_id",
        ),
        ("folded_name", "number"),
        _key(after or before),
        backwards=not after,
        size=size,
    )
    known = published_ratings(latest.run, [row[0] for row in stretch.rows]) if latest else {}
    shown = [
        PlayerRow(
            number=number,
            name=f"{first} {last}".strip(),
            title=title or "",
            region=region or "",
            region_name=region_name or "",
            birth_year=birth_year,
            fide_id=fide_id,
            ratings=[formatting.rating(known.get((id_, listing.id))) for listing in lists],
        )
        for id_, number, first, last, title, region, region_name, birth_year, fide_id in stretch.rows
    ]
    return PlayerPage(
        shown,
        total,
        before=shown[0].number if stretch.earlier else None,
        after=shown[-1].number if stretch.later else None,
    )


def suggestions(text: str) -> list[dict[str, str]]:
    """The first players by name whom a text fits, as `number`, `name`, `listed` (last name first) and `detail`.

    One query; none for no text.
    """
    return [
        {
            "number": player.number,
            "name": player.name,
            "listed": player.listed,
            "detail": " · ".join(part for part in (player.title, player.region, player.number) if part),
        }
        for player in suggested_players(public_players(), text)
    ]


def _key(number: str) -> tuple[str, str] | None:
    if not number:
        return None
    return public_players().filter(number=number).values_list("folded_name", "number").first()
