"""A plan on the page: the chain of tools with every edge's verdict, and what is missing; pure."""

from __future__ import annotations

from components.render.markup import attrs, badge, button, esc
from retrieval import Plan, PlanStep, Tool

TONES = {"pass": ("good", "fits"), "fail": ("bad", "does not fit"), "unknown": ("part", "unknown")}


def plan_panel(plan: Plan, chosen: Tool) -> str:
    """The steps from the scan's format to the last result."""
    steps = "".join(_step(n, step) for n, step in enumerate(plan.steps, start=1))
    head = f"<h2>From your scan to a result with {esc(chosen.name)}</h2>"
    start = f"<p class='sub'>Your scan is {esc(plan.start)}. {esc(_line(plan))}</p>"
    problems = "".join(f"<li class='why why-fit'>{esc(_sentence(p))}</li>" for p in plan.problems)
    problem_list = f"<ul class='whys'>{problems}</ul>" if problems else ""
    needs = ", ".join(plan.installs)
    needed = f"<p class='sub'>To be installed as well: {esc(needs)}.</p>" if needs else ""
    files = "".join(
        button(label, "planfile", f"{kind} {chosen.id}", css="btn btn-small")
        for kind, label in (("json", "Plan as JSON"), ("cwl", "CWL skeleton"))
    )
    body = f"{head}{start}<ol class='steps'>{steps}</ol>{problem_list}{needed}"
    return f"<section class='detail plan'>{body}<div class='actions'>{files}</div></section>"


def _line(plan: Plan) -> str:
    if plan.sound:
        unknown = any(c.verdict == "unknown" for step in plan.steps for c in step.checks)
        return "Nothing speaks against it; some facts are unknown." if unknown else "All edges fit."
    return "Something is missing or does not fit; see below."


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def _step(number: int, step: PlanStep) -> str:
    act = attrs(type="button", class_="name", data_act="select", data_id=step.tool.id)
    name = f"<button{act}>{esc(step.tool.name)}</button>"
    way = f"{step.takes} \N{RIGHTWARDS ARROW} {step.gives or 'not stated'}"
    marks = "".join(_mark(c.fact, c.verdict) for c in step.checks)
    inner = f"<b>{number}. {esc(step.task)}</b> {name} <span class='sub'>{esc(way)}</span>"
    out = attrs(data_tool=step.tool.id)
    return f"<li{out}>{inner}<span class='badges'>{marks}</span></li>"


def _mark(fact: str, verdict: str) -> str:
    tone, words = TONES[verdict]
    return badge(f"{fact} {words}", tone)


def no_scan() -> str:
    """What is said when a plan is asked for without a scan."""
    text = "Add a scan first: a plan starts from what your file is."
    return f"<section class='detail plan'><p class='sub' role='status'>{text}</p></section>"
