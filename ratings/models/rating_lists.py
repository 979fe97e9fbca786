"""Rating lists and the systems that they follow."""

from django.conf import settings
from django.db import models
from django.db.models import Q


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
    `fill_asked_at`: since when a worker is to fill it for published months; with a `fill_error` it was given up.
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
    # What a worker is to do: fill the published months from one on.
    fill_first = models.DateField(null=True, editable=False)
    fill_asked_at = models.DateTimeField(null=True, editable=False)
    fill_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, editable=False, on_delete=models.PROTECT, related_name="+"
    )
    fill_attempts = models.PositiveSmallIntegerField(default=0, editable=False)
    fill_error = models.TextField(blank=True, editable=False)

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
