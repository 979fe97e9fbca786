"""For each address that takes a form: the form as who may send it fills it in, so that it changes something.

What a page's own form holds already is read from the page; here stands what is typed besides, room by room.
"""

from tests.accounts.filled import desk, events, ratings, register, results, users
from tests.accounts.filled.form import Filled

FORMS: list[Filled] = [form for room in (events, results, users, register, desk, ratings) for form in room.FORMS]
# Addresses that take a form and change nothing by it: lists are searched, other pages are only shown again.
READ = (
    r"<path:object_id>/(history/)?$|^admin/$|^admin/login/$|decision/|app_label|event/add/|/importjob/$|/preview/$"
    r"|accounts/retention/$|ratings/erasure/$|events/(submission|readings)/$|ratings/(amendingfile|ratingrun|merge|rerating)/$"
    r"|ratings/ratinglist/$"  # what its action begins, a worker does: who is offered it, see `test_filled_forms.py`
)
