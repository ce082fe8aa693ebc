"""What a harvest proposes: values with the file and line that they were read from."""

from __future__ import annotations

from dataclasses import dataclass, field

from retrieval.catalog.harvest.folder import SourceText

MAX_QUOTE = 240
MAX_VALUE = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """A work to cite; an absent DOI is empty, an absent year is None."""

    authors: tuple[str, ...] = ()
    year: int | None = None
    title: str = ""
    doi: str = ""

    def __str__(self) -> str:
        names = ", ".join(self.authors[:3]) + (" et al." if len(self.authors) > 3 else "")
        year = f"({self.year})" if self.year else ""
        doi = f"doi:{self.doi}" if self.doi else ""
        return ". ".join(p for p in (f"{names} {year}".strip(), self.title, doi) if p)


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A value for a field, and where it was read.

    A hint was read from prose or follows from a convention: its line has to be read before it is
    accepted. Without the mark, the file states the value in a field made for it.
    """

    field: str
    value: str | Citation
    file: str
    line: int
    quote: str
    hint: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Harvest:
    """Proposals in the order of the readers, each value of a field once per file, and problems."""

    proposals: tuple[Proposal, ...]
    problems: tuple[str, ...]


@dataclass(slots=True)
class Findings:
    """Collects the proposals of the readers of one repository."""

    proposals: dict[tuple[str, str, str], Proposal] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    values: set[tuple[str, str]] = field(default_factory=set)
    names: set[str] = field(default_factory=set)
    """Names of the tool's packages, case-folded, with hyphens: an install line has to name one."""

    def add(
        self,
        field: str,
        value: str | Citation,
        source: SourceText,
        line: int,
        *,
        hint: bool = False,
        note: str = "",
    ) -> None:
        """Add a proposal; the first of the same value, field and file stays.

        A hint whose value another file already gave is left out.
        """
        if isinstance(value, str):
            value = " ".join(value.split())[:MAX_VALUE]
        if not value or (hint and (field, str(value)) in self.values):
            return
        self.values.add((field, str(value)))
        lines = source.text.split("\n")
        quote = " ".join(lines[line - 1].split())[:MAX_QUOTE] if line <= len(lines) else ""
        proposal = Proposal(
            field=field,
            value=value,
            file=source.path,
            line=line,
            quote=quote,
            hint=hint,
            note=note,
        )
        self.proposals.setdefault((field, str(value), source.path), proposal)

    def problem(self, source: SourceText, reason: object) -> None:
        """Note in one line that a file could not be read."""
        self.problems.append(f"{source.path}: {' '.join(str(reason).split())[:MAX_QUOTE]}")

    def name(self, text: str) -> None:
        """Note a name under which the tool may be installed."""
        if text:
            self.names.add(plain_name(text))


def plain_name(text: str) -> str:
    """A package name as PyPI compares it: case-folded, with hyphens."""
    return text.strip().casefold().replace("_", "-").replace(".", "-")
