"""What the officers' pages of events have in common: rows of the user's events, actions row by row, mails of decisions."""

from collections.abc import Callable
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse

from accounts.permissions import acting_user
from config.lib.admin import ReasonForm
from events.access import visible_events
from events.models import AbroadLink, Game
from events.operations import EventError
from events.rules.states import MoveError


class ScopedAdmin(admin.ModelAdmin):
    """Shows only what belongs to an event that the user may see. `event_path` leads from the row to the event."""

    event_path = ""

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """The rows of the user's events."""
        rows = super().get_queryset(request)
        mine = visible_events(acting_user(request))
        return rows.filter(**{f"{self.event_path}__in": mine}) if self.event_path else rows.filter(pk__in=mine)

    def response_action(self, request: HttpRequest, queryset: QuerySet[Any], *where: Any) -> HttpResponse | None:
        """Do the chosen action. A reason that cannot be kept is said; Django would only say that no action was chosen."""
        try:
            ReasonForm.declared_fields["reason"].clean(request.POST.get("reason", ""))
        except ValidationError as error:
            self.message_user(request, f"Nothing was changed. Reason: {' '.join(error.messages)}", messages.ERROR)
            return None
        return super().response_action(request, queryset, *where)

    def act(self, request: HttpRequest, rows: QuerySet[Any], action: Callable[[Any], object], done: str) -> None:
        """Do something with each chosen row; say what worked and, row by row, what did not and why."""
        worked = 0
        for row in rows:
            try:
                action(row)
                worked += 1
            except (EventError, MoveError) as error:
                said = str(error)
                self.message_user(request, said if said.startswith(str(row)) else f"{row}: {said}", messages.ERROR)
        if worked:
            self.message_user(request, f"{worked} {done}.", messages.SUCCESS)

    def tell(self, request: HttpRequest, send: Callable[[], list[str]]) -> None:
        """Send the mail of a decision and say to whom it went. The decision stands when the mail does not go."""
        try:
            to = send()
            text = (
                f"A mail is on its way to {', '.join(to)}."
                if to
                else "Nobody administers the region: no mail was sent."
            )
            self.message_user(request, text, messages.SUCCESS if to else messages.WARNING)
        except OSError as error:
            self.message_user(request, f"It is decided, but the mail could not be sent ({error}).", messages.ERROR)


class ReadOnlyInline(admin.TabularInline):
    """Rows that are shown, not edited."""

    extra = 0
    can_delete = False
    classes: tuple[str, ...] = ("only-rows",)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody."""
        return False


class SenderInline(ReadOnlyInline):
    """Who sent in an event abroad by a mailed link. Addresses are for officers alone."""

    model = AbroadLink
    verbose_name_plural = "sent in by mailed link"
    fields = ("at", "sender", "player", "address")
    readonly_fields = fields


class GameAbroadInline(ReadOnlyInline):
    """The games of an event abroad, to be compared with the official results."""

    model = Game
    fields = ("round", "white", "black", "opponent", "result")
    readonly_fields = fields

    @admin.display(description="opponent abroad")
    def opponent(self, row: Game) -> str:
        """His name, federation, FIDE id, and what he counts at before it is adjusted."""
        guest = row.guest
        if guest is None:
            return ""
        rated = f"FIDE {guest.fide_rating}" if guest.fide_rating is not None else f"performance {guest.performance}"
        number = f"id {guest.fide_id}" if guest.fide_id else "no FIDE id"
        known = f"on the register {guest.player.number}" if guest.player else ""
        return ", ".join(part for part in (guest.name, guest.federation, number, rated, known) if part)
