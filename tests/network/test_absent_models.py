"""A model that is not on this machine is named with the remedy, and nobody is asked for it."""

from __future__ import annotations

from tests.network.probing import NEEDS_NAMESPACE, printed

LOADING = """
import json
from tests.network import recorder
packets = recorder.enter()
from retrieval.core.errors import StageUnavailable
from retrieval.dense import SentenceEncoder
from retrieval.rerank import SentencePairScorer
reasons = []
for load in (SentenceEncoder, SentencePairScorer):
    try:
        load("BAAI/bge-small-en-v1.5")
    except StageUnavailable as exc:
        reasons.append(str(exc))
print(json.dumps([reasons, packets.seen()]))
"""

pytestmark = NEEDS_NAMESPACE


def test_an_absent_model_is_looked_up_nowhere_even_where_the_hub_is_allowed():
    (encoder, scorer), seen = printed(LOADING, HF_HUB_OFFLINE="0")
    assert seen == []
    assert "'BAAI/bge-small-en-v1.5' is not on this machine" in encoder
    assert "SCANSCOUT_ENCODER" in encoder
    assert "SCANSCOUT_CROSS_ENCODER" in scorer
