"""The forms of the systems that rate one event after the other."""

from typing import Any

from django import forms

from ratings.calculators.fields import CountField, DayField, PlainChoice, RatingField
from ratings.calculators.forms import DatedForm, known
from ratings.systems import cfc, icu, uscf
from ratings.systems.base import Edition


def _edition_choices(editions: tuple[Edition, ...]) -> list[tuple[str, str]]:
    named = [(one.name, f"{one.name} · {one.note}" if one.note else one.name) for one in reversed(editions)]
    return [("", "By the day of the event"), *named]


_NEWEST_ICU = icu.TEXT
_KS = sorted({_NEWEST_ICU[name] for name in ("k_high", "k_junior", "k_new", "k_otherwise")}, reverse=True)
_FULL_GAMES = _NEWEST_ICU["full_games"]


class IcuForm(DatedForm):
    """A player of the Irish Chess Union against opponents with fixed ratings."""

    SYSTEM = icu.CODE
    EDITIONS = icu.EDITIONS
    GROUPS = (("The player", ("t", "rt", "k", "a", "y", "g")), ("The event", ("ed", "nb")))

    t = PlainChoice(
        label="Kind of rating",
        choices=[
            (icu.PlayerType.RATED.value, "Full rating"),
            (icu.PlayerType.PROVISIONAL.value, "Provisional rating"),
            (icu.PlayerType.UNRATED.value, "No rating yet"),
        ],
        help_text=f"A rating is full after {_FULL_GAMES} games, and provisional before.",
    )
    rt = RatingField(label="Rating before the event", help_text="Left out without a rating.")
    k = PlainChoice(
        label="K-factor",
        choices=[("", "From rating, age and membership"), *((f"{k:g}", f"{k:g}") for k in _KS)],
        help_text=f"How much a game moves a full rating. {_NEWEST_ICU['k_high']:g} from"
        f" {_NEWEST_ICU['k_high_rating']:g} on, else {_NEWEST_ICU['k_junior']:g} under"
        f" {_NEWEST_ICU['k_junior_age']:g} years of age, {_NEWEST_ICU['k_new']:g} in the first"
        f" {_NEWEST_ICU['k_new_years']:g} years of membership, {_NEWEST_ICU['k_otherwise']:g} afterwards.",
    )
    a = CountField(label="Age", lowest=3, highest=120, help_text="In years when the event began. Left out: an adult’s.")
    y = CountField(label="Years of membership", highest=100, help_text="When the event began. Left out: many years.")
    g = CountField(
        label="Games so far", lowest=1, highest=_FULL_GAMES - 1, help_text="Needed with a provisional rating only."
    )
    ed = forms.ChoiceField(
        label="Rules",
        required=False,
        choices=[(one.name, one.note) for one in reversed(icu.EDITIONS)],
        error_messages={"invalid_choice": "Choose one of the list."},
        help_text="They differ in small points: how estimates begin, and the greatest bonus.",
    )
    nb = forms.BooleanField(label="No bonus points in this event", required=False)

    def clean(self) -> dict[str, Any]:
        """A full or provisional rating needs its figures."""
        cleaned = super().clean()
        kind = cleaned.get("t") or icu.PlayerType.RATED.value
        if kind != icu.PlayerType.UNRATED and "rt" not in self.errors and cleaned.get("rt") is None:
            self.add_error("rt", "Enter the rating before the event, or choose “No rating yet”.")
        if kind == icu.PlayerType.PROVISIONAL and "g" not in self.errors and cleaned.get("g") is None:
            self.add_error("g", "Enter how many games the provisional rating stands on.")
        return cleaned

    def standing(self) -> dict[str, Any]:
        """The player of the case."""
        values = self.cleaned_data
        kind = values["t"] or icu.PlayerType.RATED.value
        if kind == icu.PlayerType.UNRATED:
            return {"type": kind}
        if kind == icu.PlayerType.PROVISIONAL:
            return {"type": kind, "rating": values["rt"], "games": values["g"]}
        k = float(values["k"]) if values["k"] else icu.k_factor(values["rt"], values["a"], values["y"])
        return {"type": kind, "rating": values["rt"], "k": k}

    def terms(self) -> dict[str, Any]:
        """Rules and options."""
        return {"rules": self.cleaned_data["ed"], "options": {"no_bonuses": self.cleaned_data["nb"]}}


_PROVISIONAL = uscf.EDITIONS[-1]["provisional_games"]


class UscfForm(DatedForm):
    """A player of US Chess against opponents with fixed ratings."""

    SYSTEM = uscf.CODE
    EDITIONS = uscf.EDITIONS
    LOWEST = 0
    RARE = ("A player without a rating", "For the personal floor")
    GROUPS = (
        ("The player", ("rt", "g", "pk", "rc")),
        ("A player without a rating", ("sr", "sg", "fr", "cr", "a")),
        ("For the personal floor", ("w", "d", "ev")),
        ("The event", ("on", "ed", "m", "hk", "du")),
    )

    rt = RatingField(label="Rating before the event", lowest=0, help_text="Left out without a rating.")
    g = CountField(
        label="Games before the event",
        highest=99_999,
        help_text=f"Rated games in all; provisional up to {_PROVISIONAL:g}. Left out: established, number unknown.",
    )
    pk = RatingField(label="Best rating ever", lowest=0, help_text="The best established one: it gives a floor.")
    rc = PlainChoice(
        label="Record so far",
        choices=[
            ("", "wins and losses, or draws"),
            (uscf.Record.ALL_WON.value, "every game won"),
            (uscf.Record.ALL_LOST.value, "every game lost"),
        ],
    )
    sr = RatingField(label="Given starting rating", lowest=0, help_text="Where the office has assigned one.")
    sg = CountField(label="Games it counts for", highest=100)
    fr = RatingField(label="FIDE rating", lowest=0)
    cr = RatingField(label="Canadian (CFC) rating", lowest=0)
    a = CountField(label="Age", highest=120, help_text="In years at the end of the event.")
    w = CountField(label="Wins", highest=99_999, help_text="In the whole career, before the event.")
    d = CountField(label="Draws", highest=99_999)
    ev = CountField(
        label="Events", highest=99_999, help_text=f"Of {uscf.EDITIONS[-1]['event_games']} rated games or more."
    )
    on = DayField(label="Day on which the event ended", help_text="Left out: the newest rules.")
    ed = PlainChoice(label="Edition of the rules", choices=_edition_choices(uscf.EDITIONS))
    m = PlainChoice(
        label="Method",
        choices=[("", "the five steps of the rating system"), (uscf.METHODS[1], "approximate formulas of the guide")],
        help_text="The approximate formulas have no floors.",
    )
    hk = forms.BooleanField(label="Half-K event", required=False)
    du = forms.BooleanField(label="Regular rating of a dual-rated event", required=False)

    def clean(self) -> dict[str, Any]:
        """An unrated player has no games; half-K events there were only for some years."""
        cleaned = super().clean()
        if "rt" not in self.errors and cleaned.get("rt") is None and cleaned.get("g"):
            self.add_error("rt", "Enter the rating that these games gave, or leave the games out.")
        if cleaned.get("sg") and cleaned.get("sr") is None and "sr" not in self.errors:
            self.add_error("sr", "Enter the starting rating that counts for these games.")
        if cleaned.get("hk") and "ed" in cleaned:
            chosen = next(one for one in uscf.EDITIONS if one.name == cleaned["ed"])
            if not chosen["half_k_allowed"]:
                self.add_error("hk", f"The rules of {chosen.name} know no half-K events.")
        return cleaned

    def standing(self) -> dict[str, Any]:
        """The player of the case."""
        values = self.cleaned_data
        start = None if values["sr"] is None else [values["sr"], values["sg"] or 0]
        figures = {
            "rating": values["rt"],
            "games": values["g"],
            "peak": values["pk"],
            "record": values["rc"],
            "start": start,
            "fide": values["fr"],
            "cfc": values["cr"],
            "age": values["a"],
            "wins": values["w"],
            "draws": values["d"],
            "events": values["ev"],
        }
        return known(figures)

    def terms(self) -> dict[str, Any]:
        """Rules and options."""
        values = self.cleaned_data
        options = {"method": values["m"] or uscf.METHODS[0], "half_k": values["hk"], "dual_regular": values["du"]}
        return {"rules": values["ed"], "options": options}


_CFC = cfc.EDITIONS[-1]


class CfcForm(DatedForm):
    """A player of the Chess Federation of Canada against rated opponents."""

    SYSTEM = cfc.CODE
    EDITIONS = cfc.EDITIONS
    LOWEST = 0
    WHOLE = True
    GROUPS = (("The player", ("s", "rt", "g", "hi")), ("The event", ("on", "ed", "ma")))

    s = PlainChoice(
        label="Kind of rating",
        choices=[
            (cfc.Status.ESTABLISHED.value, "Established"),
            (cfc.Status.PROVISIONAL.value, "Provisional"),
            (cfc.Status.UNRATED.value, "No rating yet"),
        ],
        help_text=f"Established with the event of game {_CFC['established_games']}, provisional before.",
    )
    rt = RatingField(label="Rating before the event", lowest=0, whole=True, help_text="Left out without a rating.")
    g = CountField(label="Games before the event", highest=99_999, help_text="Needed with a provisional rating only.")
    hi = RatingField(
        label="Highest rating ever",
        lowest=0,
        whole=True,
        help_text="Of the established ratings: who passes it earns bonus points. Left out: the rating before the event.",
    )
    on = DayField(label="Day on which the event ended", help_text="Left out: the newest rules.")
    ed = PlainChoice(label="Edition of the rules", choices=_edition_choices(cfc.EDITIONS))
    ma = forms.BooleanField(
        label="A match",
        required=False,
        help_text=f"All games against one opponent: the rating changes by {_CFC['match_limit']} points at most.",
    )

    def clean(self) -> dict[str, Any]:
        """A rating needs its figures."""
        cleaned = super().clean()
        kind = cleaned.get("s") or cfc.Status.ESTABLISHED.value
        if kind != cfc.Status.UNRATED and cleaned.get("rt") is None and "rt" not in self.errors:
            self.add_error("rt", "Enter the rating before the event, or choose “No rating yet”.")
        if kind == cfc.Status.PROVISIONAL and not cleaned.get("g") and "g" not in self.errors:
            self.add_error("g", "Enter how many games the provisional rating stands on.")
        return cleaned

    def standing(self) -> dict[str, Any]:
        """The player of the case."""
        values = self.cleaned_data
        kind = values["s"] or cfc.Status.ESTABLISHED.value
        if kind == cfc.Status.UNRATED:
            return {"status": kind}
        games = values["g"] if values["g"] is not None else _CFC["established_games"]
        return known({"status": kind, "rating": values["rt"], "games": games, "high": values["hi"]})

    def terms(self) -> dict[str, Any]:
        """Rules and options."""
        return {"rules": self.cleaned_data["ed"], "options": {"match": self.cleaned_data["ma"]}}
