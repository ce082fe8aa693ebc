"""What a language model would be sent, and what it cost; pure."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping

from components.render.markup import attrs, esc
from components.render.words import count, milliseconds
from retrieval import Outgoing


def outgoing_panel(sent: Outgoing | None) -> str:
    """Host, model, images and the exact text of the first prompt."""
    if sent is None:
        return "<p class='sub' role='status'>This search would send nothing.</p>"
    images = "".join(
        f"<img{attrs(src=f'data:image/png;base64,{b64encode(one).decode()}', alt=f'Image {n}')}>"
        for n, one in enumerate(sent.images, start=1)
    )
    with_images = f" and {count(len(sent.images), 'image')}" if sent.images else ""
    line = f"To {sent.model} at {sent.host}: the text below{with_images}, and nothing else."
    shown = f"<div class='planes'>{images}</div>" if images else ""
    text = f"<pre{attrs(class_='outgoing', tabindex=0)}>{esc(sent.text)}</pre>"
    return f"<p role='status'>{esc(line)}</p>{shown}{text}"


def usage_line(usage: Mapping[str, float]) -> str:
    """Calls, tokens, cost and time of one search; nothing when no call was made."""
    calls = int(usage.get("llm_calls", 0))
    if not calls:
        return ""
    tokens = f"{int(usage.get('llm_tokens_in', 0))} tokens in, "
    tokens += f"{int(usage.get('llm_tokens_out', 0))} out"
    cost = usage.get("llm_cost", 0.0)
    parts = [count(calls, "call"), tokens, milliseconds(usage.get("llm_ms", 0.0))]
    parts += [f"cost {cost:.4f}"] if cost else []
    return f"<p class='sub'>Language model: {esc(', '.join(parts))}.</p>"
