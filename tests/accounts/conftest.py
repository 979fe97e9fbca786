from tests.ratings.conftest import queue

__all__ = ["queue"]
