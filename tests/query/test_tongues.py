"""The language of a text by the words of its grammar: one that is read, or one that is not."""

from __future__ import annotations

import json

import pytest

from retrieval.query.notes import unread_note
from retrieval.query.tongues import is_foreign, tongues_of, unread_tongue
from retrieval.settings import ROOT


@pytest.mark.parametrize(
    ("text", "tongues"),
    [
        ("Wie messe ich die Dicke der Rinde bei unseren Patienten?", ("de",)),
        ("ponerle nombre a cada tipo de célula según sus genes", ("es",)),
        ("segmenter les reins dans une image pour nos patients", ("fr",)),
        ("segment the kidneys in CT", ()),
        ("de novo assembly en face", ()),
        ("Bonjour, segmenter le foie", ("fr",)),
        ("kann man Lebern segmentieren", ("de",)),
    ],
)
def test_a_sentence_is_in_the_language_of_most_of_its_grammar(text, tongues):
    assert tongues_of(text) == tongues
    assert is_foreign(text) == bool(tongues)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Hoe haal ik de botten uit een scan van een knie?", "Dutch"),
        ("Hur mäter jag kortikal tjocklek från MR-bilder?", "Swedish"),
        ("Hvordan måler jeg tykkelsen av hjernebarken fra MR-bilder?", "Danish or Norwegian"),
        ("Miten mitataan aivokuoren paksuus ja missä ohjelma on", "Finnish"),
        ("Bagaimana cara mengukur ketebalan korteks dari gambar untuk pasien", "Indonesian"),
        ("Vull segmentar els ronyons amb una ressonància", "Catalan"),
        ("longen segmenteren op CT", "Dutch"),
        ("lever segmenteren", "Dutch"),
        ("segmentera lungor", "Swedish"),
        ("keuhkojen segmentointi", "Finnish"),
    ],
)
def test_a_language_that_is_not_read_is_named(text, language):
    assert unread_tongue(text).startswith(language)
    assert f"seems to be in {language}" in unread_note(text)


def test_no_request_in_a_language_that_is_read_is_said_to_be_in_another():
    folder = ROOT / "tests" / "data"
    names = ("foreign_scope_tuning", "foreign_scope_kept", "in_scope", "out_of_scope")
    rows = [json.loads(row) for name in names for row in (folder / f"{name}.jsonl").open()]
    read = [row["text"] for row in rows if row.get("lang") != "nl"]
    assert len(read) > 1_000
    assert [text for text in read if unread_tongue(text)] == []
