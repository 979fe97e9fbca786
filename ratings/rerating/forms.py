"""Forms of the desk that say what is right of a published section. Each has an edit of the section's content."""

from functools import partial
from typing import Any, ClassVar

from django import forms
from django.utils import timezone
from django.utils.functional import cached_property

from config.lib import formatting
from config.lib.days import next_month
from config.lib.forms import CountField, DayField, Described, LineField, PlainTextField
from config.lib.shown_rows import Shown
from events.amending import edits
from events.amending.content import Content, Row
from events.models import ErrorReport, RatingPeriod, Section
from events.operations import EventError
from events.rules.game_result import BYES, Result
from events.rules.limits import LARGEST, MAX_BYTES
from events.rules.penalties import PenaltyKind
from events.rules.sizes import MOST_TIME
from events.submission.anew import content_anew
from players.merged import player_of
from players.models import Player
from ratings.rerating.amendments import Edit
from ratings.rerating.new_files import check_file, findings_of

COLOURS = "colours"
_RESULTS = [(result.value, result.value) for result in Result if result not in BYES]


class AmendForm(Described):
    """What is right, why, and the report from which it is known. `do` names the form among those of the page."""

    do: ClassVar[str]
    title: ClassVar[str]

    reason = PlainTextField(
        label="Reason", max_length=500, help_text="Why, and from what it is known. It is shown with the correction."
    )
    report = forms.ModelChoiceField(
        ErrorReport.objects.none(), required=False, label="Report of an error", empty_label="none"
    )

    def __init__(self, *args: Any, section: Section, content: Content, **options: Any) -> None:
        super().__init__(*args, prefix=self.do, **options)
        self.section, self.content = section, content
        field = self.fields["report"]
        assert isinstance(field, forms.ModelChoiceField)  # noqa: S101 - for the types
        field.queryset = ErrorReport.objects.filter(section=section, confirmed_at__isnull=False)
        self.order_fields([*(name for name in self.fields if name not in ("reason", "report")), "reason", "report"])

    def is_offered(self) -> bool:
        """Return whether there is something that the form could change."""
        return True

    def edit(self) -> Edit:
        """Return the edit that the valid form asks for. Raises EventError."""
        raise NotImplementedError


class ResultForm(AmendForm):
    """A game's result or its colours."""

    do, title = "result", "A game’s result or colours"
    game = forms.ChoiceField(
        label="Game",
        error_messages={"invalid_choice": "It was corrected meanwhile: choose the game as it stands now."},
    )
    right = forms.ChoiceField(choices=[*_RESULTS, (COLOURS, "the colours were the other way round")], label="Right is")

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        names = _names(self.content)
        guests = {row["id"]: row["name"] for row in self.content["guests"]}
        games = []
        for row in sorted(self.content["games"], key=lambda row: (row["round"], row["id"])):
            if Result(row["result"]) not in BYES:
                guest = guests.get(row["guest_id"], "")
                white, black = (names.get(row[side], guest) for side in ("white_id", "black_id"))
                games.append((_as_shown(row), f"Round {row['round']}: {white} – {black} {row['result']}"))
        self.fields["game"].choices = [("", "Choose a game"), *games]  # type: ignore[attr-defined]

    def edit(self) -> Edit:
        """Return the edit of the game as the page showed it: what another has corrected meanwhile is not overwritten."""
        shown, right = self.cleaned_data["game"], self.cleaned_data["right"]
        game = int(shown.partition(":")[0])

        def corrected(content: Content) -> Content:
            if _as_shown(edits.game_of(content, game)) != shown:
                raise EventError("the game was corrected meanwhile: choose it as it stands now")
            if right == COLOURS:
                return edits.with_colours_changed(content, game)
            return edits.with_result(content, game, Result(right))

        return corrected


class PlayerForm(AmendForm):
    """A player who was taken for another."""

    do, title = "player", "A player taken for another"
    taken = forms.TypedChoiceField(coerce=int, label="Taken for")
    right = LineField(label="Chess SA id of who really played", max_length=20)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["taken"].choices = _players(self.content)  # type: ignore[attr-defined]

    def clean_right(self) -> Player:
        """Return the player. Raises ValidationError."""
        number = self.cleaned_data["right"].strip()
        player = player_of(number)
        if player is None:
            raise forms.ValidationError("Nobody on the register has this id. Look it up under players.")
        return player

    def edit(self) -> Edit:
        """Return the edit of the entry and its games."""
        return partial(edits.with_player, taken=self.cleaned_data["taken"], right=self.cleaned_data["right"].pk)


class FactsForm(AmendForm):
    """A section's time control and days."""

    do, title = "facts", "Time control or days"
    _FACTS = ("base_minutes", "increment_seconds", "starts", "ends")
    base_minutes = CountField(label="Base time, minutes", highest=MOST_TIME, required=True)
    increment_seconds = CountField(label="Increment, seconds a move", highest=MOST_TIME, required=True)
    starts = DayField(label="First day", required=True)
    ends = DayField(label="Last day", required=True)

    def __init__(self, *args: Any, content: Content, **options: Any) -> None:
        super().__init__(*args, content=content, initial=content["facts"], **options)
        for name in self._FACTS:
            self.fields[name].show_hidden_initial = True

    def edit(self) -> Edit:
        """Return the edit of the facts that are others than the page showed, and that nobody has corrected since."""
        changed = {name: self.cleaned_data[name] for name in self._FACTS if name in self.changed_data}
        shown = {name: self.data.get(self.add_initial_prefix(name)) for name in changed}

        def corrected(content: Content) -> Content:
            for name, before in shown.items():
                if before is not None and self.fields[name].has_changed(content["facts"][name], before):
                    label = str(self.fields[name].label).lower()
                    raise EventError(
                        f"the {label} was corrected meanwhile: load the page again, and see how it stands now"
                    )
            return edits.with_facts(content, **changed)

        return corrected


class PenaltyForm(AmendForm):
    """A penalty that was forgotten (articles 51, 52)."""

    do, title = "penalty", "A penalty that should count"
    player = forms.TypedChoiceField(coerce=int, label="Player")
    round = CountField(label="Round", lowest=1, highest=99, required=True)
    kind = forms.TypedChoiceField(
        coerce=PenaltyKind,
        choices=[
            (PenaltyKind.FORFEIT.value, "forfeit without notice (article 51)"),
            (PenaltyKind.WITHDRAWAL.value, "withdrawal without notice (article 52)"),
        ],
        label="For",
    )
    points = forms.DecimalField(min_value=1, max_digits=6, decimal_places=2, label="Points")

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["player"].choices = _players(self.content)  # type: ignore[attr-defined]

    def edit(self) -> Edit:
        """Return the edit that adds it."""
        data = self.cleaned_data
        return partial(
            edits.with_penalty,
            player=data["player"],
            round_=data["round"],
            kind=data["kind"],
            points=data["points"],
            reason=data["reason"],
        )


class DropPenaltyForm(AmendForm):
    """A penalty that should not count."""

    do, title = "drop-penalty", "A penalty that should not count"
    penalty = forms.ChoiceField(
        label="Penalty",
        error_messages={"invalid_choice": "It was dropped, or entered anew, meanwhile: choose it as it stands now."},
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        names = _names(self.content)
        self.fields["penalty"].choices = [  # type: ignore[attr-defined]
            (
                f"{row['id']}:{row['player_id']}:{row['round']}:{row['points']}",
                f"{names[row['player_id']]}, round {row['round']}: {formatting.points(row['points'])}",
            )
            for row in self.content["penalties"]
            if row["status"] == "confirmed"
        ]

    def is_offered(self) -> bool:
        """Return whether there is a penalty in force."""
        return any(row["status"] == "confirmed" for row in self.content["penalties"])

    def edit(self) -> Edit:
        """Return the edit that drops it."""
        penalty = int(self.cleaned_data["penalty"].partition(":")[0])
        return partial(edits.without_penalty, penalty=penalty, reason=self.cleaned_data["reason"])


class LeaveOutForm(AmendForm):
    """A section that should not have been rated."""

    do, title = "leave-out", "The section should not have been rated"

    def is_offered(self) -> bool:
        """Return whether it is rated."""
        return self.content["facts"]["period_id"] is not None

    def edit(self) -> Edit:
        """Return the edit that leaves it out."""
        return edits.left_out


class TakeInForm(AmendForm):
    """A section that should have been rated."""

    do, title = "take-in", "The section should have been rated"
    period = forms.ModelChoiceField(RatingPeriod.objects.none(), label="In the month")

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        ended = self.section.ends.replace(day=1)
        months = RatingPeriod.objects.filter(
            state=RatingPeriod.State.PUBLISHED, month__range=(ended, next_month(next_month(ended)))
        )
        self.fields["period"].queryset = months  # type: ignore[attr-defined]

    def is_offered(self) -> bool:
        """Return whether it is not rated, and has games."""
        return self.content["facts"]["period_id"] is None and bool(self.content["games"])

    def edit(self) -> Edit:
        """Return the edit that takes it in."""
        return partial(edits.taken_in, period=self.cleaned_data["period"].pk)


class FileForm(AmendForm):
    """A file that is sent in anew. Making the edit reads and checks it; `findings`: what was found, afterwards."""

    do, title = "file", "A new file for the section"
    file = forms.FileField(label="File", help_text=f"TRF16, TRF26, TUNX, SwissPerfect’s zip or CSV, {LARGEST}.")
    base_minutes = CountField(label="Base time, minutes", highest=MOST_TIME, required=True)
    increment_seconds = CountField(label="Increment, seconds a move", highest=MOST_TIME, required=True)
    players = PlainTextField(
        label="Players",
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="Who a line is, where the file leaves it open: start number=Chess SA id, a line each.",
    )

    def __init__(self, *args: Any, content: Content, **options: Any) -> None:
        super().__init__(*args, content=content, initial=content["facts"], **options)
        self.findings: Shown[str] | None = None

    @cached_property
    def content_sent(self) -> bytes:
        """The content of the file that was sent."""
        content: bytes = self.cleaned_data["file"].read()
        return content

    @property
    def choices(self) -> dict[str, Any]:
        """What is said of the file, as `new_files.check_file` asks for it."""
        data = self.cleaned_data
        return {
            "name": data["file"].name,
            "base": data["base_minutes"],
            "increment": data["increment_seconds"],
            "chosen": data["players"],
        }

    def clean_file(self) -> Any:
        """Return the file. Raises ValidationError for one that is too large."""
        sent = self.cleaned_data["file"]
        if sent.size > MAX_BYTES:
            raise forms.ValidationError(f"The file is larger than {LARGEST}.")
        return sent

    def clean_players(self) -> dict[int, str]:
        """Return start number → Chess SA id. Raises ValidationError."""
        chosen: dict[int, str] = {}
        for line in self.cleaned_data["players"].splitlines():
            number, _, player = (part.strip() for part in line.partition("="))
            if not line.strip():
                continue
            if not (number.isdecimal() and len(number) <= 5 and player):
                raise forms.ValidationError(f"“{line}”: write the start number and the Chess SA id as 12=100000123.")
            if int(number) in chosen:
                raise forms.ValidationError(f"Start number {number} stands twice: say once who it is.")
            chosen[int(number)] = player
        return chosen

    def edit(self) -> Edit:
        """Return the edit that puts the file's content in its place. Raises EventError if the file has errors."""
        now = timezone.now()
        validated = check_file(self.section, self.content_sent, **self.choices, at=now)
        self.findings = findings_of(validated)
        after = content_anew(self.section, validated, at=now, by=None)
        return lambda _: after


FORMS: tuple[type[AmendForm], ...] = (
    ResultForm, PlayerForm, FactsForm, PenaltyForm, DropPenaltyForm, LeaveOutForm, TakeInForm, FileForm,
)  # fmt: skip


def _as_shown(game: Row) -> str:
    """Return a game's key together with what the page shows of it."""
    return f"{game['id']}:{game['white_id'] or 0}:{game['result']}"


def _names(content: Content) -> dict[int, str]:
    players = Player.objects.in_bulk(edits.players_of(content))
    return {key: f"{player.name} ({player.number})" for key, player in players.items()}


def _players(content: Content) -> list[tuple[Any, str]]:
    named = sorted(_names(content).items(), key=lambda player: player[1])
    return [("", "Choose a player"), *named]
