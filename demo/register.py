"""Writes the register of the demonstration: regions, users with their roles, players, arbiters."""

from collections.abc import Iterable, Sequence
from datetime import date

from accounts.models import User
from demo.accounts import accounts
from demo.clock import Clock
from demo.officials import Official, arbiter_with_login
from demo.people import InventedPerson
from demo.regions import HOME_REGION, NATIONAL, PLACES
from events.models import Arbiter, Fee, Membership
from players.models import Player, Province, Region, RegionalAdministrator
from players.operations import NewPlayer, register_players

_REPLACED = PLACES[4]  # the region whose administrator changed (article 58)
_HANDED_OVER = date(2026, 9, 1)


class Register:
    """The rows to which events refer: players by index, arbiters by position, regions and administrators by code."""

    def __init__(self, people: Sequence[InventedPerson], officials: Sequence[Official], clock: Clock) -> None:
        self.people = people
        self.clock = clock
        self.regions = _write_regions()
        self.officer, arbiter, self.panel = _write_users()
        self.administrators = _write_administrators(self.regions, clock.now.date())
        self._players: dict[int, Player] = {}
        self.players(person.index for person in people if person.joined == 0)
        self.arbiters = self._write_arbiters(officials, arbiter)

    def players(self, indices: Iterable[int]) -> dict[int, Player]:
        """Return the players of people by index, after registering those who are not yet on the register (article 56)."""
        indices = list(indices)
        missing = [self.people[index] for index in indices if index not in self._players]
        if missing:
            by_number = {
                player.number: player for player in Player.objects.filter(number__in=[p.number for p in missing])
            }
            new = [person for person in missing if person.number not in by_number]
            written = register_players([self._new_player(person) for person in new], at=self.clock.now)
            by_number.update((player.number, player) for player in written)
            self._players.update((person.index, by_number[person.number]) for person in missing)
        return {index: self._players[index] for index in indices}

    def administrator(self, region: str) -> User:
        """Return the administrator of a region, by code, at the clock's moment."""
        in_office = [user for since, user in self.administrators[region] if since <= self.clock.now.date()]
        return in_office[-1] if in_office else self.administrators[region][0][1]

    def _new_player(self, person: InventedPerson) -> NewPlayer:
        return NewPlayer(
            last_name=person.last_name,
            first_name=person.first_name,
            national_id=person.number,
            fide_id=person.fide_id,
            birth_date=person.born,
            sex=person.sex,
            title=person.title,
            region=self.regions[person.place.code],
        )

    def _write_arbiters(self, officials: Sequence[Official], user: User) -> list[Arbiter]:
        players = self.players(official.person for official in officials)
        login = arbiter_with_login(officials)
        arbiters = Arbiter.objects.bulk_create(
            Arbiter(
                name=official.name,
                player=players[official.person],
                number=official.number,
                fide_id=official.fide_id,
                title=official.title,
                user=user if official is login else None,
            )
            for official in officials
        )
        Membership.objects.bulk_create(
            Membership(arbiter=arbiter, year=year, paid_on=day)
            for arbiter, official in zip(arbiters, officials, strict=True)
            for year, day in official.paid
        )
        Membership.objects.bulk_create(
            Membership(arbiter=arbiter, fee=Fee.FIDE, year=year, paid_on=date(year - 1, 12, 1))
            for arbiter, official in zip(arbiters, officials, strict=True)
            if official.fide_id
            for year, _ in official.paid
        )
        return arbiters


def _write_regions() -> dict[str, Region]:
    provinces = {province.code: province for province in Province.objects.all()}
    for place in PLACES:
        Region.objects.get_or_create(
            code=place.code, defaults={"name": place.name, "province": provinces[place.province]}
        )
    return {region.code: region for region in Region.objects.all()}


def _write_users() -> tuple[User, User, User]:
    """Write the users that can log in; return the officer, the arbiter and the member of the appeals panel."""
    users = {account.email.partition("@")[0]: account for account in accounts()}
    officer = User.objects.create_user(
        users["officer"].email, users["officer"].password, is_officer=True, is_staff=True, first_name="Ratings Officer"
    )
    User.objects.create_user(users["administrator"].email, users["administrator"].password, is_staff=True)
    arbiter = User.objects.create_user(users["arbiter"].email, users["arbiter"].password, is_staff=True)
    panel = User.objects.create_user(
        users["panel"].email, users["panel"].password, is_panel=True, is_staff=True, first_name="Appeals Panel"
    )
    User.objects.create_superuser(users["superuser"].email, users["superuser"].password)
    return officer, arbiter, panel


def _write_administrators(regions: dict[str, Region], since: date) -> dict[str, list[tuple[date, User]]]:
    """Write the administrators; return for each region its (first day, user) pairs. Only the home region's can log in."""
    users: dict[str, list[tuple[date, User]]] = {}
    for code in [NATIONAL.code, *(place.code for place in PLACES)]:
        terms = [(since, _HANDED_OVER, f"{code.lower()}-before"), (_HANDED_OVER, None, code.lower())]
        for begins, until, name in terms if code == _REPLACED.code else [(since, None, code.lower())]:
            user = (
                User.objects.get(email="administrator@example.org")
                if code == HOME_REGION.code
                else User.objects.create_user(f"{name}@example.org")
            )
            RegionalAdministrator.objects.create(user=user, region=regions[code], since=begins, until=until)
            users.setdefault(code, []).append((begins, user))
    return users
