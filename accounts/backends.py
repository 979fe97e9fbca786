"""The table of roles as an authentication backend, so that Django's `has_perm` reads it."""

from typing import Any

from django.contrib.auth.backends import BaseBackend
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.db.models import Model

from accounts.models import User
from accounts.permissions import RIGHTS, roles_of


class RoleBackend(BaseBackend):
    """Grant what `accounts.permissions` gives to a user's roles. It authenticates no user."""

    def get_all_permissions(self, user_obj: AbstractBaseUser | AnonymousUser, obj: Model | None = None) -> set[str]:
        """Return all rights of an active user as `app.action_model`, cached on the user object."""
        if not isinstance(user_obj, User) or not user_obj.is_active:
            return set()
        rights: set[str] | None = getattr(user_obj, "_role_rights", None)
        if rights is None:
            rights = {right for role in roles_of(user_obj) for right in RIGHTS[role]}
            user_obj._role_rights = rights  # type: ignore[attr-defined]
        return rights

    def has_perm(self, user_obj: Any, perm: str, obj: Model | None = None) -> bool:
        """Return whether one of the user's roles has the right `app.action_model`."""
        return perm in self.get_all_permissions(user_obj)

    def has_module_perms(self, user_obj: AbstractBaseUser | AnonymousUser, app_label: str) -> bool:
        """Return whether the user has any right in an application."""
        return any(right.startswith(f"{app_label}.") for right in self.get_all_permissions(user_obj))
