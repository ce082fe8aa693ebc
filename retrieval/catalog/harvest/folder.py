"""The files of a repository, read as untrusted input.

Only regular files are listed, links are never followed, and listing and reading have limits. File
names and texts come from outside: a reader of this folder parses them and executes nothing.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from retrieval.core import BadInput

MAX_FILES = 50_000
MAX_DEPTH = 20  # packages of Java lie ten folders below the top
MAX_BYTES = 400_000
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
# Folders of other people's code and of examples say nothing about the tool itself.
_FOREIGN = {
    *(".git", "node_modules", "third_party", "third-party", "thirdparty", "3rdparty"),
    *("vendor", "vendored", "extern", "external", "externals", "deps", "tests", "test"),
    *("example", "examples", "demo", "demos", "contrib"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceText:
    """The text of a file, at most ``MAX_BYTES`` of it, and its path with forward slashes."""

    path: str
    text: str

    def line_at(self, offset: int) -> int:
        """The number of the line, from 1, that contains a character position."""
        return self.text.count("\n", 0, offset) + 1

    def line_of(self, pattern: str) -> int:
        """The number of the first line that a pattern matches in; 1 where there is none."""
        match = re.search(pattern, self.text, re.MULTILINE)
        return self.line_at(match.start()) if match else 1

    def lines(self) -> Iterator[tuple[int, str]]:
        """Numbers and texts of the lines, stripped."""
        for number, line in enumerate(self.text.split("\n"), 1):
            yield number, line.strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFile:
    """Path, with forward slashes, and size in bytes of a listed file."""

    path: str
    size: int

    @property
    def depth(self) -> int:
        """The number of folders above the file within the repository."""
        return self.path.count("/")


@dataclass(frozen=True, slots=True)
class SourceFolder:
    """The regular files below a folder: at most MAX_FILES of them, MAX_DEPTH folders deep."""

    root: Path
    files: tuple[SourceFile, ...] = field(init=False)

    def __post_init__(self) -> None:
        if not self.root.is_dir():
            raise BadInput(f"{self.root}: not a folder; name a checkout of a repository")
        files = sorted(_walk(self.root), key=lambda file: (file.depth, file.path))
        object.__setattr__(self, "files", tuple(files))

    @property
    def paths(self) -> set[str]:
        """The paths of the listed files."""
        return {file.path for file in self.files}

    def nearest(self, name: str, limit: int = 3) -> list[SourceText]:
        """Files whose name matches a pattern, case ignored, in the topmost folders that have one.

        A manifest at the top describes the whole; ones below are read only where the top has none.
        """
        pattern = re.compile(name, re.IGNORECASE)
        matches = [f for f in self.files if pattern.fullmatch(f.path.rsplit("/", 1)[-1])]
        depth = min((f.depth for f in matches), default=0)
        return [self.read(f.path) for f in matches if f.depth == depth][:limit]

    def below(self, path: str, limit: int = 20) -> list[SourceText]:
        """Files whose whole path matches a pattern, case ignored."""
        pattern = re.compile(path, re.IGNORECASE)
        return [self.read(f.path) for f in self.files if pattern.fullmatch(f.path)][:limit]

    def read(self, path: str) -> SourceText:
        """The text of a listed file; an unreadable one is empty.

        A file that became a link since the listing is not opened.
        """
        try:
            flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0)
            with os.fdopen(os.open(self.root / path, flags), "rb") as file:
                data = file.read(MAX_BYTES)
        except OSError:
            data = b""
        text = data.decode("utf-8-sig", "replace").replace("\r\n", "\n").replace("\r", "\n")
        return SourceText(path=path, text=_CONTROL.sub(" ", text))


def _walk(root: Path) -> Iterator[SourceFile]:
    """Regular files below a folder, breadth first, so that a limit cuts the deep ones."""
    level, count = [root], 0
    for _ in range(MAX_DEPTH):
        below: list[Path] = []
        for folder in level:
            for entry in _entries(folder):
                if entry.is_dir(follow_symlinks=False):
                    below += [Path(entry.path)] if entry.name.lower() not in _FOREIGN else []
                elif entry.is_file(follow_symlinks=False):
                    count += 1
                    if count > MAX_FILES:
                        return
                    path = Path(entry.path).relative_to(root).as_posix()
                    yield SourceFile(path=path, size=entry.stat(follow_symlinks=False).st_size)
        level = below


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except OSError:
        return []
