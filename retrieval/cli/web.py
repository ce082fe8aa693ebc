"""What ``python -m retrieval web`` prints."""

from __future__ import annotations

import argparse
import json

from retrieval.core import BadInput
from retrieval.settings import Settings
from retrieval.web import web_json, web_table
from retrieval.wiring import open_web


def web_printed(args: argparse.Namespace, settings: Settings) -> str:
    """The answer as one line of JSON, or as a table.

    Raises OutsideCallRefused while web search is off, BadInput for an empty text.
    """
    if not args.text.strip():
        raise BadInput("TEXT is empty; say what to search the web for")
    answer = open_web(settings).run(args.text, "literature" if args.literature else "")
    return json.dumps(web_json(answer), ensure_ascii=False) if args.json else web_table(answer)
