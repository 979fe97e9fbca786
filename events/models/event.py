"""Events and the history of their states."""

from django.conf import settings
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy, gettext_noop
from simple_history.models import HistoricalRecords

from events.models.days import days_constraints
from events.rules.sizes import LONGEST_NAME, LONGEST_PLACE
from events.rules.states import State
from players.identity import CHESS_SA_DIGITS

STATE_CHOICES = [(state.value, state.value) for state in State]


class Kind(models.TextChoices):
    """Where and for whom an event is played (article 62)."""

    OVER_THE_BOARD = "otb", gettext_noop("over the board")
    HYBRID = "hybrid", gettext_noop("hybrid")
    NATIONAL = "national", gettext_noop("national")  # article 62.4: registered by the body that organises it
    CLUB = "club", gettext_noop("club")
    ABROAD = "abroad", gettext_noop("abroad")


class Party(models.TextChoices):
    """In whose name somebody turns to the bureau about an event (articles 18, 57.3)."""

    ADMINISTRATOR = "administrator", gettext_noop("Regional Administrator")
    ORGANISER = "organiser", gettext_noop("Chief Organiser")
    CHIEF_ARBITER = "arbiter", gettext_noop("Chief Arbiter")


class Event(models.Model):
    """A competition of one or more sections (article 4.1).

    `hubs`: regions where a hybrid event is played (article 62.2). `version` counts the saves of the registration, to detect
    a form that was loaded before another user's save. `page` identifies the form of a new registration, so that a form sent
    twice makes one event.
    """

    name = models.CharField(max_length=LONGEST_NAME)
    kind = models.CharField(max_length=8, choices=Kind.choices, default=Kind.OVER_THE_BOARD)
    region = models.ForeignKey(
        "players.Region", on_delete=models.PROTECT, related_name="events", verbose_name="host region"
    )
    place = models.CharField(max_length=LONGEST_PLACE, blank=True)
    federation = models.CharField(
        max_length=3,
        default="RSA",
        validators=[RegexValidator("^[A-Z]{3}$", gettext_lazy("Three capitals: RSA, BOT, ENG."))],
    )
    starts = models.DateField()
    ends = models.DateField()
    organiser_name = models.CharField("Chief Organiser", max_length=LONGEST_NAME, blank=True)
    organiser_number = models.CharField("Chief Organiser's Chess SA id", max_length=CHESS_SA_DIGITS, blank=True)
    fide_rated = models.BooleanField("FIDE rated", default=False)
    hubs = models.ManyToManyField(
        "players.Region", blank=True, related_name="hub_events", verbose_name="regions with a playing hub"
    )
    organising_body = models.CharField(
        max_length=LONGEST_NAME,
        blank=True,
        help_text="Of a national event: the province, region or approved entity that organises it (article 62.4).",
    )
    norm_event = models.BooleanField(default=False)
    results_url = models.URLField("official results", blank=True)
    state = models.CharField(max_length=10, choices=STATE_CHOICES, default=State.DRAFT.value, editable=False)
    version = models.PositiveIntegerField(default=0, editable=False)
    page = models.UUIDField(null=True, editable=False)
    history = HistoricalRecords()

    class Meta:
        ordering = ["-ends", "name", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["page"], name="event_page_sent_once"),
            *days_constraints("event"),
            models.CheckConstraint(condition=Q(state__in=[state.value for state in State]), name="event_state_known"),
        ]

    def __str__(self) -> str:
        return self.name


class BodyApproval(models.Model):
    """An officer's approval of the body that organises a national event, with the reason (article 62.4).

    It holds for this `body`, as the event names it: of another one it says nothing.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="body_approvals")
    body = models.CharField(max_length=LONGEST_NAME)
    at = models.DateTimeField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    reason = models.TextField()

    class Meta:
        ordering = ["at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["event", "body"], name="body_approved_once"),
            models.CheckConstraint(condition=~Q(reason=""), name="body_approved_with_a_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.event}: {self.body}"


class EventMove(models.Model):
    """A change of an event's state, with time, actor and reason. `role`: as what the actor acted, in words.

    `recalled`: its region took back what it had sent in; `opened_at`, of what was sent in: when an officer first opened it.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="moves")
    source = models.CharField(max_length=10, choices=STATE_CHOICES)
    target = models.CharField(max_length=10, choices=STATE_CHOICES)
    at = models.DateTimeField()
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT)
    role = models.CharField(max_length=60, blank=True)
    reason = models.TextField(blank=True)
    recalled = models.BooleanField(default=False, editable=False)
    opened_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        ordering = ["pk"]  # the clock may have been ahead

    def __str__(self) -> str:
        return f"{self.event}: {self.source} → {self.target}"
