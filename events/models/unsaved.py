"""Registrations and answers as they were typed, where something in them cannot be saved."""

from django.conf import settings
from django.db import models
from django.db.models import Q


class UnsavedRegistration(models.Model):
    """What was typed into the form of a registration and cannot be saved as it stands, so that nothing of it is lost.

    It is that of an `event`, or of a new registration of a user, which has no event yet; then `page` is the key of its form.
    `fields`: name on the page → values. `version`: that of the event when it was typed.
    """

    event = models.OneToOneField("events.Event", null=True, on_delete=models.CASCADE, related_name="unsaved")
    page = models.UUIDField(null=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    at = models.DateTimeField()
    version = models.PositiveIntegerField(default=0)
    fields = models.JSONField()

    class Meta:
        ordering = ["-at", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["by", "page"], name="unsaved_registration_once_a_page"),
            models.CheckConstraint(
                condition=Q(event__isnull=True, page__isnull=False) | Q(event__isnull=False, page__isnull=True),
                name="unsaved_registration_of_event_or_page",
            ),
        ]

    def __str__(self) -> str:
        return f"registration as typed: {self.event or self.page}"


class UnsavedAnswer(models.Model):
    """What was typed into a form of the page of an event's results and was refused, so that nothing of it is lost.

    `form`: the prefix of the form's fields on the page; `fields`: name of a field, with the prefix → values.
    """

    event = models.ForeignKey("events.Event", on_delete=models.CASCADE, related_name="unsaved_answers")
    form = models.CharField(max_length=100)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    at = models.DateTimeField()
    fields = models.JSONField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["event", "form"], name="unsaved_answer_once_a_form")]

    def __str__(self) -> str:
        return f"answer as typed: {self.event}, {self.form}"
