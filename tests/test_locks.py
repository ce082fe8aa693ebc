"""Every package that is installed has its version and its hashes in a lock file."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from spaces_config.assemble import locked

ROOT = Path(__file__).resolve().parent.parent
FILES = ("app.txt", "space.txt", "torch.txt", "cuda.txt")
PIN = re.compile(r"^([A-Za-z0-9._-]+)==(\S+)")


def plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).casefold()


def pins(file: str) -> dict[str, set[str]]:
    """Versions by package name. Fails at a section without a hash."""
    text = (ROOT / "locks" / file).read_text("utf-8")
    versions: dict[str, set[str]] = {}
    for section in re.split(r"^(?=\S)", text, flags=re.MULTILINE)[1:]:
        match = PIN.match(section)
        assert match, section
        assert "--hash=sha256:" in section, section
        versions.setdefault(plain(match[1]), set()).add(match[2])
    return versions


@pytest.mark.parametrize("file", FILES)
def test_every_locked_package_has_a_version_and_a_hash(file: str):
    assert pins(file)


@pytest.mark.parametrize("file", FILES)
def test_locked_versions_are_those_of_the_constraints(file: str):
    lines = (ROOT / "constraints.txt").read_text("utf-8").split()
    chosen = {plain(line.split("==")[0]): line.split("==")[1] for line in lines}
    for name, versions in pins(file).items():
        if name in chosen:
            assert chosen[name] in versions, name


def test_every_declared_dependency_is_locked():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    needs = [*project["dependencies"]]
    for extra, more in project["optional-dependencies"].items():
        needs += [] if extra == "milvus" else more
    names = {plain(re.split(r"[<>=!~\[ ;]", need)[0]) for need in needs}
    assert names <= {*pins("app.txt"), *pins("torch.txt")}


def test_a_space_installs_by_hash_before_the_platform_adds_its_own():
    text = locked()
    assert "\n--require-hashes\n" in text
    assert "torch==" in text
    assert "gradio==" in text
