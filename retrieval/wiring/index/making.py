"""The indexes of a catalog as they are made one after the other, and saved together."""

from __future__ import annotations

from dataclasses import dataclass, field

from retrieval.catalog import Catalog
from retrieval.core import Encoder
from retrieval.dense import (
    SHARD,
    Journal,
    Progress,
    Stored,
    clear_journals,
    refreshed,
    save_together,
)
from retrieval.settings import Settings
from retrieval.wiring.index.indexes import HYBRID, PLAZA, folder_of, part_of


@dataclass(frozen=True)
class Making:
    """Makes indexes in memory; none is current on disk before all of them are, by one rename."""

    settings: Settings
    catalog: Catalog
    built: dict[str, Stored] = field(default_factory=dict)
    fitting: dict[str, Stored] = field(default_factory=dict)
    """Saved ones that fit: they become current again, should another writer have come between."""

    def make(
        self,
        before: Stored | None,
        encoder: Encoder,
        template: str,
        terms: tuple[str, ...],
        *,
        shard: int = SHARD,
        strict: bool = False,
        report: Progress = lambda done, total: None,
    ) -> Stored:
        """The index of a template, with the vectors of the one before where they fit (slow).

        Finished batches of ``shard`` texts are journaled; ``strict`` raises OSError where they
        cannot be.
        """
        folder, catalog = folder_of(self.settings.index_dir, template), self.catalog
        stored = refreshed(
            before,
            catalog.tools,
            encoder,
            template,
            catalog_sha256=catalog.sha256,
            fingerprints=catalog.fingerprints,
            terms=terms,
            journal=Journal(folder.root, encoder.id, template, shard, strict=strict),
            on_progress=report,
        )
        self.built[template] = stored
        return stored

    def save(self) -> dict[str, Stored]:
        """Make all current at once, by template; then nothing of the journals is needed.

        Raises OSError, and leaves those before as they were.
        """
        root, saved = self.settings.index_dir, {}
        if self.built:
            every = {**self.fitting, **self.built}
            states = save_together(root, {part_of(name): one for name, one in every.items()})
            saved = {template: states[part_of(template)] for template in self.built}
        for template in (HYBRID, PLAZA):
            folder = folder_of(root, template)
            folder.clean()
            clear_journals(folder.root)
        self.built.clear()
        return saved
