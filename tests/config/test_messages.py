"""Messages repeat what was typed so that it is seen."""

from django.contrib.messages import get_messages
from django.test import RequestFactory
from django.utils.safestring import mark_safe

from config.messages import ShownMessages


def test_a_message_shows_what_cannot_be_seen():
    request = RequestFactory().get("/")
    request.session = {}
    messages = request._messages = ShownMessages(request)
    messages.add(20, "Nobody is called Moko\u202eena <b>.")
    messages.add(20, mark_safe("<b>Saved</b>"))
    kept = list(get_messages(request))
    assert [message.message for message in kept] == ["Nobody is called Moko‹U+202E›ena <b>.", "<b>Saved</b>"]
    assert [hasattr(message.message, "__html__") for message in kept] == [False, True]
