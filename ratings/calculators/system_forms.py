"""The forms of the systems that rate one event after the other."""

from typing import Any, ClassVar

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from config.languages import counted
from config.lib.editions import Edition, dated, edition_named
from config.lib.forms import CountField, DayField, PlainChoice
from ratings.calculators.base_form import without_empty
from ratings.calculators.fields import RatingField
from ratings.calculators.list_form import OTHERWISE, ListedForm, rating_text
from ratings.calculators.list_players import Member
from ratings.edition_notes import note_lazy
from ratings.systems import cfc, icu, uscf


def _edition_choices(editions: tuple[Edition, ...]) -> list[tuple[str, Any]]:
    by_day = dated(editions)
    listed = [*reversed(by_day), *(edition for edition in editions if edition.by_name)]
    choices = [
        (edition.name, format_lazy("{} · {}", edition.name, note_lazy(edition)) if edition.note else edition.name)
        for edition in listed
    ]
    return [("", _("By the day of the event")), *choices]


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
            self.add_error("rt", gettext("Enter the rating before the event, or choose “No rating yet”."))
        if self.kind == self.PROVISIONAL and "g" not in self.errors and not self.value("g"):
            self.add_error("g", gettext("Enter how many games the provisional rating stands on."))
        return cleaned


def _kind_field(texts: dict[str, Any]) -> PlainChoice:
    return PlainChoice(label=_("Kind of rating"), choices=[(str(kind), text) for kind, text in texts.items()])


class IcuForm(KindForm):
    """A player of the Irish Chess Union against opponents with fixed ratings."""

    SYSTEM = icu.CODE
    EDITIONS = icu.EDITIONS
    STARTS = ListedForm.STARTS | {"t"}
    GROUPS = (
        (_("The player"), ("player", "t", "rt", "k", "a", "y", "g")),
        (_("The event"), ("list", "at", "ed", "nb")),
    )
    AS_LISTED = ("t", _("Full, or as on the list"))
    FULL, PROVISIONAL, UNRATED = icu.PlayerType.RATED, icu.PlayerType.PROVISIONAL, icu.PlayerType.UNRATED

    t = _kind_field({FULL: _("Full rating"), PROVISIONAL: _("Provisional rating"), UNRATED: _("No rating yet")})
    rt = RatingField(label=_("Rating before the event"), help_text=_("Left out without a rating."))
    k = PlainChoice(label=_("K-factor"))
    a = CountField(
        label=_("Age"),
        lowest=3,
        highest=120,
        help_text=_("In years when the event began. Left out: by the year of birth on the register, or an adult’s."),
    )
    y = CountField(
        label=_("Years of membership"),
        highest=100,
        help_text=_("When the event began. Left out: as the register has it, or many."),
    )
    g = CountField(label=_("Games so far"), lowest=1, help_text=_("Needed with a provisional rating only."))
    ed = forms.ChoiceField(
        label=_("Rules"),
        required=False,
        choices=[(edition.name, note_lazy(edition)) for edition in reversed(icu.EDITIONS)],
        error_messages={"invalid_choice": _("Choose one of the list.")},
        help_text=_("They differ in small points: how estimates begin, and the greatest bonus."),
    )
    nb = forms.BooleanField(label=_("No bonus points in this event"), required=False)

    def state_figures(self, edition: Edition) -> None:
        """Games of a full rating, and K."""
        full_games: int = edition["full_games"]
        self.fields["t"].help_text = gettext("A rating is full after %(games)s games, and provisional before.") % {
            "games": full_games
        }
        self.fields["g"] = CountField(
            label=self.fields["g"].label, lowest=1, highest=full_games - 1, help_text=self.fields["g"].help_text
        )
        factors = sorted({edition[name] for name in ("k_high", "k_junior", "k_new", "k_otherwise")}, reverse=True)
        self.fields["k"] = PlainChoice(
            label=self.fields["k"].label,
            choices=[("", _("From rating, age and membership")), *((f"{k:g}", f"{k:g}") for k in factors)],
            help_text=gettext(
                "How much a game moves a full rating. %(high)s from %(high_rating)s on, else %(junior)s under %(junior_age)s"
                " years of age, %(new)s in the first %(new_years)s years of membership, %(otherwise)s afterwards."
            )
            % {
                name: f"{edition[f'k_{name}']:g}"
                for name in ("high", "high_rating", "junior", "junior_age", "new", "new_years", "otherwise")
            },
        )

    def fields_of(self, own: Member) -> dict[str, Any]:
        """Return a standing by field; K takes the player's age and membership with it."""
        standing = own.standing
        return without_empty({"t": standing.type.value, "rt": standing.rating, "k": standing.k, "g": standing.games})

    def standing_text(self) -> str:
        """Return the kind of rating, and what goes with it."""
        taken = self.taken
        if taken["t"] == icu.PlayerType.UNRATED:
            return gettext("no rating yet")
        if taken["t"] == icu.PlayerType.PROVISIONAL:
            return gettext("provisional rating %(rating)s on %(games)s") % {
                "rating": rating_text(taken["rt"]),
                "games": counted(taken["g"], "%(count)s game", "%(count)s games"),
            }
        return gettext("full rating %(rating)s, K %(k)s") % {"rating": rating_text(taken["rt"]), "k": f"{taken['k']:g}"}

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
    RARE = (_("A player without a rating"), _("For the personal floor"))
    GROUPS = (
        (_("The player"), ("player", "rt", "g", "pk", "rc")),
        (_("A player without a rating"), ("sr", "sg", "fr", "cr", "a")),
        (_("For the personal floor"), ("w", "d", "ev")),
        (_("The event"), ("list", "at", "on", "ed", "m", "hk", "du", "ma", "ol")),
    )
    AS_LISTED = ("rc", _("as on the list; without it wins and losses, or draws"))

    rt = RatingField(label=_("Rating before the event"), lowest=0, help_text=_("Left out without a rating."))
    g = CountField(label=_("Games before the event"), highest=99_999)
    pk = RatingField(label=_("Best rating ever"), lowest=0, help_text=_("The best established one: it gives a floor."))
    rc = PlainChoice(
        label=_("Record so far"),
        choices=[
            ("", _("wins and losses, or draws")),
            (uscf.Record.ALL_WON.value, _("every game won")),
            (uscf.Record.ALL_LOST.value, _("every game lost")),
        ],
    )
    sr = RatingField(label=_("Given starting rating"), lowest=0, help_text=_("Where the office has assigned one."))
    sg = CountField(label=_("Games it counts for"), highest=100)
    fr = RatingField(label=_("FIDE rating"), lowest=0)
    cr = RatingField(label=_("Canadian (CFC) rating"), lowest=0)
    a = CountField(label=_("Age"), highest=120, help_text=_("In years at the end of the event."))
    w = CountField(label=_("Wins"), highest=99_999, help_text=_("In the whole career, before the event."))
    d = CountField(label=_("Draws"), highest=99_999)
    ev = CountField(label=_("Events"), highest=99_999)
    on = DayField(label=_("Day on which the event ended"), help_text=_("Left out: the newest rules."))
    ed = PlainChoice(label=_("Edition of the rules"), choices=_edition_choices(uscf.EDITIONS))
    m = PlainChoice(
        label=_("Method"),
        choices=[
            ("", _("the five steps of the rating system")),
            (uscf.METHODS[1], _("approximate formulas for one player")),
            (uscf.METHODS[2], _("the guide of 2001 to the letter")),
        ],
        help_text=_("The formulas and the guide have no floors; the guide is for the rules of 2001."),
    )
    hk = forms.BooleanField(label=_("Half-K event"), required=False)
    du = forms.BooleanField(label=_("Regular rating of a dual-rated event"), required=False)
    ma = forms.BooleanField(
        label=_("A match"),
        required=False,
        help_text=_("All games against one opponent: there is no bonus, and today a limit."),
    )
    ol = forms.BooleanField(
        label=_("An online event"), required=False, help_text=_("It knows the absolute floor alone.")
    )

    def state_figures(self, edition: Edition) -> None:
        """Games of a provisional rating, and of an event that counts for a floor."""
        games = edition["provisional_games"]
        text = gettext("Rated games in all; provisional up to %(games)s. Left out: established, number unknown.")
        self.fields["g"].help_text = text % {"games": f"{games:g}"}
        self.fields["ev"].help_text = gettext("Of %(games)s rated games or more.") % {"games": edition["event_games"]}

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
            self.add_error("rt", gettext("Enter the rating that these games gave, or leave the games out."))
        if cleaned.get("sg") and cleaned.get("sr") is None and "sr" not in self.errors:
            self.add_error("sr", gettext("Enter the starting rating that counts for these games."))
        if cleaned.get("hk") and "ed" in cleaned:
            edition = edition_named(uscf.EDITIONS, cleaned["ed"])
            if not edition["half_k_allowed"]:
                message = gettext("The rules of %(edition)s know no half-K events.")
                self.add_error("hk", message % {"edition": edition.name})
        return cleaned

    def _check_guide(self, cleaned: dict[str, Any], edition: Edition) -> None:
        if not edition["guide_holds"]:
            message = gettext("The guide is of the system of 2001: choose these rules, not those of %(edition)s.")
            self.add_error("m", message % {"edition": edition.name})
        least, games = edition["guide_established"], self.value("g")
        if "rt" not in self.errors and self.value("rt") is None:
            message = gettext("Enter the rating before the event: the guide is for players of %(least)s or more games.")
            self.add_error("rt", message % {"least": least})
        elif games is not None and games < least:
            message = gettext("The guide is for players of %(least)s or more games: choose another method.")
            self.add_error("g", message % {"least": least})
        unknown = {
            "du": gettext("The guide knows no dual-rated events."),
            "ma": gettext("The guide knows no matches."),
            "ol": gettext("The guide knows no online events."),
        }
        for name, message in unknown.items():
            if cleaned.get(name):
                self.add_error(name, message)

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
            if "a" in taken:
                return gettext("no rating yet; %(age)s years of age") % {"age": taken["a"]}
            return gettext("no rating yet")
        rating = rating_text(taken["rt"])
        if "g" not in taken:
            return gettext("rating %(rating)s, established") % {"rating": rating}
        games = counted(round(taken["g"]), "%(count)s game", "%(count)s games")
        return gettext("rating %(rating)s, on %(games)s") % {"rating": rating, "games": games}

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
    GROUPS = (
        (_("The player"), ("player", "s", "rt", "g", "hi")),
        (_("The event"), ("list", "at", "on", "ed", "ro", "ma")),
    )
    AS_LISTED = ("s", _("Established, or as on the list"))
    FULL, PROVISIONAL, UNRATED = cfc.Status.ESTABLISHED, cfc.Status.PROVISIONAL, cfc.Status.UNRATED

    s = _kind_field({FULL: _("Established"), PROVISIONAL: _("Provisional"), UNRATED: _("No rating yet")})
    rt = RatingField(
        label=_("Rating before the event"), lowest=0, whole=True, help_text=_("Left out without a rating.")
    )
    g = CountField(
        label=_("Games before the event"), highest=99_999, help_text=_("Needed with a provisional rating only.")
    )
    hi = RatingField(
        label=_("Highest rating ever"),
        lowest=0,
        whole=True,
        help_text=_(
            "Of the established ratings: who passes it earns bonus points. Left out: the rating before the event."
        ),
    )
    on = DayField(label=_("Day on which the event ended"), help_text=_("Left out: the newest rules."))
    ed = PlainChoice(label=_("Edition of the rules"), choices=_edition_choices(cfc.EDITIONS))
    ro = CountField(
        label=_("Rounds of the event"),
        lowest=1,
        highest=99,
        help_text=_("Only the rules of the article go by them. Left out: as many as the games below."),
    )
    ma = forms.BooleanField(label=_("A match"), required=False)

    def state_figures(self, edition: Edition) -> None:
        """Games of an established rating, and what a match may change."""
        games, limit = edition["established_games"], edition["match_limit"]
        self.fields["s"].help_text = gettext("Established with the event of game %(games)s, provisional before.") % {
            "games": games
        }
        self.fields["ma"].help_text = gettext(
            "All games against one opponent: the rating changes by %(limit)s points at most."
        ) % {"limit": limit}

    def clean(self) -> dict[str, Any]:
        """Check that rounds are given only where the rules look at them, and not fewer than there are games."""
        cleaned = super().clean()
        rounds = cleaned.get("ro")
        if rounds is None or "ed" not in cleaned:
            return cleaned
        if not edition_named(cfc.EDITIONS, cleaned["ed"])["bonus_counts_rounds"]:
            message = gettext("The rules of %(edition)s go by the games: leave the rounds out.")
            self.add_error("ro", message % {"edition": cleaned["ed"]})
        elif rounds < len(self.games):
            message = gettext("There are %(games)s games below: enter at least as many rounds.")
            self.add_error("ro", message % {"games": len(self.games)})
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
            return gettext("no rating yet")
        figures = {
            "rating": rating_text(taken["rt"]),
            "games": counted(taken["g"], "%(count)s game", "%(count)s games"),
        }
        if taken["s"] == cfc.Status.PROVISIONAL:
            return gettext("provisional rating %(rating)s on %(games)s") % figures
        return gettext("established rating %(rating)s on %(games)s") % figures

    def terms(self) -> dict[str, Any]:
        """Rules and options."""
        options = without_empty({"match": self.cleaned_data["ma"], "rounds": self.cleaned_data["ro"]})
        return {"rules": self.cleaned_data["ed"], "options": options}
