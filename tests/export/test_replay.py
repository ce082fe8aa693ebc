"""A saved search run again: the same ranks, or what changed; whatever else is refused by name."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from time import process_time

import pytest

from retrieval.cli import main
from retrieval.core.codes import BodyPart, Dimension, Format, Modality, PulseSequence
from retrieval.core.errors import BadInput
from retrieval.core.types import Filters, ScanInfo
from retrieval.engine.engine import Engine
from retrieval.export.replay import MAX_BYTES, query_of, replay_bytes, replay_json, replay_of
from retrieval.export.schema import read_search
from retrieval.export.serialise import to_json, version
from retrieval.fit.series import MOST_KINDS
from retrieval.settings import Settings
from retrieval.wiring.opening import ranking_settings
from tests.fakes import SMALL, CountdownDeadline, make_tool, small_engine, small_snapshot

pytestmark = pytest.mark.process

MODES = ("hybrid", "biocortex", "keyword", "vector", "rrf")
MR = ScanInfo(
    format=Format.NIFTI,
    modality=Modality.MRI,
    dimension=Dimension.D3,
    body_part=BodyPart.BRAIN,
    sequence=PulseSequence.T1,
    shape=(24, 28, 20),
    spacing=(1.0, 1.0, 1.5),
    files=2,
    channels=1,
    units="arbitrary",
    axes=("L", "A", "S"),
    notes=("anisotropic",),
)
ENGINE = small_engine()


def saved(text="segment lungs [EXCLUDE:cells]", mode="hybrid", engine=ENGINE, **how):
    return json.loads(json.dumps(to_json(engine.run(text, mode, **how))))


def changes(told):
    return {c.what: (c.was, c.now) for c in told.changed}


@pytest.mark.parametrize("mode", MODES)
def test_a_replay_of_what_was_just_saved_gives_identical_ranks_and_names_no_change(mode):
    told = replay_of(ENGINE, saved(mode=mode))
    assert told.same
    assert changes(told) == {}
    assert all(rank.was == rank.now for rank in told.ranks)
    assert told.ranks


def test_every_choice_and_every_scan_fact_comes_back_as_it_was():
    asked = {
        "scans": (MR,),
        "muted_tokens": ("format:3D",),
        "filters": Filters(domains=frozenset({"radiology", "general imaging"})),
        "off": ("graph",),
        "top_k": 3,
        "rerank": False,
        "refine": True,
        "excluded": ("nodules",),
        "liked": ("brainer",),
    }
    answer = ENGINE.run("segment the brain", **asked)
    query = query_of(read_search(json.loads(json.dumps(to_json(answer)))))
    for name in ("scans", "tokens", "muted_tokens", "filters", "off", "top_k", "text"):
        assert getattr(query, name) == getattr(answer.query, name), name
    assert (query.rerank, query.refine, query.excluded) == (False, True, ("nodules",))
    assert replay_of(ENGINE, to_json(answer)).same


def test_another_catalog_is_named_and_the_ranks_that_differ_are_told():
    was = saved("segment lungs")
    more = make_tool("a_lunger", description="Segments the lungs. Segment lungs, lungs, lungs.")
    snapshot = small_snapshot(tools={t.id: t for t in (*SMALL, more)})
    other = Engine(replace(snapshot, catalog_sha256="e" * 64))
    was["candidates"] = was["candidates"][::-1]
    told = replay_of(other, was)
    assert not told.same
    assert changes(told)["catalog_sha256"] == (was["metadata"]["catalog_sha256"], "e" * 64)
    assert {r.id for r in told.moved} <= {c["id"] for c in was["candidates"]} | {"a_lunger"}
    assert told.moved


def test_another_encoder_setting_version_or_choice_is_named_with_both_values():
    was = saved()
    was["metadata"]["encoder"] = "another/model"
    was["metadata"]["version"] = "0.0.9"
    was["metadata"]["settings"] = {"per_list": 20}
    was["query"]["expansion"] = [{"term": "heart", "similarity": 0.9}]
    told = changes(replay_of(ENGINE, was))
    assert told["encoder"] == ("another/model", "hashing")
    assert told["version"] == ("0.0.9", version())
    assert told["settings.per_list"] == ("20", None)
    assert "heart" in told["query.expansion"][0]


def test_a_stage_that_ran_then_and_does_not_run_here_is_named():
    was = saved()
    for stage in was["stages"]:
        if stage["name"] == "rerank/cross-encoder":
            stage["status"] = "ok"
    assert changes(replay_of(ENGINE, was))["stage rerank/cross-encoder"] == ("ok", "skipped")


def test_a_file_from_before_settings_were_told_says_so_and_still_replays():
    was = saved()
    for name in ("settings", "version"):
        del was["metadata"][name]
    for name in ("filters", "off", "muted_tokens", "top_k", "scans", "liked", "disliked"):
        del was["query"][name]
    told = replay_of(ENGINE, was)
    assert told.same
    assert set(changes(told)) == {"version", "settings"}


def _set(where, value):
    def change(data):
        *path, last = where
        for key in path:
            data = data[key]
        data[last] = value

    return change


WRONG = {
    "query.text": _set(("query", "text"), 7),
    "query.scans.0.format": _set(("query", "scans", 0, "format"), "Smith^John"),
    "query.scans.0.notes.0": _set(("query", "scans", 0, "notes"), ["patient Smith"]),
    "query.scans.0.shape.0": _set(("query", "scans", 0, "shape"), [-1]),
    "query.scans.0.units": _set(("query", "scans", 0, "units"), "Smith"),
    "query.scans.0.axes.0": _set(("query", "scans", 0, "axes"), ["Smith"]),
    "query.top_k": _set(("query", "top_k"), 51),
    "query.off": _set(("query", "off"), ["x"] * 3000),
    "query.filters": _set(("query", "filters"), []),
    "metadata.mode": _set(("metadata", "mode"), None),
    "candidates.0.id": _set(("candidates", 0, "id"), {"a": 1}),
    "stages": _set(("stages",), "all"),
    "mode": _set(("metadata", "mode"), "hybird"),
    "tokens": _set(("query", "tokens"), ["format:Smith"]),
}


@pytest.mark.parametrize("field", WRONG)
def test_a_field_that_is_wrong_is_named(field):
    data = saved("segment the brain", scans=(MR,))
    WRONG[field](data)
    with pytest.raises(BadInput, match=field):
        replay_of(ENGINE, data)


@pytest.mark.parametrize(
    "data",
    [b"", b"no json", b"[1]", b"\xff\xfe", b"[" * 100_000, b"{}", b" " * (MAX_BYTES + 1)],
    ids=["empty", "words", "list", "bytes", "deep", "hollow", "huge"],
)
def test_what_is_no_saved_search_is_refused_in_words(data):
    with pytest.raises(BadInput, match="file"):
        replay_bytes(ENGINE, data)


def different_scans(number):
    """Scans of a saved search that all differ in how many slices they have."""
    one = {"format": "NIfTI", "modality": "MRI", "dimension": "3D"}
    return [{**one, "shape": [9, 9, n]} for n in range(1, number + 1)]


def test_a_file_of_two_thousand_different_scans_is_compared_up_to_the_limit_and_says_so():
    data = saved()
    data["query"]["scans"] = different_scans(2_000)
    replayed = replay_of(ENGINE, data)
    [limit] = replay_json(replayed)["limits"]
    assert (limit["code"], limit["left_out"]) == ("kinds-left-out", 2_000 - MOST_KINDS)
    assert "Pick one series or add fewer" in limit["text"]
    assert changes(replayed)["stage fit"] == ("skipped", "fallback")


def test_a_replay_past_the_time_of_a_query_ends_and_names_what_did_not_run():
    late = small_engine(seconds=1e-9)
    replayed = replay_of(late, saved("segment the brain", scans=(MR,)))
    [limit] = replayed.limits
    assert limit.code == "time-used-up"
    assert limit.text == "the time for this query was used up: not run: hybrid."


def test_a_search_whose_time_ends_in_the_middle_keeps_its_list_and_names_the_later_stages():
    answer = ENGINE.run("segment the brain", scans=(MR,), deadline=CountdownDeadline(14))
    [limit] = answer.limits
    assert limit.code == "time-used-up"
    assert answer.candidates
    assert limit.left_out == len(limit.text.split(": ")[2].split(", "))


@pytest.mark.parametrize(
    ("field", "size"),
    [("query.scans", 2_001), ("query.scans.0.notes", 100_000), ("query.scans.0.shape", 100_000)],
)
def test_a_list_that_is_too_long_is_refused_by_its_name_and_its_limit(field, size):
    data = saved("segment the brain", scans=(MR,))
    place = data["query"]["scans"] if field == "query.scans" else data["query"]["scans"][0]
    if field == "query.scans":
        data["query"]["scans"] = place * size
    else:
        place[field.rsplit(".", 1)[1]] = ["anisotropic" if field.endswith("notes") else 1] * size
    with pytest.raises(BadInput, match=rf"file: {field}: .* at most \d+ items"):
        replay_bytes(ENGINE, json.dumps(data).encode())


@pytest.mark.parametrize(
    ("where", "value"),
    [
        (("candidates",), [1] * 500_000),
        (("query", "scans"), [{"format": "NIfTI", "notes": ["x"] * 100}] * 2_000),
        (("query", "scans"), [{"format": "NIfTI", "spacing": ["x"] * 500_000}]),
        (("query", "filters"), {"gpu": [1] * 500_000}),
        (("metadata", "settings"), {f"s{n}": [] for n in range(100_000)}),
    ],
)
def test_a_file_of_wrong_items_is_left_at_the_first_one(where, value):
    data = saved()
    _set(where, value)(data)
    begin = process_time()
    with pytest.raises(BadInput, match=where[-1]) as refused:
        read_search(data)
    # Where every error is collected, each of these takes more than a second of processor time.
    assert process_time() - begin < 1.0
    assert "Saved" not in str(refused.value)


def test_not_a_number_in_a_spacing_is_refused():
    text = json.dumps(saved("segment the brain", scans=(MR,))).replace("1.5]", "NaN]")
    with pytest.raises(BadInput, match="spacing"):
        replay_bytes(ENGINE, text.encode())


def test_a_taste_that_changed_ranks_is_in_the_export_so_that_a_replay_is_faithful():
    plain, tasted = saved("lung"), saved("lung", liked=("airways",), disliked=("nodules",))
    assert (tasted["query"]["liked"], tasted["query"]["disliked"]) == (["airways"], ["nodules"])
    assert [c["id"] for c in plain["candidates"]][:2] == ["nodules", "airways"]
    assert [c["id"] for c in tasted["candidates"]][:2] == ["airways", "nodules"]
    assert replay_of(ENGINE, tasted).same
    untasted = copy.deepcopy(tasted)
    untasted["query"]["liked"] = untasted["query"]["disliked"] = []
    assert not replay_of(ENGINE, untasted).same


def test_ranks_that_were_written_into_the_file_by_hand_are_not_called_the_same():
    edited = saved()
    edited["candidates"][0]["rank"] = 9
    told = replay_of(ENGINE, edited)
    assert not told.same
    assert [(r.was, r.now) for r in told.moved] == [(9, 1)]
    del edited["candidates"][0]["rank"]
    assert replay_of(ENGINE, edited).same


def test_the_result_as_json_names_same_changed_and_ranks():
    told = replay_json(replay_of(ENGINE, saved()))
    assert set(told) == {"same", "changed", "ranks", "limits"}
    assert set(told["ranks"][0]) == {"id", "was", "now"}


def test_settings_tell_no_folder_of_this_machine(tmp_path):
    model = tmp_path / "reader"
    model.mkdir()
    told = ranking_settings(Settings(cross_encoder=str(model), per_list=40, _env_file=None))
    assert told["cross_encoder"] == "reader"
    assert told["per_list"] == 40
    assert str(tmp_path) not in json.dumps(told)


@pytest.fixture
def line(tmp_path, monkeypatch, capsys):
    for name, value in {
        "SCANSCOUT_INDEX_DIR": tmp_path / "index",
        "SCANSCOUT_CACHE_DIR": tmp_path / "cache",
        "SCANSCOUT_VECTOR_SEARCH": "false",
    }.items():
        monkeypatch.setenv(name, str(value))

    def run(*args):
        code = main([str(one) for one in args])
        return code, capsys.readouterr()

    return run


def test_the_command_line_replays_what_it_saved_and_names_another_setting(
    line, tmp_path, monkeypatch
):
    code, said = line("search", "segment lungs", "--json", "--top-k", "5")
    file = tmp_path / "saved.json"
    file.write_text(said.out, encoding="utf-8")
    code, said = line("replay", file)
    assert (code, said.out) == (0, "the same ranks\n")
    monkeypatch.setenv("SCANSCOUT_PER_LIST", "20")
    code, said = line("replay", file, "--json")
    told = json.loads(said.out)
    assert code == 0
    assert {"what": "settings.per_list", "was": "50", "now": "20"} in told["changed"]


def test_a_file_that_is_not_there_is_one_line(line, tmp_path):
    code, said = line("replay", tmp_path / "none.json")
    assert code == 2
    assert said.err.startswith("FILE: ")
