"""The officers' pages for players, titles, regions, provinces."""

from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from simple_history.admin import SimpleHistoryAdmin

from players.models import Player, Province, Region, RegionalAdministrator, Title
from players.operations import save_player


class RecordedAdmin(SimpleHistoryAdmin):
    """Keeps every change. An old version is read, never put back: it would bring its state along, past the operations."""

    def history_form_view(
        self, request: HttpRequest, object_id: str, version_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """An old version."""
        if request.method == "POST":
            raise PermissionDenied
        answer: HttpResponse = super().history_form_view(request, object_id, version_id, extra_context)
        return answer


class AdministratorInline(admin.TabularInline):
    """Who administered the region, from when to when."""

    model = RegionalAdministrator
    extra = 0


@admin.register(Region)
class RegionAdmin(admin.ModelAdmin):
    """Regions and their administrators."""

    list_display = ("code", "name", "province")
    list_filter = ("province",)
    search_fields = ("code", "name")
    inlines = (AdministratorInline,)


@admin.register(Province)
class ProvinceAdmin(admin.ModelAdmin):
    """Provinces."""

    list_display = ("name", "code")


@admin.register(Title)
class TitleAdmin(admin.ModelAdmin):
    """Titles."""

    list_display = ("code", "name", "position")


@admin.register(Player)
class PlayerAdmin(RecordedAdmin):
    """The register of players, with the history of every change."""

    list_display = ("number", "last_name", "first_name", "region", "birth_year", "sex", "fide_id", "title")
    list_filter = ("region__province", "sex", "title")
    list_select_related = ("region", "title")
    search_fields = ("number", "=fide_id", "folded_name", "last_name", "first_name")
    readonly_fields = ("registered_at",)

    def save_model(self, request: HttpRequest, obj: Player, form: Any, change: bool) -> None:
        """Save with what follows from the name and the birth date."""
        if not change:
            obj.registered_at = timezone.now()
        save_player(obj)
