"""The codes of the readers' findings, each with one severity. Pure."""

from enum import StrEnum

from events.rules.findings import Severity


class Code(StrEnum):
    """A kind of finding. Hazard: the values are stored and read by other programs; never change one."""

    # The file as a whole
    EMPTY_FILE = "empty-file"
    FILE_TOO_LARGE = "file-too-large"
    WRONG_FORMAT = "wrong-format"
    UNREADABLE_FILE = "unreadable-file"
    TRUNCATED_FILE = "truncated-file"
    DAMAGED_FILE = "damaged-file"
    UNDECODABLE_TEXT = "undecodable-text"
    ENCODING_GUESSED = "encoding-guessed"
    UNUSUAL_ENCODING = "unusual-encoding"
    DRAFT_FORMAT = "draft-format"
    # Lines
    TOO_MANY_LINES = "too-many-lines"
    NUL_CHARACTER = "nul-character"
    TAB_IN_COLUMNS = "tab-in-columns"
    TAB = "tab"
    UNKNOWN_LINE = "unknown-line"
    MISTYPED_PLAYER_LINE = "mistyped-player-line"
    INDENTED_RECORD = "indented-record"
    REPEATED_RECORD = "repeated-record"
    MISSING_RECORD = "missing-record"
    UNREADABLE_VALUE = "unreadable-value"
    # Tables (CSV)
    MISSING_COLUMN = "missing-column"
    REPEATED_COLUMN = "repeated-column"
    UNKNOWN_COLUMN = "unknown-column"
    BAD_QUOTES = "bad-quotes"
    EXTRA_CELLS = "extra-cells"
    FORMULA_CELL = "formula-cell"
    SPOILED_NUMBER = "spoiled-number"
    # Dates and time control
    DATE_FORMAT = "date-format"
    UNREADABLE_DATE = "unreadable-date"
    DATES_REVERSED = "dates-reversed"
    ROUND_OUTSIDE_DATES = "round-outside-dates"
    TIME_CONTROL_UNREAD = "time-control-unread"
    TIME_CONTROLS_DIFFER = "time-controls-differ"
    UNKNOWN_TYPE_CODE = "unknown-type-code"
    DEPUTY_LIST = "deputy-list"
    # Players
    NO_PLAYERS = "no-players"
    TOO_MANY_PLAYERS = "too-many-players"
    BAD_START_NUMBER = "bad-start-number"
    DUPLICATE_START_NUMBER = "duplicate-start-number"
    START_NUMBER_GAP = "start-number-gap"
    PLAYER_COUNT_DIFFERS = "player-count-differs"
    MISALIGNED_LINE = "misaligned-line"
    BYTE_COLUMNS = "byte-columns"
    NAME_BEYOND_COLUMNS = "name-beyond-columns"
    STRAY_TEXT = "stray-text"
    MISSING_NAME = "missing-name"
    NAME_WITHOUT_COMMA = "name-without-comma"
    SEX_SPELLING = "sex-spelling"
    OLD_TITLE = "old-title"
    UNKNOWN_TITLE = "unknown-title"
    UNREADABLE_RATING = "unreadable-rating"
    UNKNOWN_FEDERATION = "unknown-federation"
    NATIONAL_ID_IN_FIDE_COLUMN = "national-id-in-fide-column"
    REPEATED_ID = "repeated-id"
    BAD_ID = "bad-id"
    ID_SPELLING = "id-spelling"
    ID_WITHOUT_ZEROS = "id-without-zeros"
    ID_TAKEN_AS_FIDE = "id-taken-as-fide"
    ID_WITH_TWO_NAMES = "id-with-two-names"
    NAME_OF_TWO = "name-of-two"
    NAME_OF_TWO_IDS = "name-of-two-ids"
    NAME_LEFT_OUT = "name-left-out"
    DETAILS_DIFFER = "details-differ"
    BIRTH_DATE_FORMAT = "birth-date-format"
    UNREADABLE_BIRTH_DATE = "unreadable-birth-date"
    POINTS_SPELLING = "points-spelling"
    UNREADABLE_POINTS = "unreadable-points"
    POINTS_DIFFER = "points-differ"
    MISSING_RANK = "missing-rank"
    NATIONAL_LINE_WITHOUT_PLAYER = "national-line-without-player"
    REPEATED_NATIONAL_LINE = "repeated-national-line"
    TEAM_MEMBER_NOT_IN_FILE = "team-member-not-in-file"
    # Rounds
    TOO_MANY_ROUNDS = "too-many-rounds"
    MORE_ROUNDS_THAN_PLANNED = "more-rounds-than-planned"
    BAD_ROUND = "bad-round"
    ROUND_LEFT_OUT = "round-left-out"
    ROUND_DATES_DIFFER = "round-dates-differ"
    PAIRED_TWICE = "paired-twice"
    BAD_OPPONENT = "bad-opponent"
    OPPONENT_NOT_IN_FILE = "opponent-not-in-file"
    SELF_PAIRING = "self-pairing"
    ONE_SIDED_PAIRING = "one-sided-pairing"
    CONTRADICTORY_PAIRING = "contradictory-pairing"
    SAME_COLOURS = "same-colours"
    UNKNOWN_COLOUR = "unknown-colour"
    COLOUR_INFERRED = "colour-inferred"
    UNKNOWN_RESULT = "unknown-result"
    RESULT_SPELLING = "result-spelling"
    ILLEGAL_RESULT_PAIR = "illegal-result-pair"
    PENALTY_RESULT = "penalty-result"
    UNFINISHED_GAME = "unfinished-game"
    UNKNOWN_RESULT_CODE = "unknown-result-code"
    BYE_WITH_OPPONENT = "bye-with-opponent"
    RESULT_WITHOUT_OPPONENT = "result-without-opponent"
    PLANNED_ABSENCE = "planned-absence"
    LEGACY_BYE = "legacy-bye"
    SECOND_PAIRING_BYE = "second-pairing-bye"


_ERRORS = frozenset(
    {
        Code.EMPTY_FILE,
        Code.FILE_TOO_LARGE,
        Code.WRONG_FORMAT,
        Code.UNREADABLE_FILE,
        Code.TRUNCATED_FILE,
        Code.DAMAGED_FILE,
        Code.UNDECODABLE_TEXT,
        Code.TOO_MANY_LINES,
        Code.NUL_CHARACTER,
        Code.TAB_IN_COLUMNS,
        Code.MISTYPED_PLAYER_LINE,
        Code.MISSING_COLUMN,
        Code.REPEATED_COLUMN,
        Code.BAD_QUOTES,
        Code.EXTRA_CELLS,
        Code.FORMULA_CELL,
        Code.SPOILED_NUMBER,
        Code.NO_PLAYERS,
        Code.TOO_MANY_PLAYERS,
        Code.BAD_START_NUMBER,
        Code.DUPLICATE_START_NUMBER,
        Code.MISALIGNED_LINE,
        Code.MISSING_NAME,
        Code.BAD_ID,
        Code.ID_WITH_TWO_NAMES,
        Code.NAME_OF_TWO,
        Code.TOO_MANY_ROUNDS,
        Code.MORE_ROUNDS_THAN_PLANNED,
        Code.BAD_ROUND,
        Code.PAIRED_TWICE,
        Code.BAD_OPPONENT,
        Code.OPPONENT_NOT_IN_FILE,
        Code.SELF_PAIRING,
        Code.ONE_SIDED_PAIRING,
        Code.CONTRADICTORY_PAIRING,
        Code.SAME_COLOURS,
        Code.UNKNOWN_RESULT,
        Code.ILLEGAL_RESULT_PAIR,
        Code.BYE_WITH_OPPONENT,
    }
)
_HOLDS = frozenset(
    {
        Code.NAME_OF_TWO_IDS,
        Code.NAME_LEFT_OUT,
        Code.DETAILS_DIFFER,
        Code.ROUND_LEFT_OUT,
        Code.PENALTY_RESULT,
        Code.UNFINISHED_GAME,
        Code.UNKNOWN_RESULT_CODE,
        Code.RESULT_WITHOUT_OPPONENT,
    }
)

SEVERITY_OF: dict[Code, Severity] = {
    code: Severity.ERROR if code in _ERRORS else Severity.HOLD if code in _HOLDS else Severity.NOTE for code in Code
}
