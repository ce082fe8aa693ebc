"""The index of names with fuzzy look-up."""

from __future__ import annotations

from collections.abc import Iterable

from retrieval.ask import NameIndex


class FuzzyStringIndex:
    """Names by similarity of spelling; a hit differs in length by at most four characters."""

    def __init__(self) -> None:
        self._names: dict[str, None] = {}
        self._index = NameIndex(())

    def add(self, vocab_list: Iterable[str]) -> None:
        """Add names."""
        self._names.update(dict.fromkeys(vocab_list))
        self._index = NameIndex((name, name) for name in self._names)

    def query(self, input: str, topk: int = 1) -> dict[str, list[dict[str, object]]]:
        """``{"hits": [{"document_id", "document", "match_score"}]}``, best first."""
        matches = self._index.fuzzy(input, topk)
        hits: list[dict[str, object]] = [
            {"document_id": name, "document": name, "match_score": score} for name, score in matches
        ]
        return {"hits": hits}
