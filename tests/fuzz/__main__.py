"""The long form: `script/fuzz READER RUNS`, guided by what of the code is reached. Needs atheris."""

import os
import random
import sys
from pathlib import Path

import atheris
import django

_OF_READERS = ["events.files", "events.rules", "events.submission.newcomers", "ratings.cases"]
_OF_READERS += ["ratings.opening", "ratings.systems"]

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
with atheris.instrument_imports(include=_OF_READERS):
    django.setup()  # before what imports models
    from tests.fuzz.json_changes import changed
    from tests.fuzz.readers import TARGETS, within_time


def half_as_json(content: bytes, longest: int, seed: int) -> bytes:
    """Content changed by the fuzzer's own means or, every second time, as the JSON document that it is."""
    chance = random.Random(seed)
    if chance.random() < 0.5:
        return atheris.Mutate(content, longest)
    return changed(content, chance)[:longest]


def main() -> None:
    """Run one reader on so many inputs; what breaks a promise is kept beside its corpus and ends the run with status 77."""
    name, runs, folder = sys.argv[1], sys.argv[2], Path(sys.argv[3]) / sys.argv[1]
    target = TARGETS[name]
    mutator = {"custom_mutator": half_as_json} if target.json else {}
    corpus = folder / "corpus"
    corpus.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(target.seeds):
        (corpus / f"seed-{number}").write_bytes(seed)
    options = [f"-runs={runs}", "-max_len=20000", "-rss_limit_mb=1024", f"-artifact_prefix={folder}/", str(corpus)]
    atheris.Setup([sys.argv[0], *options], lambda content: within_time(target.run, content), **mutator)
    atheris.Fuzz()


main()
