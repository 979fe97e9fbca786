"""The page for users: superusers edit them; officers see the others and disable or invite them."""

from collections.abc import Callable
from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.contrib.auth.admin import UserAdmin as BaseUserAdmin
from django.contrib.auth.models import Group
from django.db import OperationalError, transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from accounts.forms import AccountForm, DeskPasswordForm
from accounts.mails import send_invitation, send_password_set
from accounts.models import User
from accounts.operations import AccountError, set_active
from accounts.outbox.admin import MailAdmin
from accounts.permissions import acting_user, manageable_users
from accounts.retention.admin import RetentionAdmin
from accounts.tokens.admin import TokenAdmin
from accounts.trail.admin import DecisionAdmin
from accounts.trail.admin_base import TrailAdmin
from config.lib import formatting
from config.lib.admin import never
from config.lib.database import shared_wait
from config.outages import BUSY, CROSSED_ROW, outage
from players.administrators import disable_account

# The pages of the trail, the outbox, the tokens and the retention are registered by importing them.
__all__ = ["DecisionAdmin", "MailAdmin", "RetentionAdmin", "TokenAdmin"]

admin.site.unregister(Group)
admin.site.site_title = admin.site.site_header = "Ratings bureau"
admin.site.index_title = "Your desk"
# The desk names all lists; beside a list the sidebar would cut its columns off.
admin.site.enable_nav_sidebar = False


@admin.register(User)
class UserAdmin(TrailAdmin, BaseUserAdmin):
    """Users by e-mail address; roles are on the region's and the arbiter's pages, officers and the panel are marked here.

    An account is disabled and never deleted: what its user decided stays his.
    """

    has_delete_permission = never
    ordering = ("email",)
    list_display = ("email", "name", "roles", "logs_in")
    list_display_links = ("email", "name")
    list_filter = ("is_officer", "is_panel", "is_superuser", "is_active")
    search_fields = (
        "email",
        "first_name",
        "last_name",
        "administrations__region__name",
        "=administrations__region__code",
        "arbiters__name",
        "=arbiters__number",
        "=arbiters__player__number",
    )
    search_help_text = "Name or address; name or code of a region administered; name or Chess SA id of an arbiter."
    fieldsets = (
        (None, {"fields": ("email", "password")}),
        ("Person", {"fields": ("first_name", "last_name")}),
        ("Rights", {"fields": ("is_active", "is_staff", "is_officer", "is_panel", "is_superuser")}),
        ("Dates", {"fields": ("last_login", "date_joined")}),
    )
    change_password_form = DeskPasswordForm
    add_fieldsets = (
        (
            None,
            {
                "classes": ("wide",),
                "fields": ("email", "password1", "password2", "is_staff", "is_officer", "is_panel", "is_superuser"),
            },
        ),
    )
    filter_horizontal = ()
    form = AccountForm
    readonly_fields = ("is_active", "last_login")
    actions = ("disable", "enable", "invite")
    watched = ("email", "first_name", "last_name", "is_active", "is_officer", "is_panel", "is_superuser")

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        """Return all users to a superuser; to others all except officers, the appeals panel and superusers."""
        rows = super().get_queryset(request).filter(pk__in=manageable_users(acting_user(request)))
        return rows.prefetch_related("administrations__region", "arbiters")

    def get_list_filter(self, request: HttpRequest) -> Any:
        """Return the filters: by marks for superusers alone, as others see no user who has one."""
        return self.list_filter if acting_user(request).is_superuser else ("is_active",)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show a user under the address."""
        user = self.get_object(request, unquote(object_id))
        named = {"title": user.get_full_name() or user.email, "subtitle": None} if user else {}
        return super().change_view(request, object_id, form_url, {**named, **(extra_context or {})})

    @admin.display(description="name", ordering="last_name")
    def name(self, user: User) -> str:
        """Return first and last name."""
        return user.get_full_name() or "–"

    @admin.display(description="is")
    def roles(self, user: User) -> str:
        """Return the present roles in words, each administration with its first day."""
        marks = (
            (user.is_officer, "ratings officer"),
            (user.is_panel, "appeals panel"),
            (user.is_superuser, "superuser"),
        )
        today = timezone.localdate()
        words = [word for is_marked, word in marks if is_marked]
        words += [
            f"administrator of {term.region} since {formatting.day(term.since)}"
            for term in user.administrations.all()
            if term.since <= today and (term.until is None or term.until > today)
        ]
        words += [f"arbiter {arbiter.name}" for arbiter in user.arbiters.all()]
        return formatting.sentence("; ".join(words)) if words else "–"

    @admin.display(description="last logged in", ordering="last_login")
    def logs_in(self, user: User) -> str:
        """Return when the user logged in last, or what keeps him from it."""
        if not user.is_active:
            return "disabled"
        if user.last_login is not None:
            return formatting.day(timezone.localtime(user.last_login))
        return "never" if user.has_usable_password() else "invited, no password yet"

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        """Leave out the password field for those who may not edit users."""
        if self.has_change_permission(request, obj):
            return super().get_fieldsets(request, obj)
        return ((None, {"fields": ("email", "first_name", "last_name", "date_joined")}),)

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        """Save the account; a role that decides at the desk opens the desk."""
        obj.is_staff = obj.is_staff or obj.is_officer or obj.is_panel or obj.is_superuser
        super().save_model(request, obj, form, change)

    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> HttpResponse:
        """Change a password; the trail says who did it, and a mail tells the user if it was another."""
        with transaction.atomic():
            user = self.get_object(request, unquote(id))
            answer: HttpResponse = super().user_change_password(request, id, form_url)
            if user is not None and user != request.user and not _has_password(user, user.password):
                send_password_set(user, at=timezone.now(), by=acting_user(request))
        return answer

    def has_disable_permission(self, request: HttpRequest) -> bool:
        """Return whether the table of roles gives the right to disable accounts."""
        return acting_user(request).has_perm("accounts.disable_user")

    @admin.action(description="Disable: shut the account, end its administrations", permissions=["disable"])
    def disable(self, request: HttpRequest, rows: QuerySet[User]) -> None:
        """Disable the chosen accounts at once; users who are logged in are logged out."""
        now = timezone.now()
        self._act(request, rows, lambda row: disable_account(row, at=now, by=acting_user(request)), "disabled")

    @admin.action(description="Enable again", permissions=["disable"])
    def enable(self, request: HttpRequest, rows: QuerySet[User]) -> None:
        """Enable the chosen accounts; administrations that ended are not restored."""
        self._act(
            request, rows, lambda row: set_active(row, True, at=timezone.now(), by=acting_user(request)), "enabled"
        )

    @admin.action(description="Send a mail with the way to log in", permissions=["disable"])
    def invite(self, request: HttpRequest, rows: QuerySet[User]) -> None:
        """Mail the active ones of the chosen users; those without a password get a link to set one."""
        self._act(request, rows, lambda row: _invite(row), "invited")

    def _act(self, request: HttpRequest, rows: QuerySet[User], action: Callable[[User], object], done: str) -> None:
        chosen = list(rows)
        with shared_wait(len(chosen)):
            for shown in chosen:
                row = shown
                try:
                    with transaction.atomic():
                        # As it is by now: his data may be being erased.
                        row = User.objects.select_for_update(of=("self",), no_key=True).get(pk=row.pk)
                        action(row)
                        self.log_change(request, row, f"{done.capitalize()}.")
                    self.message_user(request, f"{row.email} is {done}.", messages.SUCCESS)
                except AccountError as error:
                    self.message_user(request, f"{row.email}: {error}", messages.ERROR)
                except OperationalError as error:
                    if outage(error) != BUSY:
                        raise
                    self.message_user(request, f"{row.email}: {CROSSED_ROW}", messages.ERROR)


def _has_password(user: User, password: str) -> bool:
    return User.objects.filter(pk=user.pk, password=password).exists()


def _invite(user: User) -> None:
    if not user.is_active:
        raise AccountError("the account is disabled. Enable it first.")
    send_invitation(user)
