"""What a run writes: ratings, performances, activity, and what it took from the register."""

from django.db import models

from ratings.models.rating_lists import RatingList
from ratings.models.runs import RatingRun


def rating_field(**options: object) -> "models.DecimalField[object, object]":
    """Return a rating as article 25 keeps it: sixteen decimal places."""
    return models.DecimalField(max_digits=20, decimal_places=16, **options)  # type: ignore[arg-type]


class Rating(models.Model):
    """A player's standing on a list at the end of a period, as one run wrote it. Never changed afterwards.

    `raw` is empty for a player who is still unrated and carries a penalty. `previous` is his published rating a period
    earlier. `window_sum`, `window_weighted` and `recent` are what the next period's calculation needs: the sum and the
    weighted sum of the last 24 raw ratings, and the five newest performances (packed: `ratings.runs.snapshot`). On a list of
    another system they are empty, and `standing` holds what that system must know.
    The foreign keys are not checked by the database: a run writes tens of thousands of rows of a snapshot at once.
    """

    pk = models.CompositePrimaryKey("run_id", "list_id", "player_id")
    run = models.ForeignKey(
        RatingRun, on_delete=models.DO_NOTHING, db_constraint=False, db_index=False, related_name="ratings"
    )
    list = models.ForeignKey(
        RatingList, on_delete=models.DO_NOTHING, db_constraint=False, db_index=False, related_name="+"
    )
    player = models.ForeignKey(
        "players.Player", on_delete=models.DO_NOTHING, db_constraint=False, db_index=False, related_name="ratings"
    )
    region = models.ForeignKey(
        "players.Region", null=True, on_delete=models.DO_NOTHING, db_constraint=False, db_index=False, related_name="+"
    )
    rank = models.PositiveIntegerField(null=True, help_text="Players with the same published rating share a rank.")
    position = models.PositiveIntegerField(null=True, help_text="Order on the list, no two alike.")
    games = models.PositiveSmallIntegerField()
    k = models.FloatField(null=True)
    change = rating_field()
    weighted_performance = rating_field(null=True)
    raw = rating_field(null=True)
    weighted = rating_field(null=True)
    published = rating_field(null=True)
    previous = rating_field(null=True)
    highest = rating_field(null=True)
    pending_penalty = models.FloatField()
    window_sum = models.FloatField(null=True)
    window_weighted = models.FloatField(null=True)
    recent = models.BinaryField(null=True)
    standing = models.JSONField(null=True)

    class Meta:
        indexes = [
            models.Index(fields=["player", "list"], name="rating_of_player"),
            models.Index(fields=["run", "list", "position"], name="rating_by_position"),
            models.Index(fields=["run", "list", "region", "position"], name="rating_by_region"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} {self.list_id} {self.published}"


class Performance(models.Model):
    """A player's tournament on a list, as one run calculated it (articles 28, 41; on other systems' lists what they have)."""

    pk = models.CompositePrimaryKey("run_id", "list_id", "section_id", "player_id")
    run = models.ForeignKey(
        RatingRun, on_delete=models.DO_NOTHING, db_constraint=False, db_index=False, related_name="performances"
    )
    list = models.ForeignKey(
        RatingList, on_delete=models.DO_NOTHING, db_constraint=False, db_index=False, related_name="+"
    )
    section = models.ForeignKey(
        "events.Section", on_delete=models.DO_NOTHING, db_constraint=False, db_index=False, related_name="performances"
    )
    player = models.ForeignKey(
        "players.Player", on_delete=models.DO_NOTHING, db_constraint=False, db_index=False, related_name="performances"
    )
    games = models.PositiveSmallIntegerField()
    score = models.FloatField()
    expected = models.FloatField(null=True)
    average_opponent = models.FloatField(null=True)
    performance = rating_field(null=True)
    change = rating_field()

    class Meta:
        indexes = [
            models.Index(fields=["player"], name="performance_of_player"),
            models.Index(fields=["section"], name="performance_of_section"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} in section {self.section_id}: {self.performance}"


class Activity(models.Model):
    """How many games of a published month count towards a player's activity on a list (article 55); no row for none."""

    pk = models.CompositePrimaryKey("run_id", "list_id", "player_id")
    run = models.ForeignKey(
        RatingRun, on_delete=models.DO_NOTHING, db_constraint=False, db_index=False, related_name="+"
    )
    list = models.ForeignKey(
        RatingList, on_delete=models.DO_NOTHING, db_constraint=False, db_index=False, related_name="+"
    )
    player = models.ForeignKey(
        "players.Player", on_delete=models.DO_NOTHING, db_constraint=False, db_index=False, related_name="+"
    )
    games = models.PositiveSmallIntegerField()

    class Meta:
        verbose_name_plural = "activity"
        indexes = [models.Index(fields=["player"], name="activity_of_player")]

    def __str__(self) -> str:
        return f"{self.player_id} on list {self.list_id}: {self.games}"


class RunPerson(models.Model):
    """What a run took from the register of somebody who played: what depends on his age, membership or number is explained
    from it after the register was corrected. Kept where there are lists of other systems. No foreign keys, as in a snapshot."""

    pk = models.CompositePrimaryKey("run_id", "player_id")
    run = models.ForeignKey(
        RatingRun, on_delete=models.DO_NOTHING, db_constraint=False, db_index=False, related_name="people"
    )
    player = models.ForeignKey(
        "players.Player", on_delete=models.DO_NOTHING, db_constraint=False, db_index=False, related_name="+"
    )
    born = models.DateField(null=True)
    registered = models.DateField()
    # Empty in runs of before it was kept: they went in the order of the ids.
    number = models.CharField(max_length=9, default="", blank=True)

    def __str__(self) -> str:
        return f"{self.player_id} in run {self.run_id}"


class FormerRating(models.Model):
    """A raw rating of a month before an opening balance, which was brought with it (article 49). The missing ones have no row:
    they count as the rating of the unrated. No foreign keys in the database, as in a snapshot."""

    pk = models.CompositePrimaryKey("run_id", "month", "list_id", "player_id")
    run = models.ForeignKey(
        "ratings.RatingRun",
        on_delete=models.DO_NOTHING,
        db_constraint=False,
        db_index=False,
        related_name="former_ratings",
    )
    month = models.DateField()
    list = models.ForeignKey(
        "ratings.RatingList", on_delete=models.DO_NOTHING, db_constraint=False, db_index=False, related_name="+"
    )
    player = models.ForeignKey(
        "players.Player", on_delete=models.DO_NOTHING, db_constraint=False, db_index=False, related_name="+"
    )
    raw = rating_field()

    def __str__(self) -> str:
        return f"{self.player_id} {self.list_id} {self.month:%Y-%m}: {self.raw}"
