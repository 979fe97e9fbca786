"""The notes on the editions of the rating systems, which are pure and written in English, in the reader's language."""

from django.utils.functional import lazy
from django.utils.translation import gettext, gettext_noop

from config.lib.editions import Edition

# Marked for translation.
NOTES = (
    gettext_noop("Chess SA Ratings Bureau, Rating Regulations, effective as of 1 January 2024."),
    gettext_noop("The Irish Chess Union's own program, third edition, in force there since 31 August 2013."),
    gettext_noop("The Irish Chess Union's articles on bonus points and on unrated or provisionally rated opponents."),
    gettext_noop("The system of January 2001; the guide to it is of 15 May 2001."),
    gettext_noop("Half-K ends; starting ratings of the young fall."),
    gettext_noop("Mid-2008: more bonus, personal absolute floors, decimals."),
    gettext_noop("Less bonus."),
    gettext_noop("New effective games; lower K above 2200 in dual-rated events."),
    gettext_noop("Less bonus; peak floors from 1200."),
    gettext_noop(
        "Starting ratings became a blend whose weights are not published: give the starting rating, or the rule before"
        " is used."
    ),
    gettext_noop("More bonus; decided in October 2023."),
    gettext_noop("FIDE conversion after FIDE's own rescaling."),
    gettext_noop("More bonus; decided in June 2025. Over three games nobody may be met twice."),
    gettext_noop("CFC Handbook (to 2014), sections 411–436, with the bonus formula in force from 1 August 2012."),
    gettext_noop(
        "As 2012, with the bonuses in the words of the article that announced them: by rounds, from the first game on."
    ),
)


def note(edition: Edition) -> str:
    """Return the note on an edition, an empty text without one."""
    return gettext(edition.note) if edition.note else ""


note_lazy = lazy(note, str)
"""The note, said when it is shown: for forms, which are defined before there is a reader."""
