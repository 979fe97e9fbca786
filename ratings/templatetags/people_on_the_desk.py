"""What the pages of a region and of a user on the desk show beside their records."""

from django import template
from django.utils import timezone

from accounts.models import User
from players.models import Region
from ratings.people.regions import RegionOnTheDesk
from ratings.people.regions import region_on_the_desk as read_region
from ratings.people.users import UserOnTheDesk
from ratings.people.users import user_on_the_desk as read_user

register = template.Library()


@register.simple_tag
def region_on_the_desk(region: Region) -> RegionOnTheDesk:
    """Return what is known of a region besides its record."""
    return read_region(region, today=timezone.localdate())


@register.simple_tag
def user_on_the_desk(user: User) -> UserOnTheDesk:
    """Return what is known of a user besides the account."""
    return read_user(user, today=timezone.localdate())
