"""The strategies as stages, iterated, with a model that follows a script."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from retrieval.ask.answerer import GraphAnswerer, completing
from retrieval.ask.linker import EntityLinker, NameIndex, QuestionLinker
from retrieval.ask.lookups import TaskLinker, queries_in
from retrieval.ask.reading import Reader
from retrieval.ask.strategies import why_ended
from retrieval.core.codes import Format
from retrieval.core.errors import StageUnavailable
from retrieval.core.evidence import Evidence, Fact
from retrieval.core.stage import StageResult, finish, progress
from retrieval.core.types import State
from retrieval.graph.build import build_graph
from retrieval.graph.facts import catalog_facts
from retrieval.graph.querying import QueryFailed, QueryStore, Rows
from retrieval.graphdb.cypher_guard import reading_cypher
from tests.fakes import ScriptedModel, make_query, make_tool, parts_of

TOOLS = (
    make_tool("dcm2niix", formats_in=(Format.DICOM,), formats_out=(Format.NIFTI,)),
    make_tool("fsl", formats_in=(Format.NIFTI,), requires_tool=("dcm2niix",)),
    make_tool("bet", formats_in=(Format.NIFTI,), requires_tool=("fsl",)),
)
BASE = catalog_facts(TOOLS, build_graph(TOOLS))
NAMES = NameIndex.of(BASE.items.values())
READ = "MATCH (t:Tool) RETURN t.name"
STOP = "<task-completion>FINISH</task-completion>"


class Answers:
    """A store that checks queries as the real ones do, and answers from a list."""

    language = "Cypher"

    def __init__(self, *answers: Rows | Exception) -> None:
        self.answers = list(answers)
        self.asked: list[str] = []

    def schema(self) -> str:
        return "(:Tool)-[:accepts]->(:Format)"

    def run(self, query: str, parameters: Mapping[str, Any] | None = None) -> Rows:
        reading_cypher(query)
        self.asked.append(query)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


def rows(*texts: str) -> Rows:
    return Rows(language="Cypher", text=READ, columns=("name",), rows=tuple((t,) for t in texts))


def run(
    *replies: str | Exception, store: QueryStore | None = None, iterations: int = 2
) -> tuple[StageResult, ScriptedModel]:
    model = ScriptedModel(*replies)
    answerer = GraphAnswerer(
        BASE,
        Reader(BASE, QuestionLinker(NAMES)),
        EntityLinker(NAMES),
        model=model,
        lookups=TaskLinker(completing(model, 5)),
        store=lambda: store,
        iterations=iterations,
    )
    state = State(query=make_query("Tell me of the frobnicator."))
    return finish(progress(answerer.stage(), state, root=True)), model


def walk_replies() -> list[str]:
    return [json.dumps({"relations": ["accepts", "requires_tool"]}), json.dumps({"finish": True})]


def texts(result: StageResult) -> list[str]:
    return [fact.text for fact in result.state.evidence.facts]


@pytest.mark.requirement("S3-03")
def test_all_strategies_run_in_one_iteration() -> None:
    reply = (
        "<entities>\nfsl\n</entities>\n<paths>\nrequires_tool -> accepts\n</paths>\n"
        f"<opencypher>\n{READ}\n</opencypher>"
    )
    result, _ = run(reply, *walk_replies(), STOP, store=Answers(rows("fsl")))
    ran = {name.rsplit("/", 1)[-1] for name, part in parts_of(result).items() if part.ran}
    assert {"wishes", "linking", "triplets", "paths", "query"} <= ran
    kinds = {fact.kind for fact in result.state.evidence.facts}
    assert {"triple", "path", "query"} <= kinds
    assert "fsl accepts NIfTI" in texts(result)
    assert "fsl requires tool dcm2niix; dcm2niix accepts DICOM" in texts(result)
    assert "name: fsl" in texts(result)


@pytest.mark.requirement("S3-10")
def test_later_iterations_have_their_own_prompt_and_the_context() -> None:
    first = "<entities>\nfsl\n</entities>"
    result, model = run(first, *walk_replies(), STOP)
    assert "Nothing was looked up before" in model.prompts[0]
    assert "nothing yet" in model.prompts[0]
    assert "Build on what was found" in model.prompts[-1]
    assert "fsl accepts NIfTI" in model.prompts[-1]
    assert result.ran


@pytest.mark.requirement("S3-11")
def test_context_is_in_order_and_without_repetition_across_iterations() -> None:
    first = "<entities>\nfsl\n</entities>\n<opencypher>\nMATCH (a) RETURN a.name\n</opencypher>"
    again = f"<opencypher>\n{READ}\n</opencypher>"
    store = Answers(rows("x", "y"), rows("y", "x", "z"))
    result, _ = run(first, *walk_replies(), again, store=store)
    told = texts(result)
    assert len(told) == len(set(told))
    assert [t for t in told if t.startswith("name:")] == ["name: x", "name: y", "name: z"]


@pytest.mark.requirement("S3-12")
def test_explored_nodes_grow_and_are_not_walked_twice() -> None:
    same = "<entities>\nfsl\n</entities>"
    result, model = run(same, *walk_replies(), same, iterations=3)
    walked = [p for p in model.prompts if "relations that lead on" in p]
    assert len(walked) == 1
    assert "fsl" in result.state.evidence.explored


@pytest.mark.parametrize(
    ("replies", "reason"),
    [
        ([STOP], "the model said FINISH"),
        (
            ["<entities>\nfsl\n</entities>", *walk_replies(), "<entities>\nfsl\n</entities>"],
            "nothing new was found",
        ),
    ],
)
@pytest.mark.requirement("S3-13")
def test_what_ended_the_iterations_is_told(replies: list[str], reason: str) -> None:
    result, _ = run(*replies, iterations=3)
    verdicts = [node.verdict for node in result.walk() if node.verdict]
    assert verdicts[-1].reason == reason


@pytest.mark.requirement("S3-13")
def test_the_iterations_end_when_they_are_used_up() -> None:
    two = [["<entities>\nfsl\n</entities>", *walk_replies()], ["<entities>\nbet\n</entities>"]]
    result, model = run(*two[0], *two[1], *walk_replies(), iterations=2)
    assert sum("Do the tasks below" in prompt for prompt in model.prompts) == 2
    verdicts = [node.verdict for node in result.walk() if node.verdict]
    assert [verdict.enough for verdict in verdicts] == ["not enough"]


@pytest.mark.requirement("S3-13")
def test_finish_alone_ends_it_without_a_query_or_a_walk() -> None:
    store = Answers()
    result, model = run(STOP, store=store)
    assert store.asked == []
    assert len(model.prompts) == 1
    assert parts_of(result)["iterations/round 1/strategies/query"].status == "skipped"
    assert why_ended(result) == "the model said FINISH"


@pytest.mark.requirement("S3-13")
def test_what_stands_beside_finish_is_looked_up_before_it_ends() -> None:
    reply = (
        "<entities>\nfsl\n</entities>\n<paths>\nrequires_tool -> accepts\n</paths>\n"
        f"<opencypher>\n{READ}\n</opencypher>\n{STOP}"
    )
    result, model = run(reply, *walk_replies(), store=Answers(rows("bet")), iterations=3)
    assert "fsl accepts NIfTI" in texts(result)
    assert "fsl requires tool dcm2niix; dcm2niix accepts DICOM" in texts(result)
    assert "name: bet" in texts(result)
    assert sum("Do the tasks below" in prompt for prompt in model.prompts) == 1
    assert why_ended(result) == "the model said FINISH"


@pytest.mark.requirement("S3-13")
def test_a_draft_answer_beside_finish_is_joined_to_the_nodes_before_it() -> None:
    first = "<entities>\nbet\n</entities>"
    draft = f"<answers>\ndcm2niix\n</answers>\n{STOP}"
    result, _ = run(first, *walk_replies(), draft)
    assert "bet accepts NIfTI; dcm2niix produces NIfTI" in texts(result)


@pytest.mark.requirement("S3-16")
def test_a_failed_query_and_an_empty_one_are_told_back_in_different_words() -> None:
    query = f"<opencypher>\n{READ}\n</opencypher>"
    failed, model = run(query, STOP, store=Answers(QueryFailed("query: no such label")))
    assert "query failed. query: no such label" in model.prompts[1]
    empty, other = run(query, STOP, store=Answers(rows()))
    assert "ran and found no row" in other.prompts[1]
    assert parts_of(failed)["iterations/round 1/strategies/query"].status == "fallback"
    assert parts_of(empty)["iterations/round 1/strategies/query"].status == "fallback"
    assert {f.kind for r in (failed, empty) for f in r.state.evidence.facts} == {"note"}


@pytest.mark.requirement("S3-16")
def test_a_refused_query_is_told_back_and_never_run() -> None:
    store = Answers()
    result, model = run("<opencypher>\nMATCH (n) DELETE n\n</opencypher>", STOP, store=store)
    assert store.asked == []
    assert "was not run" in model.prompts[1]
    assert result.state.evidence.answer == ()


def test_a_query_is_written_anew_only_once() -> None:
    replies = [f"<opencypher>\nMATCH (t{n}) RETURN t{n}\n</opencypher>" for n in range(4)]
    store = Answers(*(QueryFailed(f"query: wrong {n}") for n in range(4)))
    run(*replies, store=store, iterations=4)
    assert len(store.asked) == 2


@pytest.mark.parametrize("kind", ["opencypher", "opencypher-neptune-rdf", "opencypher-neptune"])
@pytest.mark.requirement("S3-09")
def test_three_query_types_are_taken_and_their_lines_joined(kind: str) -> None:
    linker = TaskLinker(lambda prompt: "")
    told = linker.parse_response(f"<{kind}>\nMATCH (t)\nRETURN t\n</{kind}>")
    assert told == {kind: ["MATCH (t)", "RETURN t"]}
    assert queries_in(told) == [(kind, "MATCH (t) RETURN t")]


@pytest.mark.requirement("S3-04")
def test_tasks_and_their_tags() -> None:
    linker = TaskLinker(lambda prompt: prompt)
    prompt = linker.generate_response("Q?", "(:Tool)", "known", linker.prompts())
    assert all(f"<{tag}>" in prompt for tag in ("entities", "paths", "opencypher", "answers"))
    assert all(text in prompt for text in ("Q?", "(:Tool)", "known"))
    reply = "<entities>\n a \n\nb\n</entities> prose <answers>c</answers>"
    assert linker.parse_response(reply) == {
        "entity-extraction": ["a", "b"],
        "draft-answer-generation": ["c"],
    }


@pytest.mark.requirement("S3-04")
def test_failure_one_name_for_each_tag() -> None:
    linker = TaskLinker(lambda prompt: "")
    prompts = linker.prompts()
    for tag in ("entities", "paths", "opencypher", "answers"):
        assert prompts.count(f"<{tag}>") == prompts.count(f"</{tag}>") == 1


def test_a_model_that_does_not_answer_leaves_what_needs_none() -> None:
    result, _ = run(StageUnavailable("nobody there"))
    parts = parts_of(result)
    assert parts["iterations/round 1/strategies/wishes"].status == "skipped"
    assert "nobody there" in parts["iterations/round 1/strategies/wishes"].note
    assert parts["iterations/round 1/strategies/question"].ran


def test_a_reply_full_of_nonsense_asks_for_nothing() -> None:
    linker = TaskLinker(lambda prompt: "")
    assert linker.parse_response("<entities></entities><paths>" * 1000) == {}
    assert (
        len(linker.parse_response("<paths>\n" + "p\n" * 500 + "</paths>")["path-extraction"]) == 50
    )


def test_what_is_known_is_put_together_without_repetition() -> None:
    one, two = (Fact(id=i, text=t) for i, t in (("1", "a"), ("2", "b")))
    first = Evidence().with_facts([one]).with_linked(["x"])
    other = replace(first.with_facts([two, one]), refusal="no").with_explored(["x"])
    merged = first.merged([other, first])
    assert merged.facts == (one, two)
    assert (merged.linked, merged.explored) == (("x",), frozenset({"x"}))
