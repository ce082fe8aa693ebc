"""``sync``: embed the catalog and write ``artifacts/rag_index`` below the current folder."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from retrieval.catalog import check_usable, load_catalog
from retrieval.compat.retriever.software_doc import in_their_order
from retrieval.compat.retriever.vector_index import VectorIndex
from retrieval.core import RetrievalError
from retrieval.settings import read_settings

FOLDER = Path("artifacts/rag_index")


def sync(folder: Path = FOLDER) -> int:
    """Embed every tool of the catalog of the settings, write the index; the number of tools.

    Raises BadInput for a catalog without a usable record, and OSError.
    """
    path = read_settings().catalog
    catalog = load_catalog(path)
    check_usable(catalog, path)
    index = VectorIndex()
    index.add(in_their_order(catalog))
    index.save(folder)
    return len(index)


def main() -> int:
    """Run the command; 0 when it is done, 2 with a line on stderr where it cannot be."""
    parser = argparse.ArgumentParser(prog="python -m retrieval.compat.ai_agent")
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("sync", help="embed the catalog into a folder of two files")
    one.add_argument("--index", type=Path, default=FOLDER, help=f"the folder (default: {FOLDER})")
    args = parser.parse_args()
    try:
        count = sync(args.index)
    except (RetrievalError, OSError) as exc:
        sys.stderr.write(f"{exc}\n")
        return 2
    sys.stdout.write(f"{count} tools in {args.index}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
