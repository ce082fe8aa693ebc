"""Answers of the eight services, written after their documentation."""

from __future__ import annotations

from urllib.parse import quote

TAVILY = {
    "query": "x",
    "results": [
        {
            "title": "Lung segmentation in 2026",
            "url": "https://example.org/lungs",
            "content": "What changed.",
            "score": 0.9,
            "published_date": "Tue, 03 Mar 2026 10:00:00 GMT",
        }
    ],
}
SERPER = {
    "organic": [
        {
            "title": "Serper's lungs",
            "link": "https://example.org/serper",
            "snippet": "A snippet.",
            "date": "Mar 3, 2026",
            "position": 1,
        }
    ]
}
SERPAPI = {
    "organic_results": [
        {
            "position": 1,
            "title": "SerpAPI's lungs",
            "link": "https://example.org/serpapi",
            "snippet": "Another snippet.",
        }
    ]
}
DUCKDUCKGO = f"""<!DOCTYPE html><html><body><div class="results">
<div class="result results_links result--ad"><h2 class="result__title">
<a rel="nofollow" class="result__a" href="https://duckduckgo.com/y.js?ad_domain=shop.example">Buy</a>
</h2></div>
<div class="result results_links web-result"><h2 class="result__title">
<a rel="nofollow" class="result__a"
 href="//duckduckgo.com/l/?uddg={quote("https://example.org/duck?a=1&b=2", safe="")}&amp;rut=1">
Duck's <b>lungs</b> &lt;i&gt;</a></h2>
<a class="result__snippet" href="//duckduckgo.com/l/?uddg=x">All about <b>lungs</b> &amp; more.</a>
</div></div></body></html>"""
ESEARCH = {"esearchresult": {"count": "2", "idlist": ["33333333", "22222222"]}}
EFETCH = """<?xml version="1.0" ?>
<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, 1st January 2025//EN"
 "https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_250101.dtd">
<PubmedArticleSet>
<PubmedArticle><MedlineCitation><PMID Version="1">22222222</PMID><Article>
<Journal><JournalIssue><PubDate><Year>2024</Year><Month>Mar</Month></PubDate></JournalIssue>
<Title>Journal of Scans</Title></Journal>
<ArticleTitle>A second record with a <i>plain</i> abstract.</ArticleTitle>
<Abstract><AbstractText>One paragraph only.</AbstractText></Abstract>
<AuthorList><Author><CollectiveName>The Scan Group</CollectiveName></Author></AuthorList>
</Article></MedlineCitation></PubmedArticle>
<PubmedArticle><MedlineCitation><PMID Version="1">33333333</PMID><Article>
<Journal><JournalIssue><PubDate><Year>2025</Year></PubDate></JournalIssue>
<Title>European Radiology Experimental</Title></Journal>
<ArticleTitle>Automatic lung segmentation in routine imaging.</ArticleTitle>
<ELocationID EIdType="doi" ValidYN="Y">10.1186/S41747-020-00173-2</ELocationID>
<Abstract>
<AbstractText Label="BACKGROUND" NlmCategory="BACKGROUND"
>Lungs are hard &amp; varied.</AbstractText>
<AbstractText Label="METHODS">A U-net was trained on 231 cases.</AbstractText>
<AbstractText Label="RESULTS">Dice was 0.98 &#177; 0.03.</AbstractText>
<AbstractText Label="CONCLUSIONS">Data matter more than models.</AbstractText>
</Abstract>
<AuthorList><Author><LastName>Hofmanninger</LastName><ForeName>Johannes</ForeName></Author>
<Author><LastName>Prayer</LastName><ForeName>Forian</ForeName></Author></AuthorList>
<ArticleDate DateType="Electronic"><Year>2025</Year><Month>08</Month><Day>2</Day></ArticleDate>
</Article></MedlineCitation>
<PubmedData><ArticleIdList>
<ArticleId IdType="pubmed">33333333</ArticleId></ArticleIdList></PubmedData>
</PubmedArticle></PubmedArticleSet>"""
BIORXIV = {
    "hitCount": 1,
    "resultList": {
        "result": [
            {
                "id": "PPR1",
                "source": "PPR",
                "doi": "10.1101/2025.01.02.123456",
                "title": "A preprint on nuclei",
                "authorString": "Doe J, Roe R.",
                "authorList": {"author": [{"fullName": "Doe J"}, {"fullName": "Roe R"}]},
                "firstPublicationDate": "2025-01-03",
                "abstractText": "<h4>Motivation</h4>Nuclei touch.<h4>Results</h4>We part them.",
                "citedByCount": 3,
                "bookOrReportDetails": {"publisher": "bioRxiv", "yearOfPublication": 2025},
            }
        ]
    },
}
SEMANTIC_SCHOLAR = {
    "total": 2,
    "data": [
        {
            "paperId": "a",
            "externalIds": {"DOI": "10.1186/s41747-020-00173-2", "PubMed": "33333333"},
            "url": "https://www.semanticscholar.org/paper/a",
            "title": "Automatic lung segmentation in routine imaging",
            "abstract": "Short.",
            "venue": "European Radiology Experimental",
            "year": 2025,
            "citationCount": 412,
            "publicationDate": "2025-08-20",
            "openAccessPdf": {"url": "https://example.org/a.pdf"},
            "authors": [{"authorId": "1", "name": "Johannes Hofmanninger"}],
        },
        {
            "paperId": "b",
            "externalIds": {"ArXiv": "2401.12345"},
            "url": "https://www.semanticscholar.org/paper/b",
            "title": "Lungs by transformers",
            "abstract": None,
            "venue": "",
            "year": 2024,
            "citationCount": 0,
            "publicationDate": None,
            "openAccessPdf": None,
            "authors": [],
        },
    ],
}
ARXIV = """<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/">
<title type="html">ArXiv Query</title>
<opensearch:totalResults>1</opensearch:totalResults>
<entry><id>http://arxiv.org/abs/2401.12345v2</id>
<updated>2024-02-01T00:00:00Z</updated><published>2024-01-22T18:00:00Z</published>
<title>Lungs by
  transformers</title>
<summary>  We segment lungs with attention. </summary>
<author><name>Ada Lovelace</name></author><author><name>Max Mustermann</name></author>
<arxiv:doi xmlns:arxiv="http://arxiv.org/schemas/atom">10.1000/xyz123</arxiv:doi>
<link href="http://arxiv.org/abs/2401.12345v2" rel="alternate" type="text/html"/>
<link title="pdf" href="http://arxiv.org/pdf/2401.12345v2" rel="related" type="application/pdf"/>
<category term="cs.CV" scheme="http://arxiv.org/schemas/atom"/></entry></feed>"""
