"""All readers over one folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from retrieval.catalog.harvest.citations import read_citations
from retrieval.catalog.harvest.findings import Findings, Harvest
from retrieval.catalog.harvest.folder import SourceFolder
from retrieval.catalog.harvest.gpu_code import read_gpu_code
from retrieval.catalog.harvest.licences import read_licences
from retrieval.catalog.harvest.machines import read_machines
from retrieval.catalog.harvest.manifests import read_manifests
from retrieval.catalog.harvest.matlab_metadata import read_matlab
from retrieval.catalog.harvest.prose import read_prose
from retrieval.catalog.harvest.python_metadata import read_python
from retrieval.catalog.harvest.releases import read_releases
from retrieval.core import StageUnavailable

Reader = Callable[[SourceFolder, Findings], None]

# Manifests come before prose, whose install lines have to name a package of theirs.
_READERS: tuple[Reader, ...] = (
    *(read_licences, read_citations, read_python, read_manifests, read_matlab),
    *(read_machines, read_prose, read_gpu_code, read_releases),
)


def harvest_folder(path: Path) -> Harvest:
    """Facts proposed from the files below a folder; a reader that cannot run is a problem of it.

    Nothing is executed, no link is followed and nothing is written. Raises BadInput for a path
    that is no folder.
    """
    folder, findings = SourceFolder(path), Findings()
    for reader in _READERS:
        try:
            reader(folder, findings)
        except StageUnavailable as exc:
            findings.problems.append(str(exc))
    return Harvest(proposals=tuple(findings.proposals.values()), problems=tuple(findings.problems))
