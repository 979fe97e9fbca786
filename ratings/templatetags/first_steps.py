"""The first steps of an empty bureau on the first page of the desk."""

from django import template

from accounts.models import User
from ratings.moving_in.first_steps import is_running

register = template.Library()


@register.simple_tag
def begins(user: User) -> bool:
    """Return whether a user may do the first steps, and no list was published yet."""
    return user.has_perm("ratings.change_importjob") and not is_running()
