"""Admin page of the tokens: whose they are, what they may do, and withdrawing them."""

from django.contrib import admin, messages
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone

from accounts.models import Token
from accounts.permissions import acting_user, manageable_users
from accounts.tokens.operations import TokenError, withdraw_token
from config.lib.admin import never, state_filter


@admin.register(Token)
class TokenAdmin(admin.ModelAdmin):
    """The tokens of the users whom the reader sees. Their users make them; here they are withdrawn."""

    list_display = ("name", "user", "scopes", "created_at", "last_day", "last_used_at", "withdrawn_at")
    list_filter = (
        state_filter(
            "state",
            "state",
            valid=("not withdrawn", Q(withdrawn_at=None)),
            withdrawn=("withdrawn", Q(withdrawn_at__isnull=False)),
        ),
        "last_day",
    )
    search_fields = ("name", "user__email")
    list_select_related = ("user",)
    fields = list_display
    readonly_fields = list_display
    actions = ("withdraw",)
    has_add_permission = has_change_permission = has_delete_permission = never

    def get_queryset(self, request: HttpRequest) -> QuerySet[Token]:
        """Return the tokens of the users whom the reader sees."""
        return super().get_queryset(request).filter(user__in=manageable_users(acting_user(request)))

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Refuse filters by the hash."""
        return not lookup.startswith("digest") and super().lookup_allowed(lookup, value, request)

    def has_withdraw_permission(self, request: HttpRequest) -> bool:
        """Return whether the table of roles gives the right to withdraw others' tokens."""
        return acting_user(request).has_perm("accounts.withdraw_token")

    @admin.action(description="Withdraw at once", permissions=["withdraw"])
    def withdraw(self, request: HttpRequest, rows: QuerySet[Token]) -> None:
        """Withdraw the chosen tokens."""
        for token in rows:
            try:
                withdraw_token(token, at=timezone.now(), by=acting_user(request))
                self.message_user(request, f"{token.name} of {token.user} is withdrawn.", messages.SUCCESS)
            except TokenError as error:
                self.message_user(request, str(error), messages.ERROR)
