"""Rating lists, periods, runs and the ratings that runs write."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q


def rating_field(**options: object) -> "models.DecimalField[object, object]":
    """Return a rating as article 25 keeps it: sixteen decimal places."""
    return models.DecimalField(max_digits=20, decimal_places=16, **options)  # type: ignore[arg-type]


class System(models.TextChoices):
    """The rating systems that a list can follow."""

    CHESSA = "chessa", "Chess South Africa"
    ICU = "icu", "Irish Chess Union"
    USCF = "uscf", "US Chess"
    CFC = "cfc", "Chess Federation of Canada"


class RatingList(models.Model):
    """One of the ratings that a player has. `code` is its word in addresses and cases.

    The four of article 24 follow Chess South Africa's system together. A list of another system is filled by the same runs
    from the same events, those of the types of game that it counts; `edition` empty: the one in force on the event's date.
    """

    code = models.SlugField(max_length=20, unique=True)
    name = models.CharField(max_length=40, unique=True)
    position = models.PositiveSmallIntegerField(unique=True)
    system = models.CharField(max_length=6, choices=System.choices, default=System.CHESSA)
    edition = models.CharField(max_length=20, blank=True, help_text="Empty: by the date of the event.")
    counts_standard = models.BooleanField("counts standard and classical games", default=True)
    counts_rapid = models.BooleanField("counts rapid games", default=True)
    counts_blitz = models.BooleanField("counts blitz games", default=True)
    starts_from = models.ForeignKey(
        "self",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        help_text="A player who is new to this list brings his published rating from that one. Empty: he starts unrated.",
    )

    class Meta:
        ordering = ["position"]
        constraints = [
            models.CheckConstraint(condition=Q(system__in=System.values), name="list_system_known"),
            models.CheckConstraint(
                condition=Q(counts_standard=True) | Q(counts_rapid=True) | Q(counts_blitz=True),
                name="list_counts_games",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class RatingRun(models.Model):
    """One calculation of a period. The row is the job: workers hold it by a lease, the queue only wakes them."""

    class State(models.TextChoices):
        """How far the run is."""

        QUEUED = "queued", "queued"
        RUNNING = "running", "running"
        CALCULATED = "calculated", "calculated"
        PUBLISHING = "publishing", "publishing"
        PUBLISHED = "published", "published"
        FAILED = "failed", "failed"
        SUPERSEDED = "superseded", "superseded"

    UNDER_WAY: ClassVar[tuple[str, ...]] = (State.QUEUED, State.RUNNING, State.PUBLISHING)

    period = models.ForeignKey("events.RatingPeriod", on_delete=models.PROTECT, related_name="runs")
    state = models.CharField(max_length=10, choices=State.choices, default=State.QUEUED)
    stage = models.CharField(max_length=60, blank=True)
    progress = models.PositiveSmallIntegerField(default=0, help_text="Per cent.")
    lease = models.UUIDField(null=True, editable=False)
    lease_until = models.DateTimeField(null=True, editable=False)
    attempts = models.PositiveSmallIntegerField(default=0)
    input_hash = models.CharField(max_length=64, blank=True)
    list_hashes = models.JSONField(default=dict, editable=False)
    edition = models.CharField(max_length=20, blank=True)
    sections = models.PositiveIntegerField(default=0)
    games = models.PositiveIntegerField(default=0)
    players = models.PositiveIntegerField(default=0)
    remarks = models.TextField(blank=True, help_text="What could not be rated on a list, and why.")
    error = models.TextField(blank=True)
    reason = models.TextField(blank=True)
    queued_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name="started by", null=True, on_delete=models.PROTECT, related_name="+"
    )
    published_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["period"],
                condition=Q(state__in=["queued", "running", "calculated", "publishing", "published"]),
                name="one_run_in_force_a_period",
            ),
            models.CheckConstraint(condition=Q(progress__lte=100), name="run_progress_per_cent"),
        ]

    def __str__(self) -> str:
        return f"run {self.pk} of {self.period}"


class PublishedRun(models.Model):
    """The pointer that readers follow from a period to its published lists. The run that it leads to is not deleted."""

    period = models.OneToOneField(
        "events.RatingPeriod", primary_key=True, on_delete=models.PROTECT, related_name="publication"
    )
    run = models.OneToOneField(RatingRun, on_delete=models.PROTECT, related_name="publication")

    def __str__(self) -> str:
        return f"{self.period}: {self.run}"


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


class Download(models.Model):
    """A file made of a published month, once: never changed afterwards. `sha256`: of its content, in hexadecimal."""

    run = models.ForeignKey(RatingRun, on_delete=models.PROTECT, related_name="downloads")
    name = models.CharField(max_length=80)
    content = models.BinaryField()
    size = models.PositiveIntegerField(help_text="Bytes.")
    sha256 = models.CharField(max_length=64)
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["run", "name"], name="download_name_unique_in_run")]

    def __str__(self) -> str:
        return self.name


class Notice(models.Model):
    """A line that officers show at the head of every public page."""

    text = models.CharField(max_length=300)
    shown = models.BooleanField(default=True)

    def __str__(self) -> str:
        return self.text
