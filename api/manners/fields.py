"""Fields of answers: text that is null when missing, ratings as numbers beside what pages show; and of text that is sent."""

from collections.abc import Mapping
from datetime import UTC
from typing import Any, ClassVar

from rest_framework import serializers
from rest_framework.fields import empty

from api.manners.endings import Ending
from config.lib.texts import plain_text


class Text(serializers.CharField):
    """A text that is null when it is missing."""

    def __init__(self, **options: Any) -> None:
        super().__init__(read_only=True, allow_null=True, **options)

    def to_representation(self, value: Any) -> str | None:
        """Return the text, None for ""."""
        return super().to_representation(value) or None


class TypedText(serializers.CharField):
    """A text that is sent, without the characters in it that cannot be seen (`plain_text`)."""

    def run_validation(self, data: Any = empty) -> Any:
        """Return the text as it is kept. Raises ValidationError."""
        text = super().run_validation(data)
        kept = plain_text(text) if isinstance(text, str) else text
        if text and not kept and not self.allow_blank:
            self.fail("blank")
        return kept


class Number(serializers.FloatField):
    """A figure, unrounded; null when it is missing."""

    def __init__(self, **options: Any) -> None:
        super().__init__(read_only=True, allow_null=True, **options)


class Whole(serializers.IntegerField):
    """A whole number; null when it is missing."""

    def __init__(self, **options: Any) -> None:
        super().__init__(read_only=True, allow_null=True, **options)


class Day(serializers.DateField):
    """A day; null when it is missing."""

    def __init__(self, **options: Any) -> None:
        super().__init__(read_only=True, allow_null=True, **options)


class Moment(serializers.DateTimeField):
    """A moment in UTC; null when it is missing."""

    def __init__(self, **options: Any) -> None:
        super().__init__(read_only=True, allow_null=True, default_timezone=UTC, **options)


class Flag(serializers.BooleanField):
    """Yes or no."""

    def __init__(self, **options: Any) -> None:
        super().__init__(read_only=True, **options)


class Address(serializers.SerializerMethodField):
    """An address of this site, absolute, that the serializer's method `get_…` returns."""


class Answer(serializers.Serializer[Any]):
    """A part of an answer, read from an object or a mapping. `endings`: its fields that will end."""

    endings: ClassVar[Mapping[str, Ending]] = {}

    def absolute(self, path: str) -> str:
        """Return an address of this site in full."""
        return str(self.context["request"].build_absolute_uri(path))
