"""Operations that read what is sent and keep nothing: rating cases and the check of a tournament file."""

import json
from typing import Any

from django.http import Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from api.calculators import serializers
from api.manners.problems import PlacedError, Problem, invalid_document
from api.manners.views import ApiView, BytesParser, LimitedJSONParser
from events.files.reader import read, summary
from events.rules.limits import MAX_BYTES
from ratings.cases.answer import ANSWERS, answer_document
from ratings.cases.fields import CaseError


class CaseParser(LimitedJSONParser):
    """JSON as `manage.py rate` reads it: also the case of a month."""

    most = MAX_BYTES


class Calculator(ApiView):
    """A calculator."""

    parser_classes = (CaseParser,)

    @extend_schema(
        summary="Rate a case",
        request={"application/json": serializers.CASES},
        responses={200: serializers.ANSWERS},
        operation_id="calculate",
        parameters=[OpenApiParameter("system", OpenApiTypes.STR, OpenApiParameter.PATH, enum=list(ANSWERS))],
    )
    def post(self, request: Request, system: str) -> Response:
        """Answer with the figures of a rating case, or of a list of them, of chessa, icu, uscf or cfc; nothing is kept."""
        if system not in ANSWERS:
            raise Http404(f"There is no calculator {system}: there are {', '.join(ANSWERS)}.")
        document = self.document()
        _require_text(document)
        cases = document if isinstance(document, list) else [document]
        for index, case in enumerate(cases):
            if isinstance(case, dict) and case.setdefault("system", system) != system:
                place = f"cases[{index}].system" if isinstance(document, list) else "system"
                raise invalid_document([PlacedError(place, "invalid", f"At this address the system is {system}.")])
        try:
            return Response(answer_document(document))
        except CaseError as error:
            raise invalid_document([PlacedError(error.place, "invalid", error.message)]) from error


def _require_text(document: Any) -> None:
    """Raise Problem for a document whose texts UTF-8 cannot hold: they would come back in the answer."""
    try:
        json.dumps(document, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        message = "A text contains half of a pair of surrogates, which is no character."
        raise invalid_document([PlacedError("", "invalid", message)]) from error


class CheckFile(ApiView):
    """The check of a tournament file."""

    parser_classes = (MultiPartParser, BytesParser)

    @extend_schema(
        summary="Check a tournament file without sending it in",
        request={
            "multipart/form-data": serializers.FileRequest,
            "application/octet-stream": OpenApiTypes.BINARY,
        },
        responses={200: serializers.CheckAnswer},
        operation_id="check_file",
    )
    def post(self, request: Request) -> Response:
        """Answer with what a file holds and what is wrong with it; nothing is kept. The register is not asked."""
        name, content = "", request.data
        if not isinstance(content, bytes):
            file = self.sent(serializers.FileRequest)["file"]
            name, content = file.name, file.read(MAX_BYTES + 1)
        if len(content) > MAX_BYTES:
            raise Problem("too-large", f"A file of at most {MAX_BYTES} bytes is read.")
        return Response(serializers.CheckAnswer(summary(name, read(content, name))).data)
