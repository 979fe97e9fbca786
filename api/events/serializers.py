"""What the API says of events and sections."""

import re
from datetime import date
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.manners.fields import Answer, Day, Flag, Number, Text, TypedText, Whole
from events.models import Kind
from events.rules.states import State
from players.search import LONGEST_SEARCH

_ADDRESS = {"type": "string", "format": "uri"}
_MONTH = "^(19|20)[0-9]{2}-(0[1-9]|1[0-2])$"
_PUBLIC_STATES = [state.value for state in State if state is not State.DRAFT]


@extend_schema_field({"type": "string", "pattern": _MONTH})
class MonthField(serializers.Field[Any, Any, Any, Any]):
    """A month, `2024-03`, as its first day."""

    def to_internal_value(self, data: Any) -> date:
        """Return the first day of the month."""
        if not re.fullmatch(_MONTH, str(data)):
            raise serializers.ValidationError("Write the month as year and month: 2024-03.", code="invalid")
        return date.fromisoformat(f"{data}-01")


class EventWords(serializers.Serializer[Any]):
    """Words that narrow the events."""

    q = TypedText(max_length=LONGEST_SEARCH, required=False, allow_blank=True, help_text="A part of the event’s name.")
    region = serializers.RegexField("^[A-Z]{3}$", required=False, help_text="Code of the host region.")
    province = serializers.RegexField("^[A-Z]{2,3}$", required=False, help_text="Code of the host region’s province.")
    month = MonthField(required=False, help_text="The month of the last day: 2024-03.")
    state = serializers.ChoiceField(_PUBLIC_STATES, required=False)
    kind = serializers.ChoiceField(Kind.values, required=False)

    def get_fields(self) -> dict[str, Any]:
        """Return the words, with those of the days, of which one is a word of Python's."""
        days = {
            "from": serializers.DateField(required=False, help_text="Events that ended on this day or later."),
            "to": serializers.DateField(required=False, help_text="Events that ended on this day or earlier."),
        }
        return {**super().get_fields(), **days}


class EventRowAnswer(Answer):
    """An event."""

    id = Whole(source="event.pk")
    name = Text(source="event.name")
    kind = Text(source="event.kind", help_text=f"One of {', '.join(Kind.values)}.")
    state = Text(source="event.state", help_text=f"One of {', '.join(_PUBLIC_STATES)}.")
    state_shown = Text(source="state_word")
    starts = Day(source="event.starts")
    ends = Day(source="event.ends")
    place = Text(source="event.place")
    region = serializers.SerializerMethodField(help_text="Code of the host region; null abroad.")
    region_name = serializers.SerializerMethodField()
    federation = Text(source="event.federation", help_text="Where it is played.")
    fide_rated = Flag(source="event.fide_rated")
    norm_event = Flag(source="event.norm_event")
    types_of_game = serializers.SerializerMethodField()
    sections = Whole()
    players = Whole(help_text="Entries in all its sections; 0 before results are there.")
    address = serializers.SerializerMethodField()

    def get_region(self, row: Any) -> str | None:
        """Return the code of the host region."""
        return None if row.event.kind == Kind.ABROAD else str(row.event.region.code)

    def get_region_name(self, row: Any) -> str | None:
        """Return the name of the host region."""
        return None if row.event.kind == Kind.ABROAD else str(row.event.region.name)

    def get_types_of_game(self, row: Any) -> list[str]:
        """Return the types of game of its sections."""
        return [name for name in row.types.split(", ") if name]

    @extend_schema_field(_ADDRESS)
    def get_address(self, row: Any) -> str:
        """Return the address of the event."""
        return self.absolute(f"/api/v1/events/{row.event.pk}/")


class TimelineStepAnswer(Answer):
    """A step of an event: done, now or next."""

    label = Text()
    state = Text(help_text="done, now or next.")
    day = Text(source="machine_day", help_text="The day; null if it is not known.")
    day_shown = Text(source="day", help_text="The day, or by when, in words.")
    by = Text(source="who", help_text="The role of who did it.")


class ArbiterAnswer(Answer):
    """An arbiter of an event."""

    role = Text()
    name = Text(source="arbiter.name")
    title = Text(source="arbiter.title")
    title_name = Text(source="arbiter.get_title_display")
    number = Text(source="arbiter.player.number", default=None, help_text="Chess SA id, if he is a player.")
    first_round = Whole(help_text="Null: for the whole event.")
    last_round = Whole()
    address = serializers.SerializerMethodField()

    @extend_schema_field(_ADDRESS)
    def get_address(self, appointment: Any) -> str:
        """Return the address of the arbiter."""
        return self.absolute(f"/api/v1/arbiters/{appointment.arbiter_id}/")


class ArbiterAppointmentAnswer(Answer):
    """An appointment of an arbiter."""

    event = Whole(source="event_id")
    event_name = Text(source="event.name")
    state = Text(source="event.state")
    starts = Day(source="event.starts")
    ends = Day(source="event.ends")
    role = Text()
    first_round = Whole(help_text="Null: for the whole event.")
    last_round = Whole()
    address = serializers.SerializerMethodField()

    @extend_schema_field(_ADDRESS)
    def get_address(self, appointment: Any) -> str:
        """Return the address of the event."""
        return self.absolute(f"/api/v1/events/{appointment.event_id}/")


class ArbiterWithAppointmentsAnswer(Answer):
    """An arbiter, as pages of events name him, with his appointments."""

    id = Whole(source="arbiter.pk")
    name = Text(source="arbiter.name")
    title = Text(source="arbiter.title")
    title_name = Text(source="arbiter.get_title_display")
    number = Text(source="arbiter.player.number", default=None, help_text="Chess SA id, if he is a player.")
    federation = Text(source="arbiter.federation")
    appointments = ArbiterAppointmentAnswer(many=True, read_only=True, help_text="The newest first.")


class SectionFactsAnswer(Answer):
    """A section of an event."""

    id = Whole()
    name = Text()
    format = Text()
    time_control = Text()
    type_of_game = Text(source="type")
    starts = Day()
    ends = Day()
    period = serializers.SerializerMethodField(
        help_text="The month in which its games count; null before it is accepted."
    )
    rated = serializers.SerializerMethodField(help_text="Whether a published run has rated it.")
    refused = serializers.SerializerMethodField(help_text="Whether the bureau refused it: its results are not public.")
    address = serializers.SerializerMethodField()

    def get_period(self, facts: Any) -> str | None:
        """Return the month."""
        return f"{facts.period:%Y-%m}" if facts.period else None

    def get_rated(self, facts: Any) -> bool:
        """Return whether it is rated."""
        return facts.run is not None

    def get_refused(self, facts: Any) -> bool:
        """Return whether it is refused."""
        return bool(facts.refused)

    @extend_schema_field(_ADDRESS)
    def get_address(self, facts: Any) -> str:
        """Return the address of the section."""
        return self.absolute(f"/api/v1/sections/{facts.id}/")


class EventAnswer(EventRowAnswer):
    """An event with its timeline, sections and arbiters."""

    state_sentence = Text(source="sentence")
    chief_organiser = Text(source="event.organiser_name")
    organising_body = Text(source="body", help_text="Of a national event (article 62.4).")
    organising_body_approved = serializers.BooleanField(
        source="body_approved", allow_null=True, read_only=True, help_text="Null if the event is not national."
    )
    results_address = Text(source="event.results_url")
    timeline = TimelineStepAnswer(source="steps", many=True, read_only=True)
    arbiters = ArbiterAnswer(many=True, read_only=True)
    section_list = SectionFactsAnswer(many=True, read_only=True)


class RoundAnswer(Answer):
    """A round of a player in the crosstable."""

    round = Whole()
    opponent_line = Whole(
        help_text="The opponent’s line in the standings; null for a bye or an opponent who is not in them."
    )
    opponent_name = Text(help_text="Of an opponent who is not in the standings.")
    colour = Text(help_text="white or black; null where it is not known or nothing was played.")
    points = Number(help_text="Null without a game.")
    result = Text(help_text="As it was recorded, from White’s side.")
    outcome = Text(help_text="win, draw, loss, unplayed, or none without a game.")


class SectionChangeAnswer(Answer):
    """What the games earned on a list."""

    list = Text()
    change = Number(help_text="Null for who is new to the list.")
    change_shown = Text()


class TieBreakAnswer(Answer):
    """A tie-break by which a section orders who is level on points."""

    code = Text(help_text="As in record 212 of a TRF26.")
    name = Text()
    about = Text(help_text="What it counts.")


class TieBreakFigureAnswer(Answer):
    """A player’s tie-break."""

    code = Text()
    value = Number()
    value_shown = Text()


class TeamAnswer(Answer):
    """A team’s line in the standings of a team event."""

    place = Whole(help_text="Shared by teams that are level in match points and board points.")
    name = Text()
    match_points = Whole(help_text="2 for a match won, 1 for one drawn.")
    board_points = Number(source="scored")
    board_points_shown = Text(source="board_points")
    won = Whole(help_text="Matches.")
    drawn = Whole()
    lost = Whole()


class TeamMatchAnswer(Answer):
    """Two teams in a round."""

    first = Text()
    second = Text()
    first_points = Number(help_text="Board points.")
    second_points = Number()


class PairingAnswer(Answer):
    """A pairing of a round."""

    board = Whole(help_text="Null for a bye, and in team events outside matches.")
    white = Text(source="white.number", help_text="Chess SA id; null for a visitor or a hidden player.")
    white_name = Text(source="white.name")
    black = Text(source="black.number", default=None, help_text="Null for a bye, a visitor or a hidden player.")
    black_name = Text(source="black.name", default=None)
    colours_known = Flag(source="colour_known")
    result = Text(source="outcome.value", help_text="From White’s side.")
    result_shown = Text(source="result")


class PairingGroupAnswer(Answer):
    """The pairings of a match of teams, or all others of a round."""

    match = TeamMatchAnswer(allow_null=True, read_only=True, help_text="Null outside matches of teams.")
    pairings = PairingAnswer(source="rows", many=True, read_only=True)


class RoundPairingsAnswer(Answer):
    """A round with its pairings."""

    round = Whole(source="number")
    groups = PairingGroupAnswer(many=True, read_only=True)


class StandingRowAnswer(Answer):
    """A player’s line in the standings, with the rounds of the crosstable."""

    line = Whole()
    rank = Whole()
    number = Text(help_text="Chess SA id; null of a hidden player.")
    name = Text()
    title = Text()
    region = Text()
    points = Number(source="figures.points")
    points_shown = Text(source="points")
    rating_before = Number(source="figures.before", help_text="Published Main rating at the start of the month.")
    rating_before_shown = Text(source="before")
    performance = Number(source="figures.performance")
    performance_shown = Text(source="performance")
    team = Text(help_text="The name of his team; null outside team events.")
    board = Whole(help_text="His board in the team.")
    tie_breaks = serializers.SerializerMethodField(help_text="In the order of the section’s `tie_breaks`.")
    changes = serializers.SerializerMethodField()
    rounds = serializers.SerializerMethodField()

    @extend_schema_field(TieBreakFigureAnswer(many=True))
    def get_tie_breaks(self, row: Any) -> list[dict[str, Any]]:
        """Return the tie-breaks."""
        return [
            {"code": tie_break.code, "value": row.figures.tie_breaks[tie_break.code], "value_shown": shown}
            for tie_break, shown in zip(self.context["tie_breaks"], row.tie_breaks, strict=True)
        ]

    @extend_schema_field(SectionChangeAnswer(many=True))
    def get_changes(self, row: Any) -> list[dict[str, Any]]:
        """Return the change on each list that counted the section."""
        changes = row.figures.changes
        return [
            {
                "list": listing.code,
                "change": changes[listing.id],
                "change_shown": "new" if changes[listing.id] is None else listing.change(changes[listing.id]),
            }
            for listing in self.context["lists"]
            if listing.id in changes
        ]

    @extend_schema_field(RoundAnswer(many=True))
    def get_rounds(self, row: Any) -> list[dict[str, Any]]:
        """Return the rounds."""
        return [
            {
                "round": number,
                "opponent_line": int(cell.opponent) if cell.opponent.isdecimal() else None,
                "opponent_name": cell.opponent if cell.opponent and not cell.opponent.isdecimal() else None,
                "colour": {"w": "white", "b": "black"}.get(cell.colour),
                "points": cell.value,
                "result": cell.result.value if cell.result else None,
                "outcome": cell.outcome,
            }
            for number, cell in enumerate(row.cells, start=1)
        ]


class SectionAnswer(SectionFactsAnswer):
    """A section with its standings and crosstable; without them where its results are not public."""

    event = Whole()
    event_name = Text()
    event_state = Text()
    results_public = Flag(help_text="False before the event is accepted, and for a refused section.")
    list_date = Day(help_text="The date of the list on which its games count; null before that is published.")
    games = Whole(help_text="Games that were played.")
    rounds = Whole()
    file = serializers.SerializerMethodField(
        help_text="Address of the results as TRF26; null where they are not public."
    )
    standings = StandingRowAnswer(source="table.rows", many=True, read_only=True)
    tie_breaks = TieBreakAnswer(
        source="table.tie_breaks",
        many=True,
        read_only=True,
        help_text="In their order; none where they cannot be calculated.",
    )
    places_note = Text(source="table.places_note", help_text="By what the places go.")
    teams = TeamAnswer(
        source="table.teams", many=True, read_only=True, help_text="Standings of the teams; none outside team events."
    )
    pairings = RoundPairingsAnswer(source="table.round_tables", many=True, read_only=True, help_text="The rounds.")

    @extend_schema_field({"type": ["string", "null"], "format": "uri"})
    def get_file(self, row: Any) -> str | None:
        """Return the address of the tournament file."""
        return self.absolute(f"/events/{row.event}/sections/{row.id}.trf") if row.results_public else None
