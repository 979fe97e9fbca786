"""Lines of lists of players that are brought in."""

from django.db import models

from ratings.models.import_jobs import ImportJob


class ListedPlayer(models.Model):
    """A line of a list of players that is brought in, as it was read, and what becomes of it (`ratings.moving_in.register`).

    `player`: whom on the register it means or may mean; `answer`: the officer's; `changes`: field, before and after of each;
    `candidates`: id, evidence in words and likelihood of each player who may be meant; `sound`: by which names are near;
    `written`: the name as it stands in the list, where it is taken otherwise.
    The player's foreign key is not checked by the database, as in a snapshot: an import may be undone.
    """

    job = models.ForeignKey(ImportJob, on_delete=models.CASCADE, db_index=False, related_name="listed_players")
    line = models.PositiveIntegerField()
    kind = models.CharField(max_length=10)
    answer = models.CharField(max_length=10, blank=True)
    player = models.ForeignKey(
        "players.Player", null=True, on_delete=models.DO_NOTHING, db_constraint=False, db_index=False, related_name="+"
    )
    why = models.TextField(blank=True)
    changes = models.JSONField(default=list)
    candidates = models.JSONField(default=list)
    last_name = models.CharField(max_length=80)
    first_name = models.CharField(max_length=80, blank=True)
    national_id = models.CharField(max_length=9, blank=True)
    fide_id = models.PositiveBigIntegerField(null=True)
    birth_date = models.DateField(null=True)
    birth_year = models.PositiveSmallIntegerField(null=True)
    sex = models.CharField(max_length=1, blank=True)
    title = models.CharField(max_length=3, blank=True)
    region = models.CharField(max_length=3, blank=True)
    federation = models.CharField(max_length=3, blank=True)
    club = models.CharField(max_length=80, blank=True)
    written = models.CharField(max_length=162, blank=True)
    sound = models.CharField(max_length=12)

    class Meta:
        ordering = ["line"]
        constraints = [models.UniqueConstraint(fields=["job", "line"], name="listed_player_once")]
        indexes = [
            models.Index(fields=["job", "kind", "line"], name="listed_player_by_kind"),
            models.Index(fields=["job", "sound"], name="listed_player_by_sound"),
            models.Index(fields=["job", "player"], name="listed_player_by_player"),
        ]

    def __str__(self) -> str:
        return f"line {self.line}: {self.first_name} {self.last_name}"
