"""Ordinary words of one language that have the spelling or the stem of a concept of another."""

from __future__ import annotations

import pytest

from retrieval.catalog.annotate import ConceptAnnotator
from retrieval.catalog.concepts import load_concepts
from retrieval.settings import ROOT

ANNOTATOR = ConceptAnnotator(load_concepts(ROOT / "assets" / "concepts" / "concepts.jsonl"))


def concepts(text):
    return set(ANNOTATOR.concepts(text))


@pytest.mark.parametrize(
    ("text", "mistaken"),
    [
        ("medir lesiones antes y después del tratamiento", "method:ANTs"),
        ("normalizar o contraste antes do registro", "method:ANTs"),
        ("el hombre y la mujer, resonancia del cráneo", "anatomy:shoulder"),
        ("combien de temps dure la segmentation du foie", "modality:SPECT"),
        ("Methoden zur Segmentierung der Leber", "anatomy:testis"),
        ("ein Modell der Leber aus dem CT erstellen", "anatomy:radius and ulna"),
        ("Handlungen in Videos erkennen", "anatomy:lung"),
        ("die Daten sind vorhanden, die Leber fehlt", "anatomy:hand"),
        ("rendere anonimi gli esami prima di inviarli", "anatomy:non-human primate"),
        ("testes de software para os rins", "anatomy:testis"),
        ("corner detection", "anatomy:cornea"),
        ("well documented tractography", "modality:text"),
        ("segment lungs without root rights", "anatomy:plant root"),
        ("job on our Slurm cluster", "operation:clustering"),
        ("viewer with commercial support", "method:commercial software"),
        ("assess persistent activity in calcium imaging", "data:stent"),
        ("konsistente Segmentierung der Leber", "data:stent"),
        ("resistente Keime zählen", "data:stent"),
        ("context manager test", "anatomy:rodent"),
        ("propagating labels", "operation:gating"),
        ("hand on the results to another program", "operation:teaching"),
        ("hand on the results to another program", "anatomy:hand"),
        ("quantify inflammation in biopsies", "disease:sepsis"),
        ("count wheat heads", "anatomy:head"),
        ("yellow spots on maize leaves", "anatomy:macula"),
        ("graph with nodes and edges", "anatomy:lymph node"),
        ("larvae in 96 wells, follow their swimming", "anatomy:fruit fly"),
        ("SUV of lesions", "modality:PET"),
        ("merge label maps of several raters", "operation:segmentation"),
        ("labelled cells in fluorescence microscopy", "operation:cell type annotation"),
        ("course material on MRI", "data:crack"),
        ("names burned into ultrasound images", "disease:burn"),
        ("my hand-drawn masks", "anatomy:hand"),
        ("label image to mesh", "operation:annotation"),
        ("emorragia cerebrale TC cranio", "anatomy:skull"),
        ("sunflower heads in drone photos", "anatomy:head"),
        ("beam's eye view", "anatomy:eye"),
        ("Bilder speichern, Grafikspeicher 8 GB", "anatomy:radius and ulna"),
        ("persistent homology", "operation:homology search"),
        ("I'm a nephrologist, biopsies as .scn", "anatomy:kidney"),
        ("I'm a dermatologist, want to view DICOM", "anatomy:skin"),
        ("néphrologue, coupes numérisées", "anatomy:kidney"),
        ("wheat ears in photos", "anatomy:ear"),
        ("radiotracer plasma input function", "modality:NM"),
        ("segment the liver and its vessels", "operation:taxonomic profiling"),
        ("two cds with studies", "operation:genome annotation"),
        ("count cells pls", "operation:dimensionality reduction"),
        ("stem diameter of maize", "modality:scanning transmission electron microscopy"),
        ("classify slides with weak labels", "operation:annotation"),
        ("MRS fitting with a GUI", "operation:regression"),
        ("glucose uptake of the brain", "disease:diabetes"),
        ("ink contamination of slides", "operation:read quality control"),
        ("lipids in the membrane", "operation:metabolite identification"),
        ("reader study of radiographs", "operation:reading and writing"),
        ("serial sections of the kidney in H&E", "modality:volume electron microscopy"),
        ("fibre orientation in scar tissue", "operation:diffusion modelling"),
        ("bone defects in micro-CT", "data:crack"),
        ("MR elastography, inversion to stiffness", "operation:structural variant calling"),
        ("pathological gait analysis", "domain:pathology"),
        ("nailfold capillaroscopy", "modality:reflectance confocal microscopy"),
        ("radiotherapy planning", "modality:RTPLAN"),
        ("gradient echo of the heart", "modality:echocardiography"),
        ("multi-echo images of the heart", "modality:echocardiography"),
    ],
)
def test_an_ordinary_word_names_no_concept_of_its_stem(text, mistaken):
    named = {mention.concept for mention in ANNOTATOR.mentions(text)}
    assert mistaken not in named


@pytest.mark.parametrize(
    ("text", "concept"),
    [
        ("usar ANTs para registrar el cerebro", "method:ANTs"),
        ("resonancia del hombro", "anatomy:shoulder"),
        ("Hodenkrebs im Ultraschall", "disease:testicular cancer"),
        ("Bruch der Elle im Röntgenbild", "anatomy:radius and ulna"),
        ("Rattenlungen im Mikro-CT segmentieren", "anatomy:lung"),
        ("Leberlappen segmentieren", "anatomy:liver"),
        ("Schweinenieren segmentieren", "anatomy:kidney"),
        ("Metallstents im CT vermessen", "data:stent"),
        ("Kleinnager im Mikro-CT", "anatomy:rodent"),
        ("nephrology images", "anatomy:kidney"),
        ("kidney biopsies scanned as .scn", "modality:SM"),
        ("Wurzelbilder vermessen", "anatomy:plant root"),
        ("Atemgating im PET", "operation:respiratory gating"),
        ("Elle und Speiche im Röntgenbild", "anatomy:radius and ulna"),
        ("segment gut organoids in 3D", "anatomy:bowel"),
        ("behaviour of a rat in videos", "anatomy:rat"),
        ("segment cells in a plant ovule", "anatomy:plant"),
        ("cluster cells by gene expression", "operation:clustering"),
        ("segment the root of a tooth and a plant root", "anatomy:plant root"),
        ("radiotherapy planning without MATLAB", "operation:treatment planning"),
        ("RT planning for protons", "operation:treatment planning"),
        ("write the RT plan to DICOM", "modality:RTPLAN"),
        ("radiotherapy planning DICOM files", "modality:RTPLAN"),
        ("curve fitting of decays", "operation:regression"),
        ("contamination of reads", "operation:read quality control"),
        ("serial sections of neuropil in TEM", "modality:volume electron microscopy"),
        ("fibre orientation in white matter", "operation:diffusion modelling"),
        ("defects in castings", "data:crack"),
        ("large inversions in genomes", "operation:structural variant calling"),
        ("STEM images of crystals", "modality:scanning transmission electron microscopy"),
        ("surgical pathology of biopsies", "domain:pathology"),
        ("hands-on tutorial on diffusion MRI", "operation:teaching"),
        ("larvae in 96 wells, follow their swimming", "anatomy:zebrafish"),
        ("drosophila larvae crawling", "anatomy:fruit fly"),
        ("nodes in the mediastinum on CT", "anatomy:lymph node"),
        ("node-positive breast cancer", "anatomy:lymph node"),
        ("strain from cine MRI", "operation:myocardial strain analysis"),
        ("materials with grains and pores", "data:crack"),
        ("ejection fraction on echo", "modality:echocardiography"),
        ("leukocyte differential from blood smear slides", "anatomy:white blood cell"),
        ("检测乳腺X光片中的肿块", "modality:MG"),
        ("检测乳腺X光片中的肿块", "data:tumour"),
        ("脳のMRIから腫瘍を抽出したい", "operation:segmentation"),
        ("脳のMRIから腫瘍を抽出したい", "data:tumour"),
        ("CTから特徴を抽出する", "operation:feature extraction"),
        ("slide encoder for histology", "operation:feature extraction"),
        ("outlining single cells", "operation:cell segmentation"),
        ("sort scans into BIDS", "operation:data organisation"),
    ],
)
def test_a_word_that_is_meant_as_a_concept_names_it(text, concept):
    assert concept in concepts(text)


@pytest.mark.parametrize(
    ("text", "disease"),
    [
        ("segmentar tumores cerebrales", "disease:brain tumour"),
        ("segmentação de tumores renais", "disease:kidney tumour"),
        ("segmentation de tumeurs pulmonaires", "disease:lung cancer"),
        ("segmentazione di tumori pancreatici", "disease:pancreatic cancer"),
    ],
)
def test_a_task_leaves_its_object_to_the_disease_that_is_named(text, disease):
    assert concepts(text) == {"operation:segmentation", disease}


@pytest.mark.parametrize("text", ["segmentar tumores", "segmentar lesiones del hígado"])
def test_a_task_keeps_an_object_that_no_disease_names(text):
    assert "operation:lesion segmentation" in concepts(text)


@pytest.mark.parametrize(
    "text",
    [
        "registro de cerebro de ratón con atlas",
        "registrar dos resonancias del mismo paciente",
        "registrar volumes de CT",
        "registo de PET e CT",
    ],
)
def test_a_registro_of_images_is_a_registration(text):
    assert "operation:registration" in concepts(text)


@pytest.mark.parametrize(
    "text",
    [
        "registro de pacientes con glioma",
        "registro de EEG durante el sueño",
        "registro de llamadas telefónicas",
        "registrar sinais de ECG",
    ],
)
def test_a_registro_of_anything_else_is_no_registration(text):
    assert "operation:registration" not in concepts(text)
