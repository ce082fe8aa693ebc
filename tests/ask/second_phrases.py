"""How six languages say a constraint and deny it; written before the rules of *ask* were read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

PHRASES: dict[str, Any] = json.loads(
    Path(__file__).with_name("second_phrases.json").read_text(encoding="utf-8")
)
WAYS, SHAPES, OBJECTS = PHRASES["ways"], PHRASES["shapes"], PHRASES["objects"]
"""By language: verbs of a field, affirmed and denied; sentences by shape; names of objects."""
VALUES, LICENCES = PHRASES["values"], PHRASES["licences"]
"""Values by field that every language writes alike, and licences as they are said."""
