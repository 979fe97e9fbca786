"""Pages as the tests read them: without the white space that does not show."""

import re

_BLOCK = (
    "article|body|caption|dd|details|div|dl|dt|fieldset|footer|form|h1|h2|h3|h4|head|header|html|legend|li|link|main|meta|nav"
    "|ol|optgroup|option|p|script|section|select|summary|table|tbody|td|tfoot|th|thead|title|tr|ul"
)
_KEPT = re.compile(r"(<(textarea|pre)\b.*?</\2>)", re.DOTALL)
_TAG = re.compile(r"""<[a-z](?:[^"'>]|"[^"]*"|'[^']*')*>""")
_AROUND_BLOCKS = re.compile(rf"\s*(</?(?:{_BLOCK})\b(?:[^\"'>]|\"[^\"]*\"|'[^']*')*>)\s*")
_IN_BUTTONS = re.compile(r"(<button\b[^>]*>) | (</button>)")
_HIDDEN = re.compile(r'\s*(<input type="hidden"[^>]*>)\s*')


def compact(html: str) -> str:
    """HTML with each run of white space as one space, and with none around blocks, in buttons' ends and at the end of tags."""
    parts = _KEPT.split(html)
    return "".join(_compact(part) if place % 3 == 0 else part for place, part in enumerate(parts) if place % 3 != 2)


def _compact(html: str) -> str:
    html = _TAG.sub(lambda tag: re.sub(r"\s+(?=/?>$)", "", " ".join(tag[0].split())), html)
    html = _AROUND_BLOCKS.sub(r"\1", re.sub(r"\s+", " ", html))
    return _HIDDEN.sub(r"\1", _IN_BUTTONS.sub(r"\1\2", html))
