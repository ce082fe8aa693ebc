"""Each of the eight named packages does real work on the default path."""

from __future__ import annotations

import ast
import base64
import hashlib
import io
import json
import re
import subprocess
import sys
from importlib.metadata import distribution

import faiss
import nibabel
import numpy as np
import pandas as pd
import pytest

from components.render.downloads.export import as_csv
from components.render.graphs.graph import EDGE, NODE, graph_value, network
from components.server.assets import MOUNT, VIS, served
from retrieval.dense.encoder import SentenceEncoder
from retrieval.dense.stores import FaissStore
from retrieval.graph.array_store import ArrayStore
from retrieval.graph.arrays import GraphArrays
from retrieval.graph.build import build_graph
from retrieval.scans.dicom.header import read_dataset
from retrieval.scans.front import read_scans
from retrieval.settings import ROOT, Settings
from tests.fakes import SMALL, ids, small_engine

pytestmark = pytest.mark.process

ENGINE = small_engine()
HOMES = {
    "gradio": "components",
    "pyvis": "components",
    "pandas": "components",
    "sentence_transformers": "retrieval/dense",
    "faiss": "retrieval/dense",
    "networkx": "retrieval/graph",
    "pydicom": "retrieval/scans",
    "nibabel": "retrieval/scans",
}
OPTIONAL = {"milvus.py", "neo4j_store.py"}


def imported(folder):
    for path in (ROOT / folder).rglob("*.py"):
        if path.name not in OPTIONAL:
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
                names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
                yield from (name.partition(".")[0] for name in names)


@pytest.mark.parametrize("package", HOMES)
def test_the_package_is_used_where_its_work_is(package):
    assert package in set(imported(HOMES[package]))


def test_faiss_holds_the_vectors_and_finds_the_nearest():
    rows = np.eye(5, dtype=np.float32)
    store = FaissStore(list("abcde"), rows)
    assert isinstance(store.index, faiss.IndexFlatIP)
    assert store.index.ntotal == 5
    assert store.search(rows[3], 1) == [("d", 1.0)]


@pytest.mark.model
def test_sentence_transformers_makes_the_default_vectors(sentence_encoder):
    from sentence_transformers import SentenceTransformer

    assert isinstance(sentence_encoder, SentenceEncoder)
    assert isinstance(sentence_encoder._model, SentenceTransformer)
    near, far = sentence_encoder.encode(["segment lungs", "lung segmentation", "bake bread"])[1:]
    query = sentence_encoder.encode(["segment lungs"])[0]
    assert float(near @ query) > 0.7 > 0.3 > float(far @ query)


def test_networkx_is_the_graph_that_the_walk_is_made_of():
    import networkx as nx

    graph = build_graph(SMALL)
    assert isinstance(graph, nx.MultiDiGraph)
    assert nx.has_path(graph, "brainer", "runner")
    reached = ArrayStore(GraphArrays.of(graph)).expand([("brainer", 1.0)], 1, 10)
    assert {r.id for r in reached} == {
        n
        for n in nx.all_neighbors(graph, "brainer")
        if n in graph and graph.nodes[n]["kind"] == "tool"
    }


def test_pyvis_is_the_model_of_the_drawn_graph():
    from pyvis.network import Network

    answer = ENGINE.run("segment lungs")
    graph = next(n.graph for n in answer.result.walk() if n.graph)
    net = network(graph, ids(answer.candidates))
    assert isinstance(net, Network)
    assert set(net.get_nodes()) == {n.id for n in graph.nodes}
    assert {(e["from"], e["to"]) for e in net.edges} == {(e.source, e.target) for e in graph.edges}


def test_the_drawing_and_the_saved_file_take_what_the_network_holds():
    answer = ENGINE.run("segment lungs")
    graph = next(n.graph for n in answer.result.walk() if n.graph)
    net = network(graph, ids(answer.candidates))
    value = graph_value(graph, ids(answer.candidates))
    assert value["nodes"] == [{key: node[key] for key in NODE} for node in net.nodes]
    assert value["edges"] == [{key: edge[key] for key in EDGE} for edge in net.edges]
    # The saved file is made of the data sets of the drawing, by the script that drew them.
    saved = (ROOT / "assets" / "js" / "saved.js").read_text("utf-8")
    assert "copied(state.nodes" in saved
    assert f'"{MOUNT}/{VIS}"' in saved


def test_the_script_that_draws_is_the_one_that_pyvis_bundles():
    own = {f.name: f for f in distribution("pyvis").files or () if "vis-9.1.2" in str(f)}[VIS]
    path, _ = served()[VIS]
    digest = base64.urlsafe_b64encode(hashlib.sha256(path.read_bytes()).digest()).decode()
    assert own.hash is not None
    assert (own.hash.mode, own.hash.value) == ("sha256", digest.rstrip("="))
    others = [p.name for p in (ROOT / "assets").rglob("*vis-network*")]
    assert others == []


def test_each_package_has_a_row_with_its_use_and_its_setting():
    page = (ROOT / "docs" / "dependencies.md").read_text("utf-8")
    rows = re.findall(r"^\| ([\w-]+) \| (.+?) \| (.+?) \|$", page, re.MULTILINE)[1:]
    named = {name.replace("-", "_") for name, *_ in rows}
    assert named == set(HOMES) - {"gradio"}
    assert all(len(use) > 10 and len(reason) > 10 for _, use, reason in rows)
    settings = re.findall(r"SCANSCOUT_(\w+)", page)
    assert {"VECTOR_STORE", "ONNX", "GRAPH_STORE"} <= set(settings)
    assert {name.lower() for name in settings} <= set(Settings.model_fields)


def test_pandas_reads_the_export_as_one_row_a_tool():
    answer = ENGINE.run("segment lungs")
    frame = pd.read_csv(io.StringIO(as_csv(answer)))
    assert list(frame["id"]) == ids(answer.candidates)
    assert list(frame["rank"]) == list(range(1, len(frame) + 1))


def test_nibabel_gives_affine_orientation_and_preview(tmp_path):
    affine = np.diag([-1.0, 1.0, 2.0, 1.0])
    data = np.arange(6 * 5 * 4, dtype=np.int16).reshape(6, 5, 4)
    nibabel.save(nibabel.Nifti1Image(data, affine), tmp_path / "volume.nii.gz")
    upload = read_scans([tmp_path / "volume.nii.gz"], preview=True)
    [scan] = upload.scans
    assert (scan.format, scan.dimension, scan.shape) == ("NIfTI", "3D", (6, 5, 4))
    assert scan.spacing == (1.0, 1.0, 2.0)
    assert upload.previews
    from retrieval.scans.reader.preview import canonical, letters_of

    assert letters_of(affine) == nibabel.aff2axcodes(affine) == ("L", "A", "S")
    turned, _ = canonical(data.astype(np.float64), affine)
    expected = nibabel.as_closest_canonical(nibabel.Nifti1Image(data, affine)).get_fdata()
    assert turned.tolist() == expected.tolist()


def test_pydicom_is_what_reads_a_header():
    import pydicom.filereader

    assert read_dataset is pydicom.filereader.read_dataset


def test_gradio_builds_the_page_and_publishes_the_endpoint():
    script = (
        "import json; from components.page import build_page; from retrieval import read_settings;"
        "from tests.fakes import small_engine; import gradio as gr;"
        "page = build_page(small_engine(), read_settings(None));"
        "api = page.get_api_info();"
        "print(json.dumps([isinstance(page, gr.Blocks), sorted(api['named_endpoints'])]))"
    )
    command = [sys.executable, "-c", script]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=200, check=True
    )
    is_page, endpoints = json.loads(done.stdout.splitlines()[-1])
    assert is_page
    assert "/recommend" in endpoints
