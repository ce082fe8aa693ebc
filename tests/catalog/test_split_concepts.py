"""Concepts that stood for two things, each with what a text means by either."""

from __future__ import annotations

import pytest

from retrieval.catalog.annotate import ConceptAnnotator
from retrieval.catalog.concepts import load_concepts
from retrieval.settings import ROOT

ANNOTATOR = ConceptAnnotator(load_concepts(ROOT / "assets" / "concepts" / "concepts.jsonl"))


def concepts(text):
    return set(ANNOTATOR.concepts(text))


@pytest.mark.parametrize(
    ("text", "concept", "other"),
    [
        ("infant brain", "anatomy:infant", "anatomy:neonate"),
        ("rat brain", "anatomy:rat", "anatomy:mouse"),
        ("PD-L1 scoring", "operation:histological scoring", "operation:HER2 scoring"),
        ("HL7 messages", "operation:HL7 messaging", "operation:electronic data capture"),
        (
            "flat-field correction",
            "operation:illumination correction",
            "operation:bias field correction",
        ),
        ("portal venous CT", "data:contrast phase", "anatomy:vessel"),
        ("DVH", "operation:dose-volume histogram", "operation:dose calculation"),
        ("剂量体积直方图", "operation:dose-volume histogram", "operation:dose calculation"),
        ("Dosis-Volumen-Histogramm", "operation:dose-volume histogram", "data:volume"),
        ("fotos de la retina", "modality:OP", "modality:XC"),
        ("3D printing of bones", "operation:volumetric printing model", "operation:3D rendering"),
        ("winston-lutz", "operation:radiotherapy quality assurance", "operation:quality control"),
    ],
)
def test_two_things_that_were_one_concept_are_told_apart(text, concept, other):
    assert concept in concepts(text)
    assert other not in concepts(text)


@pytest.mark.parametrize(
    ("text", "concept", "other"),
    [
        ("renal fibrosis", "disease:fibrosis", "disease:pulmonary fibrosis"),
        ("idiopathic pulmonary fibrosis", "disease:pulmonary fibrosis", "disease:fibrosis"),
        ("infected cells", "disease:infection", "disease:sepsis"),
        (
            "partial volume correction",
            "operation:partial volume correction",
            "operation:attenuation correction",
        ),
        (
            "subtomogram averaging",
            "operation:subtomogram averaging",
            "operation:particle picking",
        ),
        (
            "ultrasound beamforming",
            "operation:ultrasound beamforming",
            "operation:source localisation",
        ),
        ("Pfirrmann grading", "disease:disc degeneration", "disease:spondylolisthesis"),
        (
            "smFISH spots",
            "modality:fluorescence in situ hybridisation",
            "modality:spatial transcriptomics",
        ),
        ("track cells in a video", "data:video", "format:MP4"),
        ("suivre des cellules en vidéo", "data:video", "format:MP4"),
        ("chromatic shift", "operation:channel alignment", "operation:artefact correction"),
        ("raw counts", "data:count matrix", "operation:counting"),
    ],
)
def test_what_had_the_name_of_another_thing_has_its_own(text, concept, other):
    assert concept in concepts(text)
    assert other not in concepts(text)


@pytest.mark.parametrize(
    ("text", "concept"),
    [
        ("LV strain", "operation:strain typing"),
        ("peak skin dose", "operation:peak calling"),
        ("neuron footprints", "operation:peak calling"),
        ("ultrasound probe calibration", "operation:primer design"),
        ("MERFISH decoding", "operation:multivariate pattern analysis"),
        ("generate synthetic MRI with a diffusion model", "operation:diffusion modelling"),
        ("AMD Radeon GPU", "disease:macular degeneration"),
        ("slide viewer on Linux ARM", "anatomy:limb"),
        ("MLC leaf positions", "anatomy:leaf"),
        ("Leber congenital amaurosis", "anatomy:liver"),
        ("laminar fMRI", "modality:SM"),
        ("permutation inference", "data:genetic variant"),
        ("plasma radioactivity", "operation:plasmid detection"),
        ("filamentous bacteria", "anatomy:cytoskeleton"),
        ("radiographer training", "modality:XR"),
        ("reproducible pipeline", "operation:validation"),
        ("brachytherapy seeds", "anatomy:seed"),
        ("seed-based connectivity on fMRI", "anatomy:seed"),
        ("nuclear pore complexes", "data:pore"),
        ("spinal cord area in MS", "modality:mass spectrometry"),
        ("nobody has clean ground truth", "operation:artefact correction"),
    ],
)
def test_a_word_beside_those_of_another_field_names_nothing_of_its_own(text, concept):
    assert concept not in concepts(text)


@pytest.mark.parametrize(
    ("text", "concept"),
    [
        ("bacterial strain typing", "operation:strain typing"),
        ("yeast strains", "operation:strain typing"),
        ("ejection fraction and strain on echo clips", "operation:myocardial strain analysis"),
        ("ChIP-seq peaks", "operation:peak calling"),
        ("chromatin footprints", "operation:peak calling"),
        ("PCR probes", "operation:primer design"),
        ("fMRI decoding", "operation:multivariate pattern analysis"),
        ("fit a diffusion model to DTI", "operation:diffusion modelling"),
        ("AMD on OCT", "disease:macular degeneration"),
        ("arm muscles on MRI", "anatomy:limb"),
        ("leaf area", "anatomy:leaf"),
        ("Leber segmentieren", "anatomy:liver"),
        ("lámina histológica", "modality:SM"),
        ("actin filaments", "anatomy:actin filament"),
        ("hand radiographs", "modality:XR"),
        ("reproducibility of masks", "operation:validation"),
        ("MEG beamforming", "operation:source localisation"),
        ("Polish a draft assembly", "operation:assembly polishing"),
        ("count wheat seeds", "anatomy:seed"),
        ("pores of a rock", "data:pore"),
        ("MS data of peptides", "modality:mass spectrometry"),
        ("spinal cord area in MS", "disease:multiple sclerosis"),
        ("clean up EEG", "operation:artefact correction"),
        ("clean NIRS recordings", "operation:artefact correction"),
    ],
)
def test_a_word_of_its_field_names_what_it_named(text, concept):
    assert concept in concepts(text)
