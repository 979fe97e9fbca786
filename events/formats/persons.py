"""Lists of persons in one field. Pure."""


def split_persons(text: str) -> tuple[str, ...]:
    """The persons of a list, parted by `;`, or by commas where each part has a first and a last name.

    `Last, First` stays one person.
    """
    if ";" in text:
        return tuple(part for part in (part.strip() for part in text.split(";")) if part)
    parts = [part.strip() for part in text.split(",")]
    if len(parts) > 1 and all(len(part.split()) > 1 for part in parts):
        return tuple(parts)
    return (text.strip(),) if text.strip() else ()
