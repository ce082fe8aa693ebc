"""The metadata of agentic retrieval, read from the trace."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace

from retrieval.core import StageResult, Verdict

MULTI_ROUND = (
    "refined_queries",
    "query_strategy",
    "num_queries",
    "round2_count",
    "round2_latency_ms",
    "multi_query_total_docs",
)
"""Fields that are present only after a second round (S4-08)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgenticReport:
    """The metadata of one agentic retrieval, by the names of S4-07 to S4-09.

    ``is_sufficient`` is None where the judge did not say; ``fallback_reason`` is set when the
    result is that of the plain search.
    """

    retrieval_mode: str
    is_multi_round: bool
    round1_count: int
    round1_reranked_count: int
    round1_latency_ms: float
    is_sufficient: bool | None
    reasoning: str
    missing_info: tuple[str, ...]
    final_count: int
    total_latency_ms: float
    llm_calls: int = 0
    fallback_reason: str | None = None
    refined_queries: tuple[str, ...] = ()
    query_strategy: str = ""
    num_queries: int = 0
    round2_count: int = 0
    round2_latency_ms: float = 0.0
    multi_query_total_docs: int = 0

    def as_json(self) -> dict[str, object]:
        """The fields as plain data, without those that do not apply; tuples become lists."""
        values = asdict(self)
        if not self.is_multi_round:
            values = {name: value for name, value in values.items() if name not in MULTI_ROUND}
        if self.fallback_reason is None:
            del values["fallback_reason"]
        return {n: list(v) if isinstance(v, tuple) else v for n, v in values.items()}


def agentic_report(result: StageResult, total_ms: float | None = None) -> AgenticReport | None:
    """The report of a result tree, or None when it holds no agentic stage.

    ``total_ms`` is the time of the query in milliseconds; by default that of the agentic stage.
    """
    agentic = _agentic(result)
    if agentic is None:
        return None
    first, second = _node(agentic, "round 1"), _node(agentic, "round 2")
    fused, refine = _node(agentic, "fused"), _node(agentic, "refine")
    judge = _node(agentic, "judge") or _node(agentic, "coverage")
    verdict = judge.verdict if judge else None
    verdict = verdict or Verdict(enough="unknown", reason=agentic.note)
    by_model = judge is None or judge.name.endswith("/judge")
    mode = "agentic" if by_model else "agentic_deterministic"
    # An unusable reply of the judge ends or repeats the rounds; their list is the result.
    rounds = _node(agentic, "rounds")
    unusable = any(n is not None and n.status == "fallback" for n in (judge, refine))
    rounds_stand = unusable and rounds is not None and rounds.status == "ok"
    fell_back = agentic.status == "fallback" and not rounds_stand
    report = AgenticReport(
        retrieval_mode="agentic_fallback" if fell_back else mode,
        is_multi_round=False,
        round1_count=len(fused.state.candidates) if fused and fused.ran else 0,
        round1_reranked_count=int(judge.metrics.get("shown", 0)) if judge else 0,
        round1_latency_ms=round(first.elapsed_ms, 3) if first else 0.0,
        # A verdict of "unknown" gives None.
        is_sufficient={"enough": True, "not enough": False}.get(verdict.enough),
        reasoning=verdict.reason,
        missing_info=verdict.missing,
        final_count=len(result.state.candidates),
        total_latency_ms=round(agentic.elapsed_ms if total_ms is None else total_ms, 3),
        llm_calls=sum(int(n.metrics.get("llm_calls", 0)) for n in (agentic, *agentic.walk())),
        fallback_reason=agentic.note if fell_back else None,
    )
    if second is None or not second.ran:
        return report
    return replace(
        report,
        is_multi_round=True,
        refined_queries=verdict.queries,
        query_strategy=refine.note if refine else judge.note if judge else "",
        num_queries=len(verdict.queries),
        round2_count=int(second.metrics.get("merged", 0)),
        round2_latency_ms=round(second.elapsed_ms, 3),
        multi_query_total_docs=int(second.metrics.get("found", 0)),
    )


def _last_name(node: StageResult) -> str:
    return node.name.rsplit("/", 1)[-1]


def _agentic(result: StageResult) -> StageResult | None:
    """Agentic retrieval itself: the stage of this name with the rounds or the plain list in it."""
    for node in (result, *result.walk()):
        parts = {_last_name(child) for child in node.children}
        if _last_name(node) == "agentic" and not parts.isdisjoint({"rounds", "fused"}):
            return node
    return None


def _node(root: StageResult, name: str) -> StageResult | None:
    """The first stage of this name, in the order in which they ran."""
    return next((node for node in root.walk() if _last_name(node) == name), None)
