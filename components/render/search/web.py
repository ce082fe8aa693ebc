"""Web and literature search on the page: what would be sent, what came back, why from there."""

from __future__ import annotations

from components.render.markup import attrs, badge, cells, esc, link, shortened, table
from components.render.search.notices import notice
from components.render.words import count, milliseconds
from retrieval import Offer, Page, Tool, WebAnswer

NOT_ON = "Switch web search on first. It would send this:"
OFF = (
    "Web search is off on this page, and nothing was sent. Whoever runs the page can switch it on."
)
HOW = "<a class='link' href='about'>About this page</a>"
"""The page that says where the way to switch it on is described."""

AUTHORS = 4


def offered(offer: Offer, *, allowed: bool) -> str:
    """What a search would send and to whom, before anything is sent."""
    because = f" (“{offer.because}”)" if offer.because else ""
    subject = "literature" if offer.preset == "literature" else "current information"
    title = f"This asks for {subject}{because}, which the catalog does not hold."
    if not allowed:
        return notice("ask", title, OFF, HOW)
    return notice("ask", title, "Switch web search on below to send this:") + _sending(offer)


def about_tool(tool: Tool, inner: str) -> str:
    """The papers of a tool: the one that its record cites, then what a search gives or would.

    ``inner`` is HTML.
    """
    cited = tool.citation or ""
    address = f"https://doi.org/{cited}" if cited.startswith("10.") else cited
    paper = link(address, cited) or esc(cited)
    text = f"Its record cites {paper}." if cited else "Its record cites no paper."
    head = f"<h2>Papers about {esc(tool.name)}</h2><p class='sub'>{text}</p>"
    return f"<div class='head'>{head}</div>{inner}"


def not_allowed() -> str:
    """Why no other papers are looked up."""
    return f"<p class='sub'>Other papers would be looked up on the web. {OFF} {HOW}</p>"


def ready(offer: Offer) -> str:
    """What a press of the button would send, once web search is switched on."""
    return f"<p class='sub'>{NOT_ON}</p>{_sending(offer)}"


def asking(offer: Offer) -> str:
    """The line while the answer is on its way."""
    names = ", ".join(name for name, _ in offer.hosts)
    return f"<p class='web-busy' role='status'>Asking {esc(names)} …</p>{_sending(offer)}"


def _sending(offer: Offer) -> str:
    rows = [("Text", " | ".join(offer.sends))]
    rows += [(name, host) for name, host in offer.hosts]
    body = "".join(f"<dt>{esc(name)}</dt><dd>{esc(value)}</dd>" for name, value in rows)
    note = "Nothing else is sent: no file, no fact of your scan, no tag."
    return f"<div class='web-sends'><dl class='facts'>{body}</dl><p class='sub'>{note}</p></div>"


def web_answer(answer: WebAnswer, about: str = "") -> str:
    """Pages with their sources, dates and links; which services answered or failed, and why.

    Pages keep the order of the library; texts of services are escaped, their links checked.
    """
    title = f"Papers about {about}" if about else "From the web and the literature"
    summary = count(len(answer.pages), "page")
    if answer.used:
        took = milliseconds(answer.total_ms)
        summary += f" from {', '.join(answer.used)} in {took}. {_why(answer)}"
    else:
        summary += "; no service could answer."
    head = f"<h2>{esc(title)}</h2><p class='sub'>{esc(summary)}</p>"
    if not answer.pages:
        body = notice("warn", "Nothing was found.", answer.reason or "")
    else:
        body = f"<ol class='pages'>{''.join(map(_page, answer.pages))}</ol>"
    return f"<section class='web'><div class='head'>{head}</div>{body}{_services(answer)}</section>"


def _why(answer: WebAnswer) -> str:
    if answer.preset == "literature":
        return "Scientific sources were asked at once; what several found stands higher."
    if answer.preset != "web":
        return "You chose this service."
    if answer.failures:
        tried = ", ".join(name for name, _ in answer.failures)
        return f"Tried first without success: {tried}."
    return "It is the first in order that can be asked."


def _page(page: Page) -> str:
    title = link(page.url, page.title, css="web-title") or esc(page.title)
    marks = "".join(badge(source, "licence", title="Found by") for source in page.sources)
    marks += badge(page.date, title="Date") if page.date else badge("No date", "unknown")
    if page.citations is not None:
        marks += badge(count(page.citations, "citation"), title="As Semantic Scholar or Europe PMC")
    by = ", ".join(page.authors[:AUTHORS]) + (" et al." if len(page.authors) > AUTHORS else "")
    place = "; ".join(part for part in (by, page.venue or "") if part)
    return (
        f"<li><h3>{title}</h3><span class='badges'>{marks}</span>"
        f"<p class='sub'>{esc(place)}</p>{_abstract(page)}{_links(page)}</li>"
    )


def _abstract(page: Page) -> str:
    if not page.text:
        return ""
    if len(page.text) <= 240 and not page.sections:
        return f"<p>{esc(page.text)}</p>"
    parts = page.sections or (("", page.text),)
    body = "".join(
        f"<p>{f'<b>{esc(head)}</b> ' if head else ''}{esc(text)}</p>" for head, text in parts
    )
    return f"<details><summary>{esc(shortened(page.text, 160))}</summary>{body}</details>"


def _links(page: Page) -> str:
    addresses = (
        (page.pdf_url, "PDF"),
        (f"https://doi.org/{page.doi}" if page.doi else None, "DOI"),
        (f"https://pubmed.ncbi.nlm.nih.gov/{page.pmid}/" if page.pmid else None, "PubMed"),
        (f"https://arxiv.org/abs/{page.arxiv_id}" if page.arxiv_id else None, "arXiv"),
    )
    links = "".join(link(url, label, css="btn btn-link") for url, label in addresses)
    return f"<div class='actions'>{links}</div>" if links else ""


def _services(answer: WebAnswer) -> str:
    """One row per service: what it gave, how long it took, how old its answer is."""
    rows = ""
    for part in answer.result.children:
        took = milliseconds(part.metrics.get("answered_ms", part.elapsed_ms))
        pages = count(len(part.state.pages), "page") if part.ran else "nothing"
        rows += f"<tr>{cells((part.name.rsplit('/', 1)[-1], pages, took, part.note))}</tr>"
    query_text = " | ".join(answer.sent)
    hosts = ", ".join(dict.fromkeys(host for _, host in answer.hosts))
    lead = f"<p class='sub'>Sent: {esc(query_text)}. To: {esc(hosts or 'nobody')}.</p>"
    services_table = table(("Service", "Gave", "Took", "Note"), rows)
    out = attrs(class_="web-asked")
    body = f"<summary>Who was asked</summary>{lead}<div class='wide'>{services_table}</div>"
    return f"<details{out}>{body}</details>"
