"""What the API reads and answers of rating cases and tournament files."""

from typing import Any

from rest_framework import serializers

from api.manners.fields import Answer, Text, Whole
from ratings.cases.fields import MOST_CASES, MOST_EVENTS, MOST_PLAYERS, MOST_TAKING_PART

CASE = {
    "type": "object",
    "description": (
        f"A rating case of the system, as `manage.py rate` reads it; or a list of at most {MOST_CASES} cases. `system` may be"
        f" left out. All cases together have at most {MOST_PLAYERS} players. icu, uscf and cfc rate one event after the other:"
        f" at most {MOST_EVENTS} in all, and at most {MOST_TAKING_PART} players, each counted in every event in which he"
        " plays."
    ),
    "additionalProperties": True,
}
CASES = {"oneOf": [CASE, {"type": "array", "items": CASE}]}
ANSWER = {
    "type": "object",
    "description": "The figures, as `manage.py rate` prints them.",
    "additionalProperties": True,
}
ANSWERS = {"oneOf": [ANSWER, {"type": "array", "items": ANSWER}]}


class FileRequest(serializers.Serializer[Any]):
    """A tournament file as a part of a form."""

    file = serializers.FileField(
        help_text="TRF16, TRF26, TUNX, SwissPerfect’s zip or CSV of results.", allow_empty_file=True
    )


class FindingAnswer(Answer):
    """What is wrong with the file, and how to correct it."""

    severity = Text(help_text="error (blocks), hold (an officer decides) or note.")
    code = Text()
    line = Whole()
    column = Whole()
    message = Text()


class CheckAnswer(Answer):
    """What a tournament file holds, as `manage.py read` prints it."""

    file = Text(help_text="The name with which it was sent.")
    format = Text()
    encoding = Text()
    name = Text(help_text="Of the tournament.")
    players = Whole()
    rounds = Whole()
    played_games = Whole()
    forfeits = Whole(help_text="Counted for each player and round.")
    byes = Whole(help_text="Counted for each player and round.")
    findings = FindingAnswer(many=True, read_only=True)
