"""Nobody has to know a code: values, licences and fields stand in words wherever people read."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from types import SimpleNamespace

import pytest
from building import Edge, Filters, Graph, Node, Why, answer, candidate, stage, tool, upload
from msgspec import structs

from components.contradictions import ReadRemark, replaced
from components.data import Data, Form, Profile, Remark
from components.panels.search.controls import counted
from components.render.codes import NAMES, code_name, evidence_words, value_words
from components.render.downloads.report import as_markdown
from components.render.graphs.graph import graph_value
from components.render.questions.ask import context_table
from components.render.questions.cohort import cohort_panel, findings_csv
from components.render.results.browse import Browse, browse_list, similar_panel
from components.render.results.cards import cards
from components.render.results.compare import chosen_panel
from components.render.results.detail import detail
from components.render.results.fitness import fit_badges, fit_table, terms_badge, terms_of
from components.render.results.plan import recipe_panel
from components.render.results.replay import replay_panel
from components.render.results.why import fate_panel
from components.render.search.doubt import relax_buttons, task_buttons
from components.render.search.form import chips
from components.render.search.model import sent
from components.render.search.scan import scan_panel
from components.render.words import understood
from components.server.assets import ROOT
from retrieval import Explained, Rank, Replayed, Similar, cohort_of, load_recipes, recipe_of
from retrieval.core.codes import Dimension, Format, Modality
from retrieval.core.types import Fit, ScanInfo
from retrieval.dialogue.relax import Relaxation, Suggestion
from retrieval.engine.answer import Insight
from retrieval.explain.similar import alike
from retrieval.fit.check import fit_of
from retrieval.planning.recipe import Filled
from retrieval.scans.upload import Finding
from retrieval.wiring.questions.graph_parts import GraphParts
from retrieval.wiring.questions.question_engine import QuestionEngine
from tests.fakes import make_tool, small_engine

OWN, GOVERNMENT = "LicenseRef-noncommercial-research", "LicenseRef-US-Government-Work AND CC-BY-4.0"
SLIDES = tool(
    "a",
    name="Slides",
    modalities=(Modality.SM, Modality.MG),
    formats_in=(Format.DICOM,),
    license=OWN,
    license_weights=GOVERNMENT,
    license_data="LicenseRef-research-only",
)
PHOTOS = tool(
    "b", name="Photos", modalities=(Modality.SM, Modality.XC), license=GOVERNMENT, tasks=("x",)
)
SCAN = ScanInfo(format=Format.DICOM, modality=Modality.XC, dimension=Dimension.D2)
FITS = fit_of(SLIDES, SCAN)
ASKED = Filters(licenses=frozenset({OWN}), modalities=frozenset({"SM", "OPT"}))
GRAPH = Graph(
    nodes=(
        Node(id="a", label="Slides", kind="tool", role="seed"),
        Node(id="modality:SM", label="SM", kind="modality", role="link"),
        Node(id="gene:SM", label="SM", kind="gene", role="link"),
    ),
    edges=(Edge(source="a", target="modality:SM", kind="images", weight=1.0),),
)
RECIPE = replace(
    recipe_of(load_recipes(ROOT / "recipes" / "recipes.jsonl"), tool("totalsegmentator"), SCAN),
    doubts=Fit(fact="modality", verdict="fail", scan="XC", tool="modalities: SM, MG"),
    filled=(Filled(placeholder="X", value="x", source="modality: XC"),),
)
FIELDS = r"modalities|license|license_\w+|formats_in|licenses|requirements\.\w+"
CODE = re.compile(rf"(?<![\w:/.-])(?:{'|'.join(NAMES)})(?![\w-])|LicenseRef|\b(?:{FIELDS})\b")
READ = ("title", "aria-label", "placeholder", "alt")


class Reader(HTMLParser):
    """Everything of a page that somebody reads or hears."""

    def __init__(self, html):
        super().__init__()
        self.parts = []
        self.feed(html)

    def handle_data(self, data):
        self.parts.append(data)

    def handle_starttag(self, _tag, attrs):
        self.parts += [value for name, value in attrs if name in READ and value]


def read(html):
    return " | ".join(Reader(html).parts)


def searched():
    whys = (
        Why(kind="token", stage="tokens", text="format:SM, format:XC", value=1.0),
        Why(kind="path", stage="graph", text="Photos images SM; Slides images SM", value=1.0),
    )
    found = [candidate(SLIDES, fit=FITS, why=whys), candidate(PHOTOS, fit=fit_of(PHOTOS, SCAN))]
    told = {"tokens": ("format:DICOM", "format:XC"), "scans": (SCAN,), "filters": ASKED}
    relax = (
        Relaxation(constraint="filter", field="modalities", value="SM", frees=2, examples=()),
        Relaxation(constraint="scan", field="modality", value="XC", frees=2, examples=()),
    )
    offered = (Suggestion(task="segmentation", tools=2, text="segmentation of XC", examples=()),)
    one = answer(stage("bm25", *found), stage("fit", *found), text="find cells", **told)
    state = one.result.state
    calls = (("scan facts", "scan facts", "format:DICOM format:XC"),)
    result = structs.replace(one.result, state=structs.replace(state, calls=calls))
    return structs.replace(one, result=result, insight=Insight(relax=relax, suggestions=offered))


def of_search():
    found, data = searched(), Data(profile=Profile(purpose="commercial"))
    terms = terms_of(SLIDES, data)
    yield "cards", cards(found, data)
    yield "detail", detail(SLIDES, found, data)
    yield "badge", fit_badges(FITS)
    yield "fit", fit_table(FITS)
    yield "terms", terms_badge(terms) + detail(SLIDES, None, data)
    yield "chosen", chosen_panel([SLIDES, PHOTOS], found)
    yield "relax", relax_buttons(found) + task_buttons(found)
    yield "sent", sent(found)
    yield "recipe", recipe_panel(RECIPE, SLIDES, (), {}, scan=True)
    yield "report", as_markdown(found, [SLIDES])
    ranks = (Rank(id="a", was=1, now=1),)
    yield "replay", replay_panel(Replayed(same=True, changed=(), ranks=ranks, answer=found), {})
    lost = Explained(text="a", fate="filtered_out", tool=SLIDES, reasons=("modalities", "licenses"))
    yield "fate", fate_panel(lost)


def of_the_form():
    line = "modality: only SM, XC (3 tools)"
    before, after = Form(), Form(filters=ASKED)
    remark = Remark(
        text="slides", lines=(line,), before=before, after=after, state=((), frozenset())
    )
    data = Data(
        upload=upload(replace(SCAN, modality=Modality.SM)),
        typed=("format:XC",),
        muted=frozenset({"format:SM"}),
        remarks=(remark,),
    )
    yield "chips", chips(data, after, catalog={}) + chips(Data(), after, catalog={})
    yield "understood", understood([line, f"licence: {OWN}"])
    other = Form(filters=Filters(modalities=frozenset({"US"})))
    read_remark = ReadRemark(text="only US", wishes=(), lines=(), form=after, data=Data())
    yield "contradiction", understood(replaced(read_remark, other))
    catalog = SimpleNamespace(catalog={one.id: one for one in (SLIDES, PHOTOS)})
    for facet in ("modalities", "licenses"):
        yield f"filter {facet}", " ".join(label for label, _ in counted(catalog, facet))


def of_the_rooms():
    note = Finding(scan=0, code="c", severity="warning", text="note")
    files = upload(SCAN, findings=(note,))
    yield "scan", scan_panel(Data(upload=files))
    yield "cohort", cohort_panel(cohort_of(small_engine(), "segment", [files]))
    yield "catalog", browse_list([SLIDES, PHOTOS], Browse(), 2)
    near = alike(SLIDES, candidate(PHOTOS))
    yield "similar", similar_panel(Similar(tool=SLIDES, neighbours=(near,)))
    yield "graph", " ".join(n["label"] for n in graph_value(GRAPH, [])["nodes"][:2])
    tools = (make_tool("slides", name="Slides", modalities=(Modality.SM,)),)
    yield "evidence", context_table(QuestionEngine(GraphParts.of(tools)).ask("What is Slides?"))


SHOWN = dict([*of_search(), *of_the_form(), *of_the_rooms()])


@pytest.mark.parametrize("name", sorted(SHOWN))
def test_nobody_reads_a_code_or_the_name_of_a_field(name):
    text = read(SHOWN[name]).replace("US Government Work", "")
    assert not CODE.search(text), (CODE.search(text), text)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("badge", "States slide microscopy, mammography only"),
        ("badge", "scan camera photography, tool works on: slide microscopy, mammography"),
        ("fit", "works on: slide microscopy, mammography"),
        ("terms", "licence of the training data: research only (own terms) (non-commercial)"),
        ("cards", "noncommercial research (own terms)"),
        ("cards", "Licence of the weights: US Government Work (own terms) AND CC-BY-4.0"),
        ("cards", "Weights: own terms"),
        ("cards", "what your scan is: slide microscopy, camera photography"),
        ("chosen", "US Government Work (own terms) AND CC-BY-4.0"),
        ("report", "Licence: noncommercial research (own terms)"),
        ("replay", "Modality: eye tomography, slide microscopy"),
        ("fate", "Filter: Modality"),
        ("chips", "Modality: slide microscopy"),
        ("chips", "Remove camera photography"),
        ("chips", "Take slide microscopy into account again"),
        ("understood", "modality: only slide microscopy, camera photography (3 tools)"),
        ("contradiction", "this contradicts eye tomography, slide microscopy"),
        ("filter modalities", "slide microscopy (2) camera photography (1) mammography (1)"),
        ("scan", "DICOM (format:DICOM), camera photography (format:XC)"),
        ("recipe", "States slide microscopy, mammography only; your scan is camera photography"),
        ("recipe", "modality: camera photography"),
        ("sent", "camera photography (format:XC): raised the tools"),
        ("relax", "segmentation of camera photography (2)"),
        ("cohort", "camera photography"),
        ("catalog", "mammography"),
        ("similar", "works on: slide microscopy"),
        ("similar", "licence of the training data"),
        ("graph", "Slides slide microscopy"),
        ("evidence", "Slides images slide microscopy"),
    ],
)
def test_a_value_stands_in_words(name, words):
    assert words in re.sub(r"[\\|]| {2,}", "", read(SHOWN[name]))


def test_what_is_sent_and_exported_keeps_its_codes():
    catalog = SimpleNamespace(catalog={"a": SLIDES})
    assert {value for _, value in counted(catalog, "modalities")} == {"SM", "MG"}
    assert 'data-id="SM"' in SHOWN["chips"]
    assert f'data-id="{OWN}"' in SHOWN["chips"]
    note = Finding(scan=0, code="c", severity="warning", text="note")
    cohort = cohort_of(small_engine(), "segment", [upload(SCAN, findings=(note,))])
    assert "format:XC" in findings_csv(cohort)


def test_every_modality_code_of_dicom_in_the_vocabulary_has_a_name():
    method = {"CT", "MRI", "PET", "OCT", "ECG", "EEG", "MEG", "EM", "ASL", "MRS", "MRA", "QSM"}
    method |= {"CBCT", "SPECT", "IVUS"}
    bare = {str(one) for one in Modality if re.fullmatch("[A-Z]+", one)}
    assert bare - method == set(NAMES)


def test_words_typed_and_labels_of_genes_are_no_codes():
    assert "a new search: US states" in understood(["a new search: US states"])
    assert [n["label"] for n in graph_value(GRAPH, [])["nodes"]][2] == "SM"
    assert value_words("format:SM SM-like sm") == "format:SM SM-like sm"


def test_words_are_not_put_into_words_a_second_time_in_one_pass():
    assert evidence_words(f"license: {GOVERNMENT}").count("US Government Work") == 1
    assert code_name("MIT OR LicenseRef-X-Y") == "MIT OR X Y (own terms)"


def test_the_rule_of_this_file_finds_what_it_is_for():
    for bad in ("States SM only", "US", "LicenseRef-FSL", "license_data: MIT", "licenses: MIT"):
        assert CODE.search(bad)
    for good in ("slide microscopy (format:SM)", "licence: MIT", "US-Government", "using"):
        assert not CODE.search(good)
