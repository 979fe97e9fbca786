"""The trays, the month and what does not work, on the first page of the desk."""

from dataclasses import dataclass

from django import template
from django.utils import timezone

from accounts.models import User
from ratings.desk.addresses import begin_pattern
from ratings.desk.figures import FilledTray, read_trays
from ratings.desk.month import DeskMonth, desk_month
from ratings.health.checks import MAY_SEE, Health, examine

register = template.Library()


@dataclass(frozen=True, slots=True)
class Desk:
    """What a user's desk shows. `empty`: the names of the trays in which nothing is; `month`: for officers."""

    trays: list[FilledTray]
    empty: list[FilledTray]
    month: DeskMonth | None


@register.simple_tag
def desk(user: User) -> Desk:
    """Return the trays on which a user may act, and for officers the month. Four queries."""
    today = timezone.localdate()
    trays = read_trays(user, today=today)
    decides = user.has_perm("events.change_ratingperiod")
    month = desk_month(trays, today=today, begin=begin_pattern()) if decides else None
    return Desk([row for row in trays if row.count], [row for row in trays if not row.count], month)


@register.simple_tag
def trouble(user: User) -> Health | None:
    """Return how the site is, if a part does not work or a job waits; None otherwise, and for who may not see it."""
    if not user.has_perm(MAY_SEE):
        return None
    health = examine(at=timezone.now())
    return None if health.works and not health.waiting else health
