"""What the API says of files that are sent in, and of one's own events."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.manners.fields import Answer, Day, Flag, Moment, Text, TypedText, Whole
from config.lib.shown_rows import MOST_SHOWN
from events.models import Kind
from events.rules.sizes import LONGEST_REASON
from events.rules.states import State
from events.submission.correction_forms import FORMS

_ADDRESS = {"type": "string", "format": "uri"}
FILE_STATES = {
    "missing": "there is none yet",
    "checking": "a worker still checks it",
    "failed": "it could not be checked: `error` says why",
    "checked": "`findings` says what is wrong with it",
    "submitted": "it is sent in",
    "returned": "it was sent in and came back: send in another",
}


class FileWords(serializers.Serializer[Any]):
    """Words of a file that is sent in."""

    name = TypedText(
        max_length=255, required=False, default="file", help_text="The file’s name, which stays on record."
    )


class OpenAnswer(Answer):
    """What keeps an event from being submitted."""

    code = Text()
    message = Text()
    section = Whole(help_text="Null: the event as a whole.")


class FileFindingAnswer(Answer):
    """What the check finds in a file."""

    severity = Text(help_text="error, hold or note.")
    code = Text(help_text="As on the page.")
    message = Text()
    article = Text()
    place = Text(help_text="As in “line 12, columns 15–47”.")
    text = serializers.SerializerMethodField(help_text="What stands at the place.")
    settled_by = serializers.SerializerMethodField(
        help_text="file: a corrected file; page: an answer on the page; officer: the ratings officer decides; note: nothing."
    )

    def get_text(self, finding: Any) -> str | None:
        """Return the text at the place."""
        return finding["wrong"] or None

    def get_settled_by(self, finding: Any) -> str:
        """Return what settles it."""
        return "page" if finding["control"] in FORMS else {"notes": "note"}.get(finding["control"], finding["control"])


class CandidateLineAnswer(Answer):
    """A player who may be the one of a line."""

    number = Text()
    name = Text()
    region = Text()


class OpenLineAnswer(Answer):
    """A line whose player is not known: it is answered on the page, or corrected in the file."""

    start = Whole(help_text="The starting number.")
    line = Whole(help_text="The line of the file.")
    name = Text()
    candidates = serializers.SerializerMethodField(help_text="Who may be meant; empty if nobody is found.")

    @extend_schema_field(CandidateLineAnswer(many=True))
    def get_candidates(self, line: Any) -> Any:
        """Return who may be meant."""
        return CandidateLineAnswer(line.get("candidates", []), many=True).data


class PenaltyAnswer(Answer):
    """A penalty that the file proposes; whether it is due is answered on the page."""

    what = Text()
    points = Text()
    article = Text()
    answer = Text(help_text="Null as long as it is not answered.")


class SectionFileAnswer(Answer):
    """The file of a section that is to be sent in, with what the check finds."""

    event = Whole(source="section.event_id")
    section = Whole(source="section.pk")
    section_name = Text(source="section.name")
    status = serializers.SerializerMethodField(help_text="Where to ask how far it is.")
    page = serializers.SerializerMethodField(help_text="Where a person answers what is open.")
    state = serializers.SerializerMethodField(
        help_text="; ".join(f"{state}: {meaning}" for state, meaning in FILE_STATES.items()) + "."
    )
    name = serializers.SerializerMethodField()
    sha256 = serializers.SerializerMethodField(help_text="Of its bytes.")
    received_at = serializers.SerializerMethodField()
    error = Text(source="upload.error", default=None)
    errors = serializers.SerializerMethodField()
    holds = serializers.SerializerMethodField(
        help_text="They are submitted with a reason; the ratings officer decides."
    )
    findings = FileFindingAnswer(many=True, read_only=True)
    lines = OpenLineAnswer(many=True, read_only=True)
    penalties = PenaltyAnswer(
        many=True, read_only=True, help_text=f"The first {MOST_SHOWN} without an answer, and with one."
    )
    more_penalties = Whole(help_text="How many more there are.")
    open = OpenAnswer(
        many=True, read_only=True, help_text="What keeps the event from being submitted, in all its sections."
    )

    @extend_schema_field(_ADDRESS)
    def get_status(self, row: Any) -> str:
        """Return the address of the file."""
        return self.absolute(f"/api/v1/events/{row.section.event_id}/sections/{row.section.pk}/file/")

    @extend_schema_field(_ADDRESS)
    def get_page(self, row: Any) -> str:
        """Return the address of the page."""
        return self.absolute(f"/events/{row.section.event_id}/results/#section-{row.section.pk}")

    def get_state(self, row: Any) -> str:
        """Return how far it is."""
        if row.upload is None:
            return "missing" if row.submission is None else "returned" if row.page.open else "submitted"
        if row.upload.error:
            return "failed"
        return "checking" if row.upload.pending else "checked"

    def get_name(self, row: Any) -> str | None:
        """Return the file's name."""
        return row.kept.name if row.kept else None

    def get_sha256(self, row: Any) -> str | None:
        """Return the hash."""
        return row.kept.file.sha256 if row.kept else None

    @extend_schema_field({"type": ["string", "null"], "format": "date-time"})
    def get_received_at(self, row: Any) -> str | None:
        """Return when it came."""
        return Moment().to_representation(row.kept.at) if row.kept else None

    def get_errors(self, row: Any) -> int:
        """Return how many errors there are."""
        return int(row.counts.get("error", 0))

    def get_holds(self, row: Any) -> int:
        """Return how many holds there are."""
        return int(row.counts.get("hold", 0))


class SubmitFormAnswer(Answer):
    """What is declared when an event is submitted, and what keeps it from that."""

    event = Whole(source="event.pk")
    state = Text(source="event.state")
    ready = serializers.SerializerMethodField(help_text="Whether it can be submitted now.")
    open = OpenAnswer(source="obstacles", many=True, read_only=True)
    holds = Whole(help_text="Findings on hold: above 0, `reason` must say why they should not stand in the way.")
    last_day = Day(source="last_machine_day", help_text="On which submitting closes (article 61).")
    declaration = serializers.SerializerMethodField(help_text="The text to send back, once it is true.")
    sending = Flag(
        help_text="Whether it is declared, and a worker is to send it in: ask again until it is `submitted`."
    )
    not_sent = Text(help_text="Why it could not be sent in as it was declared; null without that.")
    version = Text(
        source="shown", help_text="Changes with registration, files and answers: send it to submit just these."
    )

    def get_ready(self, page: Any) -> bool:
        """Return whether nothing is open."""
        return not page.obstacles and not page.sending

    def get_declaration(self, page: Any) -> str:
        """Return the text of the declaration."""
        return str(self.context["declaration"])


class SubmitRequest(serializers.Serializer[Any]):
    """The declaration with which an event is submitted."""

    declaration = TypedText(max_length=1000, help_text="The text that GET gives, letter by letter.")
    reason = TypedText(
        max_length=LONGEST_REASON,
        required=False,
        allow_blank=True,
        default="",
        help_text="Why findings on hold should not stand in the way.",
    )
    version = TypedText(
        max_length=2000,
        required=False,
        help_text="As GET gave it; if something has changed since, nothing is submitted.",
    )


class SubmittedSectionAnswer(Answer):
    """A section with the file that was submitted."""

    section = Whole(source="section_id")
    name = Text()
    sha256 = Text(source="file.sha256")


class SubmittedAnswer(Answer):
    """An event that is submitted: the ratings officer has it now. It has no `sections` while a worker is to send it in."""

    event = Whole(source="event.pk")
    state = Text(source="event.state")
    sections = SubmittedSectionAnswer(many=True, read_only=True)


class OwnSectionAnswer(Answer):
    """A section of one’s own event."""

    id = Whole(source="pk")
    name = Text()
    file = serializers.SerializerMethodField(help_text="The address of its file.")

    @extend_schema_field(_ADDRESS)
    def get_file(self, section: Any) -> str:
        """Return the address of its file."""
        return self.absolute(f"/api/v1/events/{section.event_id}/sections/{section.pk}/file/")


class OwnEventAnswer(Answer):
    """An event of the token’s user, as on the page My events."""

    id = Whole(source="own.event.pk")
    name = Text(source="own.event.name")
    kind = Text(source="own.event.kind", help_text=f"One of {', '.join(Kind.values)}.")
    region = Text(source="own.event.region.code")
    starts = Day(source="own.event.starts")
    ends = Day(source="own.event.ends")
    state = Text(source="own.event.state", help_text=f"One of {', '.join(state.value for state in State)}.")
    state_shown = Text(source="own.state_word")
    next = Text(source="own.next", help_text="What is next, in words; null if nothing is left to do.")
    due = Text(source="own.due", help_text="By when, with its article.")
    overdue = Flag(source="own.urgent")
    submits = Flag(help_text="Whether the user sends in its results.")
    open = OpenAnswer(
        many=True, read_only=True, help_text="What keeps it from being submitted, while results are awaited."
    )
    sections = OwnSectionAnswer(many=True, read_only=True)
