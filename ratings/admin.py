"""The officers' pages for lists, periods and runs."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from kombu.exceptions import OperationalError

from accounts.permissions import acting_user
from accounts.trail.admin_base import TrailAdmin
from config.lib import formatting
from ratings.adjustments.admin import AdjustmentAdmin
from ratings.duplicates.admin import MergeAdmin
from ratings.lists.admin_forms import FillForm, RatingListForm, national_rules
from ratings.lists.definitions import list_definitions
from ratings.models import Notice, Rating, RatingList, System
from ratings.months.admin import RatingPeriodAdmin, RatingRunAdmin
from ratings.moving_in.admin import ImportJobAdmin
from ratings.periods import RunError, parse_month
from ratings.personal_data.admin import ErasureAdmin
from ratings.rerating.admin import AmendmentAdmin, ReratingAdmin
from ratings.runs.filling import months_to_fill
from ratings.tasks import fill_from

# The pages of the other rooms are registered by importing them.
__all__ = [
    "AdjustmentAdmin", "AmendmentAdmin", "ErasureAdmin", "ImportJobAdmin", "MergeAdmin", "NoticeAdmin", "RatingListAdmin",
    "RatingPeriodAdmin", "RatingRunAdmin", "ReratingAdmin",
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
                count = len(months_to_fill(row, first))
                fill_from.delay(row.pk, first.isoformat(), acting_user(request).pk)
                text = f"{row} is being filled for {formatting.count(count, 'month')}; its trail says when it is done."
                self.message_user(request, text, messages.SUCCESS)
            except RunError as error:
                self.message_user(request, f"{row}: {error}", messages.ERROR)
            except OperationalError:
                text = f"{row}: the queue is down, and nothing was begun. Try again, or run “manage.py fill_list”."
                self.message_user(request, text, messages.ERROR)

    @admin.display(description="what it follows")
    def follows(self, row: RatingList) -> str:
        """Return its system and edition, the games that it counts, and where newcomers start, in sentences."""
        listing = next(definition for definition in list_definitions() if definition.id == row.pk)
        return listing.rules(timezone.localdate()) or national_rules(listing, timezone.localdate())

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Put what the list follows first."""
        fields = [name for name in super().get_fields(request, obj) if name != "follows"]
        return fields if obj is None else ["follows", *fields]

    def get_readonly_fields(self, request: HttpRequest, obj: RatingList | None = None) -> tuple[str, ...]:
        """Return the fields that cannot be changed: the code, part of addresses, and what published ratings depend on."""
        if obj is None:
            return ()
        fixed = obj.system == System.CHESSA or Rating.objects.filter(list=obj).exists()
        depends = ("system", "edition", "counts_standard", "counts_rapid", "counts_blitz", "starts_from")
        return ("follows", "code", *depends) if fixed else ("follows",)

    def has_delete_permission(self, request: HttpRequest, obj: RatingList | None = None) -> bool:
        """Return whether the list may be deleted: not with ratings."""
        if obj is None:
            return False
        return obj.system != System.CHESSA and not Rating.objects.filter(list=obj).exists()


@admin.register(Notice)
class NoticeAdmin(TrailAdmin):
    """Lines at the head of every public page."""

    list_display = ("text", "shown")
