"""Facts that BioChatter's own tests state, and failures of its code, each by its number."""

from __future__ import annotations

import pytest
from retrieval.compat.biochatter.api_agent.base.api_agent import APIAgent

from retrieval.ask.meaning import MeaningIndex
from retrieval.compat.biochatter.api_agent.web import Filling
from retrieval.compat.biochatter.prompts import BioCypherPromptEngine
from retrieval.compat.biochatter.query_interaction import BioCypherQueryHandler
from retrieval.compat.biochatter.rag_agent import RagAgent
from retrieval.core.errors import StageUnavailable
from retrieval.databases.agent import ApiAgent
from retrieval.databases.bio_tools import BioTools
from retrieval.databases.oncokb import OncoKB
from retrieval.documents.passages import Passage
from retrieval.documents.shelf import MemoryShelf
from retrieval.documents.stage import DocumentAnswers
from retrieval.documents.store import DocumentStore
from retrieval.graph.facts import Item
from retrieval.graphdb.cypher_guard import cypher_refusal
from tests.compat.biochatter.talk import INFO, QUESTION, Shapes
from tests.databases.databases import BRAF, TOOLS, BlastServer, http, soon
from tests.fakes import make_state
from tests.web.loopback import says

ENTITIES = ["Protein", "Gene", "Disease", "CellType"]
RELATIONSHIPS = [
    "PostTranslationalInteraction",
    "Phosphorylation",
    "GeneToPhenotypeAssociation",
    "GeneToDiseaseAssociation",
    "GeneExpressedInCellType",
]
EDAM = {
    "format_2006": "Phylogenetic tree format",
    "format_1391": "HMMER-aln",
    "format_3750": "YAML",
    "format_1929": "FASTA",
    "format_2572": "BAM",
    "format_3475": "TSV",
    "operation_0492": "Multiple sequence alignment",
    "operation_2403": "Sequence analysis",
    "operation_3695": "Filtering",
}


def engine(model) -> BioCypherPromptEngine:
    return BioCypherPromptEngine(INFO, conversation_factory=lambda: model)


def test_5_5_the_schema_has_these_entities_and_relationships():
    made = engine(Shapes())
    assert list(made.entities) == ENTITIES
    assert list(made.relationships) == RELATIONSHIPS


def test_5_5_mucoviscidosis_leads_to_the_perturbed_label_and_its_ends():
    model = Shapes(
        Entities={"entities": ["Gene", "Disease"]},
        Relationships={"relationships": ["GeneToPhenotypeAssociation"]},
    )
    made = engine(model)
    made._select_entities(QUESTION)
    made._select_relationships()
    label = made.selected_relationship_labels["PERTURBED"]
    assert (label["source"], set(label["target"])) == (["Disease"], {"Protein", "Gene"})


def test_5_5_a_relationship_pulls_in_its_missing_end_and_never_none():
    model = Shapes(
        Entities=[{"entities": ["Disease"]}, {"entities": ["Protein"]}],
        Relationships=[
            {"relationships": ["GeneToDiseaseAssociation"]},
            {"relationships": ["PostTranslationalInteraction"]},
        ],
    )
    made = engine(model)
    made._select_entities(QUESTION)
    made._select_relationships()
    assert made.selected_entities == ["Disease", "Protein"]
    made._select_entities("Which proteins interact?")
    made._select_relationships()
    assert made.selected_entities == ["Protein"]


@pytest.mark.parametrize(
    ("said", "path", "sent"),
    [
        (
            {"hugoSymbol": "BRAF", "alteration": "V600E", "tumorType": "Melanoma"},
            "/annotate/mutations/byProteinChange",
            {"hugoSymbol": "BRAF", "alteration": "V600E", "tumorType": "Melanoma"},
        ),
        (
            {"hugoSymbol": "TP53", "alteration": "R273C", "tumorType": "Colon Adenocarcinoma"},
            "/annotate/mutations/byProteinChange",
            {"hugoSymbol": "TP53", "alteration": "R273C", "tumorType": "Colon Adenocarcinoma"},
        ),
        (
            {
                "endpoint": "annotate/structuralVariants",
                "hugoSymbolA": "CD74",
                "hugoSymbolB": "ROS1",
                "structuralVariantType": "FUSION",
                "isFunctionalFusion": True,
            },
            "/annotate/structuralVariants",
            {"structuralVariantType": "FUSION", "isFunctionalFusion": "true"},
        ),
    ],
)
def test_5_5_parameters_of_oncokb_go_to_their_endpoint(serving, said, path, sent):
    server = serving(says(BRAF))
    agent = ApiAgent(OncoKB(http("OncoKB"), server.url), Shapes(OncoKBQueryParameters=said))
    agent.fetch(agent.parameterise("What is its oncogenic potential?"))
    (asked,) = server.asked
    assert asked.path == path
    assert sent.items() <= asked.params.items()


def test_5_5_metabolomics_is_asked_of_bio_tools_as_a_topic(serving):
    server = serving(says(TOOLS))
    model = Shapes(BioToolsQueryParameters={"topic": "metabolomics"})
    agent = ApiAgent(BioTools(http("bio.tools"), server.url), model)
    agent.fetch(agent.parameterise("Which tools can I use for metabolomics?"))
    assert server.asked[0].params["topic"] == "metabolomics"


@pytest.mark.model
@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("guide tree in Newick format", "format_2006"),
        ("HMM file", "format_1391"),
        ("YAML file with the versions", "format_3750"),
        ("Aligns sequences using kalign", "operation_0492"),
    ],
)
def test_5_5_a_description_is_mapped_to_its_edam_term_by_meaning(text, term, sentence_encoder):
    items = [Item(id=one, kind=one.split("_")[0], label=label) for one, label in EDAM.items()]
    assert MeaningIndex(sentence_encoder, items).near(text, 1, floor=0.2)[0][0] == term


@pytest.mark.model
def test_5_5_a_fragment_about_something_else_is_not_relevant(sentence_encoder):
    store = DocumentStore(MemoryShelf(), sentence_encoder)
    egfr = "EGFR signalling activates the RAS and PI3K pathways in many cancers."
    store.add([Passage(text="The earth is a globe.", page=1)], {"name": "a.txt"})
    asked = make_state("Which pathways are activated in cancer?")
    assert DocumentAnswers(store).run(asked).state.evidence.answer == ()
    store.add([Passage(text=egfr, page=1)], {"name": "b.txt"})
    told = DocumentAnswers(store).run(asked).state.evidence.answer
    assert [one.text for one in told] == [egfr]


def test_5_5_an_agent_of_an_unknown_mode_is_refused_and_one_that_is_off_gives_nothing():
    with pytest.raises(ValueError, match="vectorstore"):
        RagAgent(mode="oracle")
    assert RagAgent(mode="api_oncokb", use_prompt=False).generate_responses(QUESTION) == []


class Failing:
    """Parts of an agent whose fetch fails; ``summed`` counts what reached the interpreter."""

    summed = 0
    fetched = 0

    def parameterise_query(self, question, conversation):
        return Filling

    def fetch_results(self, query_model, retries=3):
        self.fetched += 1
        raise StageUnavailable("the database is away")

    def summarise_results(self, question, conversation_factory, response_text):
        self.summed += 1
        return str(response_text)


def test_5_5_a_failed_fetch_gives_its_reason_as_error_and_nothing_is_summed_up(monkeypatch):
    monkeypatch.setenv("SCANSCOUT_DATABASES", "false")
    model = Shapes(OncoKBQueryParameters={"hugoSymbol": "BRAF", "alteration": "V600E"})
    agent = RagAgent(mode="api_oncokb", use_prompt=True, conversation_factory=lambda: model)
    [(text, kind)] = agent.generate_responses(QUESTION)
    assert kind == "error"
    assert "SCANSCOUT_DATABASES" in text
    assert model.prompt("Summary") == []


def test_3_3_an_agent_does_not_go_on_after_a_failure_and_fetches_once():
    part = Failing()
    made = APIAgent(conversation_factory=Shapes, query_builder=part, fetcher=part, interpreter=part)
    assert made.execute(QUESTION) == "No answer: the database is away"
    assert (part.fetched, part.summed) == (1, 0)
    assert "away" in made.error


def test_3_3_nothing_of_the_first_question_is_left_for_the_second():
    model = Shapes(
        Entities=[{"entities": ["Gene", "Disease", "Protein"]}, {"entities": ["CellType"]}]
    )
    made = engine(model)
    made._select_entities(QUESTION)
    made._select_entities("Which cell types are there?")
    assert made.selected_entities == ["CellType"]


def test_3_3_the_documented_name_of_the_language_is_taken():
    model = Shapes(
        Entities={"entities": ["Gene"]},
        Relationships={"relationships": []},
        PropertyChoice={"properties": {}},
        WrittenQuery={"query": "MATCH (g:Gene) RETURN g.name"},
    )
    told = engine(model).generate_query(QUESTION, database_language="Cypher")
    assert told.startswith("MATCH")


def test_3_3_an_agent_that_is_off_gives_its_reason():
    agent = RagAgent(mode="api_oncokb", use_prompt=False)
    agent.generate_responses(QUESTION)
    assert "use_prompt=True" in agent.reason


def test_3_3_a_query_is_explained_by_any_model_and_no_vendor_is_wired_in():
    kg = {"entities": ["Gene"], "relationships": [], "properties": {}}
    model = Shapes(Explanation={"explanation": "All genes."})
    handler = BioCypherQueryHandler(
        query="MATCH (g:Gene) RETURN g",
        query_lang="Cypher",
        kg_selected=kg,
        question=QUESTION,
        conversation_factory=lambda: model,
    )
    assert handler.explain_query() == "All genes."


def test_3_3_blast_does_not_poll_for_ever(serving):
    from retrieval.databases.blast import Blast

    server = serving(BlastServer(waits=10_000))
    one = Blast(http("NCBI BLAST"), server.url, sleep=lambda _: None)
    with pytest.raises(StageUnavailable, match="ABC123XYZ"):
        one.fetch(one.parameters(query="ACGTACGT"), soon(0.4))


@pytest.mark.parametrize(
    "query", ["MATCH (g:Gene) DELETE g", "CREATE (n:Gene)", "LOAD CSV FROM 'x' AS r RETURN r"]
)
def test_3_3_a_query_that_a_model_wrote_is_held_against_the_guard(query):
    assert cypher_refusal(query)


def test_3_3_values_stay_values_whatever_a_model_writes():
    model = Shapes(OncoKBQueryParameters={"hugoSymbol": "BRAF&x=1", "alteration": "V600E"})
    agent = ApiAgent(OncoKB(http("OncoKB"), "http://127.0.0.1:9"), model)
    line = agent.api.request(agent.parameterise(QUESTION))
    assert "x=1" not in line.split("?")[1].split("&")
