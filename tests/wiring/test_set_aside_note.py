"""An answer says what it did not search because the text sets it aside."""

from retrieval import open_engine


def test_the_answer_says_what_it_did_not_search(light_settings):
    engine = open_engine(light_settings)
    answer = engine.run("segment lungs on CT. Registration we've sorted out ourselves")
    told = "Not searched, because you set it aside: “Registration we've sorted out ourselves”."
    assert answer.insight.notes == (told,)
    assert answer.query.text.endswith("sorted out ourselves")
    assert engine.run("segment lungs on CT and register them").insight.notes == ()
    for text in (
        "group ICA of resting state in rats, no longer FSL, as you know",
        "cortical thickness from T1; a GUI is welcome but not needed",
        "Hirntumor im MRT segmentieren, eine GPU ist nicht nötig",
    ):
        notes = engine.run(text).insight.notes
        assert not [note for note in notes if note.startswith("Not searched")], text
