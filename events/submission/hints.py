"""Where an uploader answers what a message asks: on the command line, in a form of the admin, or on the page."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MessageHints:
    """Where the uploader answers: that players are new, who a line is, the section's days, the returned section.

    The places of `match` and `section` are filled with the start number and the key of the section.
    """

    create: str
    match: str
    days: str
    section: str


COMMAND_HINTS = MessageHints("--create-players", "with --match {}=NUMBER", "--started, --ended", "--section {}")
FORM_HINTS = MessageHints(
    "tick “New players”", "with a line {}=NUMBER under “Players”", "“Starts”, “Ends”", "under “Returned section”"
)
PAGE_HINTS = MessageHints(
    "with “New players” on this page", "beside the line on this page", "in the registration", "on its event’s page"
)
