"""What BioCortex's page gives its pipeline: the web as a tool, entities, sizes, no vectors."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from msgspec import structs

from retrieval.cli import main
from retrieval.engine.engine import Engine
from retrieval.graph.expand import ENTITIES, GraphExpand
from retrieval.graph.port import Reached
from retrieval.settings import Settings
from retrieval.wiring.opening import open_engine
from tests.fakes import SMALL, make_candidate, make_state

PAPERS = "latest papers on lung segmentation"
WITH_WEB = ("hybrid", "biocortex", "agentic")
"""Modes that list tools for a task; the light modes and plaza follow sources without the web."""


def stage_of(answer, name):
    return next(n for n in answer.result.walk() if n.name.rpartition("/")[2] == name)


@pytest.mark.parametrize("mode", WITH_WEB)
def test_every_mode_of_the_source_says_how_to_allow_the_web_until_it_is_allowed(
    light_engine: Engine, mode: str
) -> None:
    web = stage_of(light_engine.run(PAPERS, mode), "web")
    assert web.status == "skipped"
    assert "SCANSCOUT_WEB_SEARCH=true" in web.note
    assert stage_of(light_engine.run("segment lungs", mode), "web").status == "ok"


def test_once_a_setting_allows_the_web_the_pipeline_picks_it(light_settings: Settings) -> None:
    engine = open_engine(light_settings.model_copy(update={"web_search": True}))
    for mode in WITH_WEB:
        answer = engine.run(PAPERS, mode)
        assert answer.candidates[0].tool.id == "web_literature_search"
        assert stage_of(answer, "web").note == "asks for: papers"


@pytest.mark.parametrize(
    ("text", "entity", "tools"),
    [
        ("TP53 mutation analysis", "TP53", {"gprofiler", "string_db", "open_targets"}),
        ("BRAF mutation analysis", "BRAF", {"gprofiler"}),
    ],
)
def test_entities_of_the_text_bring_their_tools_into_the_expansion(
    light_engine: Engine, text: str, entity: str, tools: set[str]
) -> None:
    expansion = stage_of(light_engine.run(text, "biocortex"), "KG expansion")
    paths = {
        c.tool.id: why.text
        for c in expansion.state.candidates
        for why in c.why
        if why.kind == "path"
    }
    linked = {tool for tool, path in paths.items() if entity in path}
    assert tools <= linked
    assert tools <= {c.tool.id for c in expansion.state.candidates}


def path_reasons(answer):
    rows = ((c.tool.id, [w.text for w in c.why if w.kind == "path"]) for c in answer.candidates)
    return dict(rows)


@pytest.mark.model
def test_a_named_gene_and_its_pathway_bring_their_tools_into_the_list(engine) -> None:
    told = path_reasons(engine.run("TP53 mutation analysis", "biocortex"))
    linked = {tool for tool, paths in told.items() if any("TP53 is linked to" in p for p in paths)}
    assert {"gprofiler", "string_db", "open_targets"} <= linked
    assert len(linked) < len(told)
    pathway = path_reasons(engine.run("apoptosis gene set analysis", "biocortex"))
    assert any("Apoptosis is part of KEGG" in p for paths in pathway.values() for p in paths)
    plain = path_reasons(engine.run("segment lungs", "biocortex"))
    assert not any("is linked to" in p for paths in plain.values() for p in paths)


@pytest.mark.model
def test_a_tool_of_a_named_gene_ranks_by_that_link_and_its_shares_add_up(engine) -> None:
    text = "TP53 mutation analysis"
    expansion = stage_of(engine.run(text, "biocortex"), "KG expansion")
    by_id = {c.tool.id: c for c in expansion.state.candidates}
    one = by_id["gprofiler"]
    similarity = one.score - ENTITIES
    others = [c for c in by_id.values() if not path_reasons_of(c)]
    assert any(similarity < c.score < one.score for c in others)
    again = stage_of(engine.run(text.replace("TP53", "gene"), "biocortex"), "KG expansion")
    assert not any(name.endswith("/entities") for c in again.state.candidates for name in c.scores)


def path_reasons_of(candidate):
    return [w.text for w in candidate.why if w.kind == "path"]


class Line:
    """A graph that reached these tools, whatever it is asked."""

    def __init__(self, *reached: Reached) -> None:
        self.reached = reached

    def expand(self, *_):
        return self.reached

    def words(self, path):
        return "; ".join(relation for _, relation, _ in path)


def test_an_expansion_ends_by_relevance_and_keeps_what_is_required() -> None:
    first, near, far, needed = (tool.id for tool in SMALL[:4])
    line = Line(
        Reached(id=near, score=1.0, path=((first, "same_domain", near),)),
        Reached(id=far, score=0.05, path=((first, "same_domain", far),)),
        Reached(id=needed, score=0.05, path=((first, "requires_tool", needed),)),
    )
    tools = {tool.id: tool for tool in SMALL}
    stage = GraphExpand(line, tools, [], lambda name, lists: lists[0][1], relevant=0.1)  # type: ignore[arg-type]
    start = make_state(
        "segment lungs", structs.replace(make_candidate(first, 1.0), tool=tools[first])
    )
    added = stage.run(start).metrics["added"]
    assert added == 2
    assert replace(stage, relevant=0.0).run(start).metrics["added"] == 3


def test_no_note_promises_vectors_while_they_are_off(light_engine: Engine) -> None:
    for mode in light_engine.modes:
        answer = light_engine.run("segment lungs", mode)
        notes = " ".join(node.note for node in answer.result.walk())
        assert "still being" not in notes, mode
        assert "search again soon" not in notes, mode


def test_sizes_are_options_of_the_command_and_are_checked(tmp_path, monkeypatch, capsys) -> None:
    for name, value in {"INDEX_DIR": tmp_path / "i", "CACHE_DIR": tmp_path / "c"}.items():
        monkeypatch.setenv(f"SCANSCOUT_{name}", str(value))
    monkeypatch.setenv("SCANSCOUT_VECTOR_SEARCH", "false")
    command = ["search", "segment lungs", "--mode", "biocortex", "--json"]
    assert main([*command, "--candidates", "5", "--nodes", "12", "--hops", "1"]) == 0
    stages = json.loads(capsys.readouterr().out)["stages"]
    sizes = {s["name"].rpartition("/")[2]: len(s["candidates"]) for s in stages}
    assert sizes["vector search"] == 5
    assert 5 < sizes["KG expansion"] <= 12
    assert main([*command, "--hops", "4"]) == 2
    assert "--hops: 4 is out of range; choose from 0 to 3" in capsys.readouterr().err
