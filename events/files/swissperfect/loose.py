"""The three files in which SwissPerfect keeps a tournament, sent side by side instead of in a zip. Pure."""

import io
import zipfile
from collections.abc import Sequence
from pathlib import PurePath

_PARTS = (".ini", ".trn", ".sco")
_MADE = (1980, 1, 1, 0, 0, 0)  # the same files make the same zip, by which a file that was sent before is known again


def packed(files: Sequence[tuple[str, bytes]]) -> list[tuple[str, bytes]]:
    """Return files, each (name, content), with every three of one SwissPerfect tournament in one zip of its name.

    The zip stands where the first of the three stood. What lacks one of the three stays as it is.
    """
    tournaments: dict[str, dict[str, tuple[str, bytes]]] = {}
    for name, content in files:
        path = PurePath(name)
        if path.suffix.lower() in _PARTS:
            tournaments.setdefault(path.stem.casefold(), {})[path.suffix.lower()] = (name, content)
    whole = {stem: parts for stem, parts in tournaments.items() if len(parts) == len(_PARTS)}
    result, done = list[tuple[str, bytes]](), set[str]()
    for name, content in files:
        path = PurePath(name)
        stem = path.stem.casefold()
        if stem not in whole or path.suffix.lower() not in _PARTS:
            result.append((name, content))
        elif stem not in done:
            done.add(stem)
            result.append((f"{path.stem}.zip", _zip([whole[stem][part] for part in _PARTS])))
    return result


def _zip(files: Sequence[tuple[str, bytes]]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files:
            archive.writestr(zipfile.ZipInfo(PurePath(name).name, _MADE), content, zipfile.ZIP_DEFLATED)
    return out.getvalue()
