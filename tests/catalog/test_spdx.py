"""Licences that are known without the whole SPDX list are those that the list knows."""

from __future__ import annotations

import pytest
from license_expression import get_license_index

from retrieval.catalog.importers.licence import licence_of
from retrieval.catalog.importers.values import Draft
from retrieval.catalog.spdx import _USUAL, is_listed, is_plain, licensing

ROWS = (
    "LGPL-2.0-or-later OR GPL-2.0-or-later",
    "GPL-2.0-only AND BSD-3-Clause",
    "MIT OR ISC OR MIT",
)


@pytest.mark.parametrize("expression", [*sorted(_USUAL), *ROWS])
def test_a_plain_expression_is_valid_and_in_normal_form(expression):
    assert is_plain(expression)
    assert licensing().validate(expression).errors == []
    assert str(licensing().parse(expression, validate=True).render()) == expression


@pytest.mark.parametrize("text", ["", "mit", "GPL-3.0", "MIT OR ISC AND MIT", "MIT OR", "(MIT)"])
def test_what_needs_reading_is_not_plain(text):
    assert not is_plain(text)


def test_every_name_of_the_list_is_known_as_one():
    listed = (key for entry in get_license_index() if (key := entry.get("spdx_license_key")))
    assert all(is_listed(name) for name in listed)


def test_a_reference_that_the_list_knows_gets_its_own_name_and_another_stays():
    assert is_listed("LicenseRef-Apache-2.0")
    assert licence_of(Draft(fields={}), "LicenseRef-Apache-2.0") == "Apache-2.0"
    assert not is_listed("LicenseRef-FSL")
    assert licence_of(Draft(fields={}), "LicenseRef-FSL") == "LicenseRef-FSL"
