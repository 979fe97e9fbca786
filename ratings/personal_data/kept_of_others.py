"""What is another's in what is kept about a person, and is not handed out with it: who is hidden from the public, and whom his
line was taken for by a slip."""

from collections.abc import Iterator
from typing import Any, Final

from accounts.models import User
from players.former_versions import name_of_line
from players.hidden import hidden_in
from players.identity import telling_words, words_of
from players.models import Player
from players.names_in_texts import NamesInTexts
from ratings.personal_data.whose import Whose

_ANOTHER: Final = "another player"  # the file is in English
_ON_WHAT: Final = "on what"
_NAME: Final = ("last name", "first name")  # as columns of a row, and labels on the trail


class Others:
    """Who else is named in some rows about a person, each column → value."""

    def __init__(self, whose: Whose, rows: list[dict[str, Any]]) -> None:
        texts = set(_texts(rows))
        own = [(row.first_name, row.last_name) for row in whose.players]
        former = whose.former
        own_ids = {version.number for version in former.all if version.history_id not in former.of_others}
        own_ids.update(str(text) for row in whose.players for text in (row.number, row.fide_id) if text)
        self._hidden = hidden_in(texts, but=whose.keys[Player], kept_names=[*own, *whose.names], own_ids=own_ids)
        telling = {word for row in whose.players for word in telling_words(name_of_line(row))}
        slips = [
            version
            for version in former.all
            if version.history_id in former.taken_for_others
            or (version.history_id in former.of_others and version.birth_date in former.births_of_others)
        ]
        names = {
            (row.first_name, row.last_name)
            for row in slips
            if row.history_id in former.called_as_others or not words_of(name_of_line(row)) & telling
        } | whose.names_by_mistake
        lines = (version for version in former.all if version.history_id not in former.of_others)
        held = [*own, *whose.names, *((row.first_name, row.last_name) for row in lines)]
        own_words = {word for first, last in held for word in words_of(f"{first} {last}")}
        called = names.union((row.first_name, row.last_name) for row in slips)
        self._typed = {word for first, last in called for word in _words(first, last)} - own_words
        self._slips = NamesInTexts(names, stand_in=_ANOTHER)
        others = User.objects.exclude(pk__in=whose.keys[User]).values_list("email", flat=True)
        self._values = texts.intersection(others) - whose.addresses
        self._values |= {str(value) for values in whose.of_others.values() for value in values}

    def taken_out(self, row: dict[str, Any]) -> dict[str, Any]:
        """Return a row without them: hidden ones as the public sees them, and of a document that names one, or has the name or
        address of whom the line was taken for, nothing."""
        left = {
            column: self._document(value) if isinstance(value, dict) else self._left(value)
            for column, value in row.items()
        }
        if row.get(_ON_WHAT) in self._values:  # an account is called by its address there
            left[_ON_WHAT] = _ANOTHER
        return left | dict.fromkeys(_NAME, self._hidden.stand_in) if self._names_hidden(row) else left

    def _document(self, value: dict[str, Any]) -> dict[str, Any]:
        left = self._left(value)
        is_typed = self._typed & words_of(" ".join(map(str, value.values())))
        if left != value or is_typed or self._names_hidden(value):
            return dict.fromkeys(left, _ANOTHER)
        return {label: _ANOTHER if str(item) in self._values else item for label, item in value.items()}

    def _names_hidden(self, document: dict[str, Any]) -> bool:
        """Return whether a hidden one's name stands in two parts."""
        parts = {label.lower(): text for label, text in document.items()}
        return all(isinstance(parts.get(label), str) for label in _NAME) and self._hidden.are_in(
            f"{parts['first name']} {parts['last name']}"
        )

    def _left(self, value: Any) -> Any:
        if isinstance(value, str):
            return self._slips.replaced(self._hidden.replaced(value))
        if isinstance(value, int) and not isinstance(value, bool):
            return self._hidden.stand_in if self._hidden.are_in(str(value)) else value
        if isinstance(value, list):
            return [self._left(item) for item in value]
        if isinstance(value, dict):
            return {self._left(key): self._left(item) for key, item in value.items()}
        return value


def _words(first_name: str, last_name: str) -> set[str]:
    """Return the words that tell of a name where its parts stand apart: of the first name all but initials."""
    return {word for word in words_of(first_name) if len(word) > 1} | telling_words(last_name)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for label, item in value.items():
            yield label
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
    elif value is not None:
        yield str(value)
