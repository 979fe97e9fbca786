"""Pages as the tests read them: without the white space that does not show."""

import re

_BLOCK = (
    "article|body|caption|dd|details|div|dl|dt|fieldset|footer|form|h1|h2|h3|h4|head|header|html|legend|li|link|main|meta|nav"
    "|ol|optgroup|option|p|script|section|select|summary|table|tbody|td|tfoot|th|thead|title|tr|ul"
)
_KEPT = re.compile(r"(<(textarea|pre)\b.*?</\2>)", re.DOTALL)
_SPACE = re.compile(r"\s+", re.ASCII)  # the narrow space in figures stays
_ATTRIBUTES = r"(?:[^\"'>]|\"[^\"]*\"|'[^']*')*"
_TAG = re.compile(rf"<[a-z]{_ATTRIBUTES}>")
_TAG_END = re.compile(r" (?=/?>$)")
_AROUND_BLOCKS = re.compile(rf" ?(</?(?:{_BLOCK})\b{_ATTRIBUTES}>) ?")
_AROUND_HIDDEN = re.compile(r' ?(<input type="hidden"[^>]*>) ?')
_IN_BUTTONS = re.compile(r"(<button\b[^>]*>) | (</button>)")


def compact(html: str) -> str:
    """HTML with one space for each run of white space, and none around blocks, inside buttons' edges and at a tag's end."""
    parts = _KEPT.split(html)  # text, what is kept, its name, text, …
    return "".join(_compact(part) if place % 3 == 0 else part for place, part in enumerate(parts) if place % 3 != 2)


def _compact(html: str) -> str:
    html = _TAG.sub(lambda tag: _TAG_END.sub("", tag[0]), _SPACE.sub(" ", html))
    for around in (_AROUND_BLOCKS, _AROUND_HIDDEN):
        html = around.sub(r"\1", html)
    return _IN_BUTTONS.sub(r"\1\2", html)
