"""The OpenAPI document as a page shows it: operations by noun, with their words, documents and answers. Pure."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

Schema = Mapping[str, Any]
_REFERENCE = "#/components/schemas/"


@dataclass(frozen=True, slots=True)
class Field:
    """A word of the address or a field of an object. `links`: names of the objects that it holds."""

    name: str
    type: str
    about: str
    required: bool
    links: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Shape:
    """What is sent or answered as a media type: an object's name, or a type in words."""

    media_type: str
    type: str
    links: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation. `anchor`: its place on the page."""

    anchor: str
    method: str
    path: str
    summary: str
    about: str
    words: tuple[Field, ...]
    sent: tuple[Shape, ...]
    answers: tuple[Shape, ...]
    errors: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Thing:
    """An object of answers or documents."""

    name: str
    about: str
    fields: tuple[Field, ...]


def operations(document: Mapping[str, Any]) -> dict[str, list[Operation]]:
    """Return the operations by noun, in the order of the document."""
    nouns: dict[str, list[Operation]] = {}
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            nouns.setdefault(operation["tags"][0], []).append(_operation(path, method, operation))
    return nouns


def things(document: Mapping[str, Any]) -> list[Thing]:
    """Return the objects in the order of their names."""
    return [
        Thing(name, schema.get("description", ""), tuple(_fields(schema)))
        for name, schema in sorted(document["components"]["schemas"].items())
        if schema.get("type") == "object"
    ]


def _operation(path: str, method: str, operation: Schema) -> Operation:
    responses = operation["responses"]
    return Operation(
        anchor=operation["operationId"],
        method=method.upper(),
        path=path,
        summary=operation.get("summary", ""),
        about=operation.get("description", ""),
        words=tuple(_word(parameter) for parameter in operation.get("parameters", ())),
        sent=tuple(_shapes(operation.get("requestBody", {}))),
        answers=tuple(_shapes(responses.get("200", responses.get("202", {})))),
        errors=tuple(status for status in responses if status >= "400"),
    )


def _word(parameter: Schema) -> Field:
    text, links = _type(parameter["schema"])
    place = "in the address" if parameter["in"] == "path" else text
    return Field(parameter["name"], place, parameter.get("description", ""), parameter.get("required", False), links)


def _shapes(part: Schema) -> Iterator[Shape]:
    for media_type, content in part.get("content", {}).items():
        text, links = _type(content["schema"])
        yield Shape(media_type, text, links)


def ending(document: Mapping[str, Any]) -> list[str]:
    """Return what the document says will end, in sentences: operations, then fields of objects."""
    sentences = [
        f"{method.upper()} {path}. {_last_sentences(operation)}"
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
        if operation.get("deprecated")
    ]
    sentences += [
        f"{name} of {thing}. {_last_sentences(field)}"
        for thing, schema in document["components"]["schemas"].items()
        for name, field in schema.get("properties", {}).items()
        if field.get("deprecated")
    ]
    return sentences


def _last_sentences(described: Schema) -> str:
    text: str = described["description"]
    return text[text.rindex("Ends on ") :]


def _fields(schema: Schema) -> Iterator[Field]:
    required = schema.get("required", ())
    for name, inner in schema.get("properties", {}).items():
        text, links = _type(inner)
        yield Field(name, text, inner.get("description", ""), name in required, links)


def _type(schema: Schema) -> tuple[str, tuple[str, ...]]:
    """Return a type in words, and the names of the objects in it."""
    if "$ref" in schema:
        name = schema["$ref"].removeprefix(_REFERENCE)
        return name, (name,)
    for word, between in (("oneOf", " or "), ("anyOf", " or "), ("allOf", " and ")):
        if word in schema:
            parts = [_type(part) for part in schema[word]]
            return between.join(text for text, _ in parts), tuple(name for _, names in parts for name in names)
    kinds = schema.get("type", "any")
    kinds = [kinds] if isinstance(kinds, str) else list(kinds)
    if "array" in kinds:
        text, links = _type(schema.get("items", {}))
        return f"list of {text}", links
    if "enum" in schema:
        return " or ".join("null" if value is None else str(value) for value in schema["enum"]), ()
    text = " or ".join(kinds)
    return f"{text}, {schema['format']}" if "format" in schema else text, ()
