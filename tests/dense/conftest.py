from __future__ import annotations

import pytest

from retrieval.dense.refresh import refreshed
from tests.fakes import HashingEncoder, make_tool

TOOLS = tuple(
    make_tool(f"tool{n}", description=f"does {word} work", domain=word)
    for n, word in enumerate(["lung", "brain", "cell", "heart", "retina", "bone"])
)


def made(
    encoder, tools=TOOLS, before=None, template="biocortex", terms=("lung", "brain"), sha="c1"
):
    return refreshed(
        before,
        tools,
        encoder,
        template,
        catalog_sha256=sha,
        fingerprints={t.id: f"{t.id}{t.description}{t.demo_url}" for t in tools},
        terms=terms,
    )


@pytest.fixture
def encoder():
    return HashingEncoder()


@pytest.fixture
def stored(encoder):
    return made(encoder)
