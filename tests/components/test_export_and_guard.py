import csv
import io
import json
import socket

import gradio as gr
import pytest
from building import answer, candidate, stage, tool

from components.render.downloads.export import as_csv, as_json, cell
from components.serve import serve
from components.server.requests.body import JsonBody
from components.server.requests.guard import Guard, _blocked, _is_address, _paths
from retrieval import Settings

SIGNS = ["=1+1", "+cmd", "-2+3", "@SUM(A1)"]
WIDE = ["\uff1d1+1", "\uff0bcmd", "\uff0d2", "\uff20SUM(A1)", "\ufe661+1"]
BEHIND = ["\t=1", "\r=1", "\n@x", "\0-1", " =1", "\u00a0+1", "\ufeff=1", "\u200b\uff1d1", "\tplain"]


@pytest.mark.parametrize("text", SIGNS + WIDE + BEHIND)
def test_formula_cells_are_neutralised(text):
    assert cell(text) == f"'{text}"


def test_numbers_and_absence_stay():
    assert (cell(-1.5), cell(None), cell("plain")) == ("-1.5", "", "plain")
    assert [cell(text) for text in ("a=b", " a", "\u80ba", "'=1")] == ["a=b", " a", "\u80ba", "'=1"]


def test_csv_has_one_row_a_tool_with_its_ranks():
    one, two = candidate(tool("a", name="=EVIL")), candidate(tool("b"))
    whole = answer(stage("dense", two, one), stage("rerank", one, two))
    table = list(csv.DictReader(io.StringIO(as_csv(whole))))
    assert [row["id"] for row in table] == ["a", "b"]
    assert table[0]["name"] == "'=EVIL"
    assert table[0]["rank: Meaning"] == "2"


def test_json_is_the_contract():
    told = json.loads(as_json(answer(stage("rerank", candidate(tool())))))
    assert [c["id"] for c in told["candidates"]] == ["a"]


@pytest.mark.parametrize(
    "path",
    [
        "/gradio_api/file=http://a.org/x",
        "/gradio_api/file=HTTPS://a.org/x",
        "/gradio_api/file=http:/a.org",
        "/gradio_api/deep_link",
        "/monitoring/summary",
        "/gradio_api/proxy=https://a.org",
        "/gradio_api/vibe-edit",
    ],
)
def test_side_doors_are_blocked(path):
    assert _blocked(path)


@pytest.mark.parametrize("path", ["/", "/gradio_api/upload", "/gradio_api/file=/tmp/x.png"])
def test_ordinary_routes_are_not(path):
    assert not _blocked(path)


def test_file_data_by_address_is_seen_however_deep():
    deep = {"data": [[{"path": "https://a.org/x", "meta": {}}]]}
    assert any(map(_is_address, _paths(deep)))
    local = {"data": [{"path": "/tmp/x", "url": "http://localhost/file=/tmp/x"}, "https://text"]}
    assert not any(map(_is_address, _paths(local)))
    assert not any(map(_is_address, _paths(JsonBody.of(b"not json http").value)))


def test_guard_serves_only_named_files(tmp_path):
    file = tmp_path / "a.js"
    file.write_text("1")
    guard = Guard(app=None, mount="own", uploads=None, files={"a.js": (file, "text/javascript")})
    assert guard._own("/own/a.js") is not None
    assert guard._own("/sub/own/a.js") is not None
    assert guard._own("/own/b.js") is None
    assert guard._own("/other/a.js") is None


def test_a_taken_port_ends_in_one_line_that_names_the_setting():
    with socket.socket() as taken, gr.Blocks() as page:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        settings = Settings(_env_file=None, port=taken.getsockname()[1])
        with pytest.raises(SystemExit, match="SCANSCOUT_PORT: port"):
            serve(page, settings, prevent_thread_lock=True)


def test_a_fresh_session_is_light_and_has_a_state_of_its_own():
    with gr.Blocks() as page:
        held = gr.State([])
        gr.Textbox()
    serve(page, Settings(_env_file=None, port=0), prevent_thread_lock=True)
    one, two = page.state_holder["one"], page.state_holder["two"]
    assert one.config_values == {}
    one[held._id].append(1)
    assert two[held._id] == []
    page.close(verbose=False)
