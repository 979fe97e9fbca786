"""Two workers or two officers with the same month make one run."""

from tests.faults.month import START
from tests.faults.test_killed import STATE, WAKE


def test_two_officers_start_the_same_month(month, undisturbed):
    bureau = month("accepted")
    both = bureau.spawn("calculate", "2024-03"), bureau.spawn("calculate", "2024-03")
    assert 0 in [process.wait() for process in both]  # the other one does not wait, or finds it done
    assert bureau.value("SELECT count(*) FROM ratings_ratingrun") == 1
    assert bureau.figures() == undisturbed


def test_two_workers_get_the_same_run(month, undisturbed):
    bureau = month("accepted")
    bureau.worker()
    bureau.worker()
    bureau.python(START + WAKE + "from ratings.tasks import calculate_or_publish\nfrom ratings.models import RatingRun\n"
                  "for _ in range(4): calculate_or_publish.delay(RatingRun.objects.get().pk)")  # fmt: skip
    bureau.wait_until(STATE, {"calculated"})
    assert bureau.rows("SELECT count(*), max(attempts) FROM ratings_ratingrun") == [(1, 1)]
    assert bureau.figures() == undisturbed


def test_one_officer_publishes_while_another_does(month, undisturbed):
    bureau = month("calculated")
    both = bureau.spawn("publish", "2024-03"), bureau.spawn("publish", "2024-03")
    assert 0 in [process.wait() for process in both]
    assert bureau.value("SELECT count(*) FROM ratings_publishedrun") == 1
    assert bureau.figures() == undisturbed
