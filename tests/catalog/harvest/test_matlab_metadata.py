"""Facts that MATLAB's packaging files state, with their lines."""

from __future__ import annotations

import pytest

TOOLBOX = """\
<deployment-project plugin="plugin.toolbox" plugin-version="1.0">
  <configuration name="LungCut" target="target.toolbox" target-name="Package Toolbox">
    <param.appname>LungCut</param.appname>
    <param.version>0.1.2</param.version>
    <param.compatiblity.windows>true</param.compatiblity.windows>
    <param.compatiblity.macos>false</param.compatiblity.macos>
    <param.compatiblity.linux>true</param.compatiblity.linux>
  </configuration>
</deployment-project>
"""
CONTENTS = """\
% LungCut Toolbox
% Version 1.4 (R2024b) 07-Mar-2026
"""


def test_a_toolbox_project_states_matlab_and_the_systems_it_is_made_for(facts):
    files = {"LungCut.prj": TOOLBOX}
    assert facts("languages", files) == [("MATLAB", "LungCut.prj", 3, False)]
    assert facts("interfaces", files) == [("MATLAB", "LungCut.prj", 3, False)]
    assert facts("platforms", files) == [
        ("MATLAB", "LungCut.prj", 3, False),
        ("Windows", "LungCut.prj", 5, False),
        ("Linux", "LungCut.prj", 7, False),
    ]


@pytest.mark.parametrize(
    "text",
    [
        TOOLBOX.replace("target.toolbox", "target.ezdeploy.standalone"),
        'PROJCS["WGS 84 / UTM zone 32N"]',
        TOOLBOX.replace("</deployment-project>", ""),
    ],
)
def test_a_project_that_packages_no_toolbox_states_nothing(facts, text):
    assert facts("platforms", {"area.prj": text}) == []


def test_a_package_of_matlab_is_named(facts):
    files = {"resources/mpackage.json": '{\n  "name": "lungcut",\n  "version": "1.0.0"\n}\n'}
    assert facts("languages", files) == [("MATLAB", "resources/mpackage.json", 2, False)]


def test_the_date_of_a_release_stands_in_the_contents_of_the_toolbox(facts):
    assert facts("last_release", {"Contents.m": CONTENTS}) == [
        ("2026-03-07", "Contents.m", 2, False)
    ]


@pytest.mark.parametrize("line", ["% Version unknown DD-MM-YYYY", "% Version 1 07-Xyz-2026"])
def test_a_line_without_a_date_states_no_release(facts, line):
    assert facts("last_release", {"Contents.m": f"% LungCut\n{line}\n"}) == []


def test_the_contents_of_a_library_that_is_shipped_along_say_nothing_of_the_tool(facts):
    assert facts("last_release", {"external/other/Contents.m": CONTENTS}) == []
