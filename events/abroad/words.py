"""What the rules for results from abroad say, in the reader's language."""

from django.utils.translation import gettext_noop

from config.languages import counted
from config.lib.pure_texts import PureTexts
from events.rules.findings import Finding
from events.wording import sentence_of


def _rounds(text: str) -> str:
    """Return how many rounds there are, as the rules write it, in the reader's language."""
    number = text.split()[0]
    return counted(int(number), "%(count)s round", "%(count)s rounds") if number.isdecimal() else text


# What `events.rules.abroad` and the rules that it calls find, and the checks of arbiters and of what is on record.
FINDINGS = PureTexts(
    gettext_noop("Give the complete name of the event."),
    gettext_noop("Give the address of the official results."),
    gettext_noop("An event abroad is rated only when it is FIDE rated."),
    gettext_noop("Give the base time in minutes."),
    gettext_noop("Give the final place, as the official results have it."),
    gettext_noop("Give FIDE’s three letters of the federation where it was played."),
    gettext_noop("An event in South Africa is submitted by its region, as a file."),
    gettext_noop("FIDE knows no federation %(code)s: three letters as in BOT, ENG, ESP."),
    gettext_noop("Give the first day."),
    gettext_noop("Give the last day."),
    gettext_noop("That day is still to come. Send the results in when the event has ended."),
    gettext_noop("%(year)s cannot be meant. Correct the year."),
    gettext_noop("The last day comes before the first. Correct one of them."),
    gettext_noop("That is more than a year. Correct one of the days."),
    gettext_noop("%(control)s makes %(minutes)s minute; under %(least)s is not rated."),
    gettext_noop("%(control)s makes %(minutes)s minutes; under %(least)s is not rated."),
    gettext_noop("Give at least one game that was played: there is nothing to rate."),
    gettext_noop("Round %(round)s: give one game a round, and rounds from 1 to %(most)s."),
    gettext_noop("Round %(round)s is blank: give its game, or say that there was none."),
    gettext_noop("Round %(round)s: a bye has no opponent. Correct one of the two."),
    gettext_noop("Round %(round)s: name the opponent."),
    gettext_noop("Round %(round)s: FIDE knows no federation %(code)s."),
    gettext_noop("Round %(round)s: give the opponent’s FIDE rating, or the performance rating of one who has none."),
    gettext_noop("Round %(round)s: an opponent with a FIDE rating counts at that. Take the performance out."),
    gettext_noop("Round %(round)s: %(rating)s cannot be; %(least)s to %(most)s can."),
    gettext_noop("Round %(round)s: %(id)s is the player’s own FIDE id. Give the opponent’s."),
    gettext_noop("In rounds %(first)s and %(second)s the FIDE id %(id)s has two names. Correct one of them."),
    gettext_noop("In rounds %(first)s and %(second)s %(name)s has two ratings. That at the start of the event counts."),
    gettext_noop("Sent in after %(day)s, the last day. The reason given: %(reason)s"),
    gettext_noop("%(played)s; a Swiss section needs at least %(least)s. Look into the official results."),
    gettext_noop("%(played)s; a %(format)s section needs at least %(least)s. Look into the official results."),
    gettext_noop("No FIDE id of the opponent in round %(rounds)s, which a FIDE-rated event asks for."),
    gettext_noop("%(name)s is met %(times)s times, which a %(format)s section does not have."),
    gettext_noop(
        "%(event)s, %(days)s, was returned to be corrected, and these are results of another event: days, or two of name,"
        " federation and link, are not its own. Send them in as an event of their own; if so much was wrong, the ratings"
        " officer corrects it."
    ),
    gettext_noop("The results of %(event)s, were refused before: this may be the same event."),
    gettext_noop(
        "The results of %(event)s, are on record already. They are rated once; to correct them, ask the bureau to return"
        " them."
    ),
    gettext_noop("On the same days the results of %(event)s, are on record: this may be the same event."),
    gettext_noop("%(name)s is on the register (%(number)s). Abroad the FIDE rating counts, adjusted."),
    gettext_noop("%(name)s is on the register (%(number)s). Abroad the performance counts, adjusted."),
    gettext_noop("FIDE’s list of %(month)s agrees with %(count)s opponent."),
    gettext_noop("FIDE’s list of %(month)s agrees with %(count)s opponents."),
    gettext_noop(
        "Round %(round)s: FIDE’s list of %(month)s has no player with the id %(id)s. Look into the official results."
    ),
    gettext_noop("Round %(round)s: FIDE’s list of %(month)s has the id %(id)s for %(name)s, and not for %(other)s."),
    gettext_noop("Round %(round)s: FIDE’s list of %(month)s has %(name)s without a rating; %(given)s is given."),
    gettext_noop(
        "Round %(round)s: FIDE’s list of %(month)s has %(name)s at %(rating)s (%(kind)s), which counts; a performance is"
        " given."
    ),
    gettext_noop(
        "Round %(round)s: FIDE’s list of %(month)s has %(name)s at %(rating)s (%(kind)s); %(given)s is given."
    ),
    gettext_noop("The arbiters were changed after the event had begun: %(names)s."),
    gettext_noop(
        "%(names)s: the AOC’s membership fee of %(years)s was not paid before the event started on %(day)s. Send proof of the"
        " payment, or the officer decides."
    ),
    gettext_noop(
        "%(names)s: FIDE’s licence fee of %(year)s was not paid before the event started on %(day)s. Send proof of the"
        " payment, or the officer decides."
    ),
    gettext_noop("An arbiter of the event plays in it: %(names)s. Correct the file, or the officer decides."),
    gettext_noop(
        "A player bears the name of an arbiter of the event, and no id tells them apart: %(names)s. An arbiter may not play."
        " If they are two people, have the arbiter’s Chess SA id put on the register of arbiters, or the officer decides."
    ),
    values={"played": _rounds},
)


def said(finding: Finding) -> str:
    """Return the message of a finding."""
    return FINDINGS.said(finding.message)


def as_sentence(finding: Finding) -> str:
    """Return the message of a finding with its article, to show at a field."""
    return sentence_of(said(finding), finding.article)
