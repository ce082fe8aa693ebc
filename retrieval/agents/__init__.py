"""Judges, rounds, clarification, conversation."""

from retrieval.agents.agentic import Agentic
from retrieval.agents.clarify import Clarification, Option, clarify
from retrieval.agents.config import AgenticConfig, default_instruction
from retrieval.agents.coverage import CoverageJudge, CoverageScorer
from retrieval.agents.dialogue import Dialogue
from retrieval.agents.follow_up import FollowUp
from retrieval.agents.judge import LanguageJudge
from retrieval.agents.meaning import Meaning
from retrieval.agents.merging import merged_to
from retrieval.agents.report import AgenticReport, agentic_report
from retrieval.agents.rescore import Rescore
from retrieval.agents.wording import Wordsmith, worded

__all__ = [
    "Agentic",
    "AgenticConfig",
    "AgenticReport",
    "Clarification",
    "CoverageJudge",
    "CoverageScorer",
    "Dialogue",
    "FollowUp",
    "LanguageJudge",
    "Meaning",
    "Option",
    "Rescore",
    "Wordsmith",
    "agentic_report",
    "clarify",
    "default_instruction",
    "merged_to",
    "worded",
]
