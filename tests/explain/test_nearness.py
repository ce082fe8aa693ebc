"""Which records are called nearest where none states all of a request."""

from __future__ import annotations

from retrieval.explain.gaps import GapJudge
from retrieval.explain.nearness import nearest_of
from retrieval.wiring.explaining import gap_judge
from tests.fakes import make_tool

SMALL = (
    make_tool("atria", description="Heart.", tasks=("segmentation",), anatomy=("heart",)),
    make_tool("finder", description="Finds mitoses.", tasks=("object detection",)),
)

OTHERS = (
    make_tool(
        "cord",
        description="Outlines the butterfly of grey matter; nuclear pores.",
        tasks=("segmentation",),
        anatomy=("spinal cord",),
    ),
    make_tool("optodes", description="NIRS.", tasks=("activation analysis",)),
    make_tool("still", description="Motion correction.", tasks=("motion correction",)),
    make_tool("lens", description="Microscopy.", tasks=("stitching",), modalities=("microscopy",)),
    make_tool("zoo", description="Views scans of other animals.", anatomy=("other animals",)),
    make_tool("tubes", description="Vessels.", tasks=("segmentation",), anatomy=("vessel",)),
)


def shared(text, tools=SMALL):
    judge: GapJudge = gap_judge(tools)
    return judge.judge(text).shared


def test_the_first_of_the_list_stand_first_unless_another_shares_far_more():
    assert nearest_of(["a", "b"], ["c"], {"a": 4, "b": 4, "c": 6})[:2] == ("a", "b")
    assert nearest_of(["a", "b"], ["c"], {"a": 4, "b": 4, "c": 8}) == ("c",)


def test_what_shares_a_general_word_alone_is_no_leader_of_the_nearest():
    assert nearest_of(["a"], ["b"], {"a": 2, "b": 4}) == ("b",)


def test_only_what_shares_as_much_as_the_best_or_but_a_task_less_is_near():
    assert nearest_of([], ["a", "b", "c"], {"a": 3, "b": 5, "c": 4}) == ("b", "c")


def test_where_nothing_is_shared_nothing_is_near():
    assert nearest_of(["a"], ["b"], {}) == ()


def test_who_detects_other_things_is_not_near_to_detecting_an_unknown_one():
    assert shared("bark beetle detection") == {}
    assert shared("heart beetle detection").keys() == {"atria"}


def test_a_word_of_the_body_is_not_near_to_what_has_no_such_body():
    assert shared("butterfly wing", OTHERS) == {}
    assert "cord" not in shared("porosity of sandstone, rock pores", OTHERS)


def test_that_it_is_of_some_animal_or_seen_through_some_lens_brings_nothing_near():
    assert shared("identify mosquitoes", OTHERS) == {}
    assert shared("atomic force microscopy levelling", OTHERS) == {}


def test_what_is_for_the_whole_of_a_part_is_near_to_it():
    assert shared("nailfold capillary loops", OTHERS) == {"tubes": 3}


def test_a_kind_of_image_that_few_records_state_is_near_by_itself():
    near = shared("motion correction of nirs in gerbils", OTHERS)
    assert near["optodes"] > near["still"]


def test_images_of_one_organ_are_near_to_what_is_for_it_and_lesions_of_others_are_not():
    tools = (
        make_tool("short axis", description="Cine MRI.", modalities=("MRI",), anatomy=("heart",)),
        make_tool("plaques", description="Lesions.", modalities=("MRI",), anatomy=("brain",)),
    )
    assert shared("LGE scar", tools).keys() == {"short axis"}
    assert shared("scar of the brain", tools).keys() == {"plaques"}
