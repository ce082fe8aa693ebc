"""The code blocks of BioCortex and BYOKG-RAG run; only the package prefix is another.

Blocks are read from the texts themselves, which are not part of this repository: without them the
tests are skipped. Mistakes of the texts: blocks of BYOKG-RAG are cut out of a method, so that names
such as ``response`` and ``self`` are given by the test, and ``for`` has a ``break`` outside of it;
BioCortex writes names and values of variables, which a shell reads, with a comment behind one.
"""

from __future__ import annotations

import re
import textwrap
from types import SimpleNamespace
from typing import Any

import pytest

from retrieval.compat.biocortex import search_arxiv
from retrieval.compat.byokg_rag import byokg_query_engine, graph_retrievers
from retrieval.compat.byokg_rag.graph_connectors import KGLinker
from retrieval.compat.byokg_rag.utils import parse_response
from retrieval.settings import ROOT, Settings

SEEDS = ROOT.parent / "shared" / "seeds"
BIOCORTEX = SEEDS / "000-biocortex-hybrid-retrieval.txt"
BYOKG = SEEDS / "003-byokg-multi-strategy.txt"
pytestmark = pytest.mark.skipif(
    not SEEDS.is_dir(), reason="the source texts are not beside this repository: ../shared/seeds"
)
REPLY = """<entities>A</entities><paths>born_in -> located_in</paths>
<opencypher>MATCH (a) RETURN a</opencypher><task-completion>FINISH</task-completion>"""


class Generator:
    """A model in the source's manner that always replies the same."""

    def __init__(self, reply: str = REPLY) -> None:
        self.reply, self.prompts = reply, list[str]()

    def generate(self, prompt: str) -> str:
        self.prompts.append(prompt)
        return self.reply


def blocks() -> list[str]:
    found = re.findall(r"```python\n(.*?)```", BYOKG.read_text("utf-8"), re.DOTALL)
    return [textwrap.dedent(one) for one in found]


def run(number: int, **given: Any) -> dict[str, Any]:
    source = blocks()[number]
    for module in ("graph_retrievers",):
        source = source.replace(f"from {module} ", f"from retrieval.compat.byokg_rag.{module} ")
    space: dict[str, Any] = {"ByoKGQueryEngine": byokg_query_engine.ByoKGQueryEngine, **given}
    exec(compile(source, f"block {number}", "exec"), space)
    return space


def test_every_block_of_the_text_is_run_here() -> None:
    assert len(blocks()) == 11


def test_the_blocks_of_linking_walking_paths_and_queries_run(graph_store, traversal) -> None:
    linker = KGLinker(Generator(), graph_store)
    entity_linker = graph_retrievers.EntityLinker(graph_store)
    space = run(0, kg_linker=linker, response=REPLY, entity_linker=entity_linker)
    assert "entity-extraction" in space["artifacts"]
    context: list[str] = []

    def add(into: list[str], items: list[str]) -> None:
        into.extend(items)

    me = SimpleNamespace(_add_to_context=add)
    walk = graph_retrievers.AgenticRetriever(None, traversal, graph_retrievers.TripletGVerbalizer())
    given = {"self": me, "retrieved_context": context, "query": "where was A born"}
    run(1, source_entities=["A"], triplet_retriever=walk, **given)
    artifacts = space["artifacts"]
    paths = graph_retrievers.PathRetriever(traversal)
    more = {"path_retriever": paths, "linked_answers": []}
    after = run(2, artifacts=artifacts, explored_entities={"A"}, **more)
    assert after["metapaths"] == [["born_in", "located_in"]]
    executor = graph_retrievers.GraphQueryRetriever(graph_store)
    after = run(3, artifacts=artifacts, graph_query_executor=executor)
    assert after["graph_query"] == "MATCH (a) RETURN a"


def test_the_blocks_of_iterations_context_and_completion_run(graph_store) -> None:
    generator = Generator()
    engine = byokg_query_engine.ByoKGQueryEngine(graph_store, llm_generator=generator)
    run(4, self=engine, iterations=2, query="where was A born", retrieved_context=["A is here"])
    assert len(generator.prompts) == 2
    assert "A is here" in generator.prompts[1]

    space = run(5, List=list)
    context = ["one"]
    space["_add_to_context"](None, context, ["one", "two", "two"])
    engine._add_to_context(mine := ["one"], ["one", "two", "two"])
    assert context == mine == ["one", "two"]
    assert run(6, Set=set, linked_entities=["A"])["explored_entities"] == {"A"}
    loop = "for _ in range(2):\n" + textwrap.indent(blocks()[7], "    ") + "    raise SystemExit"
    exec(loop, {"parse_response": parse_response, "response": REPLY})


def test_the_blocks_of_configuration_run(graph_store, traversal) -> None:
    engine = byokg_query_engine.ByoKGQueryEngine(graph_store)
    assert isinstance(run(8, query_engine=engine)["context"], list)
    assert run(9, graph_store=graph_store)["query_engine"].direct_query_linking is True
    verbalizer = graph_retrievers.TripletGVerbalizer()
    given = {"llm": Generator(), "traversal": traversal, "verbalizer": verbalizer}
    space = run(10, graph_store=graph_store, **given)
    assert space["query_engine"].triplet_retriever is space["custom_triplet_retriever"]


def test_the_call_of_biocortex_runs_and_says_that_the_web_is_off(monkeypatch) -> None:
    monkeypatch.setenv("SCANSCOUT_WEB_SEARCH", "false")
    call = next(x for x in BIOCORTEX.read_text("utf-8").splitlines() if x.startswith("search_arx"))
    papers = eval(call, {"search_arxiv": search_arxiv, "query": "segmentation", "max_results": 10})
    assert papers == []
    assert "SCANSCOUT_WEB_SEARCH" in papers.reason


def test_the_variables_of_biocortex_are_settings(tmp_path, monkeypatch) -> None:
    lines = BIOCORTEX.read_text("utf-8").rpartition("Environment Variables")[2].split("\n")
    values = dict(line.split("#")[0].strip().split("=", 1) for line in lines if "=" in line)
    for name, value in values.items():
        monkeypatch.setenv(name, value)
    settings = Settings(_env_file=None)
    assert len(values) == 4
    for name, value in values.items():
        assert getattr(settings, name.lower()).get_secret_value() == value
