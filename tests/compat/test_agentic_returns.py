"""The two blocks of agentic retrieval that show what a call returns have the keys it returns.

They are read from the text itself, which is no part of this repository: without it the tests are
skipped. The text shows one memory and a comment for the others, and times of its own.
"""

from __future__ import annotations

import ast
import asyncio
import json
import re
from typing import Any

import pytest

from retrieval.compat.agentic_layer.memory_manager import MemoryManager
from retrieval.settings import ROOT
from retrieval.wiring.collections import Collections
from tests.agentic.judging import MORE, QUERIES
from tests.compat.test_agentic_manager import TOOLS
from tests.fakes import ScriptedModel

TEXT = ROOT.parent / "shared" / "seeds" / "004-agentic-retrieval.txt"
BLOCK = re.compile(r"^\{\n(.*?)^\}", re.MULTILINE | re.DOTALL)
pytestmark = pytest.mark.skipif(
    not TEXT.is_file(), reason="the source texts are not beside this repository: ../shared/seeds"
)


def blocks() -> list[dict[str, Any]]:
    found = BLOCK.finditer(TEXT.read_text("utf-8"))
    return [ast.literal_eval(re.sub(r"#.*", "", one.group())) for one in found]


@pytest.fixture
def manager(tmp_path, light_settings):
    catalog = tmp_path / "tools.jsonl"
    catalog.write_text("\n".join(map(json.dumps, TOOLS)), "utf-8")
    settings = light_settings.model_copy(update={"catalog": catalog})
    return MemoryManager(Collections(settings, tmp_path / "groups"))


def test_two_blocks_of_the_text_show_a_result() -> None:
    assert [sorted(block) for block in blocks()] == [
        ["count", "memories", "metadata"],
        ["metadata"],
    ]


def test_two_rounds_return_every_key_of_the_block_with_its_type(manager) -> None:
    block, _ = blocks()
    model = ScriptedModel(MORE, QUERIES)
    result = asyncio.run(manager.retrieve_agentic("lungs on CT, reading time", llm_provider=model))
    assert result.keys() == block.keys()
    assert block["memories"][0].keys() <= result["memories"][0].keys()
    assert block["metadata"].keys() <= result["metadata"].keys()
    numbers = (int, float)
    for key, value in block["metadata"].items():
        kind = numbers if type(value) in numbers else type(value)
        assert isinstance(result["metadata"][key], kind), key


def test_a_call_without_a_model_returns_the_keys_of_the_block_of_the_fallback(manager) -> None:
    _, block = blocks()
    result = asyncio.run(manager.retrieve_agentic("lungs on CT"))
    assert result["metadata"]["retrieval_mode"] == block["metadata"]["retrieval_mode"]
    assert result["metadata"]["fallback_reason"]
    assert result["memories"]
