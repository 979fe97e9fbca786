"""The forms of the systems that rate one event after the other."""

from typing import Any, ClassVar

from django import forms

from config.lib import formatting
from config.lib.editions import Edition, dated, edition_named
from config.lib.forms import CountField, DayField, PlainChoice
from ratings.calculators.base_form import without_empty
from ratings.calculators.fields import RatingField
from ratings.calculators.list_form import OTHERWISE, ListedForm, rating_text
from ratings.calculators.list_players import Member
from ratings.systems import cfc, icu, uscf


def _edition_choices(editions: tuple[Edition, ...]) -> list[tuple[str, str]]:
    by_day = dated(editions)
    listed = [*reversed(by_day), *(edition for edition in editions if edition.by_name)]
    choices = [
        (edition.name, f"{edition.name} · {edition.note}" if edition.note else edition.name) for edition in listed
    ]
    return [("", "By the day of the event"), *choices]


class KindForm(ListedForm):
    """A calculator of a system that has full, provisional and unrated players.

    The first field of `AS_LISTED` is the kind; `FULL`, `PROVISIONAL` and `UNRATED` are its values.
    """

    FULL: ClassVar[str]
    PROVISIONAL: ClassVar[str]
    UNRATED: ClassVar[str]

    @property
    def kind(self) -> str:
        """The kind of the player; full if a rating is entered for one who is unrated on the list."""
        name = self.AS_LISTED[0]
        kind: str = self.value(name) or self.FULL
        entered = self.cleaned_data.get("rt") is not None and not self.cleaned_data.get(name)
        return self.FULL if kind == self.UNRATED and entered else kind

    def clean(self) -> dict[str, Any]:
        """Check that a rating has its figures."""
        cleaned = super().clean()
        if self.kind != self.UNRATED and "rt" not in self.errors and self.value("rt") is None:
            self.add_error("rt", "Enter the rating before the event, or choose “No rating yet”.")
        if self.kind == self.PROVISIONAL and "g" not in self.errors and not self.value("g"):
            self.add_error("g", "Enter how many games the provisional rating stands on.")
        return cleaned


def _kind_field(texts: dict[str, str]) -> PlainChoice:
    return PlainChoice(label="Kind of rating", choices=[(str(kind), text) for kind, text in texts.items()])


class IcuForm(KindForm):
    """A player of the Irish Chess Union against opponents with fixed ratings."""

    SYSTEM = icu.CODE
    EDITIONS = icu.EDITIONS
    STARTS = ListedForm.STARTS | {"t"}
    GROUPS = (("The player", ("player", "t", "rt", "k", "a", "y", "g")), ("The event", ("list", "at", "ed", "nb")))
    AS_LISTED = ("t", "Full, or as on the list")
    FULL, PROVISIONAL, UNRATED = icu.PlayerType.RATED, icu.PlayerType.PROVISIONAL, icu.PlayerType.UNRATED

    t = _kind_field({FULL: "Full rating", PROVISIONAL: "Provisional rating", UNRATED: "No rating yet"})
    rt = RatingField(label="Rating before the event", help_text="Left out without a rating.")
    k = PlainChoice(label="K-factor")
    a = CountField(
        label="Age",
        lowest=3,
        highest=120,
        help_text="In years when the event began. Left out: by the year of birth on the register, or an adult’s.",
    )
    y = CountField(
        label="Years of membership",
        highest=100,
        help_text="When the event began. Left out: as the register has it, or many.",
    )
    g = CountField(label="Games so far", lowest=1, help_text="Needed with a provisional rating only.")
    ed = forms.ChoiceField(
        label="Rules",
        required=False,
        choices=[(edition.name, edition.note) for edition in reversed(icu.EDITIONS)],
        error_messages={"invalid_choice": "Choose one of the list."},
        help_text="They differ in small points: how estimates begin, and the greatest bonus.",
    )
    nb = forms.BooleanField(label="No bonus points in this event", required=False)

    def state_figures(self, edition: Edition) -> None:
        """Games of a full rating, and K."""
        full_games: int = edition["full_games"]
        self.fields["t"].help_text = f"A rating is full after {full_games} games, and provisional before."
        self.fields["g"] = CountField(
            label=self.fields["g"].label, lowest=1, highest=full_games - 1, help_text=self.fields["g"].help_text
        )
        factors = sorted({edition[name] for name in ("k_high", "k_junior", "k_new", "k_otherwise")}, reverse=True)
        self.fields["k"] = PlainChoice(
            label=self.fields["k"].label,
            choices=[("", "From rating, age and membership"), *((f"{k:g}", f"{k:g}") for k in factors)],
            help_text=f"How much a game moves a full rating. {edition['k_high']:g} from {edition['k_high_rating']:g} on,"
            f" else {edition['k_junior']:g} under {edition['k_junior_age']:g} years of age, {edition['k_new']:g} in the"
            f" first {edition['k_new_years']:g} years of membership, {edition['k_otherwise']:g} afterwards.",
        )

    def fields_of(self, own: Member) -> dict[str, Any]:
        """Return a standing by field; K takes the player's age and membership with it."""
        standing = own.standing
        return without_empty({"t": standing.type.value, "rt": standing.rating, "k": standing.k, "g": standing.games})

    def standing_text(self) -> str:
        """Return the kind of rating, and what goes with it."""
        taken = self.taken
        if taken["t"] == icu.PlayerType.UNRATED:
            return "no rating yet"
        if taken["t"] == icu.PlayerType.PROVISIONAL:
            return f"provisional rating {rating_text(taken['rt'])} on {formatting.count(taken['g'], 'game')}"
        return f"full rating {rating_text(taken['rt'])}, K {taken['k']:g}"

    def standing(self) -> dict[str, Any]:
        """Return the player of the case."""
        kind, rating = self.kind, self.value("rt")
        if kind == icu.PlayerType.UNRATED:
            return {"type": kind}
        if kind == icu.PlayerType.PROVISIONAL:
            return {"type": kind, "rating": rating, "games": self.value("g")}
        return {"type": kind, "rating": rating, "k": self._k(rating)}

    def _k(self, rating: float) -> float:
        """K as it was entered; or by rating, age and membership, which are the picked player's unless they were entered."""
        values = self.cleaned_data
        if values["k"]:
            return float(values["k"])
        edition = edition_named(icu.EDITIONS, values["ed"])
        age, years = values["a"], values["y"]
        if self.taken and (age is None or years is None):
            person, day = self.own.person, self.given_day or self.month
            age = person.age_in(day.year) if age is None else age
            years = icu.years_between(person.joined, day, edition) if years is None else years
        return icu.k_factor(rating, age, years, edition)

    def terms(self) -> dict[str, Any]:
        """Rules and options."""
        return {"rules": self.cleaned_data["ed"], "options": {"no_bonuses": self.cleaned_data["nb"]}}


_USCF_FIELDS = {
    "rating": "rt",
    "games": "g",
    "peak": "pk",
    "record": "rc",
    "fide": "fr",
    "cfc": "cr",
    "age": "a",
    "wins": "w",
    "draws": "d",
    "events": "ev",
}  # of a case, and of the form


class UscfForm(ListedForm):
    """A player of US Chess against opponents with fixed ratings."""

    SYSTEM = uscf.CODE
    EDITIONS = uscf.EDITIONS
    LOWEST = 0
    RARE = ("A player without a rating", "For the personal floor")
    GROUPS = (
        ("The player", ("player", "rt", "g", "pk", "rc")),
        ("A player without a rating", ("sr", "sg", "fr", "cr", "a")),
        ("For the personal floor", ("w", "d", "ev")),
        ("The event", ("list", "at", "on", "ed", "m", "hk", "du", "ma", "ol")),
    )
    AS_LISTED = ("rc", "as on the list; without it wins and losses, or draws")

    rt = RatingField(label="Rating before the event", lowest=0, help_text="Left out without a rating.")
    g = CountField(label="Games before the event", highest=99_999)
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
    ev = CountField(label="Events", highest=99_999)
    on = DayField(label="Day on which the event ended", help_text="Left out: the newest rules.")
    ed = PlainChoice(label="Edition of the rules", choices=_edition_choices(uscf.EDITIONS))
    m = PlainChoice(
        label="Method",
        choices=[
            ("", "the five steps of the rating system"),
            (uscf.METHODS[1], "approximate formulas for one player"),
            (uscf.METHODS[2], "the guide of 2001 to the letter"),
        ],
        help_text="The formulas and the guide have no floors; the guide is for the rules of 2001.",
    )
    hk = forms.BooleanField(label="Half-K event", required=False)
    du = forms.BooleanField(label="Regular rating of a dual-rated event", required=False)
    ma = forms.BooleanField(
        label="A match",
        required=False,
        help_text="All games against one opponent: there is no bonus, and today a limit.",
    )
    ol = forms.BooleanField(label="An online event", required=False, help_text="It knows the absolute floor alone.")

    def state_figures(self, edition: Edition) -> None:
        """Games of a provisional rating, and of an event that counts for a floor."""
        games = edition["provisional_games"]
        text = f"Rated games in all; provisional up to {games:g}. Left out: established, number unknown."
        self.fields["g"].help_text = text
        self.fields["ev"].help_text = f"Of {edition['event_games']} rated games or more."

    def clean_ed(self) -> str:
        """The edition by name or by the day; for the guide, without either, the last one that it holds for."""
        by_guide = self.data.get("m") == uscf.METHODS[2]
        if by_guide and not self.cleaned_data["ed"] and self.cleaned_data.get("on") is None:
            return [edition.name for edition in uscf.EDITIONS if edition["guide_holds"]][-1]
        return super().clean_ed()

    def clean(self) -> dict[str, Any]:
        """Check that an unrated player has no games, that the edition knows half-K events, and what the guide is for."""
        cleaned = super().clean()
        if cleaned.get("m") == uscf.METHODS[2] and "ed" in cleaned:
            self._check_guide(cleaned, edition_named(uscf.EDITIONS, cleaned["ed"]))
        if "rt" not in self.errors and self.value("rt") is None and cleaned.get("g"):
            self.add_error("rt", "Enter the rating that these games gave, or leave the games out.")
        if cleaned.get("sg") and cleaned.get("sr") is None and "sr" not in self.errors:
            self.add_error("sr", "Enter the starting rating that counts for these games.")
        if cleaned.get("hk") and "ed" in cleaned:
            edition = edition_named(uscf.EDITIONS, cleaned["ed"])
            if not edition["half_k_allowed"]:
                self.add_error("hk", f"The rules of {edition.name} know no half-K events.")
        return cleaned

    def _check_guide(self, cleaned: dict[str, Any], edition: Edition) -> None:
        if not edition["guide_holds"]:
            self.add_error("m", f"The guide is of the system of 2001: choose these rules, not those of {edition.name}.")
        least, games = edition["guide_established"], self.value("g")
        if "rt" not in self.errors and self.value("rt") is None:
            self.add_error(
                "rt", f"Enter the rating before the event: the guide is for players of {least} or more games."
            )
        elif games is not None and games < least:
            self.add_error("g", f"The guide is for players of {least} or more games: choose another method.")
        for name, kind in (("du", "dual-rated events"), ("ma", "matches"), ("ol", "online events")):
            if cleaned.get(name):
                self.add_error(name, f"The guide knows no {kind}.")

    def standing(self) -> dict[str, Any]:
        """Return the player of the case."""
        start = self.cleaned_data["sr"]
        standing = {case: self.value(field) for case, field in _USCF_FIELDS.items()}
        standing["record"] = None if standing["record"] == OTHERWISE else standing["record"]
        standing["start"] = None if start is None else [start, self.cleaned_data["sg"] or 0]
        return without_empty(standing)

    def fields_of(self, own: Member) -> dict[str, Any]:
        """Return a standing by field; of the unrated the age with it."""
        standing = {case: getattr(own.standing, case) for case in _USCF_FIELDS}
        return without_empty({_USCF_FIELDS[case]: value for case, value in standing.items()})

    def standing_text(self) -> str:
        """Return the rating and its games."""
        taken = self.taken
        if "rt" not in taken:
            return f"no rating yet; {taken['a']} years of age" if "a" in taken else "no rating yet"
        games = f"on {formatting.count(round(taken['g']), 'game')}" if "g" in taken else "established"
        return f"rating {rating_text(taken['rt'])}, {games}"

    def terms(self) -> dict[str, Any]:
        """Rules and options."""
        values = self.cleaned_data
        ticked = {"half_k": "hk", "dual_regular": "du", "match": "ma", "online": "ol"}
        options = {option: values[field] for option, field in ticked.items()}
        return {"rules": values["ed"], "options": {"method": values["m"] or uscf.METHODS[0], **options}}


class CfcForm(KindForm):
    """A player of the Chess Federation of Canada against rated opponents."""

    SYSTEM = cfc.CODE
    EDITIONS = cfc.EDITIONS
    LOWEST = 0
    WHOLE = True
    STARTS = ListedForm.STARTS | {"s"}
    GROUPS = (("The player", ("player", "s", "rt", "g", "hi")), ("The event", ("list", "at", "on", "ed", "ro", "ma")))
    AS_LISTED = ("s", "Established, or as on the list")
    FULL, PROVISIONAL, UNRATED = cfc.Status.ESTABLISHED, cfc.Status.PROVISIONAL, cfc.Status.UNRATED

    s = _kind_field({FULL: "Established", PROVISIONAL: "Provisional", UNRATED: "No rating yet"})
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
    ro = CountField(
        label="Rounds of the event",
        lowest=1,
        highest=99,
        help_text="Only the rules of the article go by them. Left out: as many as the games below.",
    )
    ma = forms.BooleanField(label="A match", required=False)

    def state_figures(self, edition: Edition) -> None:
        """Games of an established rating, and what a match may change."""
        games, limit = edition["established_games"], edition["match_limit"]
        self.fields["s"].help_text = f"Established with the event of game {games}, provisional before."
        self.fields["ma"].help_text = f"All games against one opponent: the rating changes by {limit} points at most."

    def clean(self) -> dict[str, Any]:
        """Check that rounds are given only where the rules look at them, and not fewer than there are games."""
        cleaned = super().clean()
        rounds = cleaned.get("ro")
        if rounds is None or "ed" not in cleaned:
            return cleaned
        if not edition_named(cfc.EDITIONS, cleaned["ed"])["bonus_counts_rounds"]:
            self.add_error("ro", f"The rules of {cleaned['ed']} go by the games: leave the rounds out.")
        elif rounds < len(self.games):
            self.add_error("ro", f"There are {len(self.games)} games below: enter at least as many rounds.")
        return cleaned

    def standing(self) -> dict[str, Any]:
        """Return the player of the case."""
        if self.kind == cfc.Status.UNRATED:
            return {"status": self.kind}
        games = self.value("g")
        if games is None:
            games = edition_named(cfc.EDITIONS, self.cleaned_data["ed"])["established_games"]
        rating, high = self.value("rt"), self.value("hi")
        return without_empty({"status": self.kind, "rating": rating, "games": games, "high": high})

    def fields_of(self, own: Member) -> dict[str, Any]:
        """Return a standing by field."""
        standing = own.standing
        games = None if standing.status is cfc.Status.UNRATED else standing.games
        return without_empty({"s": standing.status.value, "rt": standing.rating, "g": games, "hi": standing.high})

    def standing_text(self) -> str:
        """Return the kind of rating, and its games."""
        taken = self.taken
        if taken["s"] == cfc.Status.UNRATED:
            return "no rating yet"
        return f"{taken['s']} rating {rating_text(taken['rt'])} on {formatting.count(taken['g'], 'game')}"

    def terms(self) -> dict[str, Any]:
        """Rules and options."""
        options = without_empty({"match": self.cleaned_data["ma"], "rounds": self.cleaned_data["ro"]})
        return {"rules": self.cleaned_data["ed"], "options": options}
