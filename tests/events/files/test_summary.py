"""One record a file, as the command prints it."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from events.files.reader import read, summary
from events.rules.limits import MAX_BYTES
from tests.events.files.builders import trf, two


def test_the_fields_and_their_order() -> None:
    record = summary("open.trf", read(two("   2 w 1  0000 - =", "   1 b 0          ")))
    findings = record.pop("findings")
    assert record == {
        "file": "open.trf",
        "format": "TRF16",
        "encoding": "ascii",
        "name": "Mopane Open",
        "players": 2,
        "rounds": 2,
        "played_games": 1,
        "forfeits": 0,
        "byes": 1,
    }
    assert isinstance(findings, list)
    assert all(list(finding) == ["severity", "code", "line", "column", "message"] for finding in findings)
    assert {"note"} == {finding["severity"] for finding in findings}


def printed(*names: str) -> list[dict[str, object]]:
    out = StringIO()
    call_command("read", *names, stdout=out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_the_command_prints_a_line_a_file(tmp_path: Path) -> None:
    good, broken, large = tmp_path / "good.trf", tmp_path / "broken.tunx", tmp_path / "large.trf"
    good.write_bytes(two())
    broken.write_bytes(b"PK\x03\x04")
    large.write_bytes(trf() + b"#" * MAX_BYTES)
    names = [str(path) for path in (good, broken, tmp_path / "missing.trf", tmp_path, large)]
    records = printed(*names, "nul\0byte")
    assert [record["file"] for record in records] == [*names, "nul‹U+0000›byte"]
    codes = [[finding["code"] for finding in record["findings"]] for record in records]  # type: ignore[attr-defined]
    assert codes == [
        [],
        ["wrong-format"],
        ["unreadable-file"],
        ["unreadable-file"],
        ["file-too-large"],
        ["unreadable-file"],
    ]


@pytest.mark.parametrize(("encoding", "name"), [("cp1250", "Ołtarz"), ("cp1252", "O³tarz")])
def test_the_command_takes_an_encoding(tmp_path: Path, encoding: str, name: str) -> None:
    path = tmp_path / "open.trf"
    path.write_bytes(two().replace(b"Mopane Open", "Ołtarz".encode("cp1250")))
    out = StringIO()
    call_command("read", str(path), encoding=encoding, stdout=out)
    assert json.loads(out.getvalue())["name"] == name
