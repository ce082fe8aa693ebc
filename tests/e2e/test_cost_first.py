"""What a language model would cost is on the page before the first search sends it anything."""

from __future__ import annotations

import json
import re

import pytest
from browsing import Visit
from serving import answers, page

from tests.llm.faults import Wire, completion, ranking, says, serving

PRICES = {"SCANSCOUT_LLM_PRICE_IN": "2.5", "SCANSCOUT_LLM_PRICE_OUT": "10"}
COST = re.compile(r"To tiny at \S+: .* At most ([\d,]+) tokens, ([\d.]+) with its answer\.")


def _ranks_what_it_was_shown(wire: Wire) -> None:
    """Puts the last two tools of the prompt first."""
    shown = re.findall(r'"id": "(\w+)"|^(\d+)\.? ', wire.server.asked[-1].prompt, re.MULTILINE)
    ids = [name or int(number) for name, number in shown]
    says(completion(ranking(*ids[-2:])))(wire)


@pytest.fixture
def model():
    with serving(_ranks_what_it_was_shown) as server:
        yield server


def test_the_cost_of_a_language_model_is_shown_before_the_first_search(
    model, tmp_path, settings, contexts
):
    told = {"SCANSCOUT_LLM_BASE_URL": model.url, "SCANSCOUT_LLM_MODEL": "tiny", **PRICES}
    with page(tmp_path, settings, answers, **told) as served:
        tab = contexts("desktop", False, True).new_page()
        tab.set_default_timeout(45_000)
        visit = Visit(page=tab, url=served.url, phone=False).go().open("#model")
        assert "may be sent your words" in tab.inner_text("#status")
        tab.fill("#query textarea", "segment lungs")
        tab.click("#modellook")
        line = tab.wait_for_selector("#modeltold p[role=status]").inner_text()
        tokens, cost = COST.search(line).groups()
        assert 0 < float(cost) < 1
        assert model.asked == []
        assert tab.evaluate("document.body.dataset.answer || ''") == ""

        preview = tab.locator("#modeltold pre").first.inner_text()
        visit.find()
        sent = [json.dumps(one.told["messages"]) for one in model.asked]
        assert sent
        words = " ".join(preview.split())[:200]
        assert any(words in " ".join(one.prompt.split()) for one in model.asked)
        used = visit.answer()["metadata"]["usage"]
        assert 0 < used["llm_cost"] <= float(cost) * used["llm_calls"]
        assert used["llm_tokens_in"] == 1200 * used["llm_calls"]
        assert int(tokens.replace(",", "")) > 1000
        tab.close()
