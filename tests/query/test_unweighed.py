"""Wishes that no field of a record answers are noted and not searched with."""

from __future__ import annotations

import pytest

from retrieval.query import text_notes, without_unweighed


@pytest.mark.parametrize(
    ("text", "rest", "name"),
    [
        ("FDA cleared AI for stroke detection", "AI for stroke detection", "FDA"),
        ("CE-marked stroke triage", "stroke triage", "CE mark"),
        ("HIPAA compliant viewer", "viewer", "HIPAA"),
        ("vendor neutral archive with support contract", "vendor neutral archive", "vendor"),
        ("visor DICOM con soporte comercial y marcado CE", "visor DICOM", "or support"),
        ("肺结节检测 FDA认证", "肺结节检测", "FDA"),
        ("train on a Radeon card", "train on", "graphics card"),
        ("cortical thickness without a licence key", "cortical thickness", "licence key"),
        ("MRI tool that does not take a license file", "MRI tool", "licence file"),
        ("CE-zertifizierte Software für Mammographie", "Software für Mammographie", "CE mark"),
    ],
)
def test_a_wish_without_a_field_is_noted_and_leaves_the_searched_text(text, rest, name):
    assert without_unweighed(text) == rest
    [note] = text_notes(text, text)
    assert name in note


@pytest.mark.parametrize(
    "text",
    [
        "registration of cleared tissue",
        "read Heidelberg FDA files",
        "HIPAA compliant de-identification of DICOM",
        "support vector machine",
        "segment cleared brains approved by the reviewer",
        "T1 weights",
    ],
)
def test_words_that_name_something_of_the_field_stay(text):
    assert without_unweighed(text) == text
    assert text_notes(text, text) == ()


def test_a_text_of_nothing_else_is_searched_as_it_is():
    assert without_unweighed("FDA cleared") == "FDA cleared"


@pytest.mark.parametrize(
    "text", ["slide viewer without an account", "slide viewer, no sign-up", "visor sin cuenta"]
)
def test_use_without_an_account_is_told_as_what_no_record_states(text):
    [note] = text_notes(text, text)
    assert "use without an account" in note


@pytest.mark.parametrize("text", ["takes no account of breathing", "CT registration, no landmarks"])
def test_other_accounts_and_registrations_are_no_such_wish(text):
    assert text_notes(text, text) == ()


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("brain segmentation, no tensorflow please", "brain segmentation please"),
        ("brain segmentation without Keras or TensorFlow", "brain segmentation"),
        ("bone age from a radiograph, avoid tensorflow", "bone age from a radiograph"),
        ("heart, PyTorch not TensorFlow", "heart, PyTorch"),
        ("nuclei, PyTorch rather than Keras models", "nuclei, PyTorch"),
        ("nuclei, TensorFlow is not an option", "nuclei"),
        ("nuclei, tensorflow-free", "nuclei"),
        ("mouse brain, not built on TensorFlow 1", "mouse brain"),
        ("liver, no Qt dependencies", "liver"),
        ("Zellkerne segmentieren ohne TensorFlow", "Zellkerne segmentieren"),
        ("肝脏分割，不要TensorFlow", "肝脏分割，"),
        ("肝臓の分割 TensorFlowなし", "肝臓の分割"),
    ],
)
def test_a_library_that_is_ruled_out_is_noted_and_not_searched_with(text, rest):
    assert without_unweighed(text) == rest
    [note] = text_notes(text, text)
    assert "the library that a tool is built on" in note


@pytest.mark.parametrize(
    "text",
    [
        *("registration with pytorch", "registration, jax or pytorch preferred"),
        *("augmentation library in PyTorch", "not only PyTorch, registration"),
        *("no QT prolongation in the ECG", "convert a Keras model to ONNX"),
        *("surgical phases in PyTorch/Python", "torch is fine, no notebooks"),
        *("no registration in PyTorch", "JAX mice, brain atlas"),
    ],
)
def test_a_library_that_is_wanted_is_searched_with(text):
    assert without_unweighed(text) == text
    assert text_notes(text, text) == ()
