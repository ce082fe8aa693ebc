"""Folders of files that can be made again, each with a manifest of what its files must be.

``ROOT/NAME/manifest.json`` holds the size and the SHA-256 of every file beside it. Nothing is read
from a folder before all of it was checked: 100 MB take 70 ms on a processor of 2023, about 250 ms
on one without instructions for it, in the background thread that loads models.
"""

from __future__ import annotations

import json
import logging
import os
import re
import shutil
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from retrieval.storage.files import ASIDE, alone_in, file_sha256

logger = logging.getLogger(__name__)

MANIFEST = "manifest.json"
WAIT_S = 330.0
"""How long one process waits for another that makes a folder: longer than an export may take."""

Say = Callable[[str], None]
"""Takes why something is made again, while it is being made."""


def silent(reason: str) -> None:
    """Say nothing."""


@dataclass(frozen=True, slots=True)
class CacheFolder:
    """One folder below a root; readers see a complete one or none."""

    root: Path
    name: str

    @property
    def path(self) -> Path:
        """Where its files are."""
        return self.root / self.name

    @property
    def exists(self) -> bool:
        """Whether something of this name is there, sound or not."""
        return os.path.lexists(self.path)

    def damage(self) -> str:
        """Why its files cannot be used, such as ``rows.npy is missing``; empty for sound ones.

        Reads every file that the manifest names, in its order, up to the first that is not sound.
        """
        try:
            files = json.loads((self.path / MANIFEST).read_text("utf-8"))["files"]
            entries = {name: (int(one["size"]), str(one["sha256"])) for name, one in files.items()}
            if not entries:
                raise ValueError("no file is named")
        except FileNotFoundError:
            return f"{MANIFEST} is missing"
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            return f"{MANIFEST} is damaged"
        reasons = (_file_damage(self.path / name, *facts) for name, facts in entries.items())
        return next(filter(None, reasons), "")

    def make(self, write: Callable[[Path], None]) -> Path:
        """The folder with what ``write`` puts into an empty one, unless it is there by now.

        One process makes at a time below a root; one that waited finds what the other made.
        Raises OSError where nothing can be written, and leaves nothing behind.
        """
        self.root.mkdir(parents=True, exist_ok=True)
        with alone_in(self.root, WAIT_S):
            if not self.damage():
                return self.path
            # A folder that is renamed below is no longer there to be removed.
            with TemporaryDirectory(
                prefix=ASIDE, dir=self.root, ignore_cleanup_errors=True
            ) as temporary:
                aside = Path(temporary)
                write(aside)
                files = sorted(p for p in aside.iterdir() if p.is_file())
                facts = {
                    p.name: {"size": p.stat().st_size, "sha256": file_sha256(p)} for p in files
                }
                manifest = json.dumps({"files": facts}, indent=1)
                (aside / MANIFEST).write_text(manifest, "utf-8")
                _remove(self.path)
                aside.replace(self.path)
        return self.path

    def clean(self, others: str, keep: int = 0) -> None:
        """Remove what killed writers left, and other folders but for the ``keep`` used last.

        ``others`` is a pattern of the names that count as such. Nothing happens while another
        process writes below the root.
        """
        pattern = re.compile(others)
        with suppress(OSError), alone_in(self.root, seconds=0):
            os.utime(self.path)
            beside = [p for p in self.root.iterdir() if p.name != self.name]
            old = [p for p in beside if pattern.fullmatch(p.name)]
            folders = sorted((p for p in old if p.is_dir()), key=lambda p: p.stat().st_mtime)
            left = [p for p in beside if p.name.startswith(ASIDE)]
            for path in (
                *left,
                *folders[: max(0, len(folders) - keep)],
                *(p for p in old if not p.is_dir()),
            ):
                _remove(path)


def rebuilt(folder: CacheFolder, subject: str, write: Callable[[Path], None], say: Say) -> Path:
    """The files of a folder, checked; where they are not sound, they are made again.

    ``say`` and the log get the reason where there was a damaged folder, not where there was none.
    Raises OSError where nothing can be written, and whatever ``write`` raises.
    """
    reason = folder.damage()
    if not reason:
        return folder.path
    if folder.exists:
        logger.warning("%s made again: %s", subject, reason)
        say(f"warming up: {subject} made again because {reason}")
    return folder.make(write)


def _file_damage(path: Path, size: int, sha256: str) -> str:
    """The size first: of a file that was cut off nothing need be read."""
    try:
        if path.stat().st_size == size and file_sha256(path) == sha256:
            return ""
    except FileNotFoundError:
        return f"{path.name} is missing"
    except OSError as exc:
        return f"{path.name} cannot be read ({exc.strerror})"
    return f"{path.name} is damaged"


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
