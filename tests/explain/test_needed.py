"""Prerequisites of the listed tools, as a group of their own."""

from retrieval.explain import also_needed
from retrieval.export import to_json
from tests.fakes import make_tool

BASE, PLUGIN = make_tool("base", name="Base"), make_tool("plugin", requires_tool=("base",))
OTHER = make_tool("other", requires_tool=("base", "elsewhere", "other"))
TOOLS = {t.id: t for t in (BASE, PLUGIN, OTHER)}


def test_a_prerequisite_names_who_needs_it_and_where_that_is_stated():
    source = {("plugin", "requires_tool"): "https://example.org/plugin"}
    [needed] = also_needed([PLUGIN, OTHER], TOOLS, lambda *key: source.get(key, ""))
    assert (needed.id, needed.name) == ("base", "Base")
    assert needed.needed_by == ("plugin", "other")
    assert needed.source == "https://example.org/plugin"


def test_without_a_source_none_is_claimed_and_tools_without_needs_give_nothing():
    assert also_needed([OTHER], TOOLS)[0].source is None
    assert also_needed([BASE], TOOLS) == ()


def test_the_answer_of_the_shipped_catalog_lists_what_its_tools_need(engine):
    answer = to_json(engine.run("segment whole body CT with nnU-Net"))
    listed = {c["id"] for c in answer["candidates"]}
    for needed in answer["also_needed"]:
        assert set(needed) == {"id", "name", "needed_by", "source"}
        assert set(needed["needed_by"]) <= listed
        for tool in needed["needed_by"]:
            assert needed["id"] in engine.catalog[tool].requires_tool
        assert needed["source"].startswith("https://")
    assert answer["also_needed"]
