"""Writes on players. One transaction each; the clock and the actor are passed in."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import count

from django.db import transaction
from django.db.models import Max, Model
from simple_history.utils import bulk_update_with_history

from accounts.models import User
from accounts.trail.operations import record, record_all
from config.lib.database import save_recorded
from config.lib.names import composed
from players.identity import folded_name, is_chess_sa_id
from players.models import Player, Region, Title

FIRST_NUMBER = 100_000_001


@dataclass(frozen=True, slots=True)
class NewPlayer:
    """The data of a player to be put on the register (article 56)."""

    last_name: str
    first_name: str
    national_id: str = ""
    fide_id: int | None = None
    birth_date: date | None = None
    birth_year: int | None = None
    sex: str = ""
    title: str = ""
    region: Region | None = None
    federation: str = "RSA"
    club: str = ""


def lock_numbers() -> None:
    """Have nobody else give a number to a new player before the caller's transaction ends. Hazard: other players are locked
    after it."""
    list(Player.objects.select_for_update().order_by("-number")[:1])


def register_players(people: list[NewPlayer], *, at: datetime) -> list[Player]:
    """Put players on the register, in the order given. One without a free number of nine digits gets the next free one."""
    if not people:
        return []
    with transaction.atomic():
        lock_numbers()
        players = new_players(people, at=at)
        for player in players:
            save_player(player)
    return players


def new_players(people: Sequence[NewPlayer], *, at: datetime, besides: Collection[str] = ()) -> list[Player]:
    """Return players who are not saved yet, in the order given, with their numbers. `besides`: numbers that are kept free.

    The caller holds a lock on the register, so that nobody else gets a number meanwhile.
    """
    titles = {title.code: title for title in Title.objects.all()}
    brought = {person.national_id for person in people if is_chess_sa_id(person.national_id)}
    used_numbers = set(Player.objects.filter(number__in=brought).values_list("number", flat=True))
    # The history, too: a number is not given again after its player was deleted.
    known = [
        rows.filter(number__lt="900000000").aggregate(last=Max("number"))["last"]
        for rows in (Player.objects, Player.history)
    ]
    last = max(int(number or FIRST_NUMBER - 1) for number in known)
    players: list[Player] = []
    for person in people:
        number = person.national_id
        if number not in brought or number in used_numbers:
            last = next(
                free for free in count(last + 1) if f"{free:09d}" not in brought and f"{free:09d}" not in besides
            )
            number = f"{last:09d}"
        used_numbers.add(number)
        players.append(
            Player(
                number=number,
                fide_id=person.fide_id,
                last_name=person.last_name,
                first_name=person.first_name,
                birth_date=person.birth_date,
                birth_year=person.birth_date.year if person.birth_date else person.birth_year,
                sex=person.sex,
                title=titles.get(person.title),
                region=person.region,
                federation=person.federation or "RSA",
                club=person.club,
                registered_at=at,
            )
        )
    return players


def assign_regions(
    regions: Mapping[int, Region], *, at: datetime, by: User | None, part_of: Model, reason: str
) -> None:
    """Give players, by their keys, a region, and put it on the trail, unless the register has one for them by now (article
    14.5). A few statements for each 500.

    `part_of`: the row with which it came.
    """
    with transaction.atomic():
        players = list(
            Player.objects.select_for_update(of=("self",)).filter(pk__in=regions, region=None).order_by("pk")
        )
        of_region: dict[Region, list[Player]] = defaultdict(list)
        for player in players:
            player.region = regions[player.pk]
            of_region[player.region].append(player)
        bulk_update_with_history(players, Player, ["region"], batch_size=500, default_user=by, default_date=at)
        for region, given in of_region.items():
            subjects = [(player, {"region": ""}) for player in given]
            after = {"region": region.code}
            record_all("region assigned", subjects, at=at, by=by, part_of=part_of, after=after, reason=reason)


def hide_player(player: Player, *, since: date, at: datetime, by: User | None, reason: str) -> None:
    """Hide a player from the public since a day."""
    with transaction.atomic():
        player = Player.objects.select_for_update(of=("self",)).get(pk=player.pk)
        player.hidden_since = since
        save_recorded(player, at=at, by=by)
        hide_merged(player, at=at, by=by)
        record("hidden", player, at=at, by=by, after={"hidden since": since}, reason=reason)


def hide_merged(player: Player, *, at: datetime, by: User | None) -> None:
    """Hide with a player those who are merged into him, as earlier lists and corrections have them under their own names; when
    he is shown again, so are they who were not hidden before they were merged. Inside the caller's transaction."""
    merged = Player.objects.select_for_update(of=("self",)).filter(merged_into=player, erased_at=None).order_by("pk")
    for row in merged:
        since = min(filter(None, (_own_hidden_since(row), player.hidden_since)), default=None)
        if row.hidden_since != since:
            row.hidden_since = since
            save_recorded(row, at=at, by=by)


def _own_hidden_since(row: Player) -> date | None:
    """Return since when a player who is merged was hidden before that."""
    before = Player.history.filter(id=row.pk, merged_into=None).order_by("-history_id").first()
    return before.hidden_since if before else row.hidden_since


def save_player(player: Player) -> None:
    """Save a player after filling `folded_name` and `birth_year` from name and birth date; the address in small letters."""
    fill_derived(player)
    player.save()


def fill_derived(player: Player) -> None:
    """Fill what `save_player` fills, without saving."""
    player.email = player.email.strip().lower()
    player.last_name, player.first_name = composed(player.last_name), composed(player.first_name)
    player.folded_name = folded_name(player.last_name, player.first_name)
    if player.birth_date:
        player.birth_year = player.birth_date.year
