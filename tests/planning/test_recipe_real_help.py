"""The flags of five recipes against the help that the real programs print."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from retrieval import load_recipes

ROOT = Path(__file__).parents[2]
RECIPES = load_recipes(ROOT / "assets" / "recipes" / "recipes.jsonl")
HELP = {
    "cutadapt": ("cutadapt", ["cutadapt", "--help"]),
    "dcm2niix": ("dcm2niix", ["dcm2niix", "-h"]),
    "dicom_anonymizer": ("dicom-anonymizer", ["dicom-anonymizer", "--help"]),
    "nibabel": ("nibabel", ["nib-conform", "--help"]),
    "pydicom": ("pydicom", ["pydicom", "show", "--help"]),
}
"""Tool to the package that pip installs, and the command that prints its help."""


def required(package):
    """Whether the project itself asks for the package."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    asked = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    return any(re.match(rf"{re.escape(package)}\b(?!-)", one) for one in asked)


def printed(package, command):
    beside = str(Path(sys.executable).parent)
    path = os.pathsep.join([beside, os.environ.get("PATH", "")])
    program = shutil.which(command[0], path=path)
    if program is None and not required(package):
        pytest.skip(f"{package} is not installed; pip install {package}")
    assert program, f"{package} belongs to the dev extra and is not installed"
    done = subprocess.run(
        [program, *command[1:]],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        stdin=subprocess.DEVNULL,
        env={**os.environ, "PATH": path},
    )
    return done.stdout + done.stderr


@pytest.mark.parametrize("id", sorted(HELP))
def test_every_flag_of_the_recipe_is_in_the_real_help(id):
    record = RECIPES.by_tool[id]
    package, command = HELP[id]
    text = printed(package, command)
    assert record.template.split()[0] == command[0]
    assert record.flags
    absent = [f for f in record.flags if not re.search(rf"(?<![\w-]){re.escape(f)}(?![\w-])", text)]
    assert absent == []


def test_the_check_would_notice_a_flag_that_is_not_there():
    text = printed("nibabel", ["nib-conform", "--help"])
    assert re.search(r"(?<![\w-])--voxel-size(?![\w-])", text)
    assert not re.search(r"(?<![\w-])--voxel(?![\w-])", text)
