"""Reading the JSON of a document of cases. Pure."""

import json
from typing import Any, NoReturn


class DocumentError(ValueError):
    """Bytes that are not JSON. The text says what is wrong, with line and column where known."""


def is_too_dense(data: bytes) -> bool:
    """Return whether a document opens more lists and objects than one of cases: one takes two bytes, and ninety when it is
    read. The smallest players, events and games have one in fifteen."""
    return data.count(b"[") + data.count(b"{") > len(data) // 8 + 10_000


def parse_document(data: bytes) -> Any:
    """Return the JSON in UTF-8, with or without its mark. Raises DocumentError."""
    if is_too_dense(data):
        raise DocumentError("more lists and objects than cases have")
    try:
        return json.loads(data.decode("utf-8-sig"), parse_constant=_refuse_constant)
    except UnicodeDecodeError as error:
        raise DocumentError(f"not UTF-8 at byte {error.start + 1}") from error
    except json.JSONDecodeError as error:
        raise DocumentError(f"line {error.lineno} column {error.colno}: {error.msg}") from error
    except RecursionError as error:
        raise DocumentError("nested too deeply") from error
    except ValueError as error:
        raise DocumentError(str(error)) from error


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number of JSON")
