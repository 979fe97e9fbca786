"""Reads FIDE's tournament report files, TRF16 and TRF26, with the extensions of JaVaFo and bbpPairings. Pure."""

from dataclasses import replace

from events.files.checks import check_dates, check_ids, check_name, check_numbers, check_rounds
from events.files.codes import Code
from events.files.collector import Report
from events.files.encodings import check_encoding, sample_names
from events.files.text import Text
from events.files.trf.cells import TrfCell
from events.files.trf.header import Header, read_header
from events.files.trf.lines import PLAYER_TAG, Records, TrfLine, sort_lines
from events.files.trf.national import add_national
from events.files.trf.pairings import count_slots, pair_up
from events.files.trf.players import PlayerLine, read_player
from events.files.trf.points import check_points
from events.files.trf.teams import read_teams
from events.rules.limits import MAX_CELLS, MAX_PLAYERS
from events.rules.tournament import Tournament

_POINTS_END = 84


def read_trf(text: Text, report: Report) -> Tournament:
    """Return the tournament of a TRF, whose records may be in any order. Unreadable parts are reported and left out."""
    records = sort_lines(text, report)
    if records.draft:
        report.add(
            Code.DRAFT_FORMAT,
            "The file is headed as FIDE’s draft of 2024, which numbers its records for teams, byes and forfeits otherwise "
            "than TRF26; these are not read.",
        )
    header = read_header(records, report)
    lines, unread = _players(records.of(PLAYER_TAG), text, report)
    _check_end(text, records, report)
    entrants, unclaimed = add_national(
        {number: line.entrant for number, line in lines.items()}, records.national, header.federation, report
    )
    forfeits, byes = count_slots(lines.values())
    tournament = Tournament(
        format=records.format,
        encoding=text.encoding,
        name=header.name,
        city=header.city,
        federation=header.federation,
        starts=header.starts,
        ends=header.ends,
        rounds=max((line.rounds for line in lines.values()), default=0),
        planned_rounds=header.rounds,
        round_dates=header.round_dates,
        kind=header.kind,
        kind_code=header.kind_code,
        chief_arbiter=header.chief_arbiter,
        deputy_arbiters=header.deputy_arbiters,
        time_control_text=header.time_control_text,
        time_control=header.time_control,
        time_controls=header.time_controls,
        tie_breaks=header.tie_breaks,
        entrants=tuple(entrants.values()),
        pairings=tuple(pair_up(lines, unread, report)),
        teams=read_teams(records, lines.keys(), report),
        forfeit_slots=forfeits,
        bye_slots=byes,
        extra_lines=(*records.extra, *unclaimed),
    )
    _check(tournament, header, records, lines, report)
    texts = (tournament.name, tournament.city, tournament.chief_arbiter)
    samples = sample_names(text, (*(entrant.name for entrant in tournament.entrants), *texts))
    check_encoding(text, samples, report)
    return replace(tournament, sample_names=samples, findings=report.findings())


def _players(player_lines: list[TrfLine], text: Text, report: Report) -> tuple[dict[int, PlayerLine], frozenset[int]]:
    """Return the players by start number, and the numbers whose lines are unreadable or repeated."""
    lines: dict[int, PlayerLine] = {}
    unread: set[int] = set()
    cells: dict[str, TrfCell] = {}
    left = MAX_CELLS
    utf8 = text.encoding in ("utf-8", "utf-8-sig")
    for line in player_lines[:MAX_PLAYERS]:
        player = read_player(line, utf8, cells, report)
        if player is None:
            continue
        left -= len(player.cells)
        if left < 0:
            message = (
                f"Up to this line the players have more than {MAX_CELLS} rounds together; the rest is not read. Send one "
                "section alone."
            )
            report.add(Code.TOO_MANY_CELLS, message, line.number)
            break
        number = player.entrant.number
        if number in lines:
            other = lines[number].entrant.line
            message = f"The start number {number} is that of line {other} too; no two players have the same."
            report.add(Code.DUPLICATE_START_NUMBER, message, line.number, 5, 8)
            unread.add(number)
            continue
        lines[number] = player
        if not player.whole:
            unread.add(number)
    if len(player_lines) > MAX_PLAYERS:
        message = f"The file has {len(player_lines)} player lines, at most {MAX_PLAYERS} can be told apart. Split it."
        report.add(Code.TOO_MANY_PLAYERS, message, player_lines[MAX_PLAYERS].number)
    if not lines:
        report.add(Code.NO_PLAYERS, "The file has no player (record 001). Export the tournament with its players.")
    return lines, frozenset(unread)


def _check_end(text: Text, records: Records, report: Report) -> None:
    """Report a cut-off file: its last line has no line break and stops before the points."""
    players = records.of(PLAYER_TAG)
    last = text.lines[-1] if text.lines else ""
    cut_player = last.startswith(PLAYER_TAG) and len(last.rstrip()) < _POINTS_END
    cut_tag = len(players) > 0 and 0 < len(last.strip()) < len(PLAYER_TAG)
    if not text.ends_with_line_break and (cut_player or cut_tag):
        message = "The last line stops in the middle: the file was cut off on its way. Send it again."
        report.add(Code.TRUNCATED_FILE, message, len(text.lines), len(last.rstrip()) or 1)


def _check(
    tournament: Tournament, header: Header, records: Records, lines: dict[int, PlayerLine], report: Report
) -> None:
    check_numbers(list(lines), report)
    _check_names(tournament, lines, report)
    check_ids(tournament.entrants, report)
    check_points(lines.values(), records, report)
    check_dates(
        tournament.starts,
        tournament.ends,
        tournament.round_dates,
        (_first_line(records, "042"), _first_line(records, "132")),
        report,
    )
    check_rounds(tournament, _first_line(records, "142") or _first_line(records, "XXR"), report)
    if header.players is not None and header.players != len(lines):
        message = f"Record 062 says {header.players} players, the file has {len(lines)}."
        report.add(Code.PLAYER_COUNT_DIFFERS, message, _first_line(records, "062"), 5)


def _check_names(tournament: Tournament, lines: dict[int, PlayerLine], report: Report) -> None:
    """Report players without a name, whom at best an id tells, perhaps that of their national line."""
    for entrant in tournament.entrants:
        line = lines[entrant.number]
        if line.whole:
            check_name(entrant, f"Player {entrant.number}", report, line.line, (15, 47))


def _first_line(records: Records, tag: str) -> int | None:
    lines = records.of(tag)
    return lines[0].number if lines else None
