"""Who stands beside the graph in *ask*: a visitor's documents, and the databases."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from retrieval.agents.ask_choose import Answerer
from retrieval.build.apis import api_answerers, open_apis
from retrieval.build.documents import DOCUMENTS, add_document, document_answerer
from retrieval.core.budget import Budget
from retrieval.core.ports import Encoder, LanguageModel
from retrieval.dense.documents_shelf import FolderShelf
from retrieval.dense.documents_store import DocumentStore
from retrieval.settings import Settings

Others = dict[str, Callable[[Budget | None], Answerer]]


def others_of(
    settings: Settings,
    model: LanguageModel | None,
    store: DocumentStore | None = None,
    *,
    values: Mapping[str, Any] | None = None,
) -> Others:
    """Answerers by name: the documents of ``store`` where there is one, then every database.

    ``values`` are those of a filled form of a database, for when there is no model.
    """
    apis = open_apis(settings)
    asked = api_answerers(apis, model, values=values, seconds=settings.database_seconds)
    if store is None:
        return asked
    return {DOCUMENTS: document_answerer(store, model), **asked}


def documents_at_hand(paths: Sequence[Path], encoder: Encoder) -> DocumentStore:
    """A store in memory with these files, which are left as they are. Raises BadInput."""
    store = DocumentStore(FolderShelf(), encoder)
    for path in paths:
        add_document(store, path)
    return store
