"""Tokens in requests: `Authorization: Bearer`. Cookies are never read."""

from typing import Any

from django.http import HttpRequest
from django.utils import timezone
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from accounts.models import Token, User
from accounts.tokens.operations import note_use, token_of

SCHEME = "Bearer"
UNKNOWN = "The token is unknown, withdrawn or past its last day. Its user makes another on the account page."


def read_token(request: HttpRequest) -> Token | None:
    """Return the valid token that a request sends, kept on the request; None if there is none."""
    scheme, _, secret = request.headers["Authorization"].partition(" ")
    token = token_of(secret.strip(), today=timezone.localdate()) if scheme.lower() == SCHEME.lower() else None
    if token:
        note_use(token, at=timezone.now())
    request.api_token = token  # type: ignore[attr-defined]
    return token


class TokenAuthentication(BaseAuthentication):
    """The user of the token that the middleware has read."""

    def authenticate(self, request: Request) -> tuple[User, Token] | None:
        """Return user and token; None without one."""
        token: Token | None = getattr(request._request, "api_token", None)
        return (token.user, token) if token else None

    def authenticate_header(self, request: Request) -> str:
        """Return how to authenticate."""
        return SCHEME


class TokenScheme(OpenApiAuthenticationExtension):
    """What the OpenAPI document says of tokens."""

    target_class = TokenAuthentication
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        """Return the scheme."""
        about = "A token from the account page."
        return {"type": "http", "scheme": SCHEME.lower(), "description": about}
