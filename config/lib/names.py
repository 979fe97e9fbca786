"""What a name is made of. Pure."""

import unicodedata

# Control and format characters (of no width, of the direction of text), and what is no character or ends a line.
UNSEEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


def composed(name: str) -> str:
    """Return a name with each letter and its accents as one character, where there is one (NFC)."""
    return unicodedata.normalize("NFC", name)


def unseen(text: str) -> str:
    """Return what to do about the first character of a text that cannot be seen, such as one without width; "" without any."""
    for char in text:
        if unicodedata.category(char) in UNSEEN:
            name = unicodedata.name(char, "control character").lower()
            return f"There is a character that cannot be seen, U+{ord(char):04X} ({name}). Remove it."
    return ""
