"""A plan on the page: the chain of tools with every edge's verdict, and what is missing; pure."""

from __future__ import annotations

from components.render.markup import attrs, badge, button, esc
from retrieval import Plan, PlanStep, Tool

TONES = {"pass": ("good", "fits"), "fail": ("bad", "does not fit"), "unknown": ("part", "unknown")}


def plan_panel(plan: Plan, chosen: Tool) -> str:
    """The steps from the scan's format to the last result."""
    line = "Something is missing or does not fit; see below."
    if plan.sound:
        unknown = any(c.verdict == "unknown" for step in plan.steps for c in step.checks)
        line = "Nothing speaks against it; some facts are unknown." if unknown else "All edges fit."
    steps = "".join(_step(n, step) for n, step in enumerate(plan.steps, start=1))
    body = f"<h2>From your scan to a result with {esc(chosen.name)}</h2>"
    body += f"<p class='sub'>Your scan is {esc(plan.start)}. {esc(line)}</p>"
    body += f"<ol class='steps'>{steps}</ol>"
    problems = (f"{text[:1].upper()}{text[1:]}." for text in plan.problems)
    rows = "".join(f"<li class='why why-fit'>{esc(text)}</li>" for text in problems)
    body += f"<ul class='whys'>{rows}</ul>" if rows else ""
    needs = ", ".join(plan.installs)
    body += f"<p class='sub'>To be installed as well: {esc(needs)}.</p>" if needs else ""
    files = "".join(
        button(label, "planfile", f"{kind} {chosen.id}", css="btn btn-small")
        for kind, label in (("json", "Plan as JSON"), ("cwl", "CWL skeleton"))
    )
    return f"<section class='detail plan'>{body}<div class='actions'>{files}</div></section>"


def _step(number: int, step: PlanStep) -> str:
    act = attrs(type="button", class_="name", data_act="select", data_id=step.tool.id)
    name = f"<button{act}>{esc(step.tool.name)}</button>"
    way = f"{step.takes} \N{RIGHTWARDS ARROW} {step.gives or 'not stated'}"
    marks = ""
    for check in step.checks:
        tone, words = TONES[check.verdict]
        marks += badge(f"{check.fact} {words}", tone)
    inner = f"<b>{number}. {esc(step.task)}</b> {name} <span class='sub'>{esc(way)}</span>"
    out = attrs(data_tool=step.tool.id)
    return f"<li{out}>{inner}<span class='badges'>{marks}</span></li>"


def no_scan() -> str:
    """The panel for a plan without a scan."""
    text = "Add a scan first: a plan starts from what your file is."
    return f"<section class='detail plan'><p class='sub' role='status'>{text}</p></section>"
