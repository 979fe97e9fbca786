"""What the public sees of a player who is hidden at his own wish: that somebody played and is rated, and not who.

His ratings, places and games stay where they are, with `hidden_name` in place of his name; his number leads nowhere. The desk
and the pages of those who have a part in an event show him as any other player.
"""

import re
from collections.abc import Collection, Iterable
from datetime import date
from typing import Final

from django.db.models import OuterRef, Q, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import gettext

from config.lib import formatting
from players.identity import fold
from players.models import Player
from players.names_in_texts import Name, NamesInTexts, name_keys
from players.pseudonyms import is_pseudonym

_FIGURES: Final = re.compile(r"\d+")


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


def hidden_in(
    texts: Iterable[str], *, but: Collection[int] = (), kept: Iterable[Name] = (), numbers: Collection[str] = ()
) -> NamesInTexts:
    """Return what names hidden players in some texts, by names and ids of now and of before. Three queries, none without
    a text.

    `but`: the keys of players who are not taken out, whose names are `kept` also where a hidden one is called so, and their
    `numbers`.
    """
    words, figures = set[str](), set[str]()
    for text in texts:
        words.update(fold(text).split())
        figures.update(_FIGURES.findall(text))
    if not words:
        return NamesInTexts([], stand_in=hidden_name())
    hidden = Player.objects.exclude(hidden_since=None).filter(erased_at=None).exclude(pk__in=but)
    columns = ("first_name", "last_name", "number", "fide_id", "birth_date")
    versions = {
        *hidden.values_list(*columns),
        *Player.history.filter(id__in=hidden.values("pk")).values_list(*columns),
    }
    names, ids, days = set(), set[str](), set[str]()
    for first, last, number, fide_id, born in versions:
        if any(words.issuperset(key) for key in name_keys(first, last)):
            names.add((first, last))
            days |= {born.isoformat(), formatting.day(born)} if born else set()
        ids |= {number, str(fide_id or "")} & figures
    shown = set(Player.objects.filter(hidden_since=None, number__in=figures).values_list("number", flat=True))
    shown -= set(numbers)
    ids -= shown.union(numbers)
    return NamesInTexts(names, stand_in=hidden_name(), ids=ids, kept=kept, spared=shown, beside=days)
