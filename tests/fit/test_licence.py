"""Feature 12: code and weights apart, and no conflict passes."""

from __future__ import annotations

import pytest

from retrieval.catalog.load import load_catalog
from retrieval.core import Wish
from retrieval.fit.licence import PURPOSES, allowed, group_of, kind_of_licence, licence_fit
from retrieval.fit.summary import summary_of
from retrieval.fit.wishes.stated import wish_fit
from retrieval.settings import ROOT
from tests.fakes import make_tool


@pytest.mark.parametrize(
    ("expression", "kind"),
    [
        ("MIT", "permissive"),
        ("Apache-2.0", "permissive"),
        ("BSD-3-Clause-LBNL", "permissive"),
        ("CC0-1.0", "permissive"),
        ("CC-BY-4.0", "permissive"),
        ("GPL-3.0-or-later", "copyleft"),
        ("LGPL-2.1+", "copyleft"),
        ("AGPL-3.0-only", "copyleft"),
        ("MPL-2.0", "copyleft"),
        ("CC-BY-SA-4.0", "copyleft"),
        ("CC-BY-NC-4.0", "non-commercial"),
        ("CC-BY-NC-SA-4.0", "non-commercial"),
        ("CC-BY-NC-ND-4.0", "non-commercial"),
        ("LicenseRef-NYU-NonCommercial-Research", "non-commercial"),
        ("LicenseRef-RABIES-Academic-Public", "non-commercial"),
        ("LicenseRef-FSL", "non-commercial"),
        ("CC-BY-ND-4.0", "other"),
        ("LicenseRef-FreeSurfer", "other"),
        (None, "unknown"),
        ("", "unknown"),
    ],
)
def test_licences_have_a_kind(expression, kind):
    assert kind_of_licence(expression) == kind


@pytest.mark.parametrize(
    ("expression", "kind"),
    [
        ("MIT OR CC-BY-NC-4.0", "permissive"),
        ("MIT AND CC-BY-NC-4.0", "non-commercial"),
        ("GPL-2.0-only AND BSD-3-Clause", "copyleft"),
        ("MIT AND (GPL-3.0-only OR Apache-2.0)", "permissive"),
        ("MIT OR GPL-3.0-only AND CC-BY-NC-4.0", "permissive"),
        ("GPL-2.0-or-later WITH Classpath-exception-2.0", "copyleft"),
        ("MIT AND LicenseRef-Own", "other"),
    ],
)
def test_and_asks_for_all_and_or_lets_choose(expression, kind):
    assert kind_of_licence(expression) == kind


def test_feature_12_weights_for_non_commercial_use_under_mit_code_fail_a_commercial_product():
    tool = make_tool("a", license="MIT", license_weights="CC-BY-NC-4.0")
    code, weights = licence_fit(tool, "commercial product")
    assert (code.verdict, weights.verdict) == ("pass", "fail")
    assert code.tool == "license: MIT (permissive)"
    assert weights.tool == "license_weights: CC-BY-NC-4.0 (non-commercial)"
    assert weights.scan == "commercial product"


def test_feature_12_training_data_and_output_have_licences_of_their_own():
    tool = make_tool("a", license="MIT", license_data="CC-BY-NC-4.0", license_output="CC0-1.0")
    facts = {fit.fact: fit.verdict for fit in licence_fit(tool, "commercial product")}
    assert facts["licence of the training data"] == "fail"
    assert facts["licence of the output"] == "pass"
    assert [fit.fact for fit in licence_fit(make_tool("a"), "teaching")] == ["licence of the code"]
    model = make_tool("a", license="MIT", tasks=("model inference",))
    verdicts = [(fit.fact, fit.verdict) for fit in licence_fit(model, "teaching")]
    assert verdicts == [("licence of the code", "pass"), ("licence of the weights", "unknown")]


@pytest.mark.parametrize("purpose", PURPOSES)
def test_a_licence_nobody_stated_or_classified_is_unknown_and_never_a_pass(purpose):
    assert {f.verdict for f in licence_fit(make_tool("a"), purpose)} == {"unknown"}
    own = make_tool("a", license="LicenseRef-Own")
    assert licence_fit(own, purpose)[0].verdict == "unknown"
    assert allowed("LicenseRef-Own", purpose) is None


def test_what_a_licence_asks_for_is_part_of_the_evidence():
    tool = make_tool("a", license="GPL-3.0-only", license_weights="CC-BY-NC-4.0")
    assert "same licence" in licence_fit(tool, "commercial product")[0].tool
    taught = licence_fit(tool, "teaching")[1]
    assert (taught.verdict, "not for profit" in taught.tool) == ("pass", True)


def test_three_groups_are_offered():
    groups = [group_of(e) for e in ("MIT", "GPL-3.0-only", "CC-BY-NC-4.0", "LicenseRef-Own", None)]
    assert groups == ["open", "open", "non-commercial", "unknown", "unknown"]


def test_every_licence_of_the_shipped_catalog_is_read_without_an_error():
    tools = load_catalog(ROOT / "assets" / "catalog" / "tools.jsonl").tools
    kinds = {t.license: kind_of_licence(t.license) for t in tools if t.license}
    assert set(kinds.values()) == {"permissive", "copyleft", "non-commercial", "other"}
    other = {name for name, kind in kinds.items() if kind == "other"}
    assert all(name.startswith("LicenseRef-") for name in other)


def test_whose_licence_is_missing_is_told_beside_that_of_the_code():
    wish = Wish(kind="purpose", value="commercial", text="", strength="wanted")
    model = make_tool("tiles", license="Apache-2.0", tasks=("foundation model",))
    fit = wish_fit(model, wish)
    assert fit.verdict == "unknown"
    assert fit.tool == "license: Apache-2.0 (permissive); licence of the weights: not stated"
    assert wish_fit(make_tool("silent"), wish).tool is None


@pytest.mark.parametrize(
    ("facts", "badge"),
    [
        ({"license": "MIT", "tasks": ("foundation model",)}, "Licence of the weights not stated"),
        ({"license": "LicenseRef-own"}, "Licence not classified"),
        ({}, "Licence not stated"),
    ],
)
def test_a_badge_says_what_of_the_licence_is_open(facts, badge):
    wish = Wish(kind="purpose", value="commercial", text="", strength="wanted")
    summary = summary_of([wish_fit(make_tool("one", **facts), wish)])
    assert summary is not None
    assert summary.text == badge
