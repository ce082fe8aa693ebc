"""A page's documents in a process of their own: commands on stdin, one word back for each.

``python -m tests.documents.visiting``: settings come from the environment, as for the page.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from types import SimpleNamespace

from gradio.utils import get_upload_folder

from components.panels.routes.ask_documents import added
from retrieval import QuestionDesk, read_settings
from tests.fakes import HashingEncoder


class Engine:
    """Stands for a running engine; the encoder is the only part that documents need."""

    def current(self) -> SimpleNamespace:
        return SimpleNamespace(tools={}, catalog_sha256="", encoder=HashingEncoder())


def uploaded(source: Path) -> str:
    """A copy where the web server stores an upload."""
    target = Path(get_upload_folder()) / "0123abcd" / source.name
    target.parent.mkdir(parents=True, exist_ok=True)
    return shutil.copy(source, target)


def answer(word: str) -> None:
    sys.stdout.write(f"{word}\n")
    sys.stdout.flush()


def main() -> None:
    desk = QuestionDesk(read_settings(), Engine())  # type: ignore[arg-type]
    visitor = desk.visitor()
    answer("open")
    for line in sys.stdin:
        command, _, value = line.strip().partition(" ")
        if command == "add":
            added(desk, [uploaded(Path(value))], visitor)
        elif command == "remove":
            for one in desk.documents(visitor):
                desk.remove(visitor, one.id)
        elif command == "exit":
            break
        answer(str(len(desk.documents(visitor))))


if __name__ == "__main__":
    main()
    answer("end")
