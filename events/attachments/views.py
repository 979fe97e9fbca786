"""The address at which an attachment is read."""

from io import BytesIO

from django.contrib.auth.decorators import login_required
from django.http import FileResponse, HttpRequest
from django.shortcuts import get_object_or_404
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.permissions import acting_user
from events.attachments.queries import visible_attachments
from events.models import Attachment
from events.rules.attachments import KINDS


@login_required
@never_cache
@require_safe
def attachment(request: HttpRequest, attachment: int) -> FileResponse:
    """A file of evidence as it came, for who may read it: always saved, never shown within the site."""
    return file_answer(
        get_object_or_404(visible_attachments(acting_user(request)).select_related("file"), pk=attachment)
    )


def file_answer(attachment: Attachment) -> FileResponse:
    """Return the answer with an attachment's file. Whether it may be read is checked by the caller."""
    content, kind = BytesIO(bytes(attachment.file.content)), KINDS[attachment.kind]
    return FileResponse(content, as_attachment=True, filename=attachment.name, content_type=kind.media_type)
