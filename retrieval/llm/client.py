"""Any OpenAI-compatible server behind the LanguageModel port."""

from __future__ import annotations

import base64
import logging
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import Any, Self

from retrieval.core import BadInput, Deadline, StageUnavailable, bounded
from retrieval.llm.budget import guess_tokens
from retrieval.llm.dialect import Dialect
from retrieval.llm.wire import Completion, plain_words, read_completion
from retrieval.net import Http, OutsideCalls, PinnedTransport, redact

logger = logging.getLogger("retriever.language_model")

PURPOSE = "language model"
MAX_ANSWER_TOKENS = 2000
MAX_BYTES = 1_000_000
"""Largest answer that is read; one of 2,000 tokens has about 10,000 bytes."""

MAX_REQUESTS = 4
"""Most requests of one call: the first, one other try, and simpler ways of asking."""

SETTING = "SCANSCOUT_LLM_SECONDS"
"""Names the time of one call, which is what to change where a server is slow."""

MARGIN_S = 0.5
"""Seconds before the limit at which a streamed answer is taken as far as it came; a tenth of the
limit where that is less. Reading it and leaving the call take a few milliseconds."""

MAX_IMAGES, MAX_IMAGE_BYTES = 8, 4_000_000

PNG = b"\x89PNG\r\n\x1a\n"
WHAT = "the language model"


@dataclass
class _Learned:
    """What a server was found to understand; one for all copies of a client."""

    dialect: Dialect = field(default_factory=Dialect)


class OpenAICompatible:
    """OpenAI, the Hugging Face router, vLLM, Ollama or llama.cpp, distinguished by base URL.

    Every call asks the guard first and ends by the wall clock. Requests leave through ``net``: no
    redirect is followed, no answer is read beyond a bound, and neither key nor the server's own
    text enters an error. What a server does not understand is left out of later calls. A fault that
    is likely to pass is tried again at most ``retries`` times, within the time of the call.
    """

    def __init__(
        self,
        *,
        base_url: str,
        model: str,
        api_key: str,
        guard: OutsideCalls,
        seconds: float = 8.0,
        temperature: float = 0.0,
        max_tokens: int = MAX_ANSWER_TOKENS,
        retries: int = 1,
    ) -> None:
        if max_tokens < 1:
            raise BadInput(f"max_tokens: {max_tokens} is below 1")
        self.base_url, self.model, self._key, self._seconds = base_url, model, api_key, seconds
        self.temperature, self.max_tokens = temperature, max_tokens
        self._tries, self._requests = 1 + retries, MAX_REQUESTS - 1 + retries
        self._learned = _Learned()
        # A server inside a network may need the proxies and certificates of this machine.
        transport = PinnedTransport(environment=True)
        self._http = Http(guard=guard, purpose=PURPOSE, transport=transport, limit=MAX_BYTES)

    @property
    def id(self) -> str:
        """The model's name."""
        return self.model

    @property
    def seconds(self) -> float:
        """The longest that a call may take; a caller may ask for less."""
        return self._seconds

    def tuned(self, *, temperature: float, max_tokens: int) -> Self:
        """The same model at another temperature and answer length (tokens)."""
        other = copy(self)
        other.temperature, other.max_tokens = temperature, max_tokens
        return other

    def client(self) -> OpenAICompatible:
        """What calls go through. Raises StageUnavailable where there is nothing to call with."""
        return self

    def complete(
        self,
        prompt: str,
        *,
        schema: dict[str, Any] | None = None,
        images: Sequence[bytes] = (),
        seconds: float | None = None,
        meter: Callable[[int, int], None] | None = None,
    ) -> str:
        """The answer's text, without anything that looks like a key.

        An answer in a ``schema`` may lack its end where the time was over before it came.

        ``meter`` gets tokens in and out: an estimate before the call, the count of the server after
        it. Raises OutsideCallRefused without permission, BadInput for pictures that cannot go, and
        StageUnavailable when there is no answer within ``seconds``; its reason is in the log too.
        """
        try:
            return self._completed(prompt, schema, images, seconds, meter)
        except StageUnavailable as exc:
            # The reason is in words of ours: nothing of the prompt, of the key or of the server.
            logger.warning("A call of %s failed: %s", WHAT, exc)
            raise

    def _completed(
        self,
        prompt: str,
        schema: dict[str, Any] | None,
        images: Sequence[bytes],
        seconds: float | None,
        meter: Callable[[int, int], None] | None,
    ) -> str:
        self.client()
        self._http.guard.check(PURPOSE)
        library = load_library()
        limit = self._seconds if seconds is None else min(seconds, self._seconds)
        deadline, until = Deadline.after(limit), Deadline.after(limit - min(MARGIN_S, limit / 10))
        messages = [{"role": "user", "content": _content(prompt, images)}]
        tell = meter or (lambda tokens_in, tokens_out: None)
        with self._http.client(deadline, self._requests, until, self._tries) as http:
            client = library.OpenAI(
                base_url=self.base_url,
                api_key=self._key or "none",
                # The one policy for another try is that of ``net``.
                max_retries=0,
                http_client=http,
            )
            # The library reads both from the environment and would send them to any server.
            client.organization = client.project = None

            def talk() -> Completion:
                tell(guess_tokens(prompt), 0)
                return self._negotiated(library, client, messages, schema)

            try:
                completion = bounded(talk, limit, WHAT)
            except StageUnavailable as exc:
                # A caller hands on what is left of the same time, or has less of its own.
                if limit < 0.9 * self._seconds or not until.passed:
                    raise
                raise StageUnavailable(f"{exc}; {SETTING} allows {self._seconds:g} s") from exc
        if completion.is_cut and schema is None:
            # Half a sentence would read as a complete one.
            raise StageUnavailable(f"{WHAT}: no complete answer within {limit:g} s")
        if completion.usage is not None and completion.usage.is_possible:
            tell(completion.usage.prompt_tokens, completion.usage.completion_tokens)
        else:
            tell(guess_tokens(prompt), guess_tokens(completion.text))
        return redact(completion.text, self._key)

    def _negotiated(
        self,
        library: Any,  # noqa: ANN401
        client: Any,  # noqa: ANN401
        messages: list[dict[str, Any]],
        schema: dict[str, Any] | None,
    ) -> Completion:
        """The first completion, asked for in simpler ways where the server does not understand."""
        dialect, problem = self._learned.dialect, ""
        for _ in range(MAX_REQUESTS):
            options = dialect.options(schema, self.temperature, self.max_tokens)
            try:
                raw = client.chat.completions.with_raw_response.create(
                    model=self.model, messages=messages, **options
                )
            except library.APIStatusError as exc:
                problem = plain_words(exc.response)
                status, text = exc.response.status_code, exc.response.text
                simpler = dialect.simpler(status, text, structured=schema is not None)
                if simpler is None:
                    break
                dialect = simpler
            except StageUnavailable as exc:
                problem = f"it {exc}"
                break
            else:
                self._learned.dialect = dialect
                return read_completion(raw.http_response.content)
        raise StageUnavailable(f"{WHAT} did not answer: {problem}") from None


def _content(prompt: str, images: Sequence[bytes]) -> str | list[dict[str, Any]]:
    """The prompt alone, or as a first part with the images after it."""
    if not images:
        return prompt
    if len(images) > MAX_IMAGES or any(len(i) > MAX_IMAGE_BYTES for i in images):
        raise BadInput(f"images: at most {MAX_IMAGES} pictures of {MAX_IMAGE_BYTES:,} bytes can go")
    if not all(image.startswith(PNG) for image in images):
        raise BadInput("images: only PNG pictures can go with a prompt")
    parts: list[dict[str, Any]] = [{"type": "text", "text": prompt}]
    for image in images:
        url = f"data:image/png;base64,{base64.b64encode(image).decode()}"
        parts.append({"type": "image_url", "image_url": {"url": url}})
    return parts


def load_library() -> Any:  # noqa: ANN401 - the module
    """The client library with the part that is used, which takes a second or two at first.

    Raises StageUnavailable when it is not installed.
    """
    try:
        import openai
        import openai.resources.chat.completions
    except ImportError:
        raise StageUnavailable(
            "the package openai is missing; pip install 'scanscout[llm]'"
        ) from None
    return openai
