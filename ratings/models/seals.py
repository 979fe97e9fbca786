"""The hash chain of the published lists."""

from django.db import models
from django.db.models import Q

from ratings.models.rating_lists import RatingList
from ratings.models.runs import Revision


class Seal(models.Model):
    """A published list in the hash chain (`ratings.seals.hashes`): its rows as they were published, and their hash with that of
    the seal before. Rows are only added; each bureau has one chain, numbered from 1.

    `code`: the list's word when it was sealed; `salt`: secret, of the rows' own salts; `lines`: the rows as text, compressed;
    `rows_hash`: over the rows; `input_hash`: that of the run, "" of earlier releases; `previous`: the hash of the seal before,
    "" of the first.
    """

    number = models.PositiveIntegerField(unique=True)
    revision = models.ForeignKey(Revision, on_delete=models.PROTECT, related_name="seals")
    list = models.ForeignKey(RatingList, on_delete=models.PROTECT, related_name="+")
    code = models.CharField(max_length=20)
    rows = models.PositiveIntegerField()
    salt = models.CharField(max_length=64)
    lines = models.BinaryField()
    rows_hash = models.CharField(max_length=64)
    input_hash = models.CharField(max_length=64, blank=True)
    previous = models.CharField(max_length=64, blank=True)
    hash = models.CharField(max_length=64)
    sealed_at = models.DateTimeField()

    class Meta:
        ordering = ["number"]
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(fields=["revision", "list"], name="list_sealed_once_in_revision"),
            models.CheckConstraint(condition=Q(number__gte=1), name="seal_number_from_one"),
            models.CheckConstraint(condition=Q(number=1) | ~Q(previous=""), name="seal_follows_another"),
        ]

    def __str__(self) -> str:
        return f"seal {self.number}: {self.code}, {self.revision}"
