"""What records lack of a request, part by part."""

from __future__ import annotations

import pytest

from retrieval.explain import ShortfallReader
from retrieval.wiring import gap_judge
from tests.fakes import make_tool

TOOLS = (
    make_tool("lung_ct", tasks=("segmentation",), modalities=("CT",), anatomy=("lung",)),
    make_tool("heart_ct", tasks=("segmentation",), modalities=("CT",), anatomy=("heart",)),
    make_tool("lung_view", tasks=("viewing",), modalities=("CT",), anatomy=("lung",)),
    make_tool("cord", tasks=("registration",), modalities=("MRI",), anatomy=("spinal cord",)),
    make_tool("any_images", tasks=("registration",), modalities=("MRI", "CT")),
    make_tool(
        "nodules",
        name="Lung nodules",
        tasks=("segmentation",),
        modalities=("CT",),
        anatomy=("lung",),
    ),
    make_tool(
        "airways", name="Airways", tasks=("segmentation",), modalities=("CT",), anatomy=("lung",)
    ),
    make_tool("slides", tasks=("viewing",), modalities=("SM",), anatomy=("tissue",)),
)
IDS = [tool.id for tool in TOOLS]
LETTER = "segment the lungs in CT " + "and then we would like to see them all on one page " * 2


@pytest.fixture(scope="module")
def reader():
    return ShortfallReader(gap_judge(TOOLS))


def test_the_record_that_states_every_part_lacks_nothing(reader):
    short = dict(zip(IDS, reader("segment the lungs in CT", IDS), strict=True))
    assert short["lung_ct"].cost == 0
    assert short["lung_ct"].lacks == short["lung_ct"].elsewhere == ()
    assert short["heart_ct"].lacks == ("lungs",)
    assert short["lung_view"].lacks == ("segmentation",)
    assert 0 < short["lung_view"].cost < short["heart_ct"].cost


def test_a_record_for_an_organ_that_nobody_named_says_so(reader):
    short = dict(zip(IDS, reader("register two MR images", IDS), strict=True))
    assert short["cord"].elsewhere == ("spinal cord",)
    assert short["any_images"].elsewhere == ()
    assert short["cord"].cost == short["any_images"].cost == 0


def test_a_record_named_after_a_part_or_a_finding_is_none_of_the_whole_organ(reader):
    whole = dict(zip(IDS, reader("segment the lungs in CT", IDS), strict=True))
    assert whole["nodules"].elsewhere == ("lung nodule",)
    assert whole["airways"].elsewhere == ("airway",)
    assert whole["nodules"].is_part_alone
    assert not whole["lung_ct"].is_part_alone


@pytest.mark.parametrize(
    ("text", "name"),
    [("segment lung nodules in CT", "nodules"), ("segment the airways in CT", "airways")],
)
def test_who_names_the_part_is_served_by_its_record(reader, text, name):
    assert not dict(zip(IDS, reader(text, IDS), strict=True))[name].is_part_alone


def test_who_asks_for_no_outline_asks_for_no_whole_organ(reader):
    looked_at = dict(zip(IDS, reader("look at the lungs in CT", IDS), strict=True))
    assert not looked_at["nodules"].is_part_alone


def test_an_organ_inside_or_around_the_one_that_is_named_is_no_other(reader):
    short = dict(zip(IDS, reader("look at the thorax", IDS), strict=True))
    assert short["lung_view"].elsewhere == ()
    assert short["cord"].elsewhere == ("spinal cord",)


def test_who_names_a_microscope_need_not_name_tissue(reader):
    viewing = dict(zip(IDS, reader("pathology viewer", IDS), strict=True))
    assert viewing["slides"].elsewhere == ()
    assert dict(zip(IDS, reader("DICOM viewer", IDS), strict=True))["slides"].elsewhere == (
        "tissue",
    )


def test_of_a_list_one_part_will_do(reader):
    both = dict(zip(IDS, reader("segment the lungs or the heart in CT", IDS), strict=True))
    assert both["lung_ct"].cost == both["heart_ct"].cost == 0


@pytest.mark.parametrize("text", ["", "xyzzy", LETTER])
def test_nothing_is_said_where_no_part_is_read_or_a_letter_tells_a_story(reader, text):
    assert reader(text, IDS) == ()


def test_only_the_ids_that_were_asked_for_are_answered_in_their_order(reader):
    [second, first] = reader("segment the lungs in CT", ["heart_ct", "lung_ct"])
    assert (second.lacks, first.lacks) == (("lungs",), ())


def test_of_two_things_that_no_record_states_together_one_will_do(reader):
    apart = dict(zip(IDS, reader("segment the lungs and the heart in CT", IDS), strict=True))
    assert apart["lung_ct"].cost == apart["heart_ct"].cost == 0
    chest = make_tool(
        "both", tasks=("segmentation",), modalities=("CT",), anatomy=("lung", "heart")
    )
    tools = (*TOOLS, chest)
    short = ShortfallReader(gap_judge(tools))(
        "segment the lungs and the heart in CT", [*IDS, "both"]
    )
    assert short[0].lacks == ("heart",)
    assert short[-1].cost == 0


def test_who_runs_any_ready_made_model_need_not_name_what_one_finds():
    inference = {"tasks": ("model inference",), "modalities": ("SM",), "anatomy": ("tissue",)}
    tools = (
        make_tool("runs_any", **inference),
        make_tool("mitoses", **{**inference, "keywords": ("mitosis",)}),
        make_tool("tumours", **{**inference, "keywords": ("tumour",)}),
        make_tool("views", **{**inference, "tasks": ("viewing",)}),
    )
    text = "run a pretrained model for tumours on slides"
    runs_any, mitoses, tumours, views = ShortfallReader(gap_judge(tools))(
        text, [t.id for t in tools]
    )
    assert runs_any.cost == tumours.cost == 0
    assert "tumours" in mitoses.lacks
    assert "tumours" in views.lacks


def test_a_record_whose_first_tasks_are_others_says_so():
    steps = ("segmentation", "model inference", "measurement", "skull stripping")
    tools = (
        make_tool("registers", tasks=("registration",)),
        make_tool("among_others", tasks=("segmentation", "affine registration")),
        make_tool("as_a_step", tasks=(*steps, "registration")),
        make_tool("states_none", description="registers scans"),
    )
    read = ShortfallReader(gap_judge(tools))
    ids = [tool.id for tool in tools]
    assert [s.other_tasks for s in read("register two scans", ids)] == [False, False, True, False]
    assert not any(s.other_tasks for s in read("two scans of the brain", ids))


def test_that_no_task_is_the_one_named_is_told_only_where_none_is_or_is_wider_or_narrower():
    steps = ("segmentation", "model inference", "measurement", "skull stripping")
    tools = (
        make_tool("as_a_step", tasks=(*steps, "registration")),
        make_tool("wider", tasks=("registration",)),
        make_tool("narrower_step", tasks=(*steps, "affine registration")),
        make_tool("others", tasks=steps),
    )
    read = ShortfallReader(gap_judge(tools))
    ids = [tool.id for tool in tools]
    told = [bool(s.absent_tasks) for s in read("register two scans", ids)]
    assert told == [False, False, False, True]
    affine = read("affine registration of two scans", ids)
    assert [s.other_tasks for s in affine] == [True, True, True, True]
    assert [bool(s.absent_tasks) for s in affine] == [False, False, False, True]


def test_a_record_for_something_else_says_which_part_it_lacks_or_what_its_tasks_are(reader):
    def beside(text):
        return {one: s.beside for one, s in zip(IDS, reader(text, IDS), strict=True)}

    lungs = beside("segment the lungs in CT")
    assert lungs["lung_ct"] == ""
    assert lungs["heart_ct"] == "lungs not stated"
    assert beside("register two images")["slides"] == "its tasks: viewing"
    assert beside("register two images")["any_images"] == ""


def test_a_record_that_names_no_kind_of_image_says_so_and_one_without_images_costs():
    tools = (
        make_tool("us", tasks=("simulation",), modalities=("US",)),
        make_tool("us_two", tasks=("simulation",), modalities=("US",)),
        make_tool("any", tasks=("simulation",)),
        make_tool("molecules", tasks=("simulation",), domain="systems biology"),
    )
    ids = [tool.id for tool in tools]
    us, _, silent, molecules = ShortfallReader(gap_judge(tools))("ultrasound simulation", ids)
    assert (us.beside, silent.beside, molecules.beside) == ("", *["ultrasound not stated"] * 2)
    assert us.cost <= silent.cost < molecules.cost


NAMING = (
    make_tool(
        "outlines",
        tasks=("instance segmentation",),
        modalities=("MRI",),
        anatomy=("liver",),
        description="Outlines the liver and its metastases on MRI.",
        asked_as=("count DAPI nuclei in H&E slides",),
    ),
    make_tool("sees", tasks=("viewing",), modalities=("MRI",), description="Shows images."),
    make_tool("counts", tasks=("counting",), modalities=("SM",), description="Counts nuclei."),
)


@pytest.mark.parametrize(
    ("text", "id", "states"),
    [
        ("segment the liver on MRI", "outlines", ("instance segmentation", "liver", "MRI")),
        ("find metastases of the liver", "outlines", ("metastases", "liver")),
        ("segment the liver on MRI", "sees", ("MRI",)),
        ("count nuclei", "counts", ("counting", "nuclei")),
        # What is not wanted is no reason.
        ("segment the liver, not on MRI", "outlines", ("instance segmentation", "liver")),
    ],
)
def test_a_record_states_the_parts_of_a_request_in_its_own_words(text, id, states):
    [short] = ShortfallReader(gap_judge(NAMING))(text, [id])
    assert tuple(short.states) == states


@pytest.mark.parametrize(
    ("text", "id", "lacks"),
    [
        # It is asked for in these words: that it does not state them would be untrue.
        ("count nuclei", "outlines", ()),
        ("count nuclei in H&E", "sees", {"counting", "nuclei", "H&E"}),
        ("measure the liver", "sees", {"measurement", "liver"}),
    ],
)
def test_a_record_lacks_what_no_field_of_it_names_in_words_that_the_visitor_knows(text, id, lacks):
    [short] = ShortfallReader(gap_judge(NAMING))(text, [id])
    assert set(short.lacks) <= set(lacks)
    assert bool(short.lacks) == bool(lacks)
