"""The codes of the readers' findings, each with one severity. Pure."""

from enum import StrEnum

from events.rules.findings import Severity


class Code(StrEnum):
    """A kind of finding and its severity, by default a note.

    Hazard: the values are stored and read by other programs; never change one.
    """

    severity: Severity

    def __new__(cls, value: str, severity: Severity = Severity.NOTE) -> "Code":
        """Make a member with its severity."""
        code = str.__new__(cls, value)
        code._value_, code.severity = value, severity
        return code

    # The file as a whole
    EMPTY_FILE = "empty-file", Severity.ERROR
    FILE_TOO_LARGE = "file-too-large", Severity.ERROR
    WRONG_FORMAT = "wrong-format", Severity.ERROR
    UNREADABLE_FILE = "unreadable-file", Severity.ERROR
    TRUNCATED_FILE = "truncated-file", Severity.ERROR
    DAMAGED_FILE = "damaged-file", Severity.ERROR
    UNDECODABLE_TEXT = "undecodable-text", Severity.ERROR
    ENCODING_GUESSED = "encoding-guessed"
    UNUSUAL_ENCODING = "unusual-encoding"
    DRAFT_FORMAT = "draft-format"
    # Several files in one (SwissPerfect)
    MISSING_FILE = "missing-file", Severity.ERROR
    FILES_OF_TWO = "files-of-two", Severity.ERROR
    UNUSED_FILE = "unused-file"
    EMPTY_RECORD = "empty-record"
    # Lines
    TOO_MANY_RECORDS = "too-many-records", Severity.ERROR
    TOO_MANY_LINES = "too-many-lines", Severity.ERROR
    TOO_MANY_FAULTY_LINES = "too-many-faulty-lines", Severity.ERROR
    NUL_CHARACTER = "nul-character", Severity.ERROR
    CONTROL_CHARACTER = "control-character", Severity.ERROR
    TAB_IN_COLUMNS = "tab-in-columns", Severity.ERROR
    TAB = "tab"
    UNKNOWN_LINE = "unknown-line"
    MISTYPED_PLAYER_LINE = "mistyped-player-line", Severity.ERROR
    INDENTED_RECORD = "indented-record"
    REPEATED_RECORD = "repeated-record"
    MISSING_RECORD = "missing-record"
    UNREADABLE_VALUE = "unreadable-value"
    # Tables (CSV)
    TOO_MANY_COLUMNS = "too-many-columns", Severity.ERROR
    MISSING_COLUMN = "missing-column", Severity.ERROR
    REPEATED_COLUMN = "repeated-column", Severity.ERROR
    UNKNOWN_COLUMN = "unknown-column"
    LIKELY_COLUMN = "likely-column"
    NO_IDS = "no-ids"
    BAD_QUOTES = "bad-quotes", Severity.ERROR
    EXTRA_CELLS = "extra-cells", Severity.ERROR
    LONG_CELL = "long-cell", Severity.ERROR
    FORMULA_CELL = "formula-cell", Severity.ERROR
    SPOILED_NUMBER = "spoiled-number", Severity.ERROR
    SPOILED_DATE = "spoiled-date", Severity.ERROR
    # Dates and time control
    DATE_FORMAT = "date-format"
    UNREADABLE_DATE = "unreadable-date"
    DATES_REVERSED = "dates-reversed"
    ROUND_OUTSIDE_DATES = "round-outside-dates"
    TIME_CONTROL_UNREAD = "time-control-unread"
    TIME_CONTROLS_DIFFER = "time-controls-differ"
    UNKNOWN_TYPE_CODE = "unknown-type-code"
    DEPUTY_LIST = "deputy-list"
    LONG_LIST = "long-list"
    LONG_TEXT = "long-text"
    # Players
    NO_PLAYERS = "no-players", Severity.ERROR
    TOO_MANY_PLAYERS = "too-many-players", Severity.ERROR
    BAD_START_NUMBER = "bad-start-number", Severity.ERROR
    DUPLICATE_START_NUMBER = "duplicate-start-number", Severity.ERROR
    START_NUMBER_GAP = "start-number-gap"
    OTHER_NUMBERS = "other-numbers"
    PLAYER_COUNT_DIFFERS = "player-count-differs"
    MISALIGNED_LINE = "misaligned-line", Severity.ERROR
    BYTE_COLUMNS = "byte-columns"
    NAME_BEYOND_COLUMNS = "name-beyond-columns"
    STRAY_TEXT = "stray-text"
    MISSING_NAME = "missing-name", Severity.ERROR
    NAME_WITHOUT_COMMA = "name-without-comma"
    NAME_IN_ONE_CASE = "name-in-one-case"
    UNREADABLE_NAME = "unreadable-name", Severity.ERROR
    LONG_NAME = "long-name", Severity.ERROR
    DUPLICATE_ID = "duplicate-id", Severity.ERROR
    DUPLICATE_NAME = "duplicate-name", Severity.ERROR
    UNKNOWN_REGION = "unknown-region"
    SEX_SPELLING = "sex-spelling"
    OLD_TITLE = "old-title"
    UNKNOWN_TITLE = "unknown-title"
    UNREADABLE_RATING = "unreadable-rating"
    UNKNOWN_FEDERATION = "unknown-federation"
    NATIONAL_ID_IN_FIDE_COLUMN = "national-id-in-fide-column"
    REPEATED_ID = "repeated-id"
    BAD_ID = "bad-id", Severity.ERROR
    ID_SPELLING = "id-spelling"
    ID_WITHOUT_ZEROS = "id-without-zeros"
    ID_TAKEN_AS_FIDE = "id-taken-as-fide"
    ID_WITH_TWO_NAMES = "id-with-two-names", Severity.ERROR
    NAME_OF_TWO = "name-of-two", Severity.ERROR
    NAME_OF_TWO_IDS = "name-of-two-ids", Severity.HOLD
    NAME_LEFT_OUT = "name-left-out", Severity.HOLD
    DETAILS_DIFFER = "details-differ", Severity.HOLD
    BIRTH_DATE_FORMAT = "birth-date-format"
    UNKNOWN_BIRTH_DATE = "unknown-birth-date"
    UNREADABLE_BIRTH_DATE = "unreadable-birth-date"
    DAY_OR_MONTH_FIRST = "day-or-month-first", Severity.ERROR
    DATE_ORDER = "date-order"
    POINTS_SPELLING = "points-spelling"
    UNREADABLE_POINTS = "unreadable-points"
    POINTS_DIFFER = "points-differ"
    BONUS = "bonus"
    MISSING_RANK = "missing-rank"
    NATIONAL_LINE_WITHOUT_PLAYER = "national-line-without-player"
    REPEATED_NATIONAL_LINE = "repeated-national-line"
    TEAM_MEMBER_NOT_IN_FILE = "team-member-not-in-file"
    # Rounds
    TOO_MANY_ROUNDS = "too-many-rounds", Severity.ERROR
    TOO_MANY_CELLS = "too-many-cells", Severity.ERROR
    MORE_ROUNDS_THAN_PLANNED = "more-rounds-than-planned", Severity.ERROR
    BAD_ROUND = "bad-round", Severity.ERROR
    ROUND_LEFT_OUT = "round-left-out", Severity.HOLD
    ROUND_DATES_DIFFER = "round-dates-differ"
    PAIRED_TWICE = "paired-twice", Severity.ERROR
    BAD_OPPONENT = "bad-opponent", Severity.ERROR
    OPPONENT_NOT_IN_FILE = "opponent-not-in-file", Severity.ERROR
    SELF_PAIRING = "self-pairing", Severity.ERROR
    ONE_SIDED_PAIRING = "one-sided-pairing", Severity.ERROR
    CONTRADICTORY_PAIRING = "contradictory-pairing", Severity.ERROR
    SAME_COLOURS = "same-colours", Severity.ERROR
    UNKNOWN_COLOUR = "unknown-colour"
    COLOUR_INFERRED = "colour-inferred"
    UNKNOWN_RESULT = "unknown-result", Severity.ERROR
    RESULT_SPELLING = "result-spelling"
    ILLEGAL_RESULT_PAIR = "illegal-result-pair", Severity.ERROR
    PENALTY_RESULT = "penalty-result", Severity.HOLD
    UNFINISHED_GAME = "unfinished-game", Severity.HOLD
    UNKNOWN_RESULT_CODE = "unknown-result-code", Severity.HOLD
    BYE_WITH_OPPONENT = "bye-with-opponent", Severity.ERROR
    RESULT_WITHOUT_OPPONENT = "result-without-opponent", Severity.HOLD
    PLANNED_ABSENCE = "planned-absence"
    LEGACY_BYE = "legacy-bye"
    SECOND_PAIRING_BYE = "second-pairing-bye"
