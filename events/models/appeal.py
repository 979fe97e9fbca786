"""Refusals, the appeals against them, and requests for permission (articles 11 and 18)."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_noop
from simple_history.models import HistoricalRecords

from events.models.event import Party
from events.rules.sizes import LONGEST_NAME


class Refusal(models.Model):
    """The decision not to rate an event or one section, with the reason given to its region (article 11).

    Without a section it is for the whole event. `notified_at`: the notice from which the days to appeal run, the region's,
    or, while that has none, of another who may appeal; empty while nobody was notified. `region_notified`: whether it is the
    region's. `notified_users`: who was mailed. `lifted_at`: when it was revoked, so that the event or section is rated, by
    an upheld appeal or because it was taken back: then `taken_back_reason` says why and `taken_back_by` is the officer.
    """

    event = models.ForeignKey("events.Event", on_delete=models.CASCADE, related_name="refusals")
    section = models.ForeignKey(
        "events.Section", null=True, blank=True, on_delete=models.RESTRICT, related_name="refusals"
    )
    at = models.DateTimeField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    reason = models.TextField()
    notified_at = models.DateTimeField(null=True, editable=False)
    region_notified = models.BooleanField(default=True, editable=False)
    notified_users = models.ManyToManyField(settings.AUTH_USER_MODEL, editable=False, related_name="+")
    lifted_at = models.DateTimeField(null=True, editable=False)
    taken_back_reason = models.TextField(blank=True, editable=False)
    taken_back_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, editable=False, on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        ordering = ["at", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["event"],
                condition=Q(section__isnull=True, lifted_at__isnull=True),
                name="refusal_of_event_once",
            ),
            models.UniqueConstraint(
                fields=["section"], condition=Q(lifted_at__isnull=True), name="refusal_of_section_once"
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="refusal_with_a_reason"),
            models.CheckConstraint(
                condition=Q(taken_back_reason="") | Q(lifted_at__isnull=False), name="refusal_taken_back_is_lifted"
            ),
        ]

    def __str__(self) -> str:
        return str(self.section or self.event)


class Answerable(models.Model):
    """A request about an event that an officer, or of an appeal the panel, answers with a reason."""

    at = models.DateTimeField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    answer = models.TextField(blank=True)
    answered_at = models.DateTimeField(null=True)
    answered_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")

    class Meta:
        abstract = True


def answered(waiting: str, *answers: str) -> Q:
    """Return the condition: either `state` is `waiting` without an answer, or one of `answers` with time and reason."""
    return Q(state=waiting, answered_at__isnull=True, answer="") | (
        Q(state__in=answers, answered_at__isnull=False) & ~Q(answer="")
    )


class PermissionRequest(Answerable):
    """A request to rate a section below the smallest size (article 18).

    `players` and `rounds` are its actual or expected size; for teams, the boards or players of the smallest team. `party`: in
    whose name it was asked; `person`: the name of the Chief Organiser or Chief Arbiter on that day, if in theirs.
    """

    class State(models.TextChoices):
        """The answer, or that there is none yet."""

        ASKED = "asked", gettext_noop("asked")
        GRANTED = "granted", gettext_noop("granted")
        DECLINED = "declined", gettext_noop("declined")

    section = models.ForeignKey("events.Section", on_delete=models.CASCADE, related_name="permission_requests")
    players = models.PositiveSmallIntegerField()
    rounds = models.PositiveSmallIntegerField()
    reason = models.TextField()
    party = models.CharField("in the name of", max_length=13, choices=Party.choices, default=Party.ADMINISTRATOR)
    person = models.CharField(max_length=LONGEST_NAME, blank=True)
    state = models.CharField(max_length=8, choices=State.choices, default=State.ASKED)
    history = HistoricalRecords()

    class Meta:
        ordering = ["-at", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["section"], condition=Q(state="asked"), name="permission_asked_once_at_a_time"
            ),
            models.CheckConstraint(
                condition=answered("asked", "granted", "declined"), name="permission_answered_with_a_reason"
            ),
            models.CheckConstraint(condition=Q(party__in=Party.values), name="permission_party_known"),
            models.CheckConstraint(condition=Q(players__gte=1, rounds__gte=1), name="permission_size_positive"),
        ]

    def __str__(self) -> str:
        return str(self.section)


class Appeal(Answerable):
    """An appeal against a refusal on behalf of the aggrieved party, at most one for each refusal (article 11).

    `party` says as whom it was lodged. The player who sent in results from abroad lodges it by a mailed link, without a user.
    """

    class State(models.TextChoices):
        """The answer, or that there is none yet. Settled: the officer took the refusal back before the panel answered."""

        LODGED = "lodged", gettext_noop("lodged")
        UPHELD = "upheld", gettext_noop("upheld")
        DISMISSED = "dismissed", gettext_noop("dismissed")
        SETTLED = "settled", gettext_noop("settled")

    class Party(models.TextChoices):
        """Who may lodge an appeal."""

        REGION = "region", "the Regional Administrator"
        ORGANISER = "organiser", "the Chief Organiser"
        SENDER = "sender", "the sender of results from abroad"

    refusal = models.OneToOneField(Refusal, on_delete=models.CASCADE, related_name="appeal")
    appellant = models.CharField(max_length=LONGEST_NAME)
    party = models.CharField("lodged by", max_length=9, choices=Party.choices, default=Party.REGION)
    grounds = models.TextField()
    state = models.CharField(max_length=9, choices=State.choices, default=State.LODGED)
    history = HistoricalRecords()

    class Meta:
        ordering = ["-at", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=answered("lodged", "upheld", "dismissed", "settled"), name="appeal_answered_with_a_reason"
            ),
            models.CheckConstraint(condition=Q(party__in=["region", "organiser", "sender"]), name="appeal_party_known"),
        ]

    def __str__(self) -> str:
        return str(self.refusal)
