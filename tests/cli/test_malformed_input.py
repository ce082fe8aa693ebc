"""Files that no command can use: one line names file, place and reason, and the code is 2."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from retrieval.cli import main
from retrieval.settings import ROOT, Settings

pytestmark = pytest.mark.process

DOCUMENT = '{"_id": "a", "title": "Ay", "text": "words"}\n'
QUERY = '{"_id": "q", "text": "words"}\n'
HEAD = "query-id\tcorpus-id\tscore\n"
GRADES = f"{HEAD}q\ta\t1\n"
CORPUS, QUERIES, QRELS = "corpus.jsonl", "queries.jsonl", "qrels/test.tsv"
DEEP = "[" * 50_000


@pytest.fixture(autouse=True)
def light(monkeypatch, tmp_path):
    monkeypatch.setenv("SCANSCOUT_VECTOR_SEARCH", "false")
    monkeypatch.setenv("SCANSCOUT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("SCANSCOUT_INDEX_DIR", str(tmp_path / "index"))


@pytest.fixture
def beir(tmp_path) -> Path:
    folder = tmp_path / "data"
    (folder / "qrels").mkdir(parents=True)
    (folder / CORPUS).write_text(DOCUMENT, "utf-8")
    (folder / QUERIES).write_text(QUERY, "utf-8")
    (folder / QRELS).write_text(GRADES, "utf-8")
    return folder


def code_of(arguments) -> object:
    try:
        return main(list(map(str, arguments)))
    except SystemExit as exc:
        return exc.code


@pytest.fixture
def refusal(capsys):
    """Runs a command that is refused; what it says in its one line."""

    def run(*arguments: object) -> str:
        capsys.readouterr()
        assert code_of(arguments) == 2
        out, words = capsys.readouterr()
        assert "NaN" not in out
        assert words.endswith("\n")
        assert words.count("\n") == 1, words
        assert "Traceback" not in words
        return words

    return run


MALFORMED = [
    (CORPUS, None, "corpus.jsonl could not be read (No such file"),
    (QUERIES, None, "queries.jsonl could not be read (No such file"),
    (QRELS, None, "test.tsv could not be read (No such file"),
    (CORPUS, Path, "corpus.jsonl could not be read (Is a directory"),
    (QUERIES, Path, "queries.jsonl could not be read (Is a directory"),
    (QRELS, Path, "test.tsv could not be read (Is a directory"),
    (CORPUS, "", "corpus.jsonl is empty"),
    (QUERIES, "\n\n", "queries.jsonl is empty"),
    (QRELS, "", "qrels/test.tsv holds no grade"),
    (QRELS, HEAD, "qrels/test.tsv holds no grade"),
    (CORPUS, DOCUMENT + "{", "corpus.jsonl, line 2 is not JSON"),
    (CORPUS, DEEP, "corpus.jsonl, line 1 is not JSON"),
    (QUERIES, "[1]", "queries.jsonl, line 1 is not a JSON object"),
    (CORPUS, "null", "corpus.jsonl, line 1 is not a JSON object"),
    (CORPUS, '{"title": "x"}', "corpus.jsonl, line 1 has no _id"),
    (QUERIES, '{"_id": "q"}', "queries.jsonl, line 1: text: Field required"),
    (QUERIES, '{"_id": "q", "text": " "}', "queries.jsonl, line 1: text:"),
    (QUERIES, '{"_id": "q", "text": ["a"]}', "queries.jsonl, line 1: text:"),
    (QUERIES, '{"_id": "q", "text": "x", "metadata": "y"}', "queries.jsonl, line 1: metadata:"),
    (CORPUS, '{"_id": 7, "text": "x"}', "corpus.jsonl, line 1: _id:"),
    (CORPUS, '{"_id": "a", "text": "\\ud800"}', "corpus.jsonl, line 1: text:"),
    (CORPUS, DOCUMENT + DOCUMENT, "corpus.jsonl, line 2 has the same _id as line 1"),
    (CORPUS, DOCUMENT.replace("words", "gr\xfc\xdfe").encode("latin-1"), "line 1 is not UTF-8"),
    (QRELS, "q\ta\t1\n", "test.tsv, line 1 is no header: no column query-id"),
    (QRELS, f"{HEAD}q\ta\t0.5\n", "test.tsv, line 2: score is no whole number"),
    (QRELS, f"{HEAD}q\ta\tNaN\n", "test.tsv, line 2: score is no whole number"),
    (QRELS, f"{HEAD}q\ta\t{10**30}\n", "test.tsv, line 2: score is outside"),
    (QRELS, f"{HEAD}q\ta\n", "test.tsv, line 2 has 2 of 3 columns"),
    (QRELS, f"{HEAD}q\tzz\t1\n", "line 2: its corpus-id is not in corpus.jsonl"),
    (QRELS, f"{HEAD}zz\ta\t1\n", "line 2: its query-id is not in queries.jsonl"),
    (QRELS, f"{GRADES}q\ta\t2\n", "line 3 gives a pair of query and document a second grade"),
    (QRELS, f"{HEAD}q\ta\0\t1\n", "test.tsv, line 2"),
]


def replace(path: Path, content: object) -> None:
    """Put text, bytes, a folder (Path) or nothing (None) where a file is."""
    if path.exists():
        path.unlink()
    if content is Path:
        path.mkdir()
    elif content is not None:
        path.write_bytes(content if isinstance(content, bytes) else str(content).encode())


@pytest.mark.parametrize(("file", "content", "words"), MALFORMED)
def test_a_malformed_beir_folder_is_named_by_file_and_line(beir, refusal, file, content, words):
    replace(beir / file, content)
    said = refusal("evaluate", "--beir", beir)
    assert said.startswith("--beir: ")
    assert words in said


@pytest.mark.parametrize("path", ["nowhere", "data/corpus.jsonl"])
def test_what_is_no_beir_folder_is_named(beir, refusal, path):
    assert "--beir: " in refusal("evaluate", "--beir", beir.parent / path)


def test_a_byte_order_mark_is_no_fault(beir, capsys):
    for file in (CORPUS, QUERIES, QRELS):
        (beir / file).write_bytes(b"\xef\xbb\xbf" + (beir / file).read_bytes())
    assert main(["evaluate", "--beir", str(beir)]) == 0
    assert json.loads(capsys.readouterr().out)["MRR@10"] == 1.0


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "could not be read (No such file"),
        (Path, "could not be read (Is a directory"),
        ("", "no query left; the file is empty"),
        ("{", "line 1: not a JSON object"),
        (DEEP, "line 1: not a JSON object"),
        ("[]", "line 1: "),
        ('{"query": "x"}', "line 1: labels: Field required"),
        ('{"query": " ", "labels": [{"id": "itk"}]}', "line 1: query:"),
        (f'{{"query": "x", "labels": "{DEEP}"}}', "line 1: labels:"),
        ('{"query": "x", "labels": [{"id": "nosuch"}]}', "line 1: labels: no tool 'nosuch'"),
        ('{"query": "x", "labels": [{"id": "itk", "relevance": NaN}]}', "labels.0.relevance:"),
        (f'{{"query": "x", "labels": [{{"id": "itk", "relevance": {10**30}}}]}}', "relevance:"),
        ('{"query": "\\ud800", "labels": [{"id": "itk"}]}', "line 1: query:"),
        ('{"query": "gr\xfc\xdfe", "labels": []}'.encode("latin-1"), "line 1: not UTF-8"),
    ],
)
def test_a_malformed_judged_file_is_named_by_line(tmp_path, refusal, content, words):
    replace(tmp_path / "judged.jsonl", content)
    said = refusal("evaluate", "--judged", tmp_path / "judged.jsonl")
    assert said.startswith("--judged: judged.jsonl")
    assert words in said


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "run.json could not be read (No such file"),
        (Path, "run.json could not be read (Is a directory"),
        ("{", "run.json is not JSON"),
        (DEEP, "run.json is not JSON"),
        ("[1, 2]", "run.json: line: Input should be a valid dictionary"),
        ("{}", "run.json holds no query"),
        ('{"q": ["a"]}', "run.json: q: Input should be a valid dictionary"),
        ('{"q": {"a": NaN}}', "run.json: q.a: "),
        ('{"other": {"a": 1}}', "run.json holds none of the judged queries"),
        (b'{"q\xff": {}}', "run.json is not JSON"),
    ],
)
def test_a_malformed_run_is_named(beir, tmp_path, refusal, content, words):
    replace(tmp_path / "run.json", content)
    said = refusal("evaluate", "--beir", beir, "--against", tmp_path / "run.json")
    assert said.startswith("--against: ")
    assert words in said


@pytest.mark.parametrize("option", ["--out", "--stages"])
def test_a_result_that_cannot_be_written_is_named(beir, tmp_path, refusal, option):
    (tmp_path / "file").write_text("")
    place = tmp_path / "file" / "run.json"
    assert "could not be written" in refusal("evaluate", "--beir", beir, option, place)


@pytest.mark.parametrize(
    "command",
    [
        ("scan",),
        ("scan", "--each"),
        ("cohort", "segment"),
        ("replay",),
        ("catalog", "report", "--catalog"),
        ("search", "segment", "--file"),
    ],
)
@pytest.mark.parametrize("name", ["x" * 300, f"{'y' * 300}/z.nii"])
def test_a_name_of_three_hundred_characters_is_refused_in_words(refusal, tmp_path, command, name):
    said = refusal(*command, tmp_path / name)
    assert "too long" in said


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "tools.jsonl could not be read (No such file"),
        (Path, "tools.jsonl is a folder"),
        (b"\x80\x02 no text\n{", "tools.jsonl holds no usable record (line 1: "),
        ("", "tools.jsonl holds no usable record; name a file"),
        ('{"name": ""}', "tools.jsonl holds no usable record (line 1: "),
    ],
)
@pytest.mark.parametrize(
    "command", [("search", "x"), ("ask", "x"), ("sync",), ("catalog", "report")]
)
def test_a_wrong_catalog_names_the_setting(tmp_path, refusal, monkeypatch, command, content, words):
    replace(tmp_path / "tools.jsonl", content)
    monkeypatch.setenv("SCANSCOUT_CATALOG", str(tmp_path / "tools.jsonl"))
    said = refusal(*command)
    assert said.startswith("SCANSCOUT_CATALOG: ")
    assert words in said
    assert "one record per line" in said


def test_a_catalog_named_by_option_is_refused_under_that_name(tmp_path, refusal):
    said = refusal("catalog", "report", "--catalog", tmp_path / "nothing.jsonl")
    assert said.startswith("--catalog: nothing.jsonl could not be read")


def app_words(tmp_path: Path, **environment: str) -> tuple[int, str]:
    """Code and stderr of the page's start."""
    done = subprocess.run(
        [sys.executable, str(ROOT / "app.py")],
        env={**os.environ, "SCANSCOUT_VECTOR_SEARCH": "false", **environment},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=200,
    )
    return done.returncode, done.stderr


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("SCANSCOUT_DEVICE", "toaster", "choose one of: cpu, cuda, cuda:N, mps"),
        ("SCANSCOUT_TOP_K", "many", "valid integer"),
        ("SCANSCOUT_CATALOG", "/nowhere/tools.jsonl", "could not be read (No such file"),
    ],
)
def test_the_page_refuses_a_setting_in_one_line(tmp_path, name, value, words):
    code, said = app_words(tmp_path, **{name: value})
    assert code != 0
    assert said.startswith(f"{name}: ")
    assert said.count("\n") == 1
    assert words in said


@pytest.mark.parametrize("device", ["cpu", "cuda", "cuda:1", "mps"])
def test_every_device_of_torch_is_taken(device):
    assert Settings(device=device, _env_file=None).device == device


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--machine", "gpu=maybe"), "machine: gpu='maybe'"),
        (("--purpose", "world domination"), "purpose: there is no 'world domination'"),
        (("--filter", "nope=1"), "filter: 'nope=1'"),
        (("--require", "language=Klingon"), "require: there is no language 'Klingon'"),
        (("--mode", "nope"), "mode: unknown mode 'nope'"),
    ],
)
def test_an_option_of_no_sense_is_refused_before_the_catalog_is_read(
    refusal, monkeypatch, tmp_path, options, words
):
    monkeypatch.setenv("SCANSCOUT_CATALOG", str(tmp_path / "no such catalog.jsonl"))
    assert words in refusal("search", "segment lungs", *options)


def test_what_is_no_saved_search_is_refused_before_the_catalog_is_read(
    refusal, monkeypatch, tmp_path
):
    monkeypatch.setenv("SCANSCOUT_CATALOG", str(tmp_path / "no such catalog.jsonl"))
    text = tmp_path / "text.nii"
    text.write_text("no JSON", "utf-8")
    assert "file: this is no JSON" in refusal("replay", text)
    text.write_text("{}", "utf-8")
    assert "catalog" not in refusal("replay", text)
