"""What the reader of the form for results abroad finds, in the reader's language."""

from django.utils.translation import gettext, gettext_noop

from config.lib.pure_texts import PureTexts
from events.rules.findings import Finding
from events.submission.finding_words import repeated

FORM_FINDINGS = PureTexts(
    gettext_noop("The file has more than %(size)s kB, which no form for a team needs. Is it the form?"),
    gettext_noop("The file is no text, or damaged. Save the form as CSV again, and send that."),
    gettext_noop("The file does not say how its letters are coded; it is read as %(encoding)s. Look at the accents."),
    gettext_noop("The quotation marks of this line do not close. A cell ends on its line; close them."),
    gettext_noop(
        "The line has %(cells)s cells, at most %(most)s are expected. Put a text with the separator in it in quotation"
        " marks."
    ),
    gettext_noop(
        "The line begins with %(text)s: Event, Start, End, Rounds, Website, Player, the number of a round or Total was"
        " expected."
    ),
    gettext_noop(
        "The file has %(count)s players, the form takes %(most)s at once. Divide it, and send one part after the other."
    ),
    gettext_noop("The last day, %(ends)s, comes before the first, %(starts)s. Correct one of them."),
    gettext_noop("No line begins with Player: give a line for each player, and below it one for each round."),
    gettext_noop(
        "This is not the form for results abroad: its lines begin with Event, Start, End, Rounds, Website, and for each"
        " player with Player, the number of a round, and Total. Save it as CSV, and send that."
    ),
    gettext_noop("The date %(text)s cannot be read. Write it as year, month and day: 2026-05-17."),
    gettext_noop("The date %(text)s is read as %(day)s."),
    gettext_noop("%(text)s is no number of rounds. Write a whole number."),
    gettext_noop("%(rounds)s rounds: the form of a team takes %(most)s. Use the form of one player."),
    gettext_noop("The line names no player. Write Player, the id, the surname and the first name."),
    gettext_noop("The name has %(count)s characters, at most %(most)s are kept. Shorten it."),
    gettext_noop("A Total stands below the rounds of a player, once. Take this one out."),
    gettext_noop("The total %(text)s is no number of points. Write it as 4 or 4.5."),
    gettext_noop("A round stands before the first player. Put the line Player above it."),
    gettext_noop("%(number)s: rounds go from 1 to %(most)s on the form of a team. Correct the number."),
    gettext_noop(
        "Round %(round)s of %(name)s stands on line %(line)s already, which counts. Correct the number, or take one of the"
        " two out."
    ),
    gettext_noop("%(heading)s stands on line %(line)s already, which counts. Take one of the two out."),
    gettext_noop("%(name)s stands on line %(line)s already. Take one of the two out."),
    gettext_noop(
        "The result %(text)s is unknown. Write 1, = or 0, and of a game that was not played + or -, all from the player’s"
        " side."
    ),
    gettext_noop("A round without an opponent ends at the colour “-”. Name the opponent, or take the rest out."),
    gettext_noop(
        "The colour %(text)s is unknown. Write W or B; of a round without an opponent “-” and nothing after it."
    ),
    gettext_noop("The line names no opponent. Write the surname and the first name after the colour."),
    gettext_noop(
        "%(text)s is no title of FIDE. After the colour come surname, first name, rating, title and federation; a cell that"
        " is not known stays blank."
    ),
    gettext_noop("FIDE knows no federation %(text)s. Write its three letters, as in BOT, ENG, ESP."),
    gettext_noop("The rating %(text)s cannot be; a whole number from %(least)s to %(most)s can. Correct it."),
    gettext_noop("Round %(round)s: the event has %(rounds)s by the line Rounds. Correct one of them."),
    gettext_noop("%(name)s has no rounds. Give a line for each; without an opponent it is “1,0,-”."),
    gettext_noop("%(name)s has no line for round %(rounds)s. Without an opponent it is “%(first)s,0,-”."),
    gettext_noop("No line Total closes the rounds of %(name)s: the file may be cut off. Give the points."),
    gettext_noop("The total is %(total)s, the rounds of %(name)s make %(points)s. Correct one of them."),
)
_REPEATED = repeated(FORM_FINDINGS.said)


def said(finding: Finding) -> str:
    """Return the message of a finding with its line."""
    texts = _REPEATED if _REPEATED.knows(finding.message) else FORM_FINDINGS
    message = texts.said(finding.message)
    return (
        gettext("Line %(line)s: %(message)s") % {"line": finding.line, "message": message} if finding.line else message
    )
