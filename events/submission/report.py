"""The report on a checked file, as plain values for a JSON field.

Findings are grouped by what settles them, the most severe first: an answer on the page, a corrected file, or the officer.
"""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import date
from itertools import islice
from typing import Any, cast

from config.lib.names import shown
from config.lib.texts import plain_name
from events.arbiters.register import ArbiterRegister, called_with_id, with_id
from events.files.arbiters import ArbiterText, read_arbiter
from events.files.encodings import CODE_PAGE
from events.files.reader import WITHOUT_LINES
from events.files.text import read_text
from events.models import Arbiter
from events.rules.corrections import KINDS, PLAYER, named_arbiters
from events.rules.findings import Finding, Severity, spans
from events.rules.player_details import (
    RegisterDetails,
    differing_regions,
    is_full_name,
    region_of,
    unknown_regions,
    with_name,
)
from events.rules.registration import SectionData
from events.rules.tournament import Entrant, Tournament
from events.submission.arbiter_facts import MOST_ALIKE
from events.submission.compare import born, compare
from events.submission.matching import Candidate, Match
from events.submission.persons import ids_on_line, person_of, reading_for
from events.submission.validation import ValidatedFile
from players.id_bearers import known_as
from players.identity import Person, fold
from players.models import Region

MOST_LINES = 200  # of a kind on one page; the finding counts them all
_WINDOW = 76  # columns of a file's line that are shown
_RANK = {Severity.ERROR: 0, Severity.HOLD: 1, Severity.NOTE: 2}


@dataclass(frozen=True, slots=True)
class Shown:
    """A finding with its place in words and, for a text file, the part of the line: before, wrong, after."""

    severity: str
    code: str
    message: str
    article: str
    place: str
    before: str = ""
    wrong: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True)
class FindingGroup:
    """Findings that are settled together: `control` names their form, or is `file`, `officer` or `notes`."""

    control: str
    findings: list[Shown] = field(default_factory=list)


def make_report(validated: ValidatedFile, planned: SectionData | None) -> dict[str, Any]:
    """Return the report of a file, whose keys are those of the dict below."""
    tournament, corrections = validated.tournament, validated.file.corrections
    open_matches = [
        match for match in validated.matches if match.player is None and match.entrant.number not in corrections.new
    ]
    questions = (match for match in open_matches if match.candidates)
    report = {
        "read": _read(tournament),
        "counts": {severity.value: len(validated.of(severity)) for severity in Severity},
        "groups": [asdict(group) for group in _groups(validated)],
        "questions": [_question(match) for match in islice(questions, MOST_LINES)],
        "unknown": [_line(match.entrant) for match in open_matches if match.unknown],
        "not_looked_up": [_line(match.entrant) for match in open_matches if match.not_looked_up],
        "new": [
            _newcomer(match.entrant)
            for match in validated.matches
            if match.player is None and match.entrant.number in corrections.new
        ],
        "matched": [_matched(match) for match in validated.matches if match.player is not None],
        "days": _days(validated, planned),
        "span": _span(validated, planned),
        "lines": list(_table_lines(validated)),
        "arbiters": list(_arbiters(tournament)),
        "samples": [] if corrections.encoding else list(tournament.sample_names),
        "regions": _regions(validated),
        "control": {
            "file": _control(tournament),
            "all": [str(control) for control in tournament.stated_controls],
            "registered": f"{validated.file.base}+{validated.file.increment}",
        },
    }
    return cast(dict[str, Any], visible(report))


def visible(value: Any) -> Any:
    """Return a value of a report with signs for what cannot be seen, NULs among it, which databases refuse."""
    if isinstance(value, str):
        return shown(value.replace("\0", "\u2400"))
    if isinstance(value, dict):
        return {key: visible(item) for key, item in value.items()}
    return [visible(item) for item in value] if isinstance(value, list | tuple) else value


def _read(tournament: Tournament) -> dict[str, Any]:
    return {
        "format": tournament.format,
        "encoding": tournament.encoding,
        "name": tournament.name,
        "players": len(tournament.entrants),
        "rounds": tournament.rounds,
        "games": tournament.played_games,
        "forfeits": len(tournament.forfeits),
        "byes": len(tournament.byes),
    }


def _control(tournament: Tournament) -> str:
    return str(tournament.time_control or "")


def _groups(validated: ValidatedFile) -> Iterable[FindingGroup]:
    lines = _lines(validated)
    groups: dict[str, FindingGroup] = {}
    for finding in sorted(validated.findings, key=lambda finding: _RANK[finding.severity]):
        if finding.correction == PLAYER.code:
            continue  # a question or a line of `unknown`
        control = "file" if finding.severity is Severity.ERROR else "officer"
        if finding.severity is Severity.NOTE:
            control = "notes"
        elif finding.correction:
            control = KINDS[finding.correction].form
        groups.setdefault(control, FindingGroup(control)).findings.append(_shown(finding, lines))
    return (groups[control] for control in sorted(groups, key=list(groups).index))


def _lines(validated: ValidatedFile) -> Sequence[str]:
    if validated.tournament.format in WITHOUT_LINES:
        return []
    return read_text(validated.file.content, validated.file.corrections.encoding or CODE_PAGE).lines


def _shown(finding: Finding, lines: Sequence[str]) -> Shown:
    place, before, wrong, after = place_in_words(finding.line, finding.column, finding.end_column), "", "", ""
    if finding.line and finding.column and finding.line <= len(lines):
        before, wrong, after = stretch(lines[finding.line - 1], finding.column, finding.end_column or finding.column)
    if len(finding.lines) > 1:
        place = f"lines {spans(finding.lines)}"
    return Shown(finding.severity.value, finding.code, finding.message, finding.article, place, before, wrong, after)


def place_in_words(line: int | None, column: int | None, end_column: int | None) -> str:
    """Return a place in a file, 1-based and inclusive, as `line 3, columns 7–9`; "" without a line."""
    if not line:
        return ""
    first, last = column or 0, end_column or column
    return f"line {line}" + (f", column {first}" if last == first else f", columns {first}–{last}" if first else "")


def stretch(line: str, first: int, last: int) -> tuple[str, str, str]:
    """Return the text before, at and after columns `first` to `last` (from 1, inclusive) of a line, cut to a window."""
    start = max(0, min(first - 1 - 24, len(line) - _WINDOW))
    end = max(start + _WINDOW, min(last, start + 2 * _WINDOW))
    before = ("…" if start else "") + line[start : first - 1]
    after = line[last:end] + ("…" if len(line) > end else "")
    return before, line[first - 1 : min(last, end)], after


def _question(match: Match) -> dict[str, Any]:
    return {
        **_line(match.entrant),
        "candidates": [_candidate(match.entrant, candidate) for candidate in match.candidates],
    }


def _candidate(entrant: Entrant, candidate: Candidate) -> dict[str, Any]:
    player, known = candidate.player, candidate.known
    if player.erased_at:  # whom the pseudonym beside the name in the file would tell (`id_bearers.known_as`)
        known = replace(known, last_name=player.number, first_name="")
    return {
        "number": player.number,
        "name": player.number if player.erased_at else player.name,
        "region": player.region_id,
        "reason": candidate.likelihood.reason,
        "strength": candidate.likelihood.strength.value,
        "rows": [asdict(row) for row in compare(reading_for(entrant, player), known)],
    }


def _line(entrant: Entrant) -> dict[str, Any]:
    person = person_of(entrant)
    return {
        "start": entrant.number,
        "line": entrant.line,
        "name": plain_name(entrant.name),
        "born": born(person),
        "sex": person.sex,
        "national_id": person.national_id,
        "fide_id": person.fide_id,
        "region": entrant.region,
    }


def _newcomer(entrant: Entrant) -> dict[str, Any]:
    person = asdict(person_of(entrant))
    names = {part: plain_name(person[part]) for part in ("last_name", "first_name")}
    return {**person, **names, "birth_date": entrant.birth_date.isoformat() if entrant.birth_date else None}


def newcomer_of(line: dict[str, Any]) -> Person:
    """Return the person of a line of a report's `new`, for the comparison."""
    born = line["birth_date"]
    return Person(**{**line, "birth_date": date.fromisoformat(born) if born else None})


def _matched(match: Match) -> dict[str, Any]:
    player = match.player
    assert player is not None  # noqa: S101 - for the types
    return {
        "start": match.entrant.number,
        "name": plain_name(match.entrant.name),
        "number": player.number,
        "ids": ids_on_line(match.entrant),
        "known": player.number if player.erased_at else player.name,
        "region": player.region_id,
        "reason": match.reason,
    }


def _days(validated: ValidatedFile, planned: SectionData | None) -> list[dict[str, Any]]:
    """Return the rounds without a day within the section's days, each with its registered day, or the section's only one."""
    tournament, starts, ends = validated.tournament, validated.starts, validated.ends
    if any(finding.code == "dates-differ" for finding in validated.findings):
        starts = ends = None
    registered = dict(enumerate(planned.days if planned else (), start=1))
    only = planned.starts if planned and planned.starts == planned.ends else None
    days = {
        number: day
        for number, day in enumerate(tournament.round_dates, start=1)
        if day and (starts is None or starts <= day) and (ends is None or day <= ends)
    }
    return [
        {
            "round": number,
            "registered": planned_day.isoformat() if (planned_day := registered.get(number) or only) else "",
        }
        for number in range(1, tournament.rounds + 1)
        if days.get(number) is None
    ]


def _span(validated: ValidatedFile, planned: SectionData | None) -> list[str]:
    """Return the first and the last day that a round can have, [] if they are not known.

    As long as it is not said whether the days of the file or of the registration are right, it can have those of both.
    """
    spans = [(validated.starts, validated.ends)]
    if planned and any(finding.code == "dates-differ" for finding in validated.findings):
        spans.append((planned.starts, planned.ends))
    first = min((day for day, _ in spans if day), default=None)
    last = max((day for _, day in spans if day), default=None)
    return [first.isoformat(), last.isoformat()] if first and last else []


def _arbiters(tournament: Tournament) -> Iterable[dict[str, Any]]:
    """Yield the arbiters of a file whom the register of arbiters may have by another name, each with who that may be."""
    texts = {place: read_arbiter(text) for place, text in enumerate(named_arbiters(tournament)) if text.strip()}
    register = ArbiterRegister(Arbiter.objects.all() if texts else ())
    for place, text in texts.items():
        if text.name and register.find_by_text(text.name, text.id).arbiter is None and (alike := register.alike(text)):
            choices = [(_as_written(arbiter, text), called_with_id(arbiter)) for arbiter in alike[:MOST_ALIKE]]
            yield {"place": place, "name": text.name, "alike": choices}


def _as_written(arbiter: Arbiter, text: ArbiterText) -> str:
    """Return an arbiter as files name one, with the title of the file's text, which is checked against the register's."""
    return " ".join(filter(None, (text.title, with_id(arbiter.name, arbiter))))


def _regions(validated: ValidatedFile) -> dict[str, Any]:
    """Return the codes that are no region's, and the lines whose region is not the register's, without those answered."""
    entrants, matches = validated.tournament.entrants, validated.matches
    regions = list(Region.objects.values_list("pk", "code", "name"))
    codes, names = {key: code for key, code, _ in regions}, {code: name for _, code, name in regions}
    known = {
        match.entrant.number: RegisterDetails(region=codes.get(match.player.region_id or 0, ""))
        for match in matches
        if match.player is not None
    }
    differing = [
        entrant
        for entrant in differing_regions(entrants, names, known)
        if entrant.number not in validated.file.corrections.regions
    ]
    unknown = list(unknown_regions(entrants, names))
    shown = {region for entrant in differing for region in (region_of(entrant), known[entrant.number].region)}
    return {
        "unknown": unknown[:MOST_LINES],
        "differing": [
            {
                "start": entrant.number,
                "name": entrant.called,
                "file": region_of(entrant),
                "registered": known[entrant.number].region,
            }
            for entrant in differing
        ][:MOST_LINES],
        "codes": sorted(names) if unknown else [],
        "names": {code: with_name(code, names) for code in (names if unknown else shown)},
    }


def _table_lines(validated: ValidatedFile) -> Iterable[dict[str, Any]]:
    """Yield the lines that no match settles for certain, with what the file itself says of them, and their `state`: `alike`
    somebody on the register, `unknown`, `not_looked_up`, `new`, or `chosen` as somebody on the register."""
    as_read = {entrant.number: entrant for entrant in validated.read.entrants}
    for match in validated.matches:
        number, corrections = match.entrant.number, validated.file.corrections
        if match.player is not None and number not in corrections.players:
            continue
        entrant = as_read[number]
        if match.player is not None:
            state = "chosen"
        elif number in corrections.new:
            state = "new"
        else:
            state = "alike" if match.candidates else "unknown" if match.unknown else "not_looked_up"
        yield {
            **_line(entrant),
            "year": None if entrant.birth_date else entrant.birth_year,
            "given": bool(fold(entrant.last_name)) and not is_full_name(entrant),
            "state": state,
            "known": known_as(match.player) if match.player else "",
        }
