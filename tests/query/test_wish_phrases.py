"""Wishes are read in the many ways to say them, and nothing is read as its opposite."""

from __future__ import annotations

import pytest

from retrieval.query import WishReader
from tests.fakes import make_query, make_tool

TOOLS = (
    make_tool("fsl", name="FSL", suite="FSL"),
    make_tool("flirt", name="FLIRT", suite="FSL"),
    make_tool("cellpose", name="Cellpose"),
)
GRAPHICAL = ("interface", "graphical", "wanted")
READER = WishReader(TOOLS, {"language": 1.0, "tool": 1.0})


def wishes(text):
    return [(w.kind, w.value, w.strength) for w in READER.read(make_query(text)).wishes]


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("vessels, not based on MATLAB", ("language", "MATLAB", "unwanted")),
        ("Gefäße, auf keinen Fall MATLAB", ("language", "MATLAB", "unwanted")),
        ("Gefäße, unabhängig von Python", ("language", "Python", "unwanted")),
        ("Gefäße, MATLAB-frei", ("language", "MATLAB", "unwanted")),
        ("Gefäße, Python geht bei uns nicht", ("language", "Python", "unwanted")),
        ("vessels, Python cannot be installed", ("language", "Python", "unwanted")),
        ("血管分割,不依赖Python", ("language", "Python", "unwanted")),
        ("vessels, Windows unavailable", ("system", "Windows", "unwanted")),
        ("vessels, an alternative to Docker", ("interface", "container", "unwanted")),
        ("vessels, I can't install Docker", ("interface", "container", "unwanted")),
        ("Docker ist bei uns verboten: Gefäße", ("interface", "container", "unwanted")),
        ("vessels without a dedicated GPU", ("gpu", "GPU", "unwanted")),
        ("Gefäße ohne dedizierte Grafikkarte", ("gpu", "GPU", "unwanted")),
        ("brain registration, FSL unavailable", ("tool", "FSL", "unwanted")),
        ("track cells, we got rid of Cellpose", ("tool", "Cellpose", "unwanted")),
        ("vaisseaux, sans taper de commandes", ("interface", "command line", "unwanted")),
        ("vessels without any typing of commands", ("interface", "command line", "unwanted")),
        ("skull stripping, FSL-free", ("tool", "FSL", "unwanted")),
        ("align brains, other than FSL", ("tool", "FSL", "unwanted")),
        ("cérebro, não gosto do FSL", ("tool", "FSL", "unwanted")),
        ("register brains, as good as FSL", ("tool", "FSL", "unwanted")),
        ("registration that feels the same as FSL", ("tool", "FSL", "unwanted")),
        ("register brains, on a par with FSL", ("tool", "FSL", "unwanted")),
    ],
)
def test_what_is_ruled_out_is_not_read_as_wanted(text, wish):
    assert wishes(text) == [wish]


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("vessels, no connection to the outside", ("offline", "offline", "wanted")),
        ("vessels; must never contact the outside world", ("offline", "offline", "required")),
        ("vasos, sin enviar datos a terceros", ("offline", "offline", "wanted")),
        ("vessels, on-prem", ("offline", "offline", "wanted")),
        ("vasos, com manutenção ativa", ("since", "maintained", "wanted")),
        ("Gefäße, mit aktiver Wartung", ("since", "maintained", "wanted")),
        ("vessels, nothing that's been dead since 2015", ("since", "maintained", "wanted")),
        ("vessels, last commit this year", ("since", "maintained", "wanted")),
        ("vessels, free of any cost", ("licence", "free of charge", "wanted")),
        ("vaisseaux, qui ne coûte rien", ("licence", "free of charge", "wanted")),
        ("vasos, para quem não programa", ("interface", "graphical", "wanted")),
        ("vessels, mouse-driven", ("interface", "graphical", "wanted")),
        ("vasi, non possiamo installare niente", ("interface", "browser", "wanted")),
        ("Gefäße, wir sind ein Unternehmen", ("purpose", "commercial", "wanted")),
        ("vaisseaux, usage non commercial", ("purpose", "academic", "wanted")),
        ("vaisseaux, sans restriction non commerciale", ("purpose", "commercial", "wanted")),
        ("vessels, not for research use only", ("purpose", "commercial", "wanted")),
        ("vessels, nothing older than 2020", ("since", "2020", "wanted")),
        ("vessels, RAM: 16 GB", ("memory", "16 GB", "wanted")),
        ("segmentar vasos que rode no Windows", ("system", "Windows", "wanted")),
    ],
)
def test_a_wish_is_read_in_other_words(text, wish):
    assert wishes(text) == [wish]


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("air-gapped, so it has to work offline: vessels", ("offline", "offline", "required")),
        ("vessels (BSD or Apache only)", ("licence", "BSD or Apache", "required")),
        ("vessels, academic use only is fine", ("purpose", "academic", "wanted")),
        ("vessels, MATLAB toolbox, must be MATLAB", ("language", "MATLAB", "required")),
    ],
)
def test_a_wish_has_one_strength(text, wish):
    assert set(wishes(text)) == {wish}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Gefäße, ich mag keine Kommandozeile", "command line"),
        ("Gefäße, mir gefällt die Kommandozeile nicht", "command line"),
        ("vaisseaux, je n'aime pas la ligne de commande", "command line"),
        ("vaisseaux, je ne suis pas fan de MATLAB", "MATLAB"),
        ("vasos, no me gusta la línea de comandos", "command line"),
        ("vasos, no soy muy amigo de Python", "Python"),
        ("vasos, não gosto de linha de comando", "command line"),
        ("vasos, não gostamos de Python", "Python"),
        ("vasi, non mi piace la riga di comando", "command line"),
        ("vasi, non mi piacciono i plugin", "plugin"),
        ("vessels, I do not enjoy Python", "Python"),
        ("vessels, I am not a fan of MATLAB", "MATLAB"),
    ],
)
def test_what_somebody_dislikes_is_unwanted(text, value):
    assert [(v, strength) for _, v, strength in wishes(text)] == [(value, "unwanted")]


def test_what_somebody_likes_is_wanted():
    assert wishes("vasi, a me piace Python") == [("language", "Python", "wanted")]
    assert wishes("big fan of Fiji: count cells") == [("host", "Fiji", "wanted")]


def test_a_heading_requires_what_follows_it():
    assert wishes("cells, must-have: GUI") == [("interface", "graphical", "required")]
    assert wishes("lungs; required: Python") == [("language", "Python", "required")]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("vessels, no longer than since 2019", "2019"),
        ("vessels, no older than 2019", "2019"),
        ("scans of vessels: tools released since 2019", "2019"),
    ],
)
def test_the_oldest_release_is_a_year_and_no_refusal(text, value):
    assert wishes(text) == [("since", value, "wanted")]


@pytest.mark.parametrize(
    "text",
    [
        "the classifier we would write ourselves in R",
        "features for a model that we write in R ourselves",
        "lesions in patients scanned since 2019",
        "cohort from 2015 onwards, lungs",
        "Gefäße bei Patienten, aufgenommen seit 2019",
        "patients with active support devices",
        "plugin electrode localisation in CT",
        "uptake of a GPL-1 receptor agonist",
        "our company MRI scanner, artefacts",
        "lab notebook of the microscope",
        "plug in the aneurysm",
        "vascular plug in CT",
        "brain MRI at 3 Tesla",
        "segment organs in freely available data",
    ],
)
def test_words_about_the_data_or_the_visitors_own_work_are_no_wish(text):
    assert wishes(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "MIT or similar, for a viewer component",
        "BSD-like terms would suit: registration",
        "MIT, BSD, whatever: meshes",
        "vessels, MIT, BSD or Apache",
        "reading slides under a liberal licence, BSD style",
        "Apache and the like, for spine curvature",
        "vessels, something like MIT",
        "Gefäße, MIT oder ähnlich",
        "do-what-you-want licence, vessels",
    ],
)
def test_a_licence_or_its_like_is_any_permissive_one(text):
    assert wishes(text) == [("licence", "permissive", "wanted")]


@pytest.mark.parametrize(
    ("text", "licence"),
    [
        ("vessels, must be MIT", ("licence", "MIT", "required")),
        ("vessels, MIT or BSD", ("licence", "MIT or BSD", "wanted")),
        ("vessels under the Apache license", ("licence", "Apache", "wanted")),
    ],
)
def test_a_licence_that_is_named_alone_is_meant_as_such(text, licence):
    assert wishes(text) == [licence]


def test_lebersegmentierung_mit_oder_ohne_kontrastmittel_names_no_licence():
    assert wishes("Lebersegmentierung mit oder ohne Kontrastmittel") == []


def test_a_list_of_denials_denies_each_of_its_members():
    assert wishes("no coding no internet no GPU nodules on Windows") == [
        ("interface", "graphical", "wanted"),
        ("offline", "offline", "wanted"),
        ("gpu", "GPU", "unwanted"),
        ("system", "Windows", "wanted"),
    ]


def test_deep_learning_that_is_free_of_charge_is_no_denial():
    assert wishes("deep learning free of charge") == [("licence", "free of charge", "wanted")]


def test_the_same_words_of_a_tool_are_a_wish():
    text = "a library to call from the program that we write ourselves in C++"
    assert wishes(text) == [("language", "C++", "wanted")]
    assert wishes("I code in R, segment vessels") == [("language", "R", "wanted")]
    assert wishes("our pipeline is written in C++: vessels") == [("language", "C++", "wanted")]
    assert wishes("a plug-in to segment vessels") == [("interface", "plugin", "wanted")]
    assert wishes("actively maintained treatment planning")[0][0] == "since"
    assert wishes("a Tesla V100 for vessels") == [("gpu", "GPU", "wanted")]
    assert wishes("vessels, freely available") == [("licence", "free of charge", "wanted")]


@pytest.mark.parametrize(
    "text",
    [
        "command and control neurons",
        "rete vascolare della retina",
        "docker worker exposure to asbestos, pleural plaques",
        "notebook computers in a CT of luggage",
        "isolated cell segmentation",
        "active support vector machines for lesions",
        "motor commands in fMRI",
    ],
)
def test_words_about_images_are_no_wish(text):
    assert wishes(text) == []


def test_a_suffix_asks_for_no_other_tool():
    assert ("tool", "FSL", "unwanted") not in wishes("a FLIRT-like tool from FSL")


@pytest.mark.parametrize(
    ("text", "searched"),
    [
        ("segment tumours without deep learning", "segment tumours"),
        ("registration, no AI please", "registration"),
        ("non-AI vessel segmentation", "vessel segmentation"),
        ("contour the prostate, no neural nets", "contour the prostate"),
        ("Zellkerne zählen ohne KI", "Zellkerne zählen"),
        ("segmentation du foie sans apprentissage profond", "segmentation du foie"),
        ("segmentar el hígado sin redes neuronales", "segmentar el hígado"),
        ("segmentare il fegato senza reti neurali", "segmentare il fegato"),
        ("segmentar o fígado sem inteligência artificial", "segmentar o fígado"),
        ("nuclei with classical image processing", "nuclei"),
    ],
)
def test_a_wish_for_tools_without_deep_learning_is_read_and_not_searched(text, searched):
    read = READER.read(make_query(text))

    assert wishes(text) == [("method", "no deep learning", "wanted")]
    assert read.text == searched


@pytest.mark.parametrize(
    "text", ["deep learning for lungs", "an AI tool for chest x-rays", "train a neural network"]
)
def test_asking_for_deep_learning_is_searched_as_words(text):
    assert wishes(text) == []


def test_a_graphics_card_is_denied_with_what_would_run_on_it():
    assert wishes("organoids, nothing deep learning with GPU") == [
        ("method", "no deep learning", "wanted"),
        ("gpu", "GPU", "unwanted"),
    ]


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("有没有Fiji插件，细胞计数", ("host", "Fiji", "wanted")),
        ("能不能用Python分割肝脏", ("language", "Python", "wanted")),
        ("没有Fiji，细胞计数", ("host", "Fiji", "unwanted")),
        ("Lunge segmentieren. Programmieren können wir leider nicht.", GRAPHICAL),
        ("Tumor vermessen, Programmieren liegt mir nicht", GRAPHICAL),
        ("segmentar hígado, programar no sabemos", GRAPHICAL),
        ("Zellen zählen, Python kann hier keiner", ("language", "Python", "unwanted")),
        ("Windows-Programm zur Lebervolumetrie", ("system", "Windows", "wanted")),
        ("Linux-Anwendung für Zellen", ("system", "Linux", "wanted")),
        ("Windowsprogramm für Zellen", ("system", "Windows", "wanted")),
        ("Windows-programma voor longen", ("system", "Windows", "wanted")),
        ("et Mac-program til lunger", ("system", "macOS", "wanted")),
        ("Fijiplugin zum Zählen von Zellen", ("host", "Fiji", "wanted")),
        ("kein Windows-Programm, Lunge segmentieren", ("system", "Windows", "unwanted")),
    ],
)
def test_questions_compounds_and_what_is_fronted_are_read(text, wish):
    assert wishes(text) == [wish]


@pytest.mark.parametrize(
    "text",
    [
        "Why not Cellpose?",
        "why not Python for lungs",
        "pourquoi pas Slicer pour les genoux",
        "OMERO client",
        "XNAT server",
        "vessels without contrast",
        "non-contrast CT of the head",
        "segment the kidney, no contrast was given",
        "Lunge ohne Kontrastmittel",
        "CT sans injection, foie",
        "TC sin contraste",
        "平扫CT 脑出血",
        "Lunge kann ich nicht sehen",
        "a macro lens for teeth",
    ],
)
def test_what_asks_for_no_program_wishes_nothing(text):
    assert wishes(text) == []


def test_a_host_that_somebody_cannot_script_is_still_wanted():
    assert wishes("In QuPath kann hier niemand Skripte schreiben, Zellen zählen") == [
        ("host", "QuPath", "wanted")
    ]


def test_of_a_compound_with_a_system_no_half_is_searched():
    typed = make_query("Windows-Programm zur Lebervolumetrie")
    assert WishReader((), {"system": 1.0}).read(typed).text == "zur Lebervolumetrie"
