"""One service of the farm that answers badly, and what comes of it."""

from __future__ import annotations

import json

from tests.web import samples
from tests.web.farming import SHOWN

TEXT = "latest papers on lung segmentation"
QUICK = {"web_seconds": 3.0, "web_service_seconds": 0.4}
BODIES = {
    "tavily": json.dumps(samples.TAVILY),
    "serper": json.dumps(samples.SERPER),
    "serpapi": json.dumps(samples.SERPAPI),
    "duckduckgo": samples.DUCKDUCKGO,
    "pubmed": json.dumps(samples.ESEARCH),
    "biorxiv": json.dumps(samples.BIORXIV),
    "semantic_scholar": json.dumps(samples.SEMANTIC_SCHOLAR),
    "arxiv": samples.ARXIV,
}
BOMB = """<?xml version="1.0"?><!DOCTYPE feed [<!ENTITY a "lol">
<!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">
<!ENTITY d "&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;">]><feed><entry><id>&d;</id></entry></feed>"""
EXTERNAL = """<?xml version="1.0"?><!DOCTYPE feed [<!ENTITY x SYSTEM "{}">]>
<feed xmlns="http://www.w3.org/2005/Atom"><entry>
<id>http://arxiv.org/abs/2401.12345</id><title>&x;</title></entry></feed>"""
CAPTCHA = """<html><body><div class="anomaly-modal__title">Unfortunately, bots use DuckDuckGo too.
</div><form id="challenge-form"
 action="//duckduckgo.com/anomaly.js?sv=html"></form></body></html>"""


def alone(farm, name, answer, **more):
    """What comes of asking one service that answers like this."""
    farm.set(**{name: answer})
    return farm.keyed(**{**QUICK, "web_service_seconds": 2.0, **more}).run(TEXT, SHOWN[name])
