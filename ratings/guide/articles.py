"""The Chess SA rating regulations in words of the bureau's own, with what it does for each article.

Figures are named in braces and come from `ratings.guide.figures`. `open_` says what the software does not do yet, as the
table of conformance has it. The texts are marked for translation, and said in the reader's language by the pages.
"""

from dataclasses import dataclass

from django.utils.translation import gettext_noop as _


@dataclass(frozen=True, slots=True)
class Article:
    """Articles that stand together: `says` is what they ask, `does` what the bureau does; `seen`: name of a page, its words."""

    numbers: tuple[int, ...]
    says: str
    does: str
    seen: tuple[tuple[str, str], ...] = ()
    open_: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """Articles under a heading; `code` is the anchor."""

    code: str
    heading: str
    articles: tuple[Article, ...]


EVENTS, CALENDAR = ("events:events", _("Events")), ("events:calendar", _("Calendar"))
LISTS, PLAYERS = ("ratings:months", _("Lists")), ("players:search", _("Players"))
CALCULATORS, ABROAD = ("calculators:index", _("Calculators")), ("events:abroad", _("Results from abroad"))
DOWNLOADS, REPORT = ("downloads:latest", _("Downloads")), ("events:report-error", _("Report an error"))
KEPT_BACK = ("events:not-registered", _("An event that nobody registered"))

GROUPS: tuple[Group, ...] = (
    Group(
        "general",
        _("What the regulations are about"),
        (
            Article(
                (1, 3),
                _("They are in force from a day on, and take the place of what was there before."),
                _("A month is calculated by the edition in force on its day of calculation, older ones by the first."),
                (LISTS,),
            ),
            Article((2,), _("What is said of men holds for women."), _("Nothing needs to be done.")),
            Article(
                (4, 5),
                _(
                    "They fix the terms: event, section, province, region, administrator, rating period, over the board,"
                    " hybrid."
                ),
                _("The site uses each term in this sense alone; the glossary explains those that one meets here."),
                (("guide:glossary", _("Glossary")),),
            ),
        ),
    ),
    Group(
        "arbiters",
        _("Arbiters"),
        (
            Article(
                (6,),
                _("Recognised arbiters, in a named position, look after every round."),
                _(
                    "An event names its arbiters and their rounds; a file with a round without one is held for an officer."
                ),
                (EVENTS,),
            ),
            Article(
                (7,),
                _(
                    "An arbiter pays the membership fee of the year before the event begins; otherwise it may stay unrated."
                ),
                _("Fees stand on record by year. Who had not paid is reported, and an officer decides with a reason."),
            ),
            Article(
                (8,),
                _("Those who direct an event do not play in it, unless it is a club’s own event."),
                _("Arbiters are compared with the players of the file."),
            ),
        ),
    ),
    Group(
        "where",
        _("Where an event was played"),
        (
            Article(
                (9,),
                _("What is played in the country is rated here."),
                _("An event at home is registered for one of the regions."),
                (EVENTS,),
            ),
            Article(
                (10,),
                _(
                    "Games abroad count too if the event was FIDE rated. The player or the team’s manager sends them in, with"
                    " the link to the official results, at most {abroad_months} month after the one in which the event ended."
                ),
                _("A form is mailed to the address on record, previews the effect, and goes to an officer."),
                (ABROAD,),
            ),
        ),
    ),
    Group(
        "refusing",
        _("Refusing, and rating all the same"),
        (
            Article(
                (11,),
                _(
                    "The bureau can refuse an event or a section and says why. Whom it concerns can appeal to the federation"
                    " within {appeal_days} days of being told."
                ),
                _(
                    "A refusal is mailed with its reason and last day; the appeals panel, in which no officer sits, answers."
                ),
            ),
            Article(
                (12,),
                _(
                    "The bureau can rate an event though something is missing: place, registration, or an arbiter’s fee."
                ),
                _("An officer waives what a check has held, with a reason that stays on record."),
            ),
        ),
    ),
    Group(
        "file",
        _("What a results file contains"),
        (
            Article(
                (13,),
                _(
                    "Names of event and sections, first and last day, a day for each round, the host region, the Chief"
                    " Organiser with an id. Without them the file goes back."
                ),
                _("Each detail is checked as the file is uploaded, and can be entered beside what is missing."),
                (EVENTS,),
            ),
            Article(
                (14,),
                _("Who is new comes with a full name, date of birth, sex and region; who is known with the ids."),
                _(
                    "Every line is matched with the register. What is not certain is asked; no birth date is ever public."
                ),
                (PLAYERS,),
            ),
            Article(
                (15,),
                _("Arbiters are given in order of their positions, with name, id and title."),
                _("They stand on the page of the event; a file without them is held."),
            ),
            Article(
                (16,),
                _(
                    "Age is counted in years: the year of the event less the year of birth. Age groups are {youth}, adults, and"
                    " {veterans}."
                ),
                _("Ages are counted this way wherever one is used; no day of birth is published."),
                (LISTS,),
            ),
        ),
    ),
    Group(
        "size",
        _("How large a section is"),
        (
            Article(
                (17,),
                _(
                    "Swiss and round-robin sections have {swiss_least} players and {swiss_rounds} rounds or more; double"
                    " round-robins {double_round_robin_least} and {double_round_robin_rounds}; teams {team_least} boards and"
                    " {team_rounds} rounds; Scheveningen {scheveningen_least} players a team and {scheveningen_rounds} rounds;"
                    " sections for the disabled {disabled_least} players and {disabled_rounds} rounds."
                ),
                _(
                    "Those who played a game, and rounds with a game, are counted. A smaller section waits for an officer."
                ),
            ),
            Article(
                (18,),
                _("Who needs a smaller section asks at the latest {permission_days} day after its end."),
                _("A form on the event’s own pages asks, and the answer stands beside it."),
            ),
        ),
    ),
    Group(
        "time",
        _("Time control and lists"),
        (
            Article(
                (19, 20, 23),
                _(
                    "Base time and {increments} increments make the minutes of a game: blitz from {blitz_from}, rapid from"
                    " {rapid_from}, standard from {standard_from}, classical, a standard game too, from {classical_from}."
                    " Faster games are not rated."
                ),
                _(
                    "The type of game follows from the time control that was registered, and is shown with each section."
                ),
                (EVENTS,),
            ),
            Article(
                (21, 22),
                _("Both players and all rounds of a section have one time control."),
                _("Where a file names several, an officer says which one was played."),
            ),
            Article(
                (24,),
                _(
                    "There are four ratings: Main moves with every game, Standard, Rapid and Blitz with games of their own"
                    " type."
                ),
                _("Four lists are published each month."),
                (LISTS,),
            ),
            Article(
                (25,),
                _("Ratings are kept precisely, shown with a decimal and handed out as whole numbers."),
                _("Pages show one decimal; downloads have whole numbers, and full figures beside them."),
                (DOWNLOADS,),
            ),
            Article(
                (26, 27),
                _(
                    "On Main, and there alone, a slow game weighs more than a fast one: the weight is {tournament_weight}."
                ),
                _("The weight stands in every explanation and calculator."),
                (CALCULATORS,),
            ),
        ),
    ),
    Group(
        "games",
        _("What a game is worth"),
        (
            Article(
                (28, 29, 30),
                _(
                    "A performance is the opponents’ average and {performance_span} times what the score is above a half, for"
                    " each list by itself."
                ),
                _("It is shown with the standings of each event and in every explanation."),
                (EVENTS,),
            ),
            Article(
                (31,),
                _(
                    "K says how far a game moves a rating, by the highest rating so far: {k_steps}; {unrated_k} for the"
                    " unrated."
                ),
                _("The explanation names the highest rating that set it."),
                (("guide:systems", _("The four systems")),),
            ),
            Article(
                (32, 33, 34),
                _(
                    "White’s expected score is {expected}; differences beyond {difference_low} and {difference_high} count as"
                    " those. Black has the rest."
                ),
                _("Each game of an explanation shows its own."),
                (("guide:systems", _("The four systems")),),
            ),
            Article(
                (41,),
                _("A game changes a rating by (result − expected score) × weight × K."),
                _("Every change can be followed from the player’s page."),
                (PLAYERS,),
            ),
        ),
    ),
    Group(
        "recent",
        _("The last tournaments"),
        (
            Article(
                (35, 36, 39),
                _(
                    "The last {recent_count} performances weigh {recent_steps}, the newest most, over {recent_divisor}; they"
                    " fade with age and end after {recent_days} days. This comes after the new ratings."
                ),
                _("They are kept for each player and list, in the order in which the events ended."),
            ),
            Article(
                (37, 38),
                _(
                    "On Main the type of game weighs too: standard {weight_standard}, rapid {weight_rapid}, blitz"
                    " {weight_blitz}."
                ),
                _("The explanation shows each of them with its weights."),
            ),
            Article(
                (40,),
                _(
                    "A weighted performance above the new rating lifts the rating to it, as far as one month may move it."
                ),
                _("The explanation says when it did."),
            ),
        ),
    ),
    Group(
        "bounds",
        _("How far a rating moves"),
        (
            Article(
                (42,),
                _("A rating does not sink more than {floor_drop} below the player’s highest, nor below {floor}."),
                _("The floor holds each month, and once more after penalties."),
            ),
            Article(
                (47,),
                _("In one month a rating moves at most {limit}, up or down."),
                _("Where this held a change, the explanation and the calculator say so."),
                (CALCULATORS,),
            ),
        ),
    ),
    Group(
        "abroad",
        _("Opponents abroad"),
        (
            Article(
                (43, 44, 45),
                _(
                    "An opponent abroad counts at the FIDE rating, without one at the performance, adjusted: {fide_low} up to"
                    " {fide_bound}, {fide_high} above."
                ),
                _("The form for results from abroad shows the adjusted rating beside each opponent."),
                (ABROAD,),
            ),
            Article(
                (46,),
                _("Forfeits and byes abroad change nothing."),
                _("They are shown in the crosstable and left out."),
            ),
        ),
    ),
    Group(
        "published",
        _("From raw to published rating"),
        (
            Article(
                (48, 49, 50),
                _(
                    "The raw rating is that of the moment. The weighted one is the average of the last {window}, the newest"
                    " weighing most, over {window_divisor}. The higher of the two is published."
                ),
                _("The explanation of a month shows all three: so a rating moves in a month without games."),
                (PLAYERS,),
            ),
            Article(
                (56,),
                _("Who is new starts at {unrated_rating}, with K {unrated_k}."),
                _("This holds on each list until the first rated game there."),
            ),
        ),
    ),
    Group(
        "penalties",
        _("Penalties and activity"),
        (
            Article(
                (51, 52),
                _(
                    "{penalty_points} points are lost for each game forfeited without notice after the first round, and for"
                    " every round after an unannounced withdrawal."
                ),
                _("Files are searched for both; the region answers each proposal before it submits."),
            ),
            Article(
                (53, 54),
                _("Points of the unrated wait for their first rating; all penalties come last."),
                _("They are a line of their own in the explanation."),
            ),
            Article(
                (55,),
                _("Active is who played, was given a bye by the pairing, or won by forfeit."),
                _("Activity is counted by month and list, and lists can be filtered by it."),
                (LISTS,),
            ),
        ),
    ),
    Group(
        "administrators",
        _("Regions and their administrators"),
        (
            Article(
                (57,),
                _(
                    "Each region has one administrator, who takes events that comply, answers for what is uploaded, and holds"
                    " none back."
                ),
                _("Nobody else registers and submits for a region. Results kept back can be reported to the bureau."),
                (KEPT_BACK,),
            ),
            Article(
                (58,),
                _("An administrator can be replaced."),
                _("A new appointment ends the one before, and both stay on record."),
            ),
            Article(
                (59,),
                _("A region may add published rules of its own."),
                _("The region’s events link to them, with the day of their approval."),
            ),
        ),
    ),
    Group(
        "deadlines",
        _("Registering and sending in"),
        (
            Article(
                (60,),
                _(
                    "Sections are registered {days_rated} days before they begin, FIDE rated ones {days_fide}, norm events"
                    " {days_norm}."
                ),
                _("The form counts the days, and a later registration asks an officer."),
                (CALENDAR,),
            ),
            Article(
                (61,),
                _(
                    "Results come in no later than {submission_periods} rating period after that in which the event ended."
                ),
                _(
                    "A later file is held for an officer. One that goes back and is corrected keeps the day on which it came."
                ),
                (EVENTS,),
            ),
            Article(
                (62,),
                _(
                    "The host region registers; for hybrid play a region with a hub; a province for its regions; for national"
                    " events the body that organises them."
                ),
                _("Rights follow from the region and the kind of the event."),
            ),
        ),
    ),
    Group(
        "corrections",
        _("Corrections and publication"),
        (
            Article(
                (63,),
                _("An error reported before the end of its period is corrected by rating anew."),
                _("Anybody reports one from the page on which it stands, and gets an answer."),
                (REPORT,),
            ),
            Article(
                (64,),
                _("What is published stays, unless the bureau itself corrects it."),
                _(
                    "A published section can neither be changed nor deleted. The bureau corrects it with a reason: all months"
                    " from it on are calculated again, and the lists stay readable as they were published."
                ),
                (LISTS,),
            ),
            Article(
                (65, 66),
                _("Ratings are calculated at the end of each month, and published on the first day of the next."),
                _(
                    "The month is run as a whole, reviewed, and published at once; a list says from which day it counts."
                ),
                (("guide:figures", _("Where the figures come from")),),
            ),
        ),
    ),
)
