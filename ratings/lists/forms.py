"""The filter and the order of a published list."""

from datetime import date
from typing import Any

from django import forms
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.utils.translation import gettext, gettext_lazy, pgettext, pgettext_lazy

from config.kept_reads import kept
from config.lib.plain_select import PlainSelect
from events.rules.age_groups import age_groups
from players.hidden import not_hidden
from players.models import Player, Title
from players.search_form import PlayerFilter
from ratings.lists.activity import ActivityWindow
from ratings.lists.age_groups import in_age_group
from ratings.lists.orders import BY_RANK, ORDERS, Order
from ratings.models import PublishedRun, Rating

_ACTIVE = "active"
_SEXES = {"F": gettext_lazy("female"), "M": gettext_lazy("male")}
_OF_SEX = {"F": pgettext_lazy("before player", "female"), "M": pgettext_lazy("before player", "male")}


def _titles() -> list[tuple[str, str]]:
    return [
        ("", gettext("any or none")),
        *((code, f"{code} · {name}") for code, name in Title.objects.values_list("code", "name")),
    ]


def _clubs() -> list[tuple[str, str]]:
    """Return the clubs of the players on the latest lists. One query."""
    latest = PublishedRun.objects.order_by("-period__month").values("run")[:1]
    on_lists = Rating.objects.filter(run=Subquery(latest), player=OuterRef("pk"), position__isnull=False)
    with_club = Player.objects.exclude(club="").filter(not_hidden(), Exists(on_lists))
    return [(club, club) for club in with_club.order_by("club").values_list("club", flat=True).distinct()]


class ListFilter(PlayerFilter):
    """Which players of a list are shown and in what order: the search, and where the list has a window of activity the choice
    of active players (article 55). The age groups are those of the year of the list (article 16)."""

    group = forms.ChoiceField(label=gettext_lazy("Age group"), required=False, widget=PlainSelect)
    sex = forms.ChoiceField(
        label=gettext_lazy("Sex"),
        required=False,
        choices=[("", gettext_lazy("all")), *_SEXES.items()],
        widget=PlainSelect,
    )
    title = forms.ChoiceField(label=gettext_lazy("Title"), required=False, widget=PlainSelect)
    sort = forms.ChoiceField(
        label=gettext_lazy("Order"), required=False, choices=[(order.code, order.name) for order in ORDERS.values()],
        widget=PlainSelect,
    )  # fmt: skip

    def __init__(self, *args: Any, activity: ActivityWindow | None, day: date, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.year = day.year
        groups = [("", gettext("all ages")), *((group, group) for group in age_groups(year=self.year))]
        self.fields["group"].choices = groups  # type: ignore[attr-defined]
        self.fields["title"].choices = kept(_titles)  # type: ignore[attr-defined]
        clubs = kept(_clubs)
        if clubs:
            self.fields["club"] = forms.ChoiceField(
                label=gettext("Club"), required=False, choices=[("", gettext("all clubs")), *clubs], widget=PlainSelect
            )
        if activity:
            self.fields["activity"] = forms.ChoiceField(
                label=gettext("Players"),
                required=False,
                choices=[
                    ("", gettext("all players")),
                    (_ACTIVE, gettext("active (%(length)s)") % {"length": activity.length_text}),
                ],
                widget=PlainSelect,
            )

    def _chosen(self, name: str) -> str:
        return self.cleaned_data.get(name, "") if self.is_valid() else ""

    @property
    def only_active(self) -> bool:
        """Whether only active players are asked for; False if the form is invalid."""
        return self._chosen("activity") == _ACTIVE

    @property
    def age_group(self) -> str:
        """The age group that is asked for; "" for all ages, or if the form is invalid."""
        return self._chosen("group")

    @property
    def order(self) -> Order:
        """The order that is asked for; by rank if the form is invalid."""
        return ORDERS.get(self._chosen("sort"), BY_RANK)

    @property
    def is_narrowed(self) -> bool:
        """Whether the list is narrowed in any way."""
        return bool(self.choice() or self.only_active or self.condition())

    def condition(self) -> Q:
        """Return the condition for age group, sex, title and club, for rows with a `player`."""
        condition = Q()
        if self.age_group:
            condition &= in_age_group(self.age_group, year=self.year)
        if self._chosen("sex"):
            condition &= Q(player__sex=self._chosen("sex"))
        if self._chosen("title"):
            condition &= Q(player__title=self._chosen("title"))
        if self._chosen("club"):
            condition &= Q(player__club=self._chosen("club"))
        return condition and condition & not_hidden("player__")

    def narrow(self, rows: QuerySet[Rating]) -> QuerySet[Rating]:
        """Narrow the rows of a list by `condition`."""
        return rows.filter(self.condition())

    @property
    def sought_text(self) -> str:
        """Which players are asked for, in words: `active player with this name or number in this region`."""
        choice = self.choice()
        parts = [
            pgettext("before player", "active") if self.only_active else "",
            str(_OF_SEX.get(self._chosen("sex"), "")),
            self._chosen("title") or gettext("player"),
            gettext("in the age group %(group)s of %(year)s") % {"group": self.age_group, "year": self.year}
            if self.age_group
            else "",
            gettext("with this name or number") if choice.words or choice.digits else "",
            gettext("of the club %(club)s") % {"club": self._chosen("club")} if self._chosen("club") else "",
            gettext("in this region") if choice.place else "",
        ]
        return " ".join(part for part in parts if part)
