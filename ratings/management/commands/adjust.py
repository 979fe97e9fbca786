"""`manage.py adjust PLAYER LIST POINTS --reason TEXT`: correct a player's raw rating from the next list on (article 64)."""

import json
from decimal import Decimal, InvalidOperation
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from players.models import Player
from ratings.models import RatingList
from ratings.periods import RunError
from ratings.rerating.adjustments import adjust, adjustment_line


class Command(BaseCommand):
    """Adjust one player, and print the adjustment as a line of JSON."""

    help = (
        "Add points to a player's raw rating in the calculation of the next month, because what was published is wrong."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the player, the list, the points and the reason."""
        parser.add_argument("player", help="his Chess SA id")
        parser.add_argument("list", help="main, standard, rapid or blitz")
        parser.add_argument("points", help="added to the raw rating, with at most two decimals; less than 0 takes away")
        parser.add_argument("--reason", required=True, help="what was wrong; shown in public with the adjustment")

    def handle(self, *args: Any, **options: Any) -> None:
        """Adjust."""
        player = Player.objects.filter(number=options["player"]).first()
        if player is None:
            raise CommandError(f"no player on the register has the Chess SA id {options['player']}")
        listing = RatingList.objects.filter(code=options["list"]).first()
        if listing is None:
            raise CommandError(f"there is no list “{options['list']}”: Chess SA’s are main, standard, rapid and blitz")
        try:
            points = Decimal(options["points"])
        except InvalidOperation:
            raise CommandError(f"“{options['points']}” are no points: write them as 12.5 or -12.5") from None
        if not points.is_finite():
            raise CommandError(f"“{options['points']}” are no points: write them as 12.5 or -12.5")
        try:
            adjustment = adjust(player, listing, points, reason=options["reason"], at=timezone.now())
        except RunError as error:
            raise CommandError(str(error)) from None
        self.stdout.write(json.dumps(adjustment_line(adjustment)))
