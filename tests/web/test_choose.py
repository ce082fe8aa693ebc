"""Which questions are picked for the web, and what scientific sources are asked."""

from __future__ import annotations

import pytest

from retrieval.web.wording import choose, topic

LITERATURE = (
    "latest papers on lung segmentation",
    "what is the original paper of nnU-Net",
    "papers comparing skull stripping tools",
    "recent publications about cell tracking",
    "preprints on diffusion models for MRI reconstruction",
    "benchmark of nucleus segmentation methods",
    "benchmarks for brain tumour segmentation",
    "state of the art liver segmentation",
    "state-of-the-art in spike sorting",
    "SOTA for vessel segmentation",
    "leaderboard for polyp detection",
    "literature on radiomics reproducibility",
    "systematic review of AI in mammography",
    "how do I cite TotalSegmentator",
    "who published StarDist",
    "most cited work on U-Net",
    "evidence that deep learning improves prostate MRI reading",
    "clinical evidence for AI triage of stroke CT",
    "has FastSurfer been validated in children",
    "validation studies of automated hippocampus volumetry",
    "search PubMed for lung nodule detection",
    "arXiv preprints about segment anything in medicine",
    "PMID 32814998",
    "pmid:32814998",
    "10.1186/s41747-020-00173-2",
    "what does https://doi.org/10.1038/s41592-020-01008-z describe",
    "arXiv:2401.12345",
    "肺分割的最新论文",
    "肺の分割に関する論文",
    "artículos sobre segmentación de pulmón",
    "articles récents sur la segmentation du foie",
    "Veröffentlichungen zur Lungensegmentierung",
    "artigos sobre segmentação do fígado",
)
CURRENT = (
    "what is new in nuclei segmentation since 2025",
    "what's new in image registration",
    "latest version of 3D Slicer",
    "newest foundation models for pathology",
    "recent advances in tractography",
    "recently released models for cell segmentation",
    "methods published since 2025 for denoising",
    "is MIPAV still maintained",
    "successor to ANTs",
    "current best tool for lung segmentation",
    "news about MONAI",
    "release notes of ITK-SNAP",
    "neueste Methoden zur Registrierung",
    "近期进展 脑肿瘤",
)
CATALOG = (
    "segment lungs",
    "segment lungs in CT",
    "register two brain MR scans",
    "count nuclei",
    "skull stripping for T1 MRI in infants",
    "convert DICOM to NIfTI",
    "anonymise DICOM files",
    "compare the latest scan with the first one",
    "register the most recent scan to the previous visit",
    "segment the newest series",
    "tissue paper fibre segmentation",
    "articular cartilage segmentation on knee MRI",
    "review of DICOM images by a radiologist",
    "manage clinical trial imaging data",
    "CT scans acquired in 2025",
    "current source density of LFP",
    "currently I use ITK-SNAP, what else can segment lungs",
    "coordinate-based meta-analysis of fMRI",
    "scRNA-seq clustering",
    "find lung nodules",
    "a new tool for tracking cells",
    "detect fractures in X-ray",
    "atlas-based labelling of the mouse brain",
    "paper-like scanned chart digitisation",
    "version 2.0 files of NRRD",
    "size 10.5 mm slices",
    "肺分割",
    "segmentación de pulmón",
    "Lungen segmentieren",
)


@pytest.mark.parametrize("text", LITERATURE)
@pytest.mark.requirement("S0-41")
def test_questions_for_literature_are_picked(text):
    picked = choose(text)
    assert picked is not None
    assert picked.preset == "literature"
    assert picked.because.casefold() in text.casefold()


@pytest.mark.parametrize("text", CURRENT)
@pytest.mark.requirement("S0-41")
def test_questions_for_what_is_current_are_picked(text):
    picked = choose(text)
    assert picked is not None
    assert picked.preset == "web"


@pytest.mark.parametrize("text", CATALOG)
@pytest.mark.requirement("S0-41")
def test_questions_that_the_catalog_answers_are_not_picked(text):
    assert choose(text) is None


@pytest.mark.parametrize(
    "text", ["", "   ", "a" * 100_000, "paper " * 50_000, "\ud800 x", "(" * 9999]
)
def test_odd_texts_are_judged_at_once(text):
    choose(text)
    assert len(topic(text)) <= 300


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("latest papers on lung segmentation", "lung segmentation"),
        ("What is new in nuclei segmentation since 2025?", "nuclei segmentation 2025"),
        ("benchmark of nucleus segmentation methods", "benchmark nucleus segmentation methods"),
        ("systematic review of AI in mammography", "systematic review AI mammography"),
        ("segment lungs in CT", "segment lungs CT"),
        ("papers", "papers"),
        ("who published StarDist", "StarDist"),
    ],
)
def test_the_topic_is_what_a_paper_would_say(text, about):
    assert topic(text) == about
