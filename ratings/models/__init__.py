"""Rating lists, periods' runs and the ratings that runs write."""

from ratings.models.adjustments import MOST_POINTS, Adjustment
from ratings.models.downloads import Download
from ratings.models.erasures import Erasure
from ratings.models.fide_changes import FideChange
from ratings.models.import_jobs import ImportJob, ImportPiece
from ratings.models.listed_players import ListedPlayer
from ratings.models.live import LiveList, LiveRating
from ratings.models.merges import DistinctPair, DuplicateSearch, LikelyDuplicate, Merge
from ratings.models.notices import Notice
from ratings.models.rating_lists import RatingList, System
from ratings.models.ratings import Activity, FormerRating, Performance, Rating, RunPerson, rating_field
from ratings.models.reratings import AmendingFile, Amendment, Rerating
from ratings.models.runs import PublishedRun, RatingRun, Revision
from ratings.models.seals import Seal

__all__ = [
    "MOST_POINTS",
    "Activity",
    "Adjustment",
    "AmendingFile",
    "Amendment",
    "DistinctPair",
    "Download",
    "DuplicateSearch",
    "Erasure",
    "FideChange",
    "FormerRating",
    "ImportJob",
    "ImportPiece",
    "LikelyDuplicate",
    "ListedPlayer",
    "LiveList",
    "LiveRating",
    "Merge",
    "Notice",
    "Performance",
    "PublishedRun",
    "Rating",
    "RatingList",
    "RatingRun",
    "Rerating",
    "Revision",
    "RunPerson",
    "Seal",
    "System",
    "rating_field",
]
