"""The texts of explanations in the reader's language.

The explanations of `ratings.systems` are pure and write English; those of other federations' systems stand in
`system_words`. A number in a text is a value here: %(n1)s is the first one.
"""

import re

from django.utils.translation import gettext, gettext_noop

from config.lib import formatting
from ratings.explanations.system_words import LABELS, SENTENCES

_NUMBER = re.compile(r"\d+(?:[.,\u202f]\d+)*")
_SENTENCES = re.compile(r"(?<=\.) (?=[A-Z\d])")
_STEPS = re.compile(r"([,;] )")  # of K, as many as the edition has
_ARTICLES = re.compile(
    r"article (?P<only>[\d.]+)|articles (?:(?P<numbers>[\d., to]+) and )?(?P<last>[\d.]+(?: to [\d.]+)?)"
)
_RANGE = re.compile(r"(?P<first>[\d.]+) to (?P<last>[\d.]+)")

# Marked for translation.
_LABELS = (
    gettext_noop("Weight of each tournament"), gettext_noop("K-factor"),
    gettext_noop("Expected score and change of each game"), gettext_noop("Temporary raw rating"),
    gettext_noop("Performance of each tournament"), gettext_noop("Weighted performance of the last five tournaments"),
    gettext_noop("New raw rating"), gettext_noop("Weighted rating"), gettext_noop("Published rating"),
    gettext_noop("Unrated"), gettext_noop("Tournament"), gettext_noop("Type of game"), gettext_noop("Time control"),
    gettext_noop("Minutes t"), gettext_noop("End date"), gettext_noop("Highest rating so far"), gettext_noop("Round"),
    gettext_noop("Opponent"), gettext_noop("Opponent’s rating"), gettext_noop("Colour"), gettext_noop("held at"),
    gettext_noop("Result R"), gettext_noop("Change"), gettext_noop("Rating"), gettext_noop("Rated games"),
    gettext_noop("Total"), gettext_noop("Raw at the start"), gettext_noop("Greatest change"),
    gettext_noop("Temporary raw"), gettext_noop("Average opponent Ao"), gettext_noop("Score S"),
    gettext_noop("Games n"), gettext_noop("Performance P"), gettext_noop("Days"), gettext_noop("Floor"),
    gettext_noop("Penalty points"), gettext_noop("Raw"), gettext_noop("Penalty %(n1)s"), gettext_noop("Adjustment %(n1)s"),
    gettext_noop("Penalty points that waited"), gettext_noop("Penalty points that wait"), gettext_noop("List of"),
    gettext_noop("Sum"), gettext_noop("Weighted"), gettext_noop("Published"), gettext_noop("Highest"),
    gettext_noop("of an earlier period"), gettext_noop("guest"), gettext_noop("standard"), gettext_noop("rapid"),
    gettext_noop("blitz"),
)  # fmt: skip
_FORMULAS = (
    gettext_noop("A player is rated on a list from the first rated game on it"),
    gettext_noop(
        "Tw = %(n1)s − %(n2)s / (%(n3)s + (t / %(n4)s)^%(n5)s);"
        " t = base in minutes + %(n6)s × increment in seconds / %(n7)s"
    ),
    gettext_noop(
        "Tw = %(n1)s: it is for Main ratings only; t = base in minutes + %(n2)s × increment in seconds / %(n3)s"
    ),
    gettext_noop("K = %(n1)s below %(n2)s"),
    gettext_noop("%(n1)s from %(n2)s"),
    gettext_noop("%(n1)s for the unrated"),
    gettext_noop(
        "We of White = %(n1)s + %(n2)s × (Rw − Rb), of Black %(n3)s − We; Rw − Rb within −%(n4)s and +%(n5)s;"
        " Change = (R − We) × Tw × K"
    ),
    gettext_noop("raw + change, the change within ± %(n1)s × e^(−%(n2)s × raw)"),
    gettext_noop(
        "Wp = Σ (P × R × A × i) / %(n1)s; A = (%(n2)s − days) / %(n3)s, days from the end date to the day of calculation;"
        " R = %(n4)s for standard, %(n5)s for rapid, %(n6)s for blitz"
    ),
    gettext_noop(
        "Wp = Σ (P × R × A × i) / %(n1)s; A = (%(n2)s − days) / %(n3)s, days from the end date to the day of calculation;"
        " R = %(n4)s: it is for Main ratings only"
    ),
    gettext_noop("the higher of temporary and Wp, within the greatest change; less penalties; never under the floor"),
    gettext_noop(
        "the higher of temporary and Wp, within the greatest change; less penalties; plus adjustments; never under the floor"
    ),
    gettext_noop("Wr = Σ (R × (%(n1)s − i)) / %(n2)s, the last %(n3)s raw ratings"),
    gettext_noop("the higher of raw and weighted"),
)
_REMARKS = (
    gettext_noop("%(n1)s points will be deducted from the first calculated rating."),
    gettext_noop("%(n1)s game was faster than %(n2)s minutes and not rated."),
    gettext_noop("%(n1)s games were faster than %(n2)s minutes and not rated."),
    gettext_noop("Unrated on this list at the start of the period."),
    gettext_noop("%(n1)s difference was held within −%(n2)s and +%(n3)s (article %(n4)s)."),
    gettext_noop("%(n1)s differences were held within −%(n2)s and +%(n3)s (article %(n4)s)."),
    gettext_noop("FIDE %(n1)s → %(n2)s + %(n3)s × %(n4)s = %(n5)s (article %(n6)s)"),
    gettext_noop("FIDE %(n1)s, list of %(n2)s-%(n3)s → %(n4)s + %(n5)s × %(n6)s = %(n7)s (article %(n8)s)"),
    gettext_noop("performance %(n1)s → %(n2)s + %(n3)s × %(n4)s = %(n5)s (articles %(n6)s and %(n7)s)"),
    gettext_noop("The first rated games on this list start from %(n1)s (article %(n2)s)."),
    gettext_noop("Article %(n1)s allowed %(n2)s; %(n3)s was earned, so %(n4)s counts."),
    gettext_noop("Article %(n1)s allowed %(n2)s; %(n3)s was lost, so %(n4)s counts."),
    gettext_noop("No rated game on this list in the period: there is no performance."),
    gettext_noop("Without a rated game in the period no weighted performance is applied."),
    gettext_noop("There are fewer than %(n1)s tournaments of the last %(n2)s days, so there is none."),
    gettext_noop("The weighted performance %(n1)s is higher than %(n2)s and raises it (article %(n3)s)."),
    gettext_noop("Article %(n1)s allowed a rise of %(n2)s in all, so the rise stops there."),
    gettext_noop("%(n1)s penalty points were deducted (articles %(n2)s to %(n3)s)."),
    gettext_noop("Article %(n1)s holds the rating at %(n2)s."),
    gettext_noop("What was published before was wrong and is corrected from this list on (article %(n1)s)."),
    gettext_noop("%(n1)s, for the first rating (article %(n2)s)"),
    gettext_noop("%(n1)s of the %(n2)s are missing and count %(n3)s."),
)
_MARKED = frozenset((*_LABELS, *_FORMULAS, *_REMARKS, *LABELS, *SENTENCES))
_PENALTY = re.compile(r"(?P<points>\S+) points, (?P<event>.+), round (?P<round>\d+): (?P<kind>.+)")
_ADJUSTMENT = re.compile(r"(?P<points>[+−][\d.]+) points: (?P<reason>.+)", re.DOTALL)


def said(text: str) -> str:
    """Return a text of an explanation in the reader's language; as it stands where it has no translation."""
    penalty = _PENALTY.fullmatch(text)
    if penalty:
        kind = penalty["kind"]
        values = penalty.groupdict() | {
            "points": formatting.in_style(penalty["points"]),
            "kind": gettext(kind),
        }
        return gettext("%(points)s points, %(event)s, round %(round)s: %(kind)s") % values
    adjustment = _ADJUSTMENT.fullmatch(text)
    if adjustment:
        values = adjustment.groupdict() | {"points": formatting.in_style(adjustment["points"])}
        return gettext("%(points)s points: %(reason)s") % values
    articles = _ARTICLES.fullmatch(text)
    if articles:
        return _articles(**articles.groupdict())
    if text.startswith("K = "):
        return "".join(_sentence(step) for step in _STEPS.split(text))
    return " ".join(_sentence(sentence) for sentence in _SENTENCES.split(text))


def _sentence(text: str) -> str:
    numbers: dict[str, str] = {}

    def value(number: re.Match[str]) -> str:
        name = f"n{len(numbers) + 1}"
        is_article = "rticle" in number.string[: number.start()]
        numbers[name] = number[0] if is_article else formatting.in_style(number[0])
        return f"%({name})s"

    template = _NUMBER.sub(value, text.replace("%", "%%"))
    return gettext(template) % numbers if template in _MARKED else text


def _articles(only: str | None, numbers: str | None, last: str | None) -> str:
    if only:
        return gettext("article %(number)s") % {"number": only}
    values = {"numbers": _said_ranges(numbers or ""), "last": _said_ranges(last or "")}
    return (gettext("articles %(numbers)s and %(last)s") if numbers else gettext("articles %(last)s")) % values


def _said_ranges(numbers: str) -> str:
    return _RANGE.sub(lambda ends: gettext("%(first)s to %(last)s") % ends.groupdict(), numbers)
