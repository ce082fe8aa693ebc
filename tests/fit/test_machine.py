"""Feature 11: whether a tool runs on a machine; what nobody stated stays unknown."""

from __future__ import annotations

import pytest

from retrieval.core.codes import Dimension, Format
from retrieval.core.types import Needs, ScanInfo
from retrieval.fit.machine import Machine, image_gb, machine_fit
from tests.fakes import make_tool

LAPTOP = Machine(gpu=False, ram_gb=16.0, system="macOS")
STATION = Machine(gpu=True, gpu_gb=24.0, ram_gb=128.0, system="Linux")


def told(machine, scan=None, **facts):
    return {f.fact: f for f in machine_fit(make_tool("a", **facts), machine, scan)}


def verdicts(machine, scan=None, **facts):
    return {fact: f.verdict for fact, f in told(machine, scan, **facts).items()}


def volume(*shape):
    return ScanInfo(format=Format.NIFTI, dimension=Dimension.D3, shape=shape)


def test_what_nobody_stated_is_unknown():
    assert set(verdicts(STATION).values()) == {"unknown"}
    assert set(verdicts(Machine(), gpu="required", platforms=("Linux",)).values()) == {"unknown"}


@pytest.mark.parametrize(
    ("gpu", "laptop", "station"),
    [
        ("required", "fail", "pass"),
        ("recommended", "pass", "pass"),
        ("optional", "pass", "pass"),
        ("none", "pass", "pass"),
        (None, "unknown", "unknown"),
    ],
)
def test_a_graphics_card_is_asked_for_where_it_is_required(gpu, laptop, station):
    assert verdicts(LAPTOP, gpu=gpu)["GPU"] == laptop
    assert verdicts(STATION, gpu=gpu)["GPU"] == station


def test_the_memory_of_the_card_is_held_against_what_is_stated():
    needs = Needs(gpu_gb=40.0)
    fit = told(STATION, needs=needs)["GPU memory"]
    assert (fit.verdict, fit.scan, fit.tool) == ("fail", "24 GB", "requirements.gpu_gb: 40 GB")
    assert verdicts(STATION, needs=Needs(gpu_gb=8.0))["GPU memory"] == "pass"
    assert verdicts(LAPTOP, gpu="required", needs=needs)["GPU memory"] == "fail"
    assert verdicts(LAPTOP, gpu="optional", needs=needs)["GPU memory"] == "pass"


@pytest.mark.parametrize("gpu", ["none", "optional", "recommended"])
@pytest.mark.parametrize("needs", [Needs(), Needs(gpu_gb=40.0)])
def test_no_memory_of_a_card_is_used_where_there_is_no_card_and_none_is_needed(gpu, needs):
    fit = told(LAPTOP, gpu=gpu, needs=needs)["GPU memory"]
    assert (fit.verdict, fit.scan, fit.tool) == ("pass", "not used", f"gpu: {gpu}")
    if gpu != "none":
        assert verdicts(STATION, gpu=gpu)["GPU memory"] == "unknown"
    assert verdicts(LAPTOP, gpu="required")["GPU memory"] == "unknown"


def test_main_memory_is_held_against_what_is_stated():
    assert verdicts(LAPTOP, needs=Needs(ram_gb=15.0))["memory"] == "pass"
    fit = told(LAPTOP, needs=Needs(ram_gb=32.0))["memory"]
    assert (fit.verdict, fit.tool) == ("fail", "requirements.ram_gb: 32 GB")


def test_feature_11_a_larger_volume_never_fits_better():
    order = {"pass": 0, "unknown": 1, "fail": 2}
    sizes = [volume(side, side, side) for side in (64, 256, 512, 1024, 2048, 4096)]
    for needs in (Needs(), Needs(ram_gb=8.0), Needs(ram_gb=64.0)):
        ranks = [order[verdicts(LAPTOP, scan, needs=needs)["memory"]] for scan in sizes]
        assert ranks == sorted(ranks)
    assert [image_gb(s) for s in sizes] == sorted(image_gb(s) for s in sizes)
    assert verdicts(LAPTOP, sizes[-1])["memory"] == "fail"
    assert verdicts(LAPTOP, sizes[0])["memory"] == "unknown"


@pytest.mark.parametrize(
    ("platforms", "interfaces", "verdict"),
    [
        (("Linux", "macOS"), (), "pass"),
        (("Linux",), (), "fail"),
        (("Linux",), ("container",), "unknown"),
        (("Fiji",), (), "unknown"),
        (("browser",), (), "pass"),
        ((), ("web",), "pass"),
        ((), (), "unknown"),
    ],
)
def test_a_system_that_is_not_listed_fails_unless_something_else_carries_the_tool(
    platforms, interfaces, verdict
):
    found = verdicts(LAPTOP, platforms=platforms, interfaces=interfaces)
    assert found["system"] == verdict


def test_a_container_of_neurodesk_may_run_on_a_system_that_the_record_does_not_name():
    assert verdicts(LAPTOP, platforms=("Neurodesk", "Linux"))["system"] == "unknown"
    assert verdicts(LAPTOP, platforms=("Linux",))["system"] == "fail"
