"""Assemble a complete Space into a folder: ``python spaces_config/assemble.py FOLDER``."""

from __future__ import annotations

import argparse
import re
import shutil
import sys
import tomllib
from itertools import chain
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COPIED = ("app.py", "components", "retrieval", "assets", "docs", "SECURITY.md", "LICENSE", "NOTICE")
CPU_WHEELS = "--extra-index-url https://download.pytorch.org/whl/cpu"
"""A Space without a GPU takes PyTorch's CPU wheels; the default ones bring several GB of CUDA."""


EXTRAS = ("llm",)
"""Extras that a Space's variables can ask for: a language model is switched on by a secret."""


def requirements() -> str:
    """The dependencies and EXTRAS, pinned by constraints.txt; the platform brings gradio."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = (project["optional-dependencies"][extra] for extra in EXTRAS)
    needs = [*project["dependencies"], *chain.from_iterable(extras)]
    lines = (ROOT / "constraints.txt").read_text("utf-8").split()
    pins = {_plain(line.split("==")[0]): line for line in lines if "==" in line}
    names = [_plain(re.split(r"[<>=!~\[ ;]", need)[0]) for need in needs]
    wanted = [pins.get(name, name) for name in names if name != "gradio"]
    return "\n".join([CPU_WHEELS, *wanted]) + "\n"


MOST_BYTES = 10_000_000
"""The Hub refuses larger files in plain git, text too (documentation of its repositories)."""


def locked() -> str:
    """Every wheel with its hashes, for ``pre-requirements.txt``.

    The platform installs requirements.txt in one command with packages of its own, which have no
    hashes; pip then refuses the whole command. What pre-requirements.txt installs first, with
    hashes, satisfies the pins of requirements.txt.
    """
    locks = [(ROOT / "locks" / name).read_text("utf-8") for name in ("torch.txt", "space.txt")]
    return "\n".join([CPU_WHEELS, "--require-hashes", *locks])


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).casefold()


def assemble(target: Path) -> None:
    """Write the tree; what an earlier run left is replaced, ``.git`` stays.

    Raises FileExistsError, and removes nothing, where the folder holds anything else.
    """
    attributes = _own_attributes(target)
    _clear(target)
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            leave = shutil.ignore_patterns("__pycache__", "*.pyc")
            shutil.copytree(source, target / name, ignore=leave)
        else:
            shutil.copy2(source, target / name)
    header = (ROOT / "spaces_config" / "header.md").read_text("utf-8")
    body = (ROOT / "README.md").read_text("utf-8")
    (target / "README.md").write_text(header + "\n" + body, "utf-8")
    shutil.copy2(ROOT / "spaces_config" / "space.env", target / ".env")
    (target / "pre-requirements.txt").write_text(locked(), "utf-8")
    (target / "requirements.txt").write_text(requirements(), "utf-8")
    lines = dict.fromkeys((*attributes, *stored_apart(target)))
    (target / ".gitattributes").write_text("".join(f"{line}\n" for line in lines), "utf-8")


def stored_apart(folder: Path) -> list[str]:
    """A line of ``.gitattributes`` for each kind of file that the Hub refuses in plain git.

    Those are binary files of any size, and files above MOST_BYTES. A kind is an ending; a file
    without one is named by its path. Sorted.
    """
    files = (path for path in folder.rglob("*") if path.is_file() and ".git" not in path.parts)
    refused = (path.relative_to(folder) for path in files if is_refused(path.read_bytes()))
    patterns = {f"*{path.suffix}" if path.suffix else f"/{path.as_posix()}" for path in refused}
    return [f"{pattern} filter=lfs diff=lfs merge=lfs -text" for pattern in sorted(patterns)]


def is_refused(content: bytes) -> bool:
    """Whether the Hub refuses a file of this content in plain git."""
    if len(content) > MOST_BYTES or b"\0" in content:
        return True
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return True
    return False


def _own_attributes(target: Path) -> list[str]:
    """The lines that the Space's repository has already, which stay in front."""
    file = target / ".gitattributes"
    return file.read_text("utf-8").splitlines() if file.is_file() else []


def _clear(target: Path) -> None:
    target.mkdir(parents=True, exist_ok=True)
    left = [path for path in target.iterdir() if path.name != ".git"]
    readme = target / "README.md"
    # The README of a Space begins with its card, a block of YAML.
    is_space = readme.is_file() and readme.read_text("utf-8", "replace").startswith("---\n")
    if left and not is_space:
        raise FileExistsError(f"{target} holds something else than a Space; name another folder")
    for path in left:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()


def main() -> int:
    """Assemble into the folder named on the command line."""
    parser = argparse.ArgumentParser(description="Assemble the tree of a Hugging Face Space.")
    parser.add_argument("folder", type=Path)
    target = parser.parse_args().folder
    try:
        assemble(target)
    except OSError as exc:
        sys.stderr.write(f"FOLDER: {exc}\n")
        return 2
    sys.stdout.write(f"A Space is ready in {target}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
