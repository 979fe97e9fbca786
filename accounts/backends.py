"""Log-in by password, and the table of roles as the only source of rights."""

from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.db.models import Model

from accounts.models import User
from accounts.permissions import RIGHTS, roles_of


class RoleBackend(ModelBackend):
    """Authenticate by password, and grant what `accounts.permissions` gives to a user's roles and nothing else."""

    def get_all_permissions(self, user_obj: AbstractBaseUser | AnonymousUser, obj: Model | None = None) -> set[str]:
        """Return all rights of an active user as `app.action_model`, cached on the user object."""
        if not isinstance(user_obj, User) or not user_obj.is_active:
            return set()
        rights: set[str] | None = getattr(user_obj, "_role_rights", None)
        if rights is None:
            rights = {right for role in roles_of(user_obj) for right in RIGHTS[role]}
            user_obj._role_rights = rights  # type: ignore[attr-defined]
        return rights
