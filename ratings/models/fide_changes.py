"""What a list of FIDE's would change, as the desk shows it before it is taken."""

from django.db import models

from ratings.models.import_jobs import ImportJob


class FideChange(models.Model):
    """What a list of FIDE's that is brought in means for a player (`ratings.moving_in.fide_matching`).

    `listed`: who is meant on the list, in words; `changes`: what, before and after of each; `why`: of a question. The player's
    foreign key is not checked by the database, as in a snapshot: he may leave the register.
    """

    job = models.ForeignKey(ImportJob, on_delete=models.CASCADE, db_index=False, related_name="fide_changes")
    position = models.PositiveIntegerField()
    kind = models.CharField(max_length=10)
    player = models.ForeignKey(
        "players.Player", on_delete=models.DO_NOTHING, db_constraint=False, db_index=False, related_name="+"
    )
    name = models.CharField(max_length=200, help_text="Of the player, when the list was compared.")
    listed = models.CharField(max_length=200, blank=True)
    changes = models.JSONField(default=list)
    why = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ["position"]
        constraints = [models.UniqueConstraint(fields=["job", "position"], name="fide_change_once")]
        indexes = [models.Index(fields=["job", "kind", "position"], name="fide_change_by_kind")]

    def __str__(self) -> str:
        return f"{self.name}: {self.kind}"
