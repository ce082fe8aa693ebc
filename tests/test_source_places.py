"""Every place that the table of the source systems names: commands, imports, elements of a page."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import json
import pkgutil
import re
from functools import cache
from importlib.util import find_spec

import pytest

import retrieval.compat
from components.page import build_page
from components.render.questions import ask as questions
from retrieval.cli.program import build_parser
from retrieval.export.schema import MetadataPart, StagePart
from retrieval.settings import ROOT, Settings
from retrieval.wiring.modes import NAMES
from tests.fakes import small_engine
from tests.test_source_systems import BLOCKS, PARTS, SEEDS, beside, rows

PLACES = [(name, row[0], row[2]) for name, part in PARTS for row in rows(part)]
COMMAND = "python -m "
BLOCK_FOLDERS = {
    "001-imaging-agent-retrieval": "retriever/seed",
    "002-biochatter-rag": "biochatter/seed",
    "004-agentic-retrieval": "agentic",
}
CODE = re.compile(
    r"\s*(from [\w.]+ import|import \w|[\w., \[\]']+ = |(async )?def \w|class \w+[(:]|print\(|"
    r"return \w|if \w.*:$|for \w.*:$|\w+\.\w+\(.*\)$)"
)
"""Lines that are code wherever they stand."""
NO_CODE = {
    "query1 = ", "query2 = ", "query3 = ", "results = 2 tools", "results = 7 tools",
    "from biochatter.vectorstore import DocumentReader()",
}  # fmt: skip
"""Lines that no Python takes: an outline of retries with counts in words, an import with a call."""


def quoted(mark: str) -> list[tuple[str, str]]:
    """What stands between two marks in a place, with the line of its row."""
    found = [(line, one) for _, line, place in PLACES for one in re.findall(mark, place)]
    assert found
    return found


@cache
def compat_names() -> frozenset[str]:
    """Every public name of the source's classes: modules, members, fields and parameters."""
    names: set[str] = set()
    found = pkgutil.walk_packages(retrieval.compat.__path__, "retrieval.compat.")
    for info in found:
        if info.name.endswith("__main__"):
            continue
        module = importlib.import_module(info.name)
        names |= {info.name, *info.name.split(".")}
        # Attributes that an object gets when it is made.
        names |= set(re.findall(r"self\.([a-z]\w*)", inspect.getsource(module)))
        for name, value in vars(module).items():
            names.add(name)
            if inspect.isclass(value):
                names |= {*dir(value), *_parameters(value)}
                if dataclasses.is_dataclass(value):
                    names |= {field.name for field in dataclasses.fields(value)}
                for member in vars(value).values():
                    names |= _parameters(member)
                names |= set(getattr(value, "model_fields", {}))
            elif inspect.isfunction(value):
                names |= _parameters(value)
    return frozenset(names)


def _parameters(of: object) -> set[str]:
    try:
        return set(inspect.signature(of).parameters)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return set()


@cache
def search_options() -> str:
    return _help("search")


def _help(*command: str) -> str:
    parser = build_parser()
    for name in command:
        actions = [a for a in parser._actions if isinstance(getattr(a, "choices", None), dict)]
        parser = next(a.choices[name] for a in actions if name in a.choices)
    return str(parser.format_help())


def test_every_command_is_one_that_the_parser_takes() -> None:
    for line, command in quoted(rf"`{COMMAND}([^`]+)`"):
        module, *words = command.split()
        assert find_spec(module) is not None, line
        if module == "retrieval":
            if words[0] == "models":
                args = build_parser().parse_args(words)
                assert callable(args.run), (line, command)
            else:
                assert _help(*words), (line, command)
    for line, command in quoted(r"`(ask --[^`]+)`"):
        first, option, *_ = command.split()
        assert option in _help(first), (line, command)


def test_every_option_setting_and_mode_exists() -> None:
    known = {str(alias) for field in Settings.model_fields.values() for alias in _aliases(field)}
    for line, option in quoted(r"`(--[\w-]+)`"):
        assert option in search_options(), (line, option)
    for line, name in quoted(r"`([A-Z][A-Z_]{4,})(?:=\w+)?`"):
        assert name in known or name.removeprefix("SCANSCOUT_").lower() in Settings.model_fields, (
            line,
            name,
        )


def _aliases(field: object) -> list[object]:
    alias = getattr(field, "validation_alias", None)
    return list(getattr(alias, "choices", [alias]))


def test_every_import_class_and_argument_exists_under_the_source_s_name() -> None:
    elsewhere = {*NAMES, ".env", "index.faiss", "agentic_fallback", "web"}
    for line, text in quoted(r"`([^`]+)`"):
        code = re.sub(r"=[^,)]*", "", text)
        if text.startswith((COMMAND, "ask --", "--")) or text in elsewhere or text.isupper():
            continue
        if re.fullmatch(r"[A-Z][A-Z_]{4,}(=\w+)?", text):
            continue
        if "/" in text:
            assert (ROOT / text).exists(), (line, text)
        elif text.startswith("metadata."):
            assert text.partition(".")[2] in MetadataPart.model_fields, (line, text)
        elif text.startswith("retrieval."):
            assert importlib.import_module(text), (line, text)
        else:
            missing = set(re.findall(r"\w+", code)) - compat_names()
            assert not missing, (line, text, missing)


def test_every_label_stands_on_the_page_or_is_a_stage_of_a_search() -> None:
    engine = small_engine()
    config = build_page(engine, Settings(_env_file=None)).config
    page = json.dumps(config, ensure_ascii=False, default=str)
    stages = {
        part
        for mode in engine.modes
        for node in engine.run("segment qqq", mode).result.walk()
        for part in node.name.split("/")
    }
    words = inspect.getsource(questions)
    assert "usage" in StagePart.model_fields
    for line, label in quoted(r"\*([^*]+)\*"):
        on_page = label in page
        is_stage = set(label.split("/")) <= stages or re.fullmatch(r"(round|iteration) \d", label)
        in_answers = label.removesuffix(" ...") in words
        assert on_page or is_stage or in_answers or label == "usage", (line, label)


def test_every_linked_page_exists() -> None:
    for line, link in quoted(r"\]\(([^)#]+)"):
        assert (ROOT / "docs" / link).is_file(), (line, link)


@beside
@pytest.mark.parametrize("name", BLOCK_FOLDERS)
def test_every_line_of_code_of_a_text_stands_in_a_block_that_is_run(name: str) -> None:
    folder = ROOT / "tests" / "compat" / BLOCK_FOLDERS[name]
    files = sorted(folder.glob("*.txt"))
    run = "".join("".join(file.read_text("utf-8").split()) for file in files)
    lines = (SEEDS / f"{name}.txt").read_text("utf-8").splitlines()
    code = [line for line in lines if CODE.match(line)]
    bare = [line for line in code if "".join(line.split()) not in run]
    assert len(code) > 20
    assert [line for line in bare if not line.strip().startswith(tuple(NO_CODE))] == []
    test = (ROOT / BLOCKS[name]).read_text("utf-8")
    for file in files:
        assert file.stem in test or "glob(" in test, file.name
