"""The live list of the open month."""

from django.db import models

from ratings.models.rating_lists import RatingList
from ratings.models.ratings import rating_field


class LiveList(models.Model):
    """What the live ratings were calculated from: the open period with the events accepted so far. At most one row.

    `as_of`: when they were read; `sections`: ids of those that are in; `input_digest`: of all that was read; `versions`: of the
    tables that were read, to see if anything has been written since.
    """

    period = models.OneToOneField("events.RatingPeriod", on_delete=models.CASCADE, related_name="+")
    as_of = models.DateTimeField()
    sections = models.JSONField()
    games = models.PositiveIntegerField()
    input_digest = models.CharField(max_length=64)
    versions = models.JSONField()

    def __str__(self) -> str:
        return f"live list of {self.period}"


class LiveRating(models.Model):
    """A player's standing on a list, as the run of the open period would give it now. Not official; replaced as a whole.

    The columns mean what those of `Rating` mean. No foreign keys in the database, as there.
    """

    pk = models.CompositePrimaryKey("list_id", "player_id")
    list = models.ForeignKey(
        RatingList, on_delete=models.DO_NOTHING, db_constraint=False, db_index=False, related_name="+"
    )
    player = models.ForeignKey(
        "players.Player", on_delete=models.DO_NOTHING, db_constraint=False, related_name="live_ratings"
    )
    region = models.ForeignKey(
        "players.Region", null=True, on_delete=models.DO_NOTHING, db_constraint=False, db_index=False, related_name="+"
    )
    rank = models.PositiveIntegerField(null=True)
    position = models.PositiveIntegerField(null=True)
    games = models.PositiveSmallIntegerField()
    k = models.FloatField(null=True)
    change = rating_field()
    raw = rating_field(null=True)
    weighted = rating_field(null=True)
    published = rating_field(null=True)
    previous = rating_field(null=True)
    highest = rating_field(null=True)

    class Meta:
        indexes = [models.Index(fields=["list", "position"], name="live_rating_by_position")]

    def __str__(self) -> str:
        return f"live: {self.player_id} {self.list_id} {self.published}"
