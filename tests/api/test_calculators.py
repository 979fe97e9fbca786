"""Rating cases and the check of a file: as the command line answers, and nothing is kept."""

import io
import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command

from events.rules.limits import MAX_BYTES
from tests.builders import everything, lines, round_robin, trf
from tests.ratings.calculators.test_forms import VALID

pytestmark = pytest.mark.django_db

CASE = {
    "system": "uscf",
    "players": [{"id": "a", "rating": 1500, "games": 40}, {"id": "b", "rating": 1600, "games": 40}],
    "events": [{"id": "e", "ended": "2024-03-02", "games": [{"white": "a", "black": "b", "result": "1-0"}]}],
}


def rated(document: object, tmp_path) -> object:
    file = tmp_path / "case.json"
    file.write_text(json.dumps(document))
    out = io.StringIO()
    call_command("rate", str(file), stdout=out)
    return json.loads(out.getvalue())


@pytest.mark.parametrize("several", [False, True])
def test_a_case_is_answered_as_on_the_command_line(post, tmp_path, several):
    document = [CASE, CASE] if several else CASE
    assert post("calculators/uscf/", document) == rated(document, tmp_path)


@pytest.mark.parametrize("system", list(VALID))
def test_the_case_of_a_calculators_page_is_rated_as_on_the_command_line(client, post, tmp_path, system):
    case = client.get(f"/calculators/{system}/case.json", VALID[system]).json()
    assert post(f"calculators/{system}/", case) == rated(case, tmp_path)


def test_a_case_need_not_name_the_system_of_the_address(post):
    without = {name: value for name, value in CASE.items() if name != "system"}
    assert post("calculators/uscf/", without) == post("calculators/uscf/", CASE)


@pytest.mark.parametrize(
    "kind", ["application/x-www-form-urlencoded", "multipart/form-data; boundary=b", "application/json"]
)
def test_nothing_sent_is_refused_whatever_it_says_it_is(client, kind):
    """As by `curl -d ''`; a body in pieces, without a length, counts as none, too."""
    answer = client.post("/api/v1/calculators/chessa/", b"", content_type=kind)
    assert answer.status_code == 400
    assert answer.json()["errors"]


def test_a_case_as_large_as_a_months_is_rated(client):
    content = json.dumps(CASE).encode().ljust(MAX_BYTES)
    assert client.post("/api/v1/calculators/uscf/", content, content_type="application/json").status_code == 200


@pytest.mark.parametrize(
    ("document", "place"),
    [
        ({"system": "icu"}, "system"),
        ([{"system": "uscf"}, {"system": "icu"}], "cases[1].system"),
        ({"players": 3}, "players"),
        (3, ""),
        (
            {**CASE, "events": [{**CASE["events"][0], "games": [{"white": "a"}]}]},
            "events[0].games[0]",
        ),
    ],
)
def test_a_wrong_case_names_the_place(post, document, place):
    (error,) = post("calculators/uscf/", document, 400)["errors"]
    assert error["place"].startswith(place)
    assert error["message"]


def test_what_is_not_json_is_refused_with_line_and_column(client):
    answer = client.post("/api/v1/calculators/cfc/", b'{"a": NaN,\n', content_type="application/json")
    assert answer.status_code == 400
    assert "NaN is not a number of JSON" in answer.json()["detail"]
    answer = client.post("/api/v1/calculators/cfc/", b'{"a":\n}', content_type="application/json")
    assert "line 2 column 1" in answer.json()["detail"]


def test_there_are_four_calculators(post):
    assert "chessa, icu, uscf, cfc" in post("calculators/fide/", {}, 404)["detail"]


def test_a_file_is_checked_as_on_the_command_line(client, tmp_path):
    content = trf(lines(6), round_robin(6, "1=0"))
    file = tmp_path / "open.trf"
    file.write_bytes(content)
    out = io.StringIO()
    call_command("read", str(file), stdout=out)
    before = everything()
    sent = client.post("/api/v1/files/check/", {"file": SimpleUploadedFile("open.trf", content)})
    assert sent.json() == {**json.loads(out.getvalue()), "file": "open.trf"}
    raw = client.post("/api/v1/files/check/", content, content_type="application/octet-stream")
    assert raw.json() == {**sent.json(), "file": None}
    assert raw.json()["players"] == 6
    assert everything() == before


def test_what_cannot_be_seen_in_a_file_has_a_sign(client):
    content = trf(lines(6), round_robin(6), name="Mopane\u202e Open")
    sent = client.post("/api/v1/files/check/", {"file": SimpleUploadedFile("op\u3164en.trf", content)}).json()
    assert (sent["file"], sent["name"]) == ("op‹U+3164›en.trf", "Mopane‹U+202E› Open")
    (note,) = sent["findings"]
    assert note["code"] == "unseen-left-out"
    assert note["message"].endswith(": Mopane‹U+202E› Open.")


def test_findings_of_a_file_name_their_place(client):
    finding = client.post("/api/v1/files/check/", b"012 x\n001", content_type="application/octet-stream").json()[
        "findings"
    ][1]
    assert (finding["severity"], finding["code"], finding["line"]) == ("error", "truncated-file", 2)


@pytest.mark.parametrize(("size", "status"), [(MAX_BYTES, 200), (MAX_BYTES + 1, 413), (MAX_BYTES + 200_000, 413)])
def test_a_file_has_a_greatest_size(client, size, status):
    content = b"\x01" * size
    answers = [
        client.post("/api/v1/files/check/", content, content_type="application/octet-stream"),
        client.post("/api/v1/files/check/", {"file": SimpleUploadedFile("a.trf", content)}),
    ]
    assert [answer.status_code for answer in answers] == [status, status]


def test_a_case_has_a_greatest_size(client):
    answer = client.post("/api/v1/calculators/icu/", b" " * (MAX_BYTES + 1), content_type="application/json")
    assert (answer.status_code, answer.json()["title"]) == (413, "The document that was sent is too large")


def test_a_form_without_its_file_says_so(client):
    answer = client.post("/api/v1/files/check/", {})
    assert (answer.status_code, answer.json()["errors"][0]["place"]) == (400, "file")


@pytest.mark.parametrize("document", [{"\ud800": 1}, {"id": "\ud800", "players": []}, [{"system": "\udfff"}]])
def test_half_of_a_pair_of_surrogates_is_refused(post, document):
    problem = post("calculators/icu/", document, 400)
    assert problem["errors"][0]["message"] == "A text contains half of a pair of surrogates, which is no character."


def test_a_look_up_with_half_of_a_pair_of_surrogates_has_an_answer(post):
    post("players/lookup/", {"players": [{"\ud800": 1}]}, 400)
