"""The files by which an operator starts the bureau start what `manage.py serve` starts, with variables that exist."""

import configparser
import os
import re
import shlex
import subprocess
from pathlib import Path

import pytest
import yaml

from config import settings as module
from config.management.commands.serve import _commands
from tests.conftest import ROOT

PROCESSES = ("web", "worker", "beat")
# Where an operator's line may differ from the one of `serve`: addresses and folders, and how many at once.
OWN = {
    "web": {"--bind", "--workers"},
    "worker": {"--pool", "--concurrency"},
    "beat": {"--schedule"},
}
HOME, STATE = "/opt/bureau", "/var/lib/bureau"


def words(line: list[str], process: str) -> tuple[list[str], dict[str, str]]:
    """A command line from its program on: its words without options, and its options but for those of its own."""
    begins = next(place for place, word in enumerate(line) if Path(word).name in ("gunicorn", "celery"))
    plain, options = [Path(line[begins]).name], {}
    for word in line[begins + 1 :]:
        if word.startswith("-"):
            options[name := word] = ""
        elif word in PROCESSES:
            plain.append(word)
        else:
            options[name] = word
    return plain, {name: value for name, value in options.items() if name not in OWN[process]}


def unit(process: str) -> configparser.ConfigParser:
    read = configparser.ConfigParser(interpolation=None, strict=True)
    read.optionxform = str  # type: ignore[assignment, method-assign]
    read.read_string((ROOT / f"docs/systemd/bureau-{process}.service").read_text())
    return read


def compose() -> dict[str, dict[str, object]]:
    document = yaml.safe_load((ROOT / "docs/compose.yaml").read_text())
    services: dict[str, dict[str, object]] = document["services"]
    return services


def variables() -> set[str]:
    """The variables that the settings' docstring explains."""
    rows = (line for line in (module.__doc__ or "").splitlines() if line[:1].isupper() and "   " in line)
    return {name.strip() for row in rows for name in row.split("   ")[0].split(",")}


def environment() -> dict[str, str]:
    lines = (ROOT / "docs/systemd/environment").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))


@pytest.mark.parametrize("process", PROCESSES)
def test_units_and_compose_start_what_serve_starts(process):
    own = words(_commands(8000)[process], process)
    assert own[0] == {"web": ["gunicorn"], "worker": ["celery", "worker"], "beat": ["celery", "beat"]}[process]
    assert words(shlex.split(unit(process)["Service"]["ExecStart"]), process) == own
    command = compose()[process]["command"]
    assert isinstance(command, list)
    assert words(command, process) == own


def test_the_command_of_the_operator_runs_as_the_units_do(tmp_path):
    """From any folder, with the variables of the environment file, and with each word as it was typed."""
    service = unit("web")["Service"]
    home, variables_file, tools = tmp_path / "bureau", tmp_path / "environment", tmp_path / "tools"
    (home / ".venv/bin").mkdir(parents=True)
    tools.mkdir()
    variables_file.write_text("VAR_DIR='/var/lib/bureau'\n")
    for program, script in (
        (home / ".venv/bin/python", 'printf "%s|" "$PWD" "$VAR_DIR" "$@"'),
        (tools / "runuser", 'printf "%s|" "$1" "$2" "$3"; shift 3; exec "$@"'),
    ):
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
    script = (ROOT / "docs/systemd/bureau").read_text()
    for place, here in ((service["EnvironmentFile"], variables_file), (service["WorkingDirectory"], home)):
        assert script.count(f" {place}\n") == 1
        script = script.replace(f" {place}\n", f" {here}\n")
    command = ["sh", "-c", script, "bureau", "backup", "a file.zip"]
    said = subprocess.run(
        command, cwd=tmp_path, env={"PATH": f"{tools}:/usr/bin:/bin"}, capture_output=True, text=True, check=True
    )
    words = ["-u", service["User"], "--", home, "/var/lib/bureau", "manage.py", "backup", "a file.zip", ""]
    assert said.stdout == "|".join(map(str, words))
    assert f"umask {service['UMask']}\n" in script


def test_the_command_of_the_operator_finds_runuser_under_cron():
    """Debian has it in /usr/sbin, which the PATH of the lines for cron lacks."""
    [path] = re.findall(r"^PATH=(.*)$", (ROOT / "docs/operations.md").read_text(), re.MULTILINE)
    script = (ROOT / "docs/systemd/bureau").read_text()
    asked = re.sub(r"^(\. |cd ).*$", "", script, flags=re.MULTILINE).replace("exec runuser", "command -v runuser #")
    said = subprocess.run(["sh", "-c", asked], env={"PATH": path}, capture_output=True, text=True, check=False)
    assert said.stdout.endswith("sbin/runuser\n"), (path, said)


@pytest.mark.parametrize("process", PROCESSES)
def test_a_unit_is_confined_to_its_folder(process):
    service = unit(process)["Service"]
    assert (service["WorkingDirectory"], service["ReadWritePaths"]) == (HOME, STATE)
    assert service["ExecStart"].startswith(f"{HOME}/.venv/bin/")
    assert service["User"] == "bureau"
    assert service["EnvironmentFile"] == "/etc/bureau/environment"
    assert environment()["VAR_DIR"] == f"'{STATE}'"
    strict = {"ProtectSystem": "strict", "NoNewPrivileges": "yes", "PrivateTmp": "yes", "ProtectHome": "yes"}
    assert strict.items() <= dict(service).items()
    assert (service["Restart"], unit(process)["Unit"]["StartLimitIntervalSec"]) == ("always", "0")


def test_units_differ_in_what_they_start_alone():
    own = {"ExecStart", "TimeoutStopSec"}
    kept = [
        {name: value for name, value in unit(process)["Service"].items() if name not in own} for process in PROCESSES
    ]
    assert kept[0] == kept[1] == kept[2]


def test_every_variable_is_one_of_the_settings():
    assert {"DATABASE_URL", "SECRET_KEY", "PROXIES", "LOG_FORMAT"} <= variables()
    assert set(environment()) <= variables()
    for process in ("prepare", *PROCESSES):
        given = compose()[process]["environment"]
        assert isinstance(given, dict)
        assert {"DATABASE_URL", "REDIS_URL", "SECRET_KEY", "SITE_URL"} <= set(given) <= variables()


def test_the_composed_proxy_hands_on_to_the_web_server():
    services = compose()
    assert set(services) == {"database", "queue", "prepare", *PROCESSES, "proxy"}
    command = services["proxy"]["command"]
    assert isinstance(command, list)
    edit = shlex.split(command[-1])[1]
    conf = subprocess.run(["sed", edit, "docs/nginx.conf"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert "server web:8000;" in conf
    assert "127.0.0.1:8000" not in conf
    web = services["web"]["command"]
    assert isinstance(web, list)
    assert web[web.index("--bind") + 1] == "0.0.0.0:8000"


def composed_lines(folder: Path) -> list[str]:
    """The scripts in the comments of the compose file, with another folder in place of the bureau's."""
    comments = [line[1:] for line in (ROOT / "docs/compose.yaml").read_text().splitlines() if line.startswith("#")]
    scripts = re.findall(r"sh -c\s*'([^']*)'", "\n".join(comments).replace("\\\n", ""))
    return [script.replace("/var/lib/bureau", str(folder)) for script in scripts]


def test_the_composed_restore_adds_to_the_list_of_the_night_and_erases_again_by_what_is_left(tmp_path):
    """`restore` adds who is erased in the database that it gives up, and takes away what does not hold there any more: the list
    lies beside the back-up before it, and as it left it after it."""
    listed = tmp_path / "erasures.jsonl"
    program = tmp_path / "python"
    program.write_text(
        f'#!/bin/sh\necho "$2" >>{tmp_path}/given; cat {listed} >>{tmp_path}/given\necho changed >{listed}\n'
    )
    program.chmod(0o755)
    path = f"{tmp_path}:{os.environ['PATH']}"
    for script in composed_lines(tmp_path)[2:]:
        subprocess.run(["sh", "-c", script], env={"PATH": path}, input=b"of the night\n", check=True)
    assert (tmp_path / "given").read_text().split("\n") == ["restore", "of the night", "erasures", "changed", ""]


@pytest.mark.parametrize("ends", [0, 1])
def test_the_composed_lines_end_as_the_command_in_them_does(tmp_path, ends):
    """A back-up that failed and says so to nobody is found to be missing when it is needed."""
    scripts = composed_lines(tmp_path)
    assert [re.findall(r"manage.py (\w+)", script) for script in scripts] == [
        ["backup"], ["erasures"], [], ["restore"], ["erasures"],
    ]  # fmt: skip
    program = tmp_path / "python"
    program.write_text(f'#!/bin/sh\nfor file; do :; done\necho content >"$file"\nexit {ends}\n')
    program.chmod(0o755)
    for script in filter(lambda line: "manage.py" in line, scripts):
        path = f"{tmp_path}:{os.environ['PATH']}"
        done = subprocess.run(["sh", "-c", script], env={"PATH": path}, input=b"", capture_output=True, check=False)
        assert done.returncode == ends, script
    assert not (tmp_path / "kept.zip").exists()
