"""A tournament file in one flat record, as `manage.py read` prints it. Pure."""

from events.formats.tournament import Tournament

Findings = list[dict[str, str | int | None]]


def summary(filename: str, tournament: Tournament) -> dict[str, str | int | Findings]:
    """File, format, encoding, name, figures and findings. `forfeits` and `byes` count player-rounds."""
    return {
        "file": filename,
        "format": tournament.format,
        "encoding": tournament.encoding,
        "name": tournament.name,
        "players": len(tournament.entrants),
        "rounds": tournament.rounds,
        "played_games": tournament.played_games,
        "forfeits": tournament.forfeit_slots,
        "byes": tournament.bye_slots,
        "findings": [finding.as_dict() for finding in tournament.findings],
    }
