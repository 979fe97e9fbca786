"""Which media type an answer has: what the header Accept prefers (RFC 9110, section 12.5.1)."""

from collections.abc import Sequence
from typing import Any

from rest_framework.exceptions import NotAcceptable
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request


class Negotiation(DefaultContentNegotiation):
    """Django REST framework's own negotiation ignores the weights (`q`) of the media types."""

    def select_renderer(
        self, request: Request, renderers: Sequence[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        """Return the renderer with the greatest weight, else the first, and its media type. Raises NotAcceptable."""
        if not request.headers.get("accept", "").strip():
            return renderers[0], renderers[0].media_type
        try:
            preferred: Any = request.get_preferred_type([renderer.media_type for renderer in renderers])
        except ValueError:  # a parameter in a character set that is none
            return renderers[0], renderers[0].media_type
        for renderer in renderers:
            if renderer.media_type == preferred:
                return renderer, renderer.media_type
        raise NotAcceptable(available_renderers=renderers)
