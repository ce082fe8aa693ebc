"""The graph answerer over a catalog: facts, names, reader, and the databases that take queries."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from retrieval.ask import (
    ANSWERS,
    ENTITIES,
    PATHS,
    PLAIN_KINDS,
    SPELLED_ONLY,
    Answerer,
    EntityLinker,
    GraphAnswerer,
    MeaningIndex,
    NameIndex,
    QuestionLinker,
    Reader,
    RecordTexts,
    TaskLinker,
    completing,
    ordinary,
    record_statements,
)
from retrieval.core import Encoder, Tool
from retrieval.graph import (
    Entity,
    FactBase,
    QueryStore,
    build_graph,
    catalog_facts,
    place_stated,
)
from retrieval.graphdb import SparqlStore
from retrieval.llm import Budget, LanguageModel
from retrieval.rerank import PairScorer
from retrieval.wiring.concepts import lexicon
from retrieval.wiring.questions.store import FilledStore, available

GRAPH = "graph"
CYPHER, SPARQL = "Cypher", "SPARQL"
TASKS = {CYPHER: "opencypher", SPARQL: "sparql"}
"""The task by which a model is asked for a query, by language."""


@dataclass(frozen=True)
class GraphParts:
    """The parts of the graph answerer, one set per catalog.

    ``stores`` holds by query language what gives its database, or raises StageUnavailable; a model
    is asked for queries in the language ``written``, and those in the other are run as well.
    """

    base: FactBase
    reader: Reader
    linker: EntityLinker
    stores: Mapping[str, Callable[[], QueryStore]]
    scorer: Callable[[], PairScorer] | None = None
    server: QueryStore | None = None
    written: str = CYPHER
    texts: RecordTexts = field(default_factory=RecordTexts)

    @classmethod
    def of(
        cls,
        tools: Sequence[Tool],
        biology: Sequence[Entity] = (),
        *,
        encoder: Encoder | None = None,
        meanings: Path | None = None,
        server: QueryStore | None = None,
        address: Callable[[str, str], str] = lambda head, relation: "",
    ) -> GraphParts:
        """Facts, names and reader of a catalog; the graph databases are filled at their first use.

        A server takes the place of the embedded store of its language. With an encoder names are
        linked by meaning too; its rows are kept in the folder ``meanings``. ``address`` says by
        tool and relation where a record has a fact from.
        """
        words = lexicon()
        graph = build_graph(tools, words, biology)
        place_stated(graph, words)
        base = catalog_facts(tools, graph, record_statements, address)
        nameable = [item for item in base.items.values() if item.kind not in PLAIN_KINDS]
        programs = _programs(tools)
        names = NameIndex.of(nameable, {**_aliases(base), **programs})
        annotator: Any = words.annotator
        # *FAST* is a program, *fast* is a word: such names count as they are written.
        cased = {name.casefold() for several in programs.values() for name in several}
        reader = Reader(base, QuestionLinker(names, annotator, ordinary() | cased))
        items = [item for item in nameable if item.kind not in SPELLED_ONLY]
        index = MeaningIndex(encoder, items, meanings) if encoder else None
        stores: dict[str, Callable[[], QueryStore]] = {
            CYPHER: FilledStore(base).required,
            SPARQL: FilledStore(base, SparqlStore.fill).required,
        }
        if server is not None:
            stores[server.language] = lambda: server
        texts = RecordTexts(tools)
        return cls(base, reader, EntityLinker(names, index), stores, server=server, texts=texts)

    def answerer(
        self, model: LanguageModel | None, llm_seconds: float, budget: Budget | None
    ) -> Answerer:
        """The graph as an answerer."""
        lookups: TaskLinker | None = None
        if model is not None:
            tasks = (ENTITIES, PATHS, TASKS[self.written], ANSWERS)
            lookups = TaskLinker(completing(model, llm_seconds, budget), tasks)
        graph = GraphAnswerer(
            self.base,
            self.reader,
            self.linker,
            model=model,
            lookups=lookups,
            store=lambda: available(self.stores[CYPHER]) if model else None,
            rdf=lambda: available(self.stores[SPARQL]) if model else None,
            budget=budget,
            scorer=self.scorer,
            texts=self.texts,
        )
        return Answerer(
            name=GRAPH,
            description="tools of the catalog: formats, tasks, licences, prerequisites, suites",
            stage=graph.stage(),
            suits=self.suits,
        )

    def suits(self, question: str) -> tuple[float, str]:
        """How much of a question the graph understands."""
        reading = self.reader.read(question)
        if reading.understood:
            return 1.0, "no word of the question is unknown"
        if reading.linked:
            return 0.5, "the question names things of the catalog"
        return 0.1, "the question names nothing of the catalog"


INTERFACES: dict[str, tuple[str, ...]] = {
    "web": ("web interface", "web application", "interface web", "interfaz web", "Weboberfläche",
            "Web-Oberfläche", "Webschnittstelle", "Webanwendung", "网页界面", "网页应用",
            "ウェブインターフェース"),
    "REST": ("REST API", "API REST", "REST-Schnittstelle", "REST接口"),
    "command line": ("command line interface", "Befehlszeile", "ligne de commande",
                     "línea de comandos", "linha de comando", "命令行界面", "コマンドライン"),
    "desktop": ("desktop application", "Desktop-Anwendung", "application de bureau",
                "aplicación de escritorio", "aplicativo de desktop", "桌面应用",
                "デスクトップアプリ"),
    "notebook": ("Jupyter notebook", "notebook Jupyter", "cuaderno Jupyter", "Jupyter笔记本"),
    "container": ("Docker image", "Docker-Image", "image Docker", "imagen Docker",
                  "imagem Docker", "Docker镜像"),
}  # fmt: skip
"""What people of the languages of *ask* call the interfaces of the records."""

PLATFORMS = {"macOS": ("Mac", "Macs", "Mac OS", "OS X", "OSX"), "Windows": ("Windows PC",)}
"""What people call the operating systems of the records."""


def _programs(tools: Sequence[Tool]) -> dict[str, tuple[str, ...]]:
    """The names of programs without the suite that their records add: ``fslmaths (FSL)``."""
    labels = {tool.name.casefold() for tool in tools}
    bare = {tool.id: tool.name.removesuffix(f" ({tool.suite})") for tool in tools if tool.suite}
    return {
        tool.id: (bare[tool.id],)
        for tool in tools
        if bare.get(tool.id, tool.name) != tool.name and bare[tool.id].casefold() not in labels
    }


def _aliases(base: FactBase) -> dict[str, tuple[str, ...]]:
    """``GPL-3.0-only`` is also GPL-3.0, GPL3, GPLv3 and GPL; interfaces have names by language.

    The family of a licence is no name of it where something else has that name: ``3D-Slicer-1.0``
    is not called 3D, nor ``Python-2.0`` Python.
    """
    aliases = {f"interface:{name}": others for name, others in INTERFACES.items()}
    aliases |= {f"platform:{name}": others for name, others in PLATFORMS.items()}
    others = {item.label for item in base.items.values() if item.kind != "license"}
    for item in base.items.values():
        if item.kind == "license":
            name = item.label.removesuffix("-only").removesuffix("-or-later")
            family, _, version = name.partition("-")
            major = version.partition(".")[0]
            forms = (name, family, f"{family}{major}", f"{family}v{major}")
            aliases[item.id] = tuple(form for form in forms if form not in others)
    return aliases
