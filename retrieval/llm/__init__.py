"""Language models behind one port."""

from retrieval.llm.client import PURPOSE, OpenAICompatible

__all__ = ["PURPOSE", "OpenAICompatible"]
