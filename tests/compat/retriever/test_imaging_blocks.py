"""Every code block of the imaging agent's page runs; only the package prefix is another.

Blocks are the page's own lines. Its mistakes: ``faiss_index.add`` is given one vector, which FAISS
itself refuses and ``VectorIndex`` takes; ``indices`` of one query is a matrix, so that
``indices[:20]`` is its only row; an example of a candidate has ``...`` among its keys and is no
Python; ``results = 2 tools`` neither. Where the page names BGE-M3 and its re-ranker, models of
their shape with random weights run: the large weights were never run here.
"""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import pytest

from retrieval.compat.retriever.pipeline import enhance_query, process_control_tags
from retrieval.compat.retriever.software_doc import candidate_row, tools_of
from retrieval.core.codes import Dimension, Format, Modality
from retrieval.core.types import ScanInfo

FOLDER = Path(__file__).parent / "seed"
BLOCKS = {path.stem: path.read_text("utf-8") for path in sorted(FOLDER.glob("*.txt"))}
GIVEN = """
import json
from types import SimpleNamespace
import numpy as np
from retrieval.compat.retriever.vector_index import VectorIndex
from retrieval.compat.retriever.reranker import CrossEncoderReranker
query, queries = "segment lungs", ["segment lungs", "count cells"]
words = ["segment lungs", "segment brain", "count cells"]
catalog = [SimpleNamespace(name=w, description=w, keywords=["ct"]) for w in words]
faiss_index = VectorIndex()
said = {}
"""
AFTER = {
    "03-embedding": "said['shape'] = query_vector.shape",
    "04-catalog": "said['rows'] = len(faiss_index)",
    "05-search": "said['scores'] = scores[0].tolist(); scores, indices = scores[0], indices[0]",
    "06-candidates": "said['names'] = [c.name for c in candidates]",
    "07-reranking": "said['reranked'] = [c.name for c in reranked_candidates]",
    "08-skip": "said['final'] = [c.name for c in final_candidates]",
    "10-load": """
said['loaded'] = [row['name'] for row in results]
made = index.embedder.embed_queries(queries, batch_size=32)
said['made'] = [index.embedder.model_name, *made.shape]
said['lengths'] = np.linalg.norm(made, axis=1).round(5).tolist()
""",
    "11-batch": "said['batch'] = scores.shape",
}


def block(name: str) -> str:
    """The lines under this package's prefix; those of a loop's body are put under their loop."""
    source = BLOCKS[name].replace("from retriever.", "from retrieval.compat.retriever.")
    if name == "04-catalog":
        source = "for tool in catalog:\n" + "".join(f"    {s}\n" for s in source.splitlines())
    if name == "08-skip":
        source = f"rerank = lambda listed: listed[::-1]\n{source}"
    return f"{source}\n{AFTER[name]}\n"


@pytest.mark.process
def test_the_blocks_that_call_models_and_the_index_run_in_the_pages_order(in_process) -> None:
    assert in_process("-m", "retrieval.compat.ai_agent", "sync").startswith("3 tools in artifacts")
    program = GIVEN + "".join(map(block, AFTER)) + "print(json.dumps(said))"
    said = json.loads(in_process("-c", program).splitlines()[-1])
    assert said["shape"] == [1024]
    assert said["rows"] == 3
    assert said["names"][0] == "segment lungs"
    assert said["scores"] == sorted(said["scores"], reverse=True)
    assert sorted(said["reranked"]) == sorted(said["names"])
    assert said["final"] == said["names"][::-1]
    assert sorted(said["loaded"]) == ["Cellpose", "SynthSeg", "lungmask"]
    assert said["made"] == ["BAAI/bge-m3", 2, 1024]
    assert said["lengths"] == [1.0, 1.0]
    assert said["batch"] == [2, 3]


def test_the_block_of_control_tags_gives_what_the_page_says() -> None:
    space: dict[str, object] = {}
    exec(BLOCKS["01-tags"], space)
    tags = process_control_tags(str(space["query"]))
    assert tags.clean_query == space["clean_query"]
    assert tags.excluded_tools == space["excluded_tools"]
    assert tags.skip_rerank is space["skip_rerank"]
    assert process_control_tags("segment lungs [REFINE]").force_clarification


def test_a_query_with_a_file_is_enhanced_as_the_page_says() -> None:
    scan = ScanInfo(format=Format.DICOM, modality=Modality.CT, dimension=Dimension.D3)
    enhanced = enhance_query("segment lungs", [scan])
    assert enhanced == "segment lungs format:DICOM format:CT format:3D"


def test_the_candidate_of_the_page_is_read_and_written_again() -> None:
    row = ast.literal_eval(re.sub(r"#.*", "", BLOCKS["09-schema"]))
    (tool,) = tools_of([row])
    written = candidate_row(tool, row["retrieval_score"])
    assert {key: written[key] for key in row} == row


def test_the_expansion_of_the_page_is_data_and_parses() -> None:
    space: dict[str, list[str]] = {}
    exec(BLOCKS["02-expansion"].rpartition("# Expanded query:")[0], space)
    assert len(space["expansion_terms"]) == 5


@pytest.mark.process
def test_the_block_for_a_gpu_runs_where_there_is_one(in_process) -> None:
    torch = pytest.importorskip("torch")
    if not torch.cuda.is_available():
        pytest.skip("this machine has no CUDA device, and torch refuses device='cuda' without one")
    load = "from sentence_transformers import CrossEncoder, SentenceTransformer\n"
    block = BLOCKS["12-gpu"].replace('"..."', '"BAAI/bge-reranker-v2-m3"')
    assert in_process("-c", f"{load}{block}\nprint('the block ended')").endswith(
        "the block ended\n"
    )
