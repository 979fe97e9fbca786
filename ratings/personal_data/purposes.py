"""What personal data is kept for: the parts of the public page. Texts are English here and translated where they are shown.

`kept` names periods of `accounts.models.Retention` as `%(field)s`.
"""

from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext_noop as _


@dataclass(frozen=True, slots=True)
class Purpose:
    """A kind of personal data: what it is, what for, how long it is kept and who sees it."""

    code: str
    what: str
    why: str
    kept: str
    seen: str


REGISTER: Final = Purpose(
    "register",
    _("Name, Chess SA id, FIDE id, sex, title, region, federation and club"),
    _("To tell players apart, and to name who played and who is rated (articles 14, 16, 25 and 56)."),
    _("As long as there are ratings, for every list rests on the one before it; until erasure, if that is asked for."),
    _(
        "Everybody. A player who is hidden at his or his parents’ wish is in public without any of it but region and"
        " federation; he stays in the files of months that were published before, and where he was arbiter or organiser."
    ),
)
BIRTH: Final = Purpose(
    "birth",
    _("Date of birth, and of death"),
    _(
        "To tell namesakes apart; the year decides the age group (article 16), and K or bonus in other federations’ systems."
    ),
    _("As the name. At erasure the year of birth and the day of death stay: ratings are calculated again from them."),
    _(
        "Ratings officers, and the administrator of the player’s region; as it stands in a file of results also who may read"
        " that file. In public only the year."
    ),
)
ADDRESS: Final = Purpose(
    "address",
    _("An e-mail address of the player, a parent or the team manager"),
    _("The form for results from abroad goes only there (articles 9 and 10)."),
    _(
        "Until it is removed or changed; one that was on record before two records of one person were merged,"
        " %(import_months)s more, so that this can be undone. A"
        " request for a form is forgotten after %(report_months)s."
    ),
    _("Ratings officers, and the administrator of the player’s region. Never public."),
)
RESULTS: Final = Purpose(
    "results",
    _("Events, games, ratings and penalties"),
    _(
        "Ratings are calculated from them and explained by them (articles 24 to 55), and can be calculated again by anybody."
    ),
    _("For good: each month rests on the months before. At erasure they stay, under a pseudonym."),
    _("Everybody."),
)
FIDE: Final = Purpose(
    "fide",
    _("What FIDE’s list says: name, federation, sex, year of birth, FIDE rating"),
    _("To find the player’s FIDE id and title, and the ratings of opponents abroad (article 45)."),
    _(
        "The latest list that the bureau took, and those of the four months before it, for which results from abroad may still"
        " come in; what it changed against the list before it %(import_months)s."
    ),
    _("The FIDE rating everybody, as on FIDE’s own list; the rest ratings officers."),
)
FILES: Final = Purpose(
    "files",
    _("The files of results as they were sent in, and what the checks found in them"),
    _("To show what a result rests on when it is questioned (articles 11, 13, 63 and 64)."),
    _(
        "%(file_years)s after the month was published, but what was typed into a form for results from abroad for good; a file"
        " that was never sent in %(draft_months)s."
    ),
    _("The region, the regions of a hybrid event’s hubs, the arbiters of the event and ratings officers."),
)
IMPORTS: Final = Purpose(
    "imports",
    _("Lists of players that the bureau brought in"),
    _("To compare them with the register, and to undo what was taken from them."),
    _("The lines of a list %(import_months)s; what the register took over stays there."),
    _("Ratings officers."),
)
OFFICIALS: Final = Purpose(
    "officials",
    _("Name, ids, title and appointments of arbiters; fees paid; organisers"),
    _("Each event must name its officials, and its arbiters must have paid (articles 6, 7, 13 and 15)."),
    _("As long as the event is shown."),
    _("Names and appointments everybody; fees ratings officers and the administrators."),
)
TRAIL: Final = Purpose(
    "trail",
    _("Who decided, changed or sent in what, when, as what and why"),
    _("So that every decision can be shown and questioned (articles 11, 12 and 57 to 64)."),
    _("For good. Of a person whose data was erased it says so under the pseudonym."),
    _(
        "Ratings officers and superusers; of an event also its region, its arbiters and the appeals panel, of a player his"
        " region: they see the name or the e-mail address of who acted."
    ),
)
ACCOUNT: Final = Purpose(
    "account",
    _("E-mail address, name, roles, last log-in; of the password and of tokens only a digest"),
    _("To log in, and to know who may act for a region (articles 57, 58 and 62)."),
    _("While the account is open, and %(account_years)s after it was closed."),
    _(
        "Superusers; ratings officers but for the accounts of officers. The name or the e-mail address of who acted on an event"
        " or a player also who works on it."
    ),
)
LOG_INS: Final = Purpose(
    "log-ins",
    _("Addresses typed at a failed log-in, the network that it came from, and what the browser said of itself"),
    _("So that nobody can try out passwords."),
    _("%(login_days)s; requests for mails a day."),
    _("Nobody on the site; who operates it can read it."),
)
MAILS: Final = Purpose(
    "mails",
    _("Mails that the bureau sent: address and text"),
    _("To know what was sent, and to send it again."),
    _("%(mail_days)s after they were sent or given up."),
    _("Ratings officers; secret links nobody."),
)
LETTERS: Final = Purpose(
    "letters",
    _("Name, address and words of who reports an error, appeals, or asks for something; evidence sent with it"),
    _("To answer, and to put right what is wrong (articles 11, 18, 57.3, 63 and 64)."),
    _(
        "Name and address %(report_months)s after the answer; evidence %(file_years)s; the words and the answer for good. Of a"
        " report that is not confirmed nothing but the mail with its link, once that has expired."
    ),
    _("Who decides it: ratings officers, the appeals panel, and the region that it concerns."),
)

# Heading → what is kept of these people.
WHOSE: Final = {
    _("Of players, children among them"): (REGISTER, BIRTH, ADDRESS, RESULTS, FIDE, FILES, IMPORTS),
    _("Of arbiters, organisers and administrators"): (OFFICIALS, TRAIL),
    _("Of who has an account, and of who writes to the bureau"): (ACCOUNT, LOG_INS, MAILS, LETTERS),
}
