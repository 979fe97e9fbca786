"""The officers' pages for lists, periods and runs."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from accounts.permissions import acting_user
from accounts.trail.admin_base import TrailAdmin
from config.lib import formatting
from config.lib.waking import say_kept, wake
from ratings.adjustments.admin import AdjustmentAdmin
from ratings.duplicates.admin import MergeAdmin
from ratings.lists.admin_forms import DEPENDS, FillForm, RatingListForm, national_rules
from ratings.lists.definitions import list_definitions
from ratings.models import Notice, Rating, RatingList, System
from ratings.months.admin import RatingPeriodAdmin, RatingRunAdmin
from ratings.moving_in.admin import ImportJobAdmin
from ratings.periods import RunError, parse_month
from ratings.personal_data.admin import ErasureAdmin
from ratings.rerating.admin import AmendingFileAdmin, AmendmentAdmin, ReratingAdmin
from ratings.runs.filling import ask_to_fill
from ratings.tasks import fill_published

# The pages of the other rooms are registered by importing them.
__all__ = [
    "AdjustmentAdmin", "AmendingFileAdmin", "AmendmentAdmin", "ErasureAdmin", "ImportJobAdmin", "MergeAdmin", "NoticeAdmin",
    "RatingListAdmin", "RatingPeriodAdmin", "RatingRunAdmin", "ReratingAdmin",
]  # fmt: skip


@admin.register(RatingList)
class RatingListAdmin(TrailAdmin):
    """The lists. Further ones of other systems are filled by the next run; what the figures depend on is then fixed."""

    form = RatingListForm
    list_display = ("name", "code", "system", "edition", "position")
    action_form = FillForm
    actions = ("fill",)

    @admin.action(description="Fill for published months, from a month on", permissions=["change"])
    def fill(self, request: HttpRequest, rows: QuerySet[RatingList]) -> None:
        """Have a worker rate the published months for lists that were added later; the other lists stay as they are."""
        for row in rows:
            try:
                first = parse_month(request.POST.get("month", "").strip())
                count = ask_to_fill(row, first, at=timezone.now(), by=acting_user(request))
                wake(fill_published, row.pk, unheard=say_kept(request))
                text = f"{row} is being filled for {formatting.count(count, 'month')}; its trail says when it is done."
                self.message_user(request, text, messages.SUCCESS)
            except RunError as error:
                self.message_user(request, f"{row}: {error}", messages.ERROR)

    @admin.display(description="what it follows")
    def follows(self, row: RatingList) -> str:
        """Return its system and edition, the games that it counts, and where newcomers start, in sentences."""
        listing = next(definition for definition in list_definitions() if definition.id == row.pk)
        return listing.rules(timezone.localdate()) or national_rules(listing, timezone.localdate())

    @admin.display(description="filling")
    def filling(self, row: RatingList) -> str:
        """Return for which months the list is to be filled, and why it was given up."""
        asked = f"From {row.fill_first:%Y-%m} on, asked for by {row.fill_by}"
        if row.fill_error:
            return f"{asked}: {row.fill_error}. Ask for it again in the list of lists."
        return f"{asked}: a worker does it."

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Put what the list follows first, and how far it is filled if that was asked for."""
        first = ["follows", "filling"][: 1 if obj is None or obj.fill_asked_at is None else 2]
        fields = [name for name in super().get_fields(request, obj) if name not in first]
        return fields if obj is None else [*first, *fields]

    def get_readonly_fields(self, request: HttpRequest, obj: RatingList | None = None) -> tuple[str, ...]:
        """Return the fields that cannot be changed: the code, part of addresses, and what published ratings depend on."""
        if obj is None:
            return ()
        fixed = obj.system == System.CHESSA or Rating.objects.filter(list=obj).exists()
        told = ("follows", "filling") if obj.fill_asked_at else ("follows",)
        return (*told, "code", *DEPENDS) if fixed else told

    def has_delete_permission(self, request: HttpRequest, obj: RatingList | None = None) -> bool:
        """Return whether the list may be deleted: not with ratings."""
        if obj is None:
            return False
        return obj.system != System.CHESSA and not Rating.objects.filter(list=obj).exists()


@admin.register(Notice)
class NoticeAdmin(TrailAdmin):
    """Lines at the head of every public page."""

    list_display = ("text", "shown")
