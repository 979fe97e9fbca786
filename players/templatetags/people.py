"""How templates name users."""

from django import template

from accounts.models import User
from players.administrators import called as name_of_user

register = template.Library()


@register.filter
def called(user: User) -> str:
    """Return what a user is called: by the name of the account, else by the region or the arbiter's record."""
    return name_of_user(user)
