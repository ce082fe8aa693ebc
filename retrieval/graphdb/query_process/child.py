"""The process of one job: a Cypher or SPARQL query, or the statements that fill a store.

Cypher runs on a store in a file or, as ``Neo4j``, on a server by address.

It runs as a plain script (``python -I``): it imports nothing of this package and starts in .03 s.
The job is JSON on standard input. Lines of JSON on standard output: ``{"ready": true}`` when the
store is open, ``{"columns": [...]}``, one ``{"row": [...]}`` per row, ``{"end": "all" | "rows" |
"bytes"}``; or ``{"error": "memory" | text}``, with ``"server": true`` where a server is at fault
and ``"login": true`` where it refused who asks.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

Job = Mapping[str, Any]
Result = tuple[list[str], Iterable[list[Any]]]

POOL_BYTES = 1 << 28
"""Buffer pool of the Cypher store; with 64 MB a join of all formats of all tools fails."""

MAX_FILE_BYTES = 1 << 32
"""The store reserves this much address space; a million triples take a twentieth of it."""

CELL = 4_000
"""Characters of one text, or members of one list; the page shows 300 characters of a value."""

SECURITY = ".Security."
"""Part of the codes of refusals that no other query would change (Neo4j status codes)."""

DEPTH = 20
"""Lists inside lists; a query of the longest length can nest 600."""


class NoServer(RuntimeError):
    """A graph server cannot be reached or stopped answering."""


class NoEntry(NoServer):
    """A graph server refused user and password, or what that user may do."""


def main() -> None:
    """Run the job from standard input."""
    job = json.load(sys.stdin)
    try:
        if job["language"] == "fill":
            database, connection = _opened(job["path"], read_only=False)
            for statement in job["statements"]:
                connection.execute(statement)
            connection.close()
            database.close()
            _write({"end": "all"})
            return
        run = OPENED[job["language"]](job)
        _confine(job)
        _write({"ready": True})
        _write_rows(run(), job)
    except MemoryError:
        _write({"error": "memory"})
    except (RuntimeError, SyntaxError, ValueError, OSError, ImportError) as exc:
        problem = " ".join(str(exc).split())[:200]
        short = "memory" in problem.casefold() or "bad_alloc" in problem
        server, login = isinstance(exc, NoServer), isinstance(exc, NoEntry)
        _write({"error": "memory" if short else problem, "server": server, "login": login})


def _write(line: Mapping[str, Any]) -> None:
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


def _confine(job: Job) -> None:
    """Limit further memory and processor time, and forbid writing to files."""
    if sys.platform == "win32":
        return
    import resource

    # Most of the address space in use is reserved by the store and never touched.
    try:
        used = int(Path("/proc/self/statm").read_text("ascii").split()[0]) * 4096
    except (OSError, ValueError):
        used = MAX_FILE_BYTES + (1 << 30)
    most = used + (job["memory_mb"] << 20)
    # macOS refuses this limit; there time is the only bound.
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    # The parent ends the process by the clock; this one holds where the parent was killed.
    seconds = int(job["seconds"]) + 5
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _opened(path: str, *, read_only: bool) -> tuple[Any, Any]:
    """A Cypher store and a connection; one thread, so that processor time is the query's time."""
    import ladybug

    database = ladybug.Database(
        path,
        read_only=read_only,
        buffer_pool_size=POOL_BYTES,
        max_db_size=MAX_FILE_BYTES,
        max_num_threads=1,
        auto_checkpoint=False,
    )
    return database, ladybug.Connection(database)


def _cypher(job: Job) -> Callable[[], Result]:
    _, connection = _opened(job["path"], read_only=True)

    def run() -> Result:
        result = connection.execute(job["query"], job["parameters"])
        rows = (result.get_next() for _ in iter(result.has_next, False))
        return result.get_column_names(), rows

    return run


def _sparql(job: Job) -> Callable[[], Result]:
    import pyoxigraph

    store = pyoxigraph.Store.read_only(job["path"])

    def run() -> Result:
        result: Any = store.query(job["query"])
        if not hasattr(result, "variables"):
            return ["answer"], [["yes" if bool(result) else "no"]]
        rows = (
            ["" if term is None else getattr(term, "value", str(term)) for term in solution]
            for solution in result
        )
        return [variable.value for variable in result.variables], rows

    return run


def _neo4j(job: Job) -> Callable[[], Result]:
    """A read transaction on a server, whose own time limit applies as well."""
    import neo4j

    driver = neo4j.GraphDatabase.driver(
        job["uri"],
        auth=(job["user"], job["password"]) if job["user"] else None,
        connection_timeout=job["server_seconds"],
        max_transaction_retry_time=0.0,
        telemetry_disabled=True,
    )

    def run() -> Result:
        try:
            session = driver.session(
                default_access_mode=neo4j.READ_ACCESS,
                database=job["database"],
                # The driver's own 1,000 would fetch rows that are never shown.
                fetch_size=job["rows"],
            )
            statement = neo4j.Query(job["query"], timeout=job["server_seconds"])
            result = session.run(statement, job["parameters"])
            columns = list(result.keys())
            records = result.fetch(job["rows"])
        except neo4j.exceptions.ClientError as exc:
            code = str(exc.code)
            raise (NoEntry(code) if SECURITY in code else ValueError(code)) from exc
        except (neo4j.exceptions.Neo4jError, neo4j.exceptions.DriverError) as exc:
            raise NoServer(type(exc).__name__) from exc
        return columns, ([_node(record[c]) for c in columns] for record in records)

    return run


def _node(value: Any) -> Any:  # noqa: ANN401 - nodes and edges become plain values
    if hasattr(value, "labels"):
        return {"id": value.get("id", value.element_id), "name": value.get("name")}
    if hasattr(value, "type") and hasattr(value, "start_node"):
        return value.type
    return value


OPENED: Mapping[str, Callable[[Job], Callable[[], Result]]] = {
    "Cypher": _cypher,
    "Neo4j": _neo4j,
    "SPARQL": _sparql,
}


def _write_rows(result: Result, job: Job) -> None:
    """Columns, then rows up to the limits of rows and bytes, then the reason of the end."""
    columns, rows = result
    _write({"columns": [name[:CELL] for name in columns]})
    size = 0
    for number, row in enumerate(rows, start=1):
        line = json.dumps({"row": [_plain(value) for value in row]}) + "\n"
        size += len(line)
        if size > job["answer_bytes"]:
            _write({"end": "bytes"})
            return
        sys.stdout.write(line)
        if number >= job["rows"]:
            _write({"end": "rows"})
            return
    _write({"end": "all"})


def _plain(value: Any, depth: int = 0) -> Any:  # noqa: ANN401 - whatever a store gives
    """A value as JSON: long texts and lists cut, anything unusual as its text."""
    if value is None or isinstance(value, (bool, int, float)):
        return value
    if depth > DEPTH:
        return "..."
    if isinstance(value, Mapping):
        return {str(k)[:CELL]: _plain(v, depth + 1) for k, v in [*value.items()][:CELL]}
    if isinstance(value, (list, tuple)):
        return [_plain(item, depth + 1) for item in value[:CELL]]
    return str(value)[:CELL]


if __name__ == "__main__":
    main()
