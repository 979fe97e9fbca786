"""What the public sees of a player who is hidden at his own wish: that somebody played and is rated, and not who.

His ratings, places and games stay where they are, with `hidden_name` in place of his name; his number leads nowhere. The desk
and the pages of those who have a part in an event show him as any other player.
"""

import re
from collections.abc import Collection, Iterable
from datetime import date
from typing import Final, NamedTuple

from django.db.models import OuterRef, Q, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import gettext

from config.kept_reads import kept
from config.lib import formatting
from players.former_versions import FormerVersions
from players.models import Player
from players.names_in_texts import Name, NamesInTexts, name_keys, words_in
from players.pseudonyms import is_pseudonym

_IDS: Final = re.compile(r"\d{5,11}")
_AT_ONCE: Final = 900  # numbers in one query: SQLite takes no more than some thousands


def hidden_name() -> str:
    """Return what stands in place of a hidden player's name, in the reader's language."""
    return gettext("Hidden player")


def not_hidden(prefix: str = "") -> Q:
    """Return the condition for players who are not hidden, reached through `prefix`.

    Whatever tells players apart by name, number, sex, title, club or birth needs it: a row without a name tells by its being
    found what it does not show.
    """
    return Q(**{f"{prefix}hidden_since__isnull": True})


def name_in_public(name: str, hidden_since: date | None) -> str:
    """Return a player's name as the public reads it; of one whose data was erased his pseudonym."""
    return name if hidden_since is None or is_pseudonym(name) else hidden_name()


def met_hidden_since(prefix: str) -> Coalesce:
    """Return the expression for the day since which an opponent abroad, reached through `prefix`, is hidden: as the player
    whom the results name, or as who has his FIDE id by now."""
    bearer = Player.objects.filter(fide_id=OuterRef(f"{prefix}fide_id")).values("hidden_since")[:1]
    return Coalesce(f"{prefix}player__hidden_since", Subquery(bearer))


def in_public(player: Player) -> Player:
    """Return a player as the public sees him. Of a hidden one remain key, region and federation, in a copy not for saving; his
    number is ""."""
    if player.hidden_since is None:
        return player
    shown = Player(
        pk=player.pk,
        last_name=name_in_public(player.name, player.hidden_since),
        federation=player.federation,
        region_id=player.region_id,
        hidden_since=player.hidden_since,
    )
    if Player.region.is_cached(player):
        shown.region = player.region
    return shown


class _Version(NamedTuple):
    """What a hidden player's line on the register has, or had."""

    player: int
    name: Name
    keys: frozenset[tuple[str, ...]]  # of the name, as `name_keys` gives them
    ids: frozenset[str]
    born: date | None


def hidden_in(
    texts: Iterable[str], *, but: Collection[int] = (), kept_names: Iterable[Name] = (), own_ids: Collection[str] = ()
) -> NamesInTexts:
    """Return what names hidden players in some texts, by names and ids of now and of before. No query without a text.

    `but`: the keys of players who are not taken out, whose `kept_names` stay also where a hidden one is called so, and their
    Chess SA and FIDE ids, `own_ids`.
    """
    words, figures = set[str](), set[str]()
    for text in texts:
        words.update(words_in(text))
        figures.update(_IDS.findall(text))
    versions = [version for version in kept(_hidden_versions) if version.player not in but] if words else []
    named = [version for version in versions if any(words.issuperset(key) for key in version.keys)]
    days = {day for version in named if (born := version.born) for day in (born.isoformat(), formatting.day(born))}
    ids = figures.intersection(number for version in versions for number in version.ids)
    # Another's id is his, and so is the name before it.
    asked = sorted(figures) if named or ids else []
    shown = {
        number
        for first in range(0, len(asked), _AT_ONCE)
        for number in Player.objects.filter(not_hidden(), number__in=asked[first : first + _AT_ONCE]).values_list(
            "number", flat=True
        )
    }
    shown.difference_update(own_ids)
    ids -= shown.union(own_ids)
    bearers = Player.objects.filter(not_hidden(), fide_id__in=map(int, ids)) if ids else Player.objects.none()
    ids -= set(map(str, bearers.values_list("fide_id", flat=True)))
    shared = {word for version in named for key in version.keys for word in key}
    others = kept(_shown_names) if named else ()
    return NamesInTexts(
        {version.name for version in named},
        stand_in=hidden_name(),
        ids=ids,
        kept=kept_names,
        others=[name for name, key in others if words.issuperset(key) and not shared.isdisjoint(key)],
        spared=shown,
        beside=days,
    )


def _hidden_versions() -> frozenset[_Version]:
    hidden = Player.objects.exclude(not_hidden()).filter(erased_at=None)
    own = list(hidden)
    former = FormerVersions([row.pk for row in own])
    held = (version for version in former.all if version.history_id not in former.called_as_others)
    return frozenset(
        _Version(
            row.id,
            (row.first_name, row.last_name),
            frozenset(name_keys(row.first_name, row.last_name)),
            frozenset({row.number, str(row.fide_id or row.number)}),
            row.birth_date,
        )
        for row in (*own, *held)
    )


def _shown_names() -> tuple[tuple[Name, frozenset[str]], ...]:
    """Return what those who are not hidden are called, each with its folded words."""
    rows = Player.objects.filter(not_hidden()).order_by().values_list("first_name", "last_name", "folded_name")
    return tuple(((first, last), frozenset(folded.split())) for first, last, folded in rows)
