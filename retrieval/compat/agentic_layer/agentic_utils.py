"""The configuration of agentic retrieval, and its two prompts, which may be set to others.

Both are read at each call: ``agentic_utils.JUDGE_PROMPT = ...`` holds from the next one on.
"""

from retrieval.agentic import AgenticConfig, JudgePrompts

__all__ = ["JUDGE_PROMPT", "REFINE_PROMPT", "AgenticConfig"]

JUDGE_PROMPT = JudgePrompts().judge
"""Asks whether the result is sufficient; may name ``{tools}``, ``{data}`` and ``{task}``."""
REFINE_PROMPT = JudgePrompts().refine
"""Asks for the next queries; may name ``{wanted}`` and ``{missing}`` as well."""
