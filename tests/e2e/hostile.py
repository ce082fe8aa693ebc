"""Markup and script in the forms that get past careless pages; each would set ``window.pwned``."""

from __future__ import annotations

SET = "window.pwned=1"
FORMS = (
    f"<script>{SET}</script>",
    f'"><script>{SET}</script>',
    f"'><script>{SET}</script>",
    f"</textarea><script>{SET}</script>",
    f"</title><script>{SET}</script>",
    f"--><script>{SET}</script>",
    f"<scr<script>ipt>{SET}</script>",
    f"<ScRiPt >{SET}</ScRiPt >",
    f"<img src=x onerror={SET}>",
    f"<img src=x:x onerror&#61;{SET}>",
    f"<img/src=`x`/onerror={SET}>",
    f"<IMG SRC=x OnErRoR={SET}>",
    f"<svg onload={SET}>",
    f"<svg/onload={SET}//",
    f"<svg><script>{SET}</script></svg>",
    f"<svg><animate onbegin={SET} attributeName=x dur=1s>",
    f"<body onload={SET}>",
    f"<iframe srcdoc='<script>parent.{SET}</script>'></iframe>",
    f'<iframe src="javascript:parent.{SET}"></iframe>',
    f'<a href="javascript:{SET}">x</a>',
    f"[x](javascript:{SET})",
    f"javascript:{SET}",
    f"<math><mtext><img src=x onerror={SET}></mtext></math>",
    f"<details open ontoggle={SET}>",
    f"<video><source onerror={SET}></video>",
    f"<audio src=x onerror={SET}>",
    f"<input autofocus onfocus={SET}>",
    f"<select autofocus onfocus={SET}>",
    f"<object data='javascript:{SET}'></object>",
    f"<embed src='javascript:{SET}'>",
    f"<meta http-equiv=refresh content='0;url=javascript:{SET}'>",
    f"<style onload={SET}>*{{}}</style>",
    f"<form><button formaction='javascript:{SET}'>x</button></form>",
    f'" onmouseover="{SET}',
    f"' onfocus='{SET}",
    f"&lt;img src=x onerror={SET}&gt;",
    f"\\u003cimg src=x onerror={SET}\\u003e",
    f"${{{SET}}}",
    f"{{{{constructor.constructor('{SET}')()}}}}",
    f"<noscript><p title='</noscript><img src=x onerror={SET}>'>",
    f"<template><img src=x onerror={SET}></template>",
    f"<div style='background:url(javascript:{SET})'>x</div>",
)

GREW = """() => {
  const links = ['href', 'src', 'srcdoc', 'action', 'formaction', 'data', 'xlink:href', 'content'];
  const runs = (text) => /^\\s*(javascript|vbscript):|<script/i.test(text);
  const bad = (a) => /^on/i.test(a.name) || (links.includes(a.name.toLowerCase()) && runs(a.value));
  const odd = ['IFRAME', 'OBJECT', 'EMBED', 'MARQUEE', 'MATH'];
  return [...document.querySelectorAll('*')].filter((one) => odd.includes(one.tagName)
    || (one.tagName === 'SCRIPT' && one.textContent.includes('pwned')
        && !one.textContent.includes('gradio_config'))
    || [...one.attributes].some(bad)).map((one) => one.outerHTML.slice(0, 300));
}"""
"""Elements that none of the page's own code would make."""


def harmless(page) -> bool:
    """Whether nothing ran and nothing was made of what is only text."""
    grew = page.evaluate(GREW)
    assert grew == [], str(grew)[:3000]
    return page.evaluate("window.pwned === undefined")


def shown(page, selector: str) -> list[str]:
    """The forms that stand on the page as the text they are."""
    text = " ".join(page.locator(selector).all_text_contents())
    return [form for form in FORMS if form in text]
