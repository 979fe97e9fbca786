"""Memory for the frames of a test's calls, in one piece.

CPython 3.11 takes it in pieces of 16 KiB and gives each back as soon as it is empty. Calls that go to and fro across the end of
one, as deep as a page's are below pytest's, ask the system for memory each time: a tenth and more of the suite's time.
"""

from _pytest.runner import runtestprotocol

# A frame that needs more than a piece gets one of the next power of two, 512 KiB, of which half is left for those below it.
_SLOTS = 2**15 + 1


def run_test(item, nextitem) -> None:
    """Run a test with its set-up and what follows it."""
    runtestprotocol(item, nextitem=nextitem)


run_test.__code__ = run_test.__code__.replace(co_stacksize=_SLOTS)
