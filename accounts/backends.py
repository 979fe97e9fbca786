"""Rights from the table of roles, in the form that Django asks for them."""

from typing import Any

from django.contrib.auth.backends import BaseBackend
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.db.models import Model

from accounts.models import User
from accounts.permissions import RIGHTS, roles_of


class RoleBackend(BaseBackend):
    """Grants what `accounts.permissions` gives to a user's roles. It does not log anybody in."""

    def get_all_permissions(self, user_obj: AbstractBaseUser | AnonymousUser, obj: Model | None = None) -> set[str]:
        """All rights of an active user, kept on the user object for the request."""
        if not isinstance(user_obj, User) or not user_obj.is_active:
            return set()
        kept: set[str] | None = getattr(user_obj, "_role_rights", None)
        if kept is None:
            kept = {right for role in roles_of(user_obj) for right in RIGHTS[role]}
            user_obj._role_rights = kept  # type: ignore[attr-defined]
        return kept

    def has_perm(self, user_obj: Any, perm: str, obj: Model | None = None) -> bool:
        """Whether one of the user's roles has the right."""
        return perm in self.get_all_permissions(user_obj)

    def has_module_perms(self, user_obj: AbstractBaseUser | AnonymousUser, app_label: str) -> bool:
        """Whether the user has any right in an application."""
        return any(right.startswith(f"{app_label}.") for right in self.get_all_permissions(user_obj))
