"""Text for the cells of tables that spreadsheets open. Pure."""

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def cell(text: str) -> str:
    """Return a text with an apostrophe before it if a spreadsheet would take it for a formula."""
    return f"'{text}" if text.lstrip(" ").startswith(_FORMULA) else text


def text_of_cell(text: str) -> str:
    """Return the text of which `cell` has made another."""
    return text[1:] if text.startswith("'") and cell(text[1:]) == text else text
