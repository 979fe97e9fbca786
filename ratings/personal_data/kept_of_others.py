"""What is another's in what is kept about a person, and is not handed out with it: who is hidden from the public, and whom his
line was taken for by a slip."""

import json
import re
from collections.abc import Collection, Iterable
from typing import Any, Final

from django.db.models import Q

from players.former_versions import name_of_line
from players.hidden import hidden_name
from players.identity import CHESS_SA_ID, telling_words, words_of
from players.models import Player
from ratings.personal_data.erasure.names import Names, spellings

_ANOTHER: Final = "another player"  # the file is in English
_NUMBER: Final = re.compile(rf"(?<!\d){CHESS_SA_ID}(?!\d)")


class Others:
    """Who else is named in rows about some players, by their `keys`, each row column → value. `mistaken`: their
    `versions_of_others`; `met`: keys of others who are named without an id, as by who reported an error about them."""

    def __init__(
        self, keys: Collection[int], rows: Iterable[dict[str, Any]], mistaken: Collection[int], met: Collection[int]
    ) -> None:
        numbers = set(_NUMBER.findall(json.dumps(list(rows), default=str)))
        named = Player.objects.filter(Q(number__in=numbers) | Q(pk__in=met), erased_at=None).exclude(pk__in=keys)
        self._hidden = [
            (re.compile(rf"\s*\(?{row.number}\)?"), Names(hidden_name(), sure=_spelt(row)))
            for row in named.exclude(hidden_since=None)
        ]
        own = {word for row in Player.objects.filter(pk__in=keys) for word in telling_words(name_of_line(row))}
        slips = list(Player.history.filter(history_id__in=mistaken))
        self._typed = {word for row in slips for word in telling_words(name_of_line(row))} - own
        typed = {name for row in slips if not words_of(name_of_line(row)) & own for name in _spelt(row)}
        self._slips = Names(_ANOTHER, sure=typed)

    def taken_out(self, row: dict[str, Any]) -> dict[str, Any]:
        """Return a row without them: hidden ones as the public sees them, and of a document that names one, or has the name of
        whom the line was taken for, nothing."""
        return {
            column: self._document(value) if isinstance(value, dict) else self._text(value)
            for column, value in row.items()
        }

    def _document(self, value: dict[str, Any]) -> dict[str, Any]:
        left = {self._text(key): self._text(item) for key, item in value.items()}
        if left == value and not self._typed & words_of(" ".join(map(str, value.values()))):
            return value
        return dict.fromkeys(left, _ANOTHER)

    def _text(self, value: Any) -> Any:
        if isinstance(value, str):
            for number, names in self._hidden:
                value = names.replaced(number.sub("", value), tied=False)
            return self._slips.replaced(value, tied=False)
        if isinstance(value, list):
            return [self._text(item) for item in value]
        if isinstance(value, dict):
            return {self._text(key): self._text(item) for key, item in value.items()}
        return value


def _spelt(row: Any) -> set[str]:
    return spellings(row.first_name, row.last_name)
