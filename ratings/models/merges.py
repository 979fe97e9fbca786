"""Players who were on the register twice, and those who were taken for it and are not."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q


class Merge(models.Model):
    """Two players on the register who are one person: `old` goes, and all that names him is moved to `new`.

    `taken`: the fields of the register that come from `old` (`ratings.merging.register`). `sections`: the published ones in
    which `old` played; their amendments belong to it. It is proposed until `applied_at`: where published ratings change, that
    is the publication of its re-rating. `moved`: what was changed, so that it can be undone to the last row.
    """

    old = models.ForeignKey("players.Player", on_delete=models.PROTECT, related_name="merges_away")
    new = models.ForeignKey("players.Player", on_delete=models.PROTECT, related_name="merges_in")
    taken = models.JSONField(default=list)
    sections = models.JSONField(default=list)
    reason = models.TextField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()
    rerating = models.ForeignKey("ratings.Rerating", null=True, on_delete=models.PROTECT, related_name="merges")
    moved = models.JSONField(default=dict)
    applied_at = models.DateTimeField(null=True)
    undone_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["old"], condition=Q(undone_at__isnull=True), name="player_merged_away_once"
            ),
            models.CheckConstraint(condition=~Q(old=F("new")), name="merge_of_two"),
            models.CheckConstraint(condition=~Q(reason=""), name="merge_has_a_reason"),
        ]

    def __str__(self) -> str:
        return f"merge of {self.old} into {self.new}"

    @property
    def state(self) -> str:
        """How far it is, in words."""
        if self.undone_at:
            return "undone"
        return "done" if self.applied_at else "proposed"


class DistinctPair(models.Model):
    """Two players who look like one person and are two, by an officer's decision. `first` has the lower key."""

    first = models.ForeignKey("players.Player", on_delete=models.CASCADE, related_name="+")
    second = models.ForeignKey("players.Player", on_delete=models.CASCADE, related_name="+")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ["-pk"]
        verbose_name = "pair of two people"
        verbose_name_plural = "pairs of two people"
        constraints = [
            models.UniqueConstraint(fields=["first", "second"], name="distinct_pair_once"),
            models.CheckConstraint(condition=Q(first__lt=F("second")), name="distinct_pair_in_order"),
        ]

    def __str__(self) -> str:
        return f"{self.first} and {self.second}"


class LikelyDuplicate(models.Model):
    """Two players who may be one person, as a worker found them: why, and how likely, 0 to 1. `first` has the lower key."""

    first = models.ForeignKey("players.Player", on_delete=models.CASCADE, related_name="+")
    second = models.ForeignKey("players.Player", on_delete=models.CASCADE, related_name="+")
    why = models.TextField()
    score = models.FloatField()
    found_at = models.DateTimeField()

    class Meta:
        ordering = ["-score", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["first", "second"], name="likely_duplicate_once"),
            models.CheckConstraint(condition=Q(first__lt=F("second")), name="likely_duplicate_in_order"),
        ]

    def __str__(self) -> str:
        return f"{self.first} and {self.second}"


class DuplicateSearch(models.Model):
    """When the register was last searched for duplicates, and at which versions of the tables. At most one row."""

    at = models.DateTimeField()
    versions = models.JSONField()

    def __str__(self) -> str:
        return f"search for duplicates at {self.at}"
