"""Admin pages for players, titles, regions and provinces."""

from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Prefetch, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import URLPattern, path, reverse
from django.utils import timezone

from accounts.forms import AppointForm
from accounts.mails import invite
from accounts.models import User
from accounts.operations import AccountError
from accounts.permissions import acting_user
from accounts.trail.admin_base import TrailAdmin
from config.lib import formatting
from config.lib.admin import RecordedAdmin, state_filter
from config.lib.parsing import BIGINT_DIGITS
from config.lib.shown import is_shown
from players.admin_forms import PlayerForm
from players.administrators import (
    CHANGED_MEANWHILE,
    appoint_administrator,
    birth_date_regions,
    end_administration,
    own_regions,
)
from players.former_versions import FormerVersions
from players.identity import is_chess_sa_id
from players.merged import bears
from players.models import DAYS, PRIVATE, Player, Province, Region, RegionalAdministrator, Title
from players.operations import hide_merged, save_player


class InOfficeFilter(admin.SimpleListFilter):
    """Regions with and without an administrator of their own."""

    title = "Regional Administrator"
    parameter_name = "administered"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Return the choices besides all."""
        return [("yes", "in office"), ("no", "nobody")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Region]) -> QuerySet[Region]:
        """Return the regions of the choice."""
        in_office = RegionalAdministrator.objects.filter(until=None).values("region")
        match self.value():
            case "yes":
                return queryset.filter(pk__in=in_office)
            case "no":
                return queryset.exclude(pk__in=in_office)
        return queryset


@admin.register(Region)
class RegionAdmin(TrailAdmin):
    """Regions with what is known of them; their administrators are appointed, replaced and invited on a page of their own."""

    list_display = ("code", "name", "in_province", "administrator", "since")
    list_display_links = ("code", "name")
    list_filter = ("province", "provincial", InOfficeFilter)
    list_select_related = ("province",)
    search_fields = (
        "code",
        "name",
        "province__name",
        "administrators__user__email",
        "administrators__user__first_name",
        "administrators__user__last_name",
    )
    search_help_text = "Name or code, province, or name or address of an administrator, former ones included."

    def get_queryset(self, request: HttpRequest) -> QuerySet[Region]:
        """Return the regions with their administrators in office, as `in_office`."""
        terms = RegionalAdministrator.objects.filter(until=None).select_related("user")
        return super().get_queryset(request).prefetch_related(Prefetch("administrators", terms, to_attr="in_office"))

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show a region under its name."""
        region = self.get_object(request, unquote(object_id))
        named = {"title": region.name, "subtitle": None} if region else {}
        return super().change_view(request, object_id, form_url, {**named, **(extra_context or {})})

    def get_fieldsets(self, request: HttpRequest, obj: Region | None = None) -> Any:
        """Put the record under a heading of its own where it stands below what is known."""
        return ((obj and "The region’s record", {"fields": self.get_fields(request, obj)}),)

    @admin.display(description="province", ordering="province__name")
    def in_province(self, region: Region) -> str:
        """Return the province, and whether the region is its provincial body."""
        body = ", the provincial body" if region.provincial else ""
        return f"{region.province or '–'}{body}"

    @admin.display(description="Regional Administrator")
    def administrator(self, region: Any) -> str:
        """Return the name and address of the administrator in office."""
        if not region.in_office:
            return "nobody"
        user = region.in_office[0].user
        return f"{user.get_full_name()} {user.email}".strip()

    @admin.display(description="since")
    def since(self, region: Any) -> str:
        """Return since when the administrator is in office."""
        return formatting.day(region.in_office[0].since) if region.in_office else "–"

    def get_urls(self) -> list[URLPattern]:
        """Add the page on which administrators are appointed."""
        page = self.admin_site.admin_view(self.administrator_view)
        return [path("<path:object_id>/administrator/", page, name="players_region_administrator"), *super().get_urls()]

    def administrator_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Appoint a region's administrator, end the administration, or invite again (articles 57, 58)."""
        by = request.user
        if not isinstance(by, User) or not by.has_perm("players.appoint_regionaladministrator"):
            raise PermissionDenied
        region = self.get_object(request, object_id)
        if region is None:
            raise Http404("There is no such region.")
        in_office = region.administrators.filter(until=None).select_related("user").first()
        form = AppointForm(request.POST if "appoint" in request.POST else None)
        region_page = HttpResponseRedirect(reverse("admin:players_region_change", args=[region.pk]))
        shown = str(in_office.pk) if in_office else ""
        try:
            if not is_shown(request, shown):
                raise AccountError(CHANGED_MEANWHILE)
            if "end" in request.POST:
                ended = end_administration(region, at=timezone.now(), by=by, shown=in_office)
                self.log_change(request, region, f"Ended the administration of {ended.user.email}.")
                self.message_user(request, f"{ended.user.email} no longer administers {region}.", messages.SUCCESS)
                return region_page
            if "invite" in request.POST and in_office:
                invite(request, in_office.user, region)
                return region_page
            if form.is_bound and form.is_valid():
                with transaction.atomic():
                    administration = appoint_administrator(
                        region, **form.cleaned_data, at=timezone.now(), by=by
                    ).administration
                    self.log_change(request, region, f"Appointed {administration.user.email}.")
                    self.message_user(
                        request, f"{administration.user.email} administers {region} from today on.", messages.SUCCESS
                    )
                    invite(request, administration.user, region)
                return region_page
        except AccountError as error:
            if form.is_bound:
                form.add_error("email", str(error))
            else:
                self.message_user(request, str(error), messages.ERROR)
        context = {
            **self.admin_site.each_context(request),
            "title": f"Regional Administrator of {region}",
            "opts": self.opts,
            "region": region,
            "present": in_office,
            "shown": shown,
            "form": form,
        }
        return render(request, "admin/players/region/administrator.html", context)


@admin.register(Province)
class ProvinceAdmin(TrailAdmin):
    """Provinces."""

    list_display = ("name", "code")
    search_fields = ("name", "code")


@admin.register(Title)
class TitleAdmin(TrailAdmin):
    """Titles."""

    list_display = ("code", "name", "position")


def _is_officer(request: HttpRequest) -> bool:
    return isinstance(request.user, User) and request.user.has_perm("players.change_player")


def sees_birth_date(request: HttpRequest, player: Player) -> bool:
    """Return whether the user may see the whole birth date: officers, and the administrator of the player's region."""
    user = request.user
    return isinstance(user, User) and player.region_id in birth_date_regions(user)


def keeps_address(request: HttpRequest, player: Player) -> bool:
    """Return whether the user may see and change a player's e-mail address: officers, and the administrator of the region."""
    user = request.user
    if _is_officer(request):
        return True
    if not isinstance(user, User) or not user.has_perm("players.keep_address"):
        return False
    return own_regions(user).filter(pk=player.region_id or 0).exists()


@admin.register(Player)
class PlayerAdmin(TrailAdmin, RecordedAdmin):
    """The register of players, with the history of every change.

    Regional Administrators see days of birth and death of players of their regions; of others, and of those without a region,
    the years.
    The e-mail address they see and change for players of their regions only.
    """

    list_display = ("number", "last_name", "first_name", "region", "birth_year", "sex", "fide_id", "title")
    list_filter = (
        "region__province",
        "sex",
        "title",
        state_filter(
            "hidden at his wish",
            "hidden",
            yes=("hidden", Q(hidden_since__isnull=False)),
            no=("not hidden", Q(hidden_since=None)),
        ),
    )
    list_select_related = ("region", "title")
    search_fields = ("number", "=fide_id", "folded_name", "last_name", "first_name")
    readonly_fields = ("registered_at", "merged_into")
    hidden_on_trail = PRIVATE  # superusers and the appeals panel read it, too
    form = PlayerForm

    def get_queryset(self, request: HttpRequest) -> QuerySet[Player]:
        """Leave out players who were merged into others; they are reached by their own pages only."""
        return super().get_queryset(request).filter(merged_into=None)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Player], search_term: str
    ) -> tuple[QuerySet[Player], bool]:
        """Find the player to whom an id leads, too."""
        found, may_repeat = super().get_search_results(request, queryset, search_term)
        if is_chess_sa_id(search_term.strip()):
            found |= queryset.filter(bears(search_term.strip()))
        return found, may_repeat

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Player | None:
        """Return a player, also one who was merged into another."""
        found = super().get_object(request, object_id, from_field)
        if found is None and from_field is None and object_id.isdecimal() and len(object_id) <= BIGINT_DIGITS:
            return Player.objects.filter(pk=object_id, merged_into__isnull=False).first()
        return found

    def get_fields(self, request: HttpRequest, obj: Player | None = None) -> Any:
        """Ask about namesakes only when a player is added; say of who was merged into whom."""
        fields = super().get_fields(request, obj)
        if obj is not None and obj.merged_into_id is not None:
            fields = ["merged_into", *fields]
        return fields if obj is None else [name for name in fields if name != "another_person"]

    def get_exclude(self, request: HttpRequest, obj: Player | None = None) -> tuple[str, ...]:
        """Leave out the days of birth and death for users who may see only the years, and the address for those who may not see
        it."""
        if obj is None:
            return ()
        days = () if sees_birth_date(request, obj) else DAYS
        return days if keeps_address(request, obj) else (*days, "email")

    def has_change_permission(self, request: HttpRequest, obj: Player | None = None) -> bool:
        """Allow officers to change a player, and the region's administrator to change the address."""
        if obj is not None and (obj.merged_into_id is not None or obj.erased_at is not None):
            return False
        return self._may_change(request, obj)

    def closed(self, request: HttpRequest, row: Player) -> str:
        """Return that a player was erased or merged while his page was open; "" for who might not change him before either."""
        if not self._may_change(request, row):
            return ""
        if row.erased_at is not None:
            return f"The data of this player was erased meanwhile: he is {row.name} by now, and nothing of him can be changed."
        return f"{row} was merged into {row.merged_into} meanwhile: what is to be changed is changed there."

    def _may_change(self, request: HttpRequest, obj: Player | None) -> bool:
        return super().has_change_permission(request, obj) or (obj is not None and keeps_address(request, obj))

    def get_readonly_fields(self, request: HttpRequest, obj: Player | None = None) -> tuple[str, ...]:
        """Return the fields that the user cannot change: for administrators all but the address."""
        if _is_officer(request):
            return self.readonly_fields
        names = [field.name for field in self.opts.fields if field.editable and not field.primary_key]
        hidden = ("email", *self.get_exclude(request, obj))
        shown = tuple(name for name in names if name not in hidden)
        return shown if "died_on" in shown else (*shown, "died_in")

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Refuse filters by days of birth and death and by address: repeated ones would reveal it by bisection."""
        field = lookup.partition("__")[0]
        return (field not in PRIVATE or _is_officer(request)) and super().lookup_allowed(lookup, value, request)

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show the history, which contains birth dates and addresses. Raises PermissionDenied for who may not see them."""
        self._refuse_stranger(request, object_id)
        return super().history_view(request, object_id, extra_context)

    def history_form_view(
        self, request: HttpRequest, object_id: str, version_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show one version, under the condition of `history_view`."""
        self._refuse_stranger(request, object_id)
        return super().history_form_view(request, object_id, version_id, extra_context)

    def _refuse_stranger(self, request: HttpRequest, object_id: str) -> None:
        player = self.get_object(request, unquote(object_id))
        if player is None:
            allowed = _is_officer(request)
        else:
            addressed = player.history.exclude(email="").exists()
            allowed = keeps_address(request, player) or (sees_birth_date(request, player) and not addressed)
            # What was typed into his row by mistake is another's, of any region.
            allowed = allowed and (_is_officer(request) or not FormerVersions([player.pk]).of_others)
        if not allowed:
            raise PermissionDenied

    def save_model(self, request: HttpRequest, obj: Player, form: Any, change: bool) -> None:
        """Save through `save_player`, which fills the derived fields."""
        if not change:
            obj.registered_at = timezone.now()
        save_player(obj)
        hide_merged(obj, at=timezone.now(), by=acting_user(request))
