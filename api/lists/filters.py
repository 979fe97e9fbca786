"""Words of the query that narrow a list, or the register."""

from collections.abc import Sequence
from typing import Any, ClassVar

import django_filters
from django import forms
from django.db.models import Exists, OuterRef, Q, QuerySet

from config.kept_reads import kept
from config.lib.forms import PlainTextField
from players.hidden import not_hidden
from players.models import Player
from players.search import LONGEST_SEARCH, RegionChoice, name_choice
from ratings.lists.queries import publications
from ratings.models import LiveRating, Rating

_YEARS = {"min_value": 0, "max_value": 9999}


class _Flag(django_filters.ChoiceFilter):
    """`true` or `false`."""

    def __init__(self, **options: Any) -> None:
        super().__init__(choices=[("true", "true"), ("false", "false")], empty_label=None, **options)


class _Year(django_filters.NumberFilter):
    field_class = forms.IntegerField

    def __init__(self, **options: Any) -> None:
        super().__init__(min_value=0, max_value=9999, **options)


class _Words(django_filters.CharFilter):
    """Words as texts are kept, so that they find those."""

    field_class = PlainTextField


class PlayerFilters(django_filters.FilterSet):
    """Filters of players; `PREFIX` leads from a row to its player."""

    PREFIX: ClassVar[str] = ""

    q = _Words(
        method="by_name",
        max_length=LONGEST_SEARCH,
        help_text="Beginnings of words of the name, in any order, accents ignored; or the beginning of a number, or a FIDE id.",
    )
    region = _Words(method="by_region", max_length=3, help_text="Code of a region.")
    province = _Words(method="by_province", max_length=3, help_text="Code of a province.")

    class Meta:
        model = Player
        fields: ClassVar[list[str]] = []

    def by_name(self, rows: QuerySet[Any], name: str, text: str) -> QuerySet[Any]:
        """Narrow rows to players whose name or number matches a text."""
        return rows.filter(name_choice(text).on_name(self.PREFIX))

    def by_region(self, rows: QuerySet[Any], name: str, code: str) -> QuerySet[Any]:
        """Narrow rows to a region."""
        return rows.filter(RegionChoice(region=code).condition())

    def by_province(self, rows: QuerySet[Any], name: str, code: str) -> QuerySet[Any]:
        """Narrow rows to a province."""
        return rows.filter(RegionChoice(province=code).condition())


class RegisterFilters(PlayerFilters):
    """Filters of the register."""

    sex = django_filters.ChoiceFilter(choices=[("F", "female"), ("M", "male")], help_text="F or M.")
    title = _Words(field_name="title_id", max_length=3, help_text="A FIDE title, as GM.")
    federation = _Words(max_length=3, help_text="A federation’s code, as RSA.")
    club = _Words(max_length=80, help_text="A club’s name, as the register has it.")
    born_from = _Year(field_name="birth_year", lookup_expr="gte", help_text="Year of birth from this one on.")
    born_until = _Year(field_name="birth_year", lookup_expr="lte", help_text="Year of birth up to this one.")
    list = _Words(
        method="on_list", max_length=50, help_text="Code of a list: players who are on it in the latest month."
    )

    class Meta:
        model = Player
        fields: ClassVar[Sequence[str]] = ()

    def on_list(self, rows: QuerySet[Any], name: str, code: str) -> QuerySet[Any]:
        """Narrow rows to players on the latest published list."""
        latest = next(iter(kept(publications)), None)
        if latest is None:
            return rows.none()
        on_list = Rating.objects.filter(run=latest.run, list__code=code, position__isnull=False)
        return rows.filter(Exists(on_list.filter(player=OuterRef("pk"))))


class ListFilters(PlayerFilters):
    """Filters of a published list. By what is not public of hidden players they find none."""

    PREFIX = "player__"
    PERSONAL: ClassVar = ("sex", "title", "club", "born_from", "born_until")

    sex = django_filters.ChoiceFilter(field_name="player__sex", choices=[("F", "female"), ("M", "male")])
    title = _Words(field_name="player__title_id", max_length=3, help_text="A FIDE title, as GM.")
    federation = _Words(field_name="player__federation", max_length=3, help_text="As RSA.")
    club = _Words(field_name="player__club", max_length=80, help_text="As the register has it.")
    born_from = _Year(field_name="player__birth_year", lookup_expr="gte", help_text="Year of birth from this one on.")
    born_until = _Year(field_name="player__birth_year", lookup_expr="lte", help_text="Year of birth up to this one.")
    active = _Flag(
        method="by_activity",
        help_text="Only active players, or only the others (article 55). Lists of other systems have no activity: all stay.",
    )

    class Meta:
        model = Rating
        fields: ClassVar[list[str]] = []

    def filter_queryset(self, queryset: QuerySet[Rating]) -> QuerySet[Rating]:
        """Narrow rows by the words of the query."""
        rows: QuerySet[Rating] = super().filter_queryset(queryset)
        given = any(self.form.cleaned_data.get(name) not in (None, "") for name in self.PERSONAL)
        return rows.filter(not_hidden("player__")) if given else rows

    def by_activity(self, rows: QuerySet[Rating], name: str, word: str) -> QuerySet[Rating]:
        """Narrow rows to active players or the others."""
        return rows.filter(Q(("active", word == "true"))) if "active" in rows.query.annotations else rows


class LiveFilters(PlayerFilters):
    """Filters of a live list."""

    PREFIX = "player__"

    class Meta:
        model = LiveRating
        fields: ClassVar[list[str]] = []
