"""Servers on this machine that speak as bio.tools, BLAST and OncoKB do, and ways to ask them."""

from __future__ import annotations

import json
from urllib.parse import parse_qs

from retrieval.core.deadline import Deadline
from retrieval.databases.api import PURPOSE, ApiHttp
from retrieval.net.permission import OutsideCalls
from tests.web.loopback import raw

TOOLS = {
    "count": 2,
    "next": None,
    "previous": None,
    "list": [
        {
            "name": "XCMS",
            "biotoolsID": "xcms",
            "description": "Processing of mass\nspectrometry data.",
            "homepage": "https://example.org/xcms",
            "license": "GPL-2.0",
            "toolType": ["Library"],
            "topic": [{"term": "Metabolomics", "uri": "http://edamontology.org/topic_3172"}],
            "function": [
                {
                    "operation": [{"term": "Peak detection", "uri": "x"}],
                    "input": [
                        {
                            "data": {"term": "Mass spectrum", "uri": "x"},
                            "format": [{"term": "mzML", "uri": "x"}],
                        }
                    ],
                    "output": [],
                }
            ],
        },
        {"name": "Bare", "biotoolsID": "bare", "description": "Nothing stated.", "function": []},
    ],
}
BRAF = {
    "query": {"hugoSymbol": "BRAF", "alteration": "V600E"},
    "geneExist": True,
    "variantExist": True,
    "oncogenic": "Oncogenic",
    "mutationEffect": {"knownEffect": "Gain-of-function", "description": ""},
    "highestSensitiveLevel": "LEVEL_1",
    "geneSummary": "BRAF is a kinase.",
    "variantSummary": "V600E is known to be oncogenic.",
    "tumorTypeSummary": "",
    "treatments": [{"drugs": [{"drugName": "Dabrafenib"}], "level": "LEVEL_1"}],
}
HITS = {
    "BlastOutput2": [
        {
            "report": {
                "results": {
                    "search": {
                        "hits": [
                            {
                                "description": [{"accession": "NM_1", "title": "a gene"}],
                                "hsps": [
                                    {
                                        "bit_score": 90.1,
                                        "evalue": 1e-20,
                                        "identity": 95,
                                        "align_len": 100,
                                    }
                                ],
                            }
                        ]
                    }
                }
            }
        }
    ]
}
SUBMITTED = "<!--QBlastInfoBegin\n    RID = ABC123XYZ\n    RTOE = 7\nQBlastInfoEnd\n-->"


class BlastServer:
    """Takes a search, says WAITING a few times, then one last state; ``said`` is what it heard."""

    def __init__(self, waits=2, last="READY", submitted=SUBMITTED):
        self.waits, self.last, self.submitted, self.said = waits, last, submitted, []

    def __call__(self, connection, asked, _over):
        told = {k: v[-1] for k, v in parse_qs(asked.body.decode()).items()} or asked.params
        self.said.append(told)
        connection.sendall(raw(200, self._page(told).encode()))

    def _page(self, told):
        if told["CMD"] == "Put":
            return self.submitted
        if told.get("FORMAT_OBJECT") == "SearchInfo":
            self.waits -= 1
            return f"QBlastInfoBegin\n\tStatus={'WAITING' if self.waits >= 0 else self.last}\n"
        return json.dumps(HITS)


def http(title="a database", *, on=True, **told):
    guard = OutsideCalls(frozenset([PURPOSE] if on else []))
    return ApiHttp(guard, title, **told)


def soon(seconds=20.0):
    return Deadline.after(seconds)
