import pytest

from tests.accounts.world import World, made_world
from tests.ratings.conftest import queue

__all__ = ["queue"]


@pytest.fixture
def world(db) -> World:
    return made_world()
