"""BLAST's answers as its schemas document them: JSON of one query and of several, and XML2."""

from __future__ import annotations

import json

import pytest

from retrieval.core.errors import StageUnavailable
from retrieval.databases.blast import Blast
from retrieval.databases.blast_answer import hits_of
from tests.databases.databases import http

# Elements and order are those of NCBI_BlastOutput2.xsd and its JSON twin; the values are made up.
HSP = {
    "num": 1,
    "bit_score": 904.2,
    "score": 489,
    "evalue": 2.5e-20,
    "identity": 489,
    "query_from": 1,
    "query_to": 489,
    "query_strand": "Plus",
    "hit_from": 12,
    "hit_to": 500,
    "hit_strand": "Plus",
    "align_len": 490,
    "gaps": 1,
    "qseq": "ACGT",
    "hseq": "ACGT",
    "midline": "||||",
}
HIT = {
    "num": 1,
    "description": [
        {
            "id": "ref|NM_000546.6|",
            "accession": "NM_000546",
            "title": "Homo sapiens tumor protein p53",
            "taxid": 9606,
            "sciname": "Homo sapiens",
        }
    ],
    "len": 2512,
    "hsps": [HSP],
}
SEARCH = {
    "query_id": "Query_1",
    "query_len": 489,
    "hits": [HIT],
    "stat": {"db_num": 1, "db_len": 2, "eff_space": 3, "kappa": 0.4, "lambda": 1.3},
}
ABOUT = {
    "program": "blastn",
    "version": "BLASTN 2.16.0+",
    "reference": "Zheng Zhang et al.",
    "search_target": {"db": "nt"},
    "params": {"expect": 10, "sc_match": 2, "filter": "L;m;"},
}
EXPECTED = "Homo sapiens tumor protein p53 (NM_000546): expect 2.5e-20, identity 99.8 %"

XML2 = """<?xml version="1.0"?>
<BlastXML2 xmlns="http://www.ncbi.nlm.nih.gov" xmlns:xs="http://www.w3.org/2001/XMLSchema-instance"
 xs:schemaLocation="http://www.ncbi.nlm.nih.gov http://www.ncbi.nlm.nih.gov/data_specs/schema_alt/NCBI_BlastOutput2.xsd">
<BlastOutput2><report><Report><program>blastn</program><version>BLASTN 2.16.0+</version>
<search-target><Target><db>nt</db></Target></search-target>
<results><Results><search><Search><query-id>Query_1</query-id><query-len>489</query-len><hits><Hit>
<num>1</num><description><HitDescr><id>ref|NM_000546.6|</id><accession>NM_000546</accession>
<title>Homo sapiens tumor protein p53</title><taxid>9606</taxid><sciname>Homo sapiens</sciname>
</HitDescr></description><len>2512</len><hsps><Hsp><num>1</num><bit-score>904.2</bit-score>
<score>489</score><evalue>2.5e-20</evalue><identity>489</identity><align-len>490</align-len>
<qseq>ACGT</qseq><hseq>ACGT</hseq></Hsp></hsps></Hit></hits></Search></search></Results></results>
</Report></report></BlastOutput2></BlastXML2>"""


def report(results: object) -> dict[str, object]:
    return {"report": {**ABOUT, "results": results}}


@pytest.mark.parametrize(
    "raw",
    [
        json.dumps({"BlastOutput2": [report({"search": SEARCH})]}),
        json.dumps({"BlastOutput2": report({"search": SEARCH})}),
        json.dumps({"BlastOutput2": [report({"bl2seq": [SEARCH]})]}),
        json.dumps({"BlastOutput2": [report({"iterations": [{"iter_num": 1, "search": SEARCH}]})]}),
        XML2,
        "\n" + XML2,
    ],
    ids=["JSON2_S", "JSON2", "two sequences", "PSI-BLAST", "XML2", "XML2 after a line break"],
)
def test_every_documented_answer_gives_the_same_record(raw: str) -> None:
    (record,) = Blast(http("NCBI BLAST")).records(raw)
    assert (record.id, record.text) == ("NM_000546", EXPECTED)


def test_an_answer_of_two_queries_gives_the_hits_of_both() -> None:
    two = [report({"search": SEARCH}), report({"search": SEARCH})]
    assert len(hits_of(json.dumps({"BlastOutput2": two}))) == 2


@pytest.mark.parametrize(
    "raw",
    [
        json.dumps({"BlastOutput2": [report({"search": {"message": "No hits found"}})]}),
        XML2.replace(
            XML2[XML2.index("<hits>") : XML2.index("</Search>")], "<message>No hits</message>"
        ),
    ],
    ids=["JSON", "XML2"],
)
def test_an_answer_without_hits_is_none_and_no_failure(raw: str) -> None:
    assert hits_of(raw) == ()


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        ("<html><p class='error' id='x'>Cannot accept request</p></html>", "Cannot accept request"),
        ("Message ID#24 Error: Failed to read the Blast query", "Failed to read the Blast query"),
        ("", "cannot be read"),
        ('{"BlastOutput2": {"report": []}}', "cannot be read"),
        ('{"other": 1}', "cannot be read"),
        ('{"BlastOutput2": [', "cannot be read"),
        ("<?xml version='1.0'?><other/>", "cannot be read"),
        ("<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b 'c'>]><BlastXML2>&b;</BlastXML2>", "cannot"),
        (json.dumps({"BlastOutput2": report({"search": {"hits": [{"hsps": 1}]}})}), "cannot"),
    ],
)
def test_anything_else_is_refused_with_what_the_page_says(raw: str, said: str) -> None:
    with pytest.raises(StageUnavailable, match=said):
        hits_of(raw)
