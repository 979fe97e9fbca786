"""What a player's page of the desk shows beside the register."""

from typing import Any

from django import template

from accounts.permissions import acting_user
from players.models import Player
from ratings.duplicates import on_the_desk

register = template.Library()


@register.simple_tag(takes_context=True)
def player_on_the_desk(context: dict[str, Any], player: Player) -> on_the_desk.PlayerOnTheDesk:
    """Return what the page's reader may know of a player besides the register."""
    return on_the_desk.player_on_the_desk(player, acting_user(context["request"]))
