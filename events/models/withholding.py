"""What would keep an event from being rated: requests to withdraw it, reports that it is kept back or not registered (57.3)."""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_noop
from simple_history.models import HistoricalRecords

from events.models.appeal import Answerable, answered
from events.models.event import Party
from events.rules.sizes import LONGEST_NAME, LONGEST_PLACE


class WithdrawalRequest(Answerable):
    """An administrator's request to withdraw an event whose first day has begun."""

    class State(models.TextChoices):
        """The answer, or that there is none yet."""

        ASKED = "asked", gettext_noop("asked")
        GRANTED = "granted", gettext_noop("granted")
        DECLINED = "declined", gettext_noop("declined")

    event = models.ForeignKey("events.Event", on_delete=models.CASCADE, related_name="withdrawal_requests")
    reason = models.TextField()
    state = models.CharField(max_length=8, choices=State.choices, default=State.ASKED)
    history = HistoricalRecords()

    class Meta:
        ordering = ["-at", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["event"], condition=Q(state="asked"), name="withdrawal_asked_once_at_a_time"
            ),
            models.CheckConstraint(
                condition=answered("asked", "granted", "declined"), name="withdrawal_answered_with_a_reason"
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="withdrawal_asked_with_a_reason"),
        ]

    def __str__(self) -> str:
        return str(self.event)


class KeptBackReport(Answerable):
    """A report of the Chief Organiser or the Chief Arbiter that his event was played and its results are not submitted.

    `party`: in whose name it was made; `person`: his name on that day.
    """

    class State(models.TextChoices):
        """The answer, or that there is none yet."""

        REPORTED = "reported", gettext_noop("reported")
        TAKEN_UP = "taken up", gettext_noop("taken up")
        DISMISSED = "dismissed", gettext_noop("dismissed")

    event = models.ForeignKey("events.Event", on_delete=models.CASCADE, related_name="kept_back_reports")
    party = models.CharField("in the name of", max_length=13, choices=Party.choices)
    person = models.CharField(max_length=LONGEST_NAME, blank=True)
    account = models.TextField("what happened")
    state = models.CharField(max_length=9, choices=State.choices, default=State.REPORTED)
    history = HistoricalRecords()

    class Meta:
        ordering = ["-at", "-pk"]
        verbose_name = "report of results kept back"
        verbose_name_plural = "reports of results kept back"
        constraints = [
            models.UniqueConstraint(
                fields=["event"], condition=Q(state="reported"), name="kept_back_reported_once_at_a_time"
            ),
            models.CheckConstraint(
                condition=answered("reported", "taken up", "dismissed"), name="kept_back_answered_with_a_reason"
            ),
            models.CheckConstraint(
                condition=Q(party__in=[Party.ORGANISER.value, Party.CHIEF_ARBITER.value]),
                name="kept_back_reported_by_organiser_or_arbiter",
            ),
        ]

    def __str__(self) -> str:
        return str(self.event)


class NotRegisteredReport(Answerable):
    """A report of a Chief Organiser or Chief Arbiter that a region does not register his event.

    There is no event yet, so it names it. `party`: in whose name it was made; `person`: his name, if he made it himself.
    """

    class State(models.TextChoices):
        """The answer, or that there is none yet."""

        REPORTED = "reported", gettext_noop("reported")
        TAKEN_UP = "taken up", gettext_noop("taken up")
        DISMISSED = "dismissed", gettext_noop("dismissed")

    name = models.CharField("event", max_length=LONGEST_NAME)
    region = models.ForeignKey("players.Region", on_delete=models.PROTECT, related_name="+")
    place = models.CharField(max_length=LONGEST_PLACE)
    starts = models.DateField("first day")
    ends = models.DateField("last day")
    party = models.CharField("in the name of", max_length=13, choices=Party.choices)
    person = models.CharField(max_length=LONGEST_NAME, blank=True)
    account = models.TextField("what happened")
    state = models.CharField(max_length=9, choices=State.choices, default=State.REPORTED)
    history = HistoricalRecords()

    class Meta:
        ordering = ["-at", "-pk"]
        verbose_name = "report of an event not registered"
        verbose_name_plural = "reports of events not registered"
        constraints = [
            models.UniqueConstraint(
                fields=["by", "region", "name", "starts"],
                condition=Q(state="reported"),
                name="not_registered_reported_once_at_a_time",
            ),
            models.CheckConstraint(
                condition=answered("reported", "taken up", "dismissed"), name="not_registered_answered_with_a_reason"
            ),
            models.CheckConstraint(
                condition=Q(party__in=[Party.ORGANISER.value, Party.CHIEF_ARBITER.value]),
                name="not_registered_reported_by_organiser_or_arbiter",
            ),
            models.CheckConstraint(condition=Q(ends__gte=F("starts")), name="not_registered_ends_after_start"),
        ]

    def __str__(self) -> str:
        return self.name
