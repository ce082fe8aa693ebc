"""Judgments and failed calls in the log: what troubleshooting needs, and no word of a visitor."""

from __future__ import annotations

import json
import logging
import re
import time

import pytest

from retrieval.llm.client import PURPOSE, OpenAICompatible, load_library
from retrieval.net.permission import OutsideCalls
from tests.dialogue.talking import talking_engine
from tests.llm.fault_list import FAULTS
from tests.llm.faults import KEY, Wire, completion, says, serving

pytestmark = pytest.mark.process

WORD = "zqplanted00042x"
INVENTED = "hallucinated ids alone"
TEXT = f"segment volumes {WORD}"
NOT_ENOUGH = {
    "is_sufficient": False,
    "reasoning": f"nothing is about {WORD}",
    "missing_info": [f"{WORD} one", f"{WORD} two"],
    "queries": [f"tools for {WORD}", f"segment {WORD} in CT"],
    "strategy": f"look for {WORD}",
}


@pytest.fixture(scope="module", autouse=True)
def library():
    load_library()


def logged(caplog, acts, mode="agentic", seconds=10.0):
    """The lines above DEBUG, and those at DEBUG, of one search."""
    with caplog.at_level(logging.DEBUG), serving(*acts) as server:
        model = OpenAICompatible(
            base_url=server.url,
            model="tiny",
            api_key=KEY,
            guard=OutsideCalls(frozenset({PURPOSE})),
            seconds=seconds,
        )
        talking_engine(model, seconds).run(TEXT, mode)
    quiet = [line for line in lines(caplog, logging.DEBUG) if line.startswith("DEBUG")]
    return lines(caplog, logging.INFO), quiet


def lines(caplog, level):
    own = [r for r in caplog.records if r.name.startswith(("retriever", "retrieval"))]
    return [f"{r.levelname} {r.name}: {r.getMessage()}" for r in own if r.levelno >= level]


@pytest.mark.requirement("S4-09")
def test_a_judgment_is_logged_by_round_and_numbers_with_its_words_at_debug_alone(caplog):
    loud, quiet = logged(caplog, [says(completion(json.dumps(NOT_ENOUGH)))])
    wanted = r"INFO retriever\.agentic: Round 1: not enough, tools judged=5, missing=2, "
    assert any(re.match(wanted + "next queries=2", line) for line in loud)
    assert WORD not in "\n".join(loud)
    assert any(f"nothing is about {WORD}" in line for line in quiet)


def test_the_judge_that_needs_no_model_is_logged_too(caplog):
    with caplog.at_level(logging.INFO):
        talking_engine().run(TEXT, "agentic")
    assert "retriever.agentic" in {record.name for record in caplog.records}
    assert "Round 1: " in caplog.text
    assert WORD not in caplog.text


@pytest.mark.requirement("S4-14")
def test_a_failed_call_is_logged_with_its_reason_and_the_search_that_stands_in(caplog):
    loud, _ = logged(caplog, FAULTS["401 with a key"].acts)
    failed = "WARNING retriever.language_model: A call of the language model failed: "
    assert any(line.startswith(failed) and "the key was refused" in line for line in loud)
    assert any("The plain search answers instead of the rounds: LLM API" in line for line in loud)


def echoes(wire: Wire) -> None:
    """An answer of another shape that repeats the whole prompt in names and values."""
    prompt = wire.server.asked[-1].prompt
    told = json.dumps({WORD: prompt, "is_sufficient": WORD, "tools": prompt, "queries": {WORD: 1}})
    says(completion(told))(wire)


def refuses(wire: Wire) -> None:
    """A refusal that repeats prompt and key in its text and in a header."""
    asked = wire.server.asked[-1]
    error = {"error": {"message": f"{asked.prompt} {asked.head}", "code": WORD, "param": WORD}}
    says(json.dumps(error).encode(), 400, Retry_After=WORD, X_Reason=WORD)(wire)


ACTS = {
    "an echo": ((echoes,), 10.0),
    "a refusal": ((refuses,), 10.0),
    **{name: (fault.acts, min(fault.seconds, 10.0)) for name, fault in FAULTS.items()},
}


@pytest.mark.parametrize("mode", ["agentic", "hybrid"])
@pytest.mark.parametrize("name", ACTS)
def test_whatever_a_server_answers_no_typed_word_and_no_key_is_logged_above_debug(
    name, mode, caplog
):
    acts, seconds = ACTS[name]
    loud, quiet = logged(caplog, acts, mode, seconds)
    # A call that nobody waits for any longer writes its line when it ends.
    until = time.monotonic() + 20
    while "A call of" not in caplog.text and seconds < 10 and time.monotonic() < until:
        time.sleep(0.05)
    loud = lines(caplog, logging.INFO)
    # An answer in the right shape about tools that do not exist is no failed call.
    wanted = "retriever.agentic" if mode == "agentic" else "retriever.language_model"
    assert any(wanted in line for line in loud) or (name, mode) == (INVENTED, "hybrid")
    text = "\n".join(loud)
    assert WORD not in text
    assert KEY not in text + "\n".join(quiet)
