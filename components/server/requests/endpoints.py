"""Calls to endpoints that are not there: Gradio answers those with 500 and a traceback."""

from __future__ import annotations

import re
from typing import Any

CALL = re.compile(r"/gradio_api/(?:run|api|call(?:/v2)?)/(?P<name>[^/]+)(?:/[^/]*)?/?")
"""Routes that call an endpoint by name, or read the events of such a call."""

BY_NUMBER = "predict"
"""The name under which Gradio's page calls unqueued events; the body has their number."""


def unknown_endpoint(scope: Any) -> bool:  # noqa: ANN401 - an ASGI scope
    """Whether a request calls an endpoint by a name that the page does not have.

    False for requests that call no endpoint, and before the page is launched.
    """
    call = CALL.fullmatch(scope["path"])
    blocks = getattr(scope.get("app"), "blocks", None)
    if call is None or blocks is None:
        return False
    names = {function.api_name for function in blocks.fns.values()}
    return call["name"] not in {*names, BY_NUMBER}
