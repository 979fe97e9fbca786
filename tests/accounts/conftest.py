from tests.ratings.runs.conftest import queue

__all__ = ["queue"]
