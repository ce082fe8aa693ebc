"""Language models behind one port."""

from retrieval.llm.client import PURPOSE, OpenAICompatible, load_library
from retrieval.llm.preview import Outgoing, Preview
from retrieval.llm.provider import ADDRESSES, LLMProvider
from retrieval.llm.redact import redact
from retrieval.llm.scripted import ScriptedFile

__all__ = [
    "ADDRESSES",
    "PURPOSE",
    "LLMProvider",
    "OpenAICompatible",
    "Outgoing",
    "Preview",
    "ScriptedFile",
    "load_library",
    "redact",
]
