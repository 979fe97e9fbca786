"""What the rules for registrations say, in the reader's language."""

from django.utils.translation import gettext, gettext_noop

from config.lib.pure_texts import PureTexts
from events.rules.findings import Finding
from events.wording import sentence_of

# What `events.rules.registration` and the rules that it calls find.
FINDINGS = PureTexts(
    gettext_noop("Give the complete name."),
    gettext_noop("Name the province, region or approved entity that organises it."),
    gettext_noop("Give the first and the last day."),
    gettext_noop("Give name and surname of the Chief Organiser."),
    gettext_noop("Give the Chief Organiser’s Chess SA id."),
    gettext_noop("Choose the Chief Arbiter."),
    gettext_noop("%(arbiter)s stands above for the same rounds; enter the name once."),
    gettext_noop("Give the time control of at least one section."),
    gettext_noop("Choose the regions with a playing hub; the host region is one of them."),
    gettext_noop("Give the federation, FIDE’s three letters; an event in South Africa is none abroad."),
    gettext_noop("FIDE knows no federation %(code)s: three letters as in BOT, ENG, ESP."),
    gettext_noop(
        "The federation of an event in South Africa is %(home)s. What is played outside the borders is registered as an event"
        " abroad."
    ),
    gettext_noop("An event abroad is rated only when it is FIDE rated."),
    gettext_noop("Give the address of the official results."),
    gettext_noop("Name the section: the event has several."),
    gettext_noop("Another section of the event is called %(name)s: give each its own name."),
    gettext_noop("Give the number of rounds."),
    gettext_noop("%(control)s makes %(minutes)s minute; under %(least)s is not rated."),
    gettext_noop("%(control)s makes %(minutes)s minutes; under %(least)s is not rated."),
)
_FIXED = (  # what `changed_after_play` names
    gettext_noop("the name"),
    gettext_noop("the kind of event"),
    gettext_noop("the host region"),
    gettext_noop("the regions with a hub"),
    gettext_noop("the first day"),
    gettext_noop("the last day"),
    gettext_noop("whether it is FIDE rated"),
    gettext_noop("whether it is a norm event"),
    gettext_noop("the sections"),
)


def as_sentence(finding: Finding) -> str:
    """Return the message of a finding with its article, to show at a field."""
    return sentence_of(FINDINGS.said(finding.message), finding.article)


def listed_changes(changed: list[str]) -> str:
    """Return what a change alters of an event that was played, with commas."""
    return ", ".join(gettext(label) for label in changed)
