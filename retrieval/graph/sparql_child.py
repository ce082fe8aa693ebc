"""One SPARQL query in a process of its own: bounded time, memory, rows and bytes."""

from __future__ import annotations

import json
import resource
import sys
from typing import Any

MEMORY = 1 << 31


def main() -> None:
    """Read what is asked from standard input, write rows or the error to standard output."""
    asked = json.loads(sys.stdin.buffer.read())
    seconds = max(1, round(asked["seconds"]))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    import pyoxigraph

    store = pyoxigraph.Store.read_only(asked["folder"])
    try:
        told = _rows(store.query(asked["query"]), asked["rows"], asked["bytes"])
    except (SyntaxError, ValueError, OSError) as exc:
        told = {"error": " ".join(str(exc).split())[:200]}
    sys.stdout.write(json.dumps(told))


def _rows(result: Any, rows: int, most: int) -> dict[str, Any]:  # noqa: ANN401 - untyped package
    if not hasattr(result, "variables"):
        return {"columns": ["answer"], "rows": [["yes" if bool(result) else "no"]]}
    columns = [variable.value for variable in result.variables]
    found: list[list[str]] = []
    size = 0
    for solution in result:
        row = ["" if term is None else getattr(term, "value", str(term)) for term in solution]
        size += sum(map(len, row))
        found.append(row)
        if len(found) >= rows or size > most:
            break
    return {"columns": columns, "rows": found}


if __name__ == "__main__":
    main()
