"""Base classes of the admin pages of events: rows of the user's events, actions row by row, mails of decisions."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.db import OperationalError, transaction
from django.db.models import Model, OuterRef, QuerySet, Subquery
from django.forms.models import BaseInlineFormSet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from accounts.permissions import acting_user
from config.lib.admin import AsShownAdmin, ReasonForm, never
from config.lib.database import shared_wait
from config.lib.forms import PlainTextField
from config.lib.shown_rows import MOST_SHOWN
from config.outages import BUSY, CROSSED_ROW, outage
from events.access import desk_events
from events.models import AbroadLink, EventMove, Game, Refusal, Submission
from events.operations import EventError
from events.rules.abroad import GROUND_WORDS
from events.rules.states import MoveError

NAMED = 5  # rows that the message of an action names


def ground_field() -> forms.ChoiceField:
    """Return a field for the ground on which results from abroad are returned or refused (article 10)."""
    return forms.ChoiceField(
        required=False,
        label="Ground, if from abroad (a player’s wish is none)",
        error_messages={"invalid_choice": "choose the ground from the list."},
        choices=[("", "–"), *((ground.value, words) for ground, words in GROUND_WORDS.items())],
    )


class GroundForm(ReasonForm):
    """The form of the actions on events and sections: those from abroad are returned or refused on a ground (article 10)."""

    ground = ground_field()


class NoticeForm(GroundForm):
    """The form of the actions on what may be refused: with the day on which a refusal was notified by letter."""

    day = forms.DateField(
        required=False,
        label="Day of the notice, if by letter",
        widget=forms.DateInput(attrs={"type": "date"}),
        error_messages={"invalid": "write it as 2026-03-31."},
    )


class EventActionForm(NoticeForm):
    """The form of the actions on events: penalties without an answer are applied for a reason of their own."""

    penalty_reason = PlainTextField(
        required=False, label="Reason for applying penalties without an answer", max_length=500
    )


class ScopedAdmin(AsShownAdmin):
    """An admin page with the rows of events that the user may see. `event_path`: lookup from the row to the event."""

    event_path = ""

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Return the rows of events that the user may see."""
        rows = super().get_queryset(request)
        events = desk_events(acting_user(request))
        return rows.filter(**{f"{self.event_path}__in" if self.event_path else "pk__in": events})

    def response_action(self, request: HttpRequest, queryset: QuerySet[Any], *where: Any) -> HttpResponse | None:
        """Run the chosen action. An invalid reason or ground gets its own message; Django’s is that no action was chosen."""
        try:
            for name in ("reason", "ground", "day", "penalty_reason"):
                EventActionForm.declared_fields[name].clean(request.POST.get(name, ""))
        except ValidationError as error:
            label = name.replace("_", " ").capitalize()
            text = f"Nothing was changed. {label}: {' '.join(error.messages)}"
            self.message_user(request, text, messages.ERROR)
            return None
        return super().response_action(request, queryset, *where)

    def has_take_back_permission(self, request: HttpRequest) -> bool:
        """Return whether the table of roles gives the right to take back refusals."""
        return acting_user(request).has_perm("events.take_back_refusal")

    def decision(self, request: HttpRequest) -> dict[str, Any]:
        """Return the moment, the user and the reason of an action, as the operations take them."""
        return {"at": timezone.now(), "by": acting_user(request), "reason": request.POST.get("reason", "")}

    def act_on_rows(
        self, request: HttpRequest, rows: QuerySet[Any], action: Callable[[Any], object], done: str
    ) -> None:
        """Run an action on each row, in one transaction each; show which succeeded, as "N {done}: …", and why not others.

        The mails that the action writes belong to the transaction.
        """
        worked: list[str] = []
        chosen = list(rows)
        with shared_wait(len(chosen)):
            for row in chosen:
                if self._acted_on(request, row, action):
                    worked.append(str(row))
        if worked:
            named, more = "; ".join(worked[:NAMED]), f" and {len(worked) - NAMED} more" if len(worked) > NAMED else ""
            self.message_user(request, f"{len(worked)} {done}: {named}{more}.", messages.SUCCESS)

    def _acted_on(self, request: HttpRequest, row: Any, action: Callable[[Any], object]) -> bool:
        """Run an action on a row; show why not, if it could not be done."""
        try:
            with transaction.atomic():
                action(row)
        except (EventError, MoveError) as error:
            message = str(error)
            told = message if message.startswith(str(row)) else f"{row}: {message}"
        except OperationalError as error:
            if outage(error) != BUSY:
                raise
            told = f"{row}: {CROSSED_ROW}"
        else:
            return True
        request.has_refused = True  # type: ignore[attr-defined]
        self.message_user(request, told, messages.ERROR)
        return False

    def show_mailed(self, request: HttpRequest, to: list[str], *, nobody: str = "") -> None:
        """Show to which addresses the mail of a decision goes; without any, what follows from it (`nobody`)."""
        self.message_user(request, *mailed(to, nobody=nobody))


class OnResultsAdmin(ScopedAdmin):
    """A list of events or sections: what is decided of one rests on how the event was moved last, and on its last file."""

    watched_beside = ("last_move", "last_file")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Return the rows with the keys of both."""
        event = OuterRef(self.event_path or "pk")
        moves = EventMove.objects.filter(event=event).order_by("-pk").values("pk")[:1]
        files = Submission.objects.filter(section__event=event).order_by("-pk").values("pk")[:1]
        rows: QuerySet[Any] = super().get_queryset(request)
        rows = rows.annotate(last_move=Subquery(moves), last_file=Subquery(files))
        return rows


def mailed(to: list[str], *, nobody: str = "") -> tuple[str, int]:
    """Return as a message with its level to which addresses the mail of a decision goes; without any, what follows from it."""
    if to:
        return f"A mail is on its way to {', '.join(to)}.", messages.SUCCESS
    return f"Nobody administers the region: no mail was sent. {nobody}".strip(), messages.WARNING


def without_notice(refusal: Refusal) -> str:
    """Return what follows if no mail tells a region of a refusal: the days to appeal do not run yet (article 11)."""
    if refusal.notified_at is not None:
        return ""
    return (
        "The days to appeal run only from the notice: the mail goes out when an administrator is appointed, or the Chief"
        " Organiser has an account; or notify by letter, and enter the day."
    )


class FirstRows(BaseInlineFormSet):
    """The first MOST_SHOWN rows of a table that cannot be edited, and how many `more` there are."""

    inline: "ReadOnlyInline"

    def get_queryset(self) -> Any:
        """Return the rows that are shown. One query."""
        if not hasattr(self, "_first"):
            rows = super().get_queryset()
            self._first = list(rows[: MOST_SHOWN + 1])
            self.more = rows.count() - MOST_SHOWN if len(self._first) > MOST_SHOWN else 0
            del self._first[MOST_SHOWN:]
        return self._first

    def initial_form_count(self) -> int:
        """Return how many rows there are to show."""
        return len(self.get_queryset())

    def total_form_count(self) -> int:
        """Return the same: none is added."""
        return self.initial_form_count()

    def _construct_form(self, i: int, **options: Any) -> Any:
        # Whatever is sent of a row that nobody can edit.
        return super()._construct_form(i, instance=self.get_queryset()[i], **options)  # type: ignore[misc]

    @property
    def all_rows(self) -> str:
        """The address of all rows; "" without one."""
        return self.inline.all_rows(self.instance)


class ReadOnlyInline(admin.TabularInline):
    """Rows that cannot be edited, the first ones with how many more there are. `related`: rows that theirs are shown with."""

    extra = 0
    can_delete = False
    classes: tuple[str, ...] = ("only-rows",)
    formset = FirstRows
    template = "admin/events/first_rows.html"
    related: tuple[str, ...] = ()
    has_add_permission = has_change_permission = never

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Return the rows with those that they are shown with."""
        rows: QuerySet[Any] = super().get_queryset(request)
        return rows.select_related(*self.related) if self.related else rows

    def get_formset(self, request: HttpRequest, obj: Any = None, **options: Any) -> Any:
        """Return the table's class, which knows where all rows are."""
        formset: Any = super().get_formset(request, obj, **options)
        formset.inline = self
        return formset

    def all_rows(self, parent: Model) -> str:
        """Return the address where all rows of a page's row are; "" if there is none."""
        return ""


class SenderInline(ReadOnlyInline):
    """The mailed links by which an event abroad was submitted. Only officers see their addresses."""

    model = AbroadLink
    verbose_name_plural = "sent in by mailed link"
    fields = ("at", "sender", "player", "address")
    readonly_fields = fields
    related = ("player",)


class GameAbroadInline(ReadOnlyInline):
    """The games of an event abroad, to compare with the official results."""

    model = Game
    fields = ("round", "white", "black", "opponent", "result")
    readonly_fields = fields
    related = ("section__event", "white", "black", "guest__player")

    @admin.display(description="opponent abroad")
    def opponent(self, row: Game) -> str:
        """Return the guest's name, federation, FIDE id, and rating or performance before adjustment."""
        guest = row.guest
        if guest is None:
            return ""
        number = f"id {guest.fide_id}" if guest.fide_id else "no FIDE id"
        registered = f"on the register {guest.player.number}" if guest.player else ""
        return ", ".join(part for part in (guest.name, guest.federation, number, guest.rating_text, registered) if part)
