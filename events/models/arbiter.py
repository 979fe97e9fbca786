"""Arbiters, their membership of the AOC, their appointments."""

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_noop
from simple_history.models import HistoricalRecords

from config.lib.days import FIRST_DAY, LAST_DAY
from events.rules.sizes import LONGEST_NAME
from players.identity import CHESS_SA_DIGITS, CHESS_SA_ID


class ArbiterTitle(models.TextChoices):
    """Arbiters' titles, lowest first."""

    SCHOOL = "SS", gettext_noop("School Supervisor")
    TOURNAMENT = "TS", gettext_noop("Tournament Supervisor")
    CANDIDATE = "CPA", gettext_noop("Candidate Provincial Arbiter")
    PROVINCIAL = "PA", gettext_noop("Provincial Arbiter")
    NATIONAL = "NA", gettext_noop("National Arbiter")
    FIDE = "FA", gettext_noop("FIDE Arbiter")
    INTERNATIONAL = "IA", gettext_noop("International Arbiter")


class Arbiter(models.Model):
    """An arbiter recognised by the AOC or FIDE (articles 6, 15). `user` is the account, if the arbiter was invited."""

    ERASABLE = True  # so that the trail asks for the name anew
    name = models.CharField(max_length=LONGEST_NAME)
    player = models.OneToOneField(
        "players.Player", null=True, blank=True, on_delete=models.PROTECT, related_name="arbiter"
    )
    number = models.CharField(
        "Chess SA id",
        max_length=CHESS_SA_DIGITS,
        blank=True,
        validators=[RegexValidator(f"^{CHESS_SA_ID}$", "Nine digits.")],
    )
    fide_id = models.PositiveBigIntegerField("FIDE id", null=True, blank=True)
    title = models.CharField(max_length=3, choices=ArbiterTitle.choices)
    federation = models.CharField(
        max_length=3,
        default="RSA",
        validators=[RegexValidator(r"^[A-Z]{3}$", "Three capitals, as RSA.")],
        help_text="The AOC’s membership fee is asked of RSA arbiters (article 7).",
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="arbiters"
    )
    history = HistoricalRecords()

    class Meta:
        ordering = ["name", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(number="") | Q(number__regex=f"^{CHESS_SA_ID}$"), name="arbiter_number_has_nine_digits"
            ),
            models.CheckConstraint(
                condition=Q(federation__regex=r"^[A-Z]{3}$"), name="arbiter_federation_has_three_capitals"
            ),
            models.UniqueConstraint(
                fields=["number"],
                condition=~Q(number=""),
                name="arbiter_number_unique",
                violation_error_message="Another arbiter has this Chess SA id.",
            ),
            models.UniqueConstraint(
                fields=["fide_id"],
                condition=Q(fide_id__isnull=False),
                name="arbiter_fide_id_unique",
                violation_error_message="Another arbiter has this FIDE id.",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_title_display()} {self.name}"


class Fee(models.TextChoices):
    """The fees that an arbiter pays for a year (articles 7, 12.3)."""

    AOC = "aoc", "AOC membership"
    FIDE = "fide", "FIDE licence"


class Membership(models.Model):
    """A paid fee of an arbiter: membership of the AOC (article 7), or FIDE's licence (12.3).

    `year` is counted as in `events.rules.fees`; FIDE's is the calendar year.
    """

    arbiter = models.ForeignKey(Arbiter, on_delete=models.CASCADE, related_name="memberships")
    fee = models.CharField(max_length=4, choices=Fee.choices, default=Fee.AOC)
    year = models.PositiveSmallIntegerField(
        "fee year",
        help_text="The calendar year in which the fee year ends.",
        validators=[MinValueValidator(FIRST_DAY.year), MaxValueValidator(LAST_DAY.year)],
    )
    paid_on = models.DateField()
    history = HistoricalRecords()

    class Meta:
        ordering = ["-year", "fee"]
        constraints = [
            models.UniqueConstraint(fields=["arbiter", "fee", "year"], name="membership_once_a_year"),
            models.CheckConstraint(
                condition=Q(year__range=(FIRST_DAY.year, LAST_DAY.year)),
                name="membership_year_plausible",
                violation_error_message="The year is not one of a fee.",
            ),
            models.CheckConstraint(
                condition=Q(paid_on__range=(FIRST_DAY, LAST_DAY)),
                name="membership_paid_on_plausible",
                violation_error_message="The day of payment is not plausible: correct it.",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.arbiter}: {self.get_fee_display()} {self.year}"


def role_of(position: int) -> str:
    """Return the name of a position among an event's arbiters (article 15.4), in English."""
    if position == 1:
        return gettext_noop("Chief Arbiter")
    return gettext_noop("Deputy Chief Arbiter") if position <= 3 else gettext_noop("Arbiter")


class Appointment(models.Model):
    """An arbiter of an event, in order: 1 Chief Arbiter, 2 and 3 Deputies, then the others (article 15.4).

    Without rounds the appointment is for the whole event.
    """

    event = models.ForeignKey("events.Event", on_delete=models.CASCADE, related_name="appointments")
    arbiter = models.ForeignKey(Arbiter, on_delete=models.PROTECT, related_name="appointments")
    position = models.PositiveSmallIntegerField(validators=[MinValueValidator(1)])
    first_round = models.PositiveSmallIntegerField(null=True, blank=True)
    last_round = models.PositiveSmallIntegerField(null=True, blank=True)
    since = models.DateTimeField("appointed at", null=True, editable=False)

    class Meta:
        ordering = ["event", "position"]
        constraints = [
            models.UniqueConstraint(fields=["event", "position"], name="appointment_position_unique_in_event"),
            models.CheckConstraint(
                condition=Q(first_round__isnull=True, last_round__isnull=True)
                | Q(first_round__isnull=False, last_round__isnull=False, last_round__gte=F("first_round")),
                name="appointment_rounds_in_order",
                violation_error_message="Give the first and the last round, in this order, or neither for all rounds.",
            ),
        ]

    def __str__(self) -> str:
        # A form that is shown again may have emptied both.
        who = f"{self.role} {self.arbiter.name}" if self.position and self.arbiter_id else "an arbiter"
        return f"{self.event}: {who}"

    @property
    def role(self) -> str:
        """The name of the position."""
        return role_of(self.position)

    @property
    def rounds(self) -> str:
        """The rounds in words; "" for the whole event."""
        return f"rounds {self.first_round}–{self.last_round}" if self.first_round else ""


class PastAppointment(models.Model):
    """An appointment that was ended or changed before or after play, from `since` to `until` (article 6).

    `during`: it still stood on the first day of the event, so that articles 7 and 8 ask of the arbiter as of one who serves.
    """

    event = models.ForeignKey("events.Event", on_delete=models.CASCADE, related_name="past_appointments")
    arbiter = models.ForeignKey(Arbiter, on_delete=models.PROTECT, related_name="past_appointments")
    position = models.PositiveSmallIntegerField()
    first_round = models.PositiveSmallIntegerField(null=True, blank=True)
    last_round = models.PositiveSmallIntegerField(null=True, blank=True)
    since = models.DateTimeField("appointed at", null=True)
    until = models.DateTimeField("ended at")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    reason = models.TextField(blank=True)
    during = models.BooleanField("served", default=False)

    class Meta:
        ordering = ["event", "until", "position"]
        constraints = [
            models.CheckConstraint(
                condition=Q(during=False) | ~Q(reason=""), name="past_appointment_after_play_with_a_reason"
            )
        ]

    def __str__(self) -> str:
        return f"{self.event}: {self.arbiter.name}"

    @property
    def role(self) -> str:
        """The name of the position."""
        return role_of(self.position)
