"""What a player's page of the desk shows beside the register."""

from django import template

from players.models import Player
from ratings.duplicates import on_the_desk

register = template.Library()


@register.simple_tag
def player_on_the_desk(player: Player) -> on_the_desk.PlayerOnTheDesk:
    """Return what is known of a player besides the register."""
    return on_the_desk.player_on_the_desk(player)
