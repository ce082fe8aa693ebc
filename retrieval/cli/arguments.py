"""Arguments that several commands take, and checks of their values."""

from __future__ import annotations

import argparse
import errno
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from retrieval.core import BadInput

if TYPE_CHECKING:
    from retrieval.catalog import Catalog
    from retrieval.settings import Settings

Commands = Any  # argparse gives the type of its sub-commands no public name


def path_argument(text: str) -> Path:
    """The path of an argument; argparse refuses one with a name that no file system takes."""
    try:
        os.stat(text)
    except OSError as exc:
        if exc.errno == errno.ENAMETOOLONG:
            longest = max(map(len, Path(text).parts))
            reason = f"a name of {longest} characters is too long for a file; shorten it"
            raise argparse.ArgumentTypeError(f"{text[:20]}...: {reason}") from None
    return Path(text)


def add_text_and_files(parser: argparse.ArgumentParser) -> None:
    """Add TEXT and ``--file``, which may be repeated."""
    parser.add_argument("text")
    parser.add_argument("--file", action="append", default=[], type=path_argument, dest="files")


def add_restrictions(parser: argparse.ArgumentParser) -> None:
    """Add what the page's controls set: exclusions, filters, and no re-ranking model."""
    repeated: dict[str, Any] = {"action": "append", "default": []}
    parser.add_argument("--exclude", **repeated, metavar="NAME", help="a tool's id or name")
    kinds = "licence, modality, format, dimension, interface, domain, gpu"
    stated = f"only tools that state it; KIND is one of {kinds}"
    parser.add_argument("--filter", **repeated, metavar="KIND=VALUE", dest="filters", help=stated)
    wish = "what software must be: language, interface, host, system, licence, gpu=none, ..."
    parser.add_argument("--require", **repeated, metavar="KIND=VALUE", help=wish)
    parser.add_argument("--no-rerank", action="store_true", help="ask no re-ranking model")
    purposes = "commercial product, clinical research or teaching: held against the licences"
    parser.add_argument("--purpose", default=None, metavar="PURPOSE", help=purposes)
    parts = "what you have: gpu=no, gpu-memory=8, memory=16 (GB), system=Linux"
    parser.add_argument("--machine", **repeated, metavar="PART=VALUE", help=parts)


def wanted_pairs(args: argparse.Namespace) -> tuple[str, ...]:
    """The purpose and the machine of the options, as wishes that rank."""
    from retrieval.query import machine_pairs, purpose_pairs

    parts = (part for several in args.machine for part in several.split(","))
    return (*purpose_pairs(args.purpose), *machine_pairs(parts))


def checked_options(args: argparse.Namespace) -> tuple[str, ...]:
    """``wanted_pairs``, once every option is checked that can be without a catalog.

    Raises BadInput, which is then told before anything is loaded.
    """
    from retrieval.query import check_kinds, parse_required, parse_wanted

    check_kinds(args.filters)
    parse_required(args.require)
    wanted = wanted_pairs(args)
    parse_wanted(wanted)
    # The last, for the modes are the slowest to import.
    from retrieval.wiring import NAMES

    if args.mode not in NAMES:
        choices = ", ".join(NAMES)
        raise BadInput(f"mode: unknown mode {args.mode[:40]!r}; choose one of: {choices}")
    return wanted


SIZES = {
    "per_list": ("--candidates", 1, 1000, "candidates of each source"),
    "graph_hops": ("--hops", 0, 3, "steps that the graph expansion walks"),
    "graph_nodes": ("--nodes", 1, 2000, "tools after the graph expansion, at most"),
}
"""Settings of one search by field: option, least, most (those of the setting), help."""


def add_sizes(parser: argparse.ArgumentParser) -> None:
    """Add the options that change the sizes of this search."""
    for field, (option, least, most, text) in SIZES.items():
        help_text = f"{text}, {least} to {most}; otherwise as set"
        parser.add_argument(option, dest=field, type=int, help=help_text)


def with_sizes(args: argparse.Namespace, settings: Settings) -> Settings:
    """The settings with the sizes of the options. Raises BadInput naming one out of range."""
    changes = {field: size for field in SIZES if (size := getattr(args, field, None)) is not None}
    for field, size in changes.items():
        option, least, most, _ = SIZES[field]
        if not least <= size <= most:
            raise BadInput(f"{option}: {size} is out of range; choose from {least} to {most}")
    return settings.model_copy(update=changes)


def add_mode(parser: argparse.ArgumentParser) -> None:
    """Add ``--mode``; the engine checks its value."""
    parser.add_argument("--mode", default="hybrid")


def add_json(parser: argparse.ArgumentParser, help_text: str | None = None) -> None:
    """Add ``--json``."""
    parser.add_argument("--json", action="store_true", help=help_text)


def checked_top_k(args: argparse.Namespace) -> int | None:
    """The value of ``--top-k``. Raises BadInput outside 1 to MAX_TOP_K."""
    from retrieval.query import MAX_TOP_K

    top_k: int | None = args.top_k
    if top_k is not None and not 1 <= top_k <= MAX_TOP_K:
        raise BadInput(f"--top-k: {top_k} is outside 1 to {MAX_TOP_K}")
    return top_k


def catalog_source(args: argparse.Namespace) -> str:
    """The option or variable that names the catalog, for messages."""
    from retrieval.settings import variable

    return "--catalog" if args.catalog else variable("catalog")


def read_catalog(args: argparse.Namespace, settings: Settings) -> Catalog:
    """The catalog of ``--catalog``, else of the settings."""
    from retrieval.catalog import load_catalog

    return load_catalog(args.catalog or settings.catalog, catalog_source(args))


def check_catalog(catalog: Catalog, args: argparse.Namespace, settings: Settings) -> None:
    """Raise BadInput for a catalog without a usable record."""
    from retrieval.catalog import check_usable

    check_usable(catalog, args.catalog or settings.catalog, catalog_source(args))
