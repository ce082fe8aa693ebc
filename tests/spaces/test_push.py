"""The tree of a Space passes the checks of the Hub: they are rebuilt here on a bare repository.

The Hub refuses binary files of any size and files above 10 MB that are not stored by Git LFS,
and a README whose front matter does not follow its configuration reference.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from spaces_config.assemble import MOST_BYTES, assemble, is_refused, requirements

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(shutil.which("git-lfs") is None, reason="git-lfs is not installed"),
]

COLOURS = {"red", "yellow", "green", "blue", "indigo", "purple", "pink", "gray"}
HARDWARE = re.compile(r"cpu-(basic|upgrade)|zero-a10g|t4-\w+|l4x\d|l40sx\d|a10g-\w+|a100-\w+")
SCHEMA = {
    "title": lambda value: isinstance(value, str) and value,
    "emoji": lambda value: isinstance(value, str) and not value.isascii(),
    "colorFrom": COLOURS.__contains__,
    "colorTo": COLOURS.__contains__,
    "sdk": {"gradio", "docker", "static"}.__contains__,
    "sdk_version": re.compile(r"\d+\.\d+\.\d+").fullmatch,
    "python_version": re.compile(r"3\.\d+(\.\d+)?").fullmatch,
    "app_file": lambda value: value == "app.py",
    "suggested_hardware": HARDWARE.fullmatch,
    "short_description": lambda value: len(value) <= 60,
    "license": re.compile(r"[a-z0-9.-]+").fullmatch,
    "pinned": lambda value: isinstance(value, bool),
    "preload_from_hub": lambda value: all(re.fullmatch(r"\S+/\S+( \S+)*", row) for row in value),
}
"""What the Hub's configuration reference says of each key that the card uses."""


def git(folder: Path, *words: str) -> str:
    names = {
        f"GIT_{who}_{what}": "a@b.invalid"
        for who in ("AUTHOR", "COMMITTER")
        for what in ("NAME", "EMAIL")
    }
    env = {**os.environ, **names, "GIT_TERMINAL_PROMPT": "0"}
    done = subprocess.run(
        ["git", *words], cwd=folder, env=env, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def committed(folder: Path) -> Path:
    """The tree of a Space in a repository that had one pattern of its own before."""
    git(folder.parent, "init", "-q", "-b", "main", folder.name)
    (folder / "README.md").write_text("---\ntitle: made by the Hub\n---\n")
    (folder / ".gitattributes").write_text("*.parquet filter=lfs diff=lfs merge=lfs -text\n")
    assemble(folder)
    git(folder, "lfs", "install", "--local")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "Add the Space")
    return folder


@pytest.fixture(scope="module")
def pushed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The working folder of a Space and the bare repository that it was pushed to."""
    root = tmp_path_factory.mktemp("hub")
    git(root, "init", "-q", "--bare", "-b", "main", "hub.git")
    (root / "space").mkdir()
    folder = committed(root / "space")
    git(folder, "push", "-q", (root / "hub.git").as_uri(), "main")
    return folder, root / "hub.git"


def blobs(bare: Path) -> dict[str, bytes]:
    """What the repository holds of each file: its bytes, or the pointer that stands for them."""
    names = git(bare, "ls-tree", "-r", "--name-only", "-z", "main").split("\0")[:-1]
    show = ["git", "cat-file", "blob"]
    return {
        name: subprocess.run([*show, f"main:{name}"], cwd=bare, capture_output=True).stdout
        for name in names
    }


def test_no_file_that_the_hub_refuses_is_in_plain_git(pushed: tuple[Path, Path]):
    contents = blobs(pushed[1])
    assert [name for name, content in contents.items() if is_refused(content)] == []
    pointers = [
        name for name, content in contents.items() if content.startswith(b"version https://git-lfs")
    ]
    assert any(name.endswith(".faiss") for name in pointers)
    assert "assets/screenshot.png" in pointers


def test_what_is_stored_apart_arrives_complete(pushed: tuple[Path, Path], tmp_path: Path):
    folder, bare = pushed
    git(
        tmp_path,
        "-c",
        "filter.lfs.smudge=",
        "-c",
        "filter.lfs.required=false",
        "clone",
        "-q",
        bare.as_uri(),
        "copy",
    )
    copy = tmp_path / "copy"
    git(copy, "lfs", "install", "--local")
    git(copy, "lfs", "pull")
    for file in folder.rglob("*"):
        if file.is_file() and ".git" not in file.relative_to(folder).parts:
            assert (copy / file.relative_to(folder)).read_bytes() == file.read_bytes(), file.name


def test_lines_of_the_repository_stay_and_are_written_once(pushed: tuple[Path, Path]):
    folder, _ = pushed
    assemble(folder)
    lines = (folder / ".gitattributes").read_text("utf-8").splitlines()
    assert lines[0].startswith("*.parquet ")
    assert len(lines) == len(set(lines))
    assert git(folder, "status", "--porcelain") == ""


def test_the_card_follows_the_reference_of_the_hub(pushed: tuple[Path, Path]):
    card = yaml.safe_load((pushed[0] / "README.md").read_text("utf-8").split("---")[1])
    assert set(card) <= set(SCHEMA)
    assert [key for key, value in card.items() if not SCHEMA[key](value)] == []


def test_the_client_of_the_hubs_language_models_is_pinned():
    assert any(line.startswith("openai==") for line in requirements().splitlines())


@pytest.mark.parametrize(
    ("content", "refused"),
    [(b"text\n", False), ("é".encode(), False), (b"a\0b", True), (b"\xff\xfe", True)],
)
def test_binary_content_is_refused(content: bytes, refused: bool):
    assert is_refused(content) is refused


def test_large_text_is_refused():
    assert is_refused(b"a" * (MOST_BYTES + 1))
