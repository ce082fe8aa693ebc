"""Write the lock files: ``python locks/write.py [--wheel FILE]...`` (needs ``uv``).

Versions come from constraints.txt, hashes from the package index. ``torch`` and the CUDA
packages that only its CUDA build needs stand in files of their own, because which build is
installed differs by machine. ``--wheel`` adds the hash of a torch wheel that the index does not
list, such as PyTorch's CPU build; hashes of the same version in the present file stay.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parent
EXTRAS = (
    "dev",
    "e2e",
    "llm",
    "mcp",
    "milvus-lite",
    "cypher",
    "documents",
    "rdf",
    "neo4j",
    "harvest",
)
SPACE_EXTRAS = ("llm",)
"""Those of ``EXTRAS`` in spaces_config/assemble.py; a test compares them."""

CUDA = re.compile(r"^(nvidia-|cuda-|triton\b)")
SECTION = re.compile(r"^(?=\S)", re.MULTILINE)
HASH = re.compile(r"--hash=(sha256:[0-9a-f]{64})")
PYTHON = "3.11"
"""The oldest supported Python; a universal lock holds for newer ones as well."""


def compiled(extras: Sequence[str]) -> list[str]:
    """One section per package: its pin, its marker and the hashes of all its files."""
    command = ["uv", "pip", "compile", "pyproject.toml", "-c", "constraints.txt", "--universal"]
    command += ["--python-version", PYTHON, "--generate-hashes", "--no-emit-index-url"]
    command += ["--no-annotate", "--no-header", "--quiet"]
    for extra in extras:
        command += ["--extra", extra]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return [section for section in SECTION.split(done.stdout) if "==" in section]


def with_hashes(section: str, hashes: Iterator[str]) -> str:
    """The section with these hashes added to its own."""
    pin = section.partition("\\")[0].strip()
    every = sorted({*HASH.findall(section), *hashes})
    return pin + "".join(f" \\\n    --hash={one}" for one in every) + "\n"


def present_hashes(pin: str, file: Path) -> Iterator[str]:
    """Hashes in the present file, where it is of the same version."""
    if file.is_file() and (text := file.read_text("utf-8")).startswith(pin):
        yield from HASH.findall(text)


def file_hashes(wheels: Sequence[Path]) -> Iterator[str]:
    """The SHA-256 of each file, as a lock writes it."""
    for wheel in wheels:
        with wheel.open("rb") as opened:
            yield f"sha256:{hashlib.file_digest(opened, 'sha256').hexdigest()}"


def main() -> None:
    """Write app.txt, space.txt, torch.txt and cuda.txt beside this file."""
    parser = argparse.ArgumentParser(description="Write the lock files.")
    parser.add_argument("--wheel", type=Path, action="append", default=[])
    wheels = parser.parse_args().wheel
    everything = compiled(EXTRAS)
    torch = next(section for section in everything if section.startswith("torch=="))
    pin = torch.split()[0]
    added = (*present_hashes(pin, FOLDER / "torch.txt"), *file_hashes(wheels))
    files = {
        "torch.txt": [with_hashes(torch, iter(added))],
        "cuda.txt": [section for section in everything if CUDA.match(section)],
        "app.txt": _without_torch(everything),
        "space.txt": _without_torch(compiled(SPACE_EXTRAS)),
    }
    for name, sections in files.items():
        (FOLDER / name).write_text("".join(sections), "utf-8")


def _without_torch(sections: Sequence[str]) -> list[str]:
    return [one for one in sections if not (one.startswith("torch==") or CUDA.match(one))]


if __name__ == "__main__":
    main()
