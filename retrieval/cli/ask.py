"""What ``python -m retrieval ask`` prints."""

from __future__ import annotations

import argparse
import json

from retrieval.settings import Settings
from retrieval.wiring import ask_json, ask_text, open_asking


def ask_printed(args: argparse.Namespace, settings: Settings) -> str:
    """The answer as one line of JSON, or as text. Raises BadInput for an empty question."""
    asked = open_asking(settings).ask(args.question, answerer=args.answerer)
    if args.json:
        return json.dumps(ask_json(asked), ensure_ascii=False)
    return ask_text(asked)
