"""The constraints that words set without a name: open, GPU, maintained, commercial use."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from retrieval.ask.cues import Cue
from retrieval.ask.grouping import Item, Limit
from retrieval.ask.marked_text import PLUGGED, Marked
from retrieval.ask.records import ANY_SPECIES, KEPT_UP
from retrieval.ask.stated.measures import INSTALLS, stated_values
from retrieval.ask.words.compounds import OPEN_CUES
from retrieval.fit import commercial_use
from retrieval.graph import OPEN, OWN, RESTRICTED, FactBase

LICENCES = ("license_is", "weights_license_is")
"""The class of the licence of the code, and of the weights of its model."""


def of_cues(marked: Marked) -> Iterator[Item]:
    """The constraints that cue words set by themselves, at their places."""
    of_tool = any(kind == "tool" for _, kind in marked.meanings)
    licence = LICENCES[marked.has("weights")]
    for cue in marked.cues:
        if cue.kind in OPEN_CUES:
            limit = _class(OPEN, relation=licence)
        elif cue.kind == "restricted":
            limit = _class(RESTRICTED, OWN, relation=licence)
        elif cue.kind == "gpu":
            limit = _gpu(marked, cue)
        elif cue.kind in ("maintained", "unmaintained") and not of_tool:
            limit = UNMAINTAINED if cue.kind == "unmaintained" else MAINTAINED
        elif cue.kind == "plugins" and is_plugin(marked, cue):
            limit = PLUGIN
        elif cue.kind == "any_species":
            limit = OF_ANY_SPECIES
        elif cue.kind == "commercial" and not of_tool:
            limit = SELLABLE
        else:
            continue
        yield Item(start=cue.start, end=cue.end, limits=(limit,))


KINDS = {
    "needs_gpu_memory": "memory",
    "needs_memory": "memory",
    "needs_python": "python version",
    INSTALLS: "command",
}
"""The kind of the node that a measure of each relation leads to."""


def of_measures(marked: Marked) -> Iterator[Item]:
    """The constraints that amounts and versions set; a bare node where no record states one."""
    for measure in marked.measures:
        kind = KINDS[measure.relation]
        values = [(i.label, i.id) for i in marked.base.items.values() if i.kind == kind]
        options = tuple(stated_values(measure, values))
        options = options or ((measure.relation, f"{kind}:none"),)
        yield Item(start=measure.start, end=measure.end, limits=(Limit(options=options),))


GRAPHICAL = "method:graphical user interface"
"""What *a graphical interface* names; a record states it as an interface, or by its host."""


def graphical(base: FactBase) -> Limit:
    """Tools with a window: a desktop or web program, or a plug-in of a host that is one."""
    own = Limit(options=tuple(("has_interface", f"interface:{x}") for x in ("desktop", "web")))
    windowed = {
        base.label(tool).casefold() for tool in base.heads("has_interface", "interface:desktop")
    }
    hosts = tuple(
        ("runs_on", item.id)
        for item in base.items.values()
        if item.kind == "platform" and item.label.casefold() in windowed
    )
    if not hosts:
        return own
    within = (PLUGIN, Limit(options=hosts))
    return Limit(
        kind="any", options=(*own.options, *PLUGIN.options, *hosts), either=((own,), within)
    )


PLUGIN = Limit(options=(("has_interface", "interface:plugin"),))


def is_plugin(marked: Marked, cue: Cue) -> bool:
    """Whether a plugin is the way to use a tool: "have a plugin", "plugins that read DICOM".

    One of a host that is named beside it is a tool that runs there. An *extension* may be that of
    a file, and what *supports* plugins is a host itself.
    """
    word = marked.text[cue.start : cue.end].casefold()
    if word.startswith("ext") or marked.before("supports", cue.start, 2):
        return False
    hosts = (span[0] for span, kind in marked.meanings if kind in ("platform", "tool"))
    return not any(
        0 <= host.start - cue.end <= PLUGGED or 0 <= cue.start - host.end <= 1 for host in hosts
    )


def _class(*nodes: str, relation: str = "license_is") -> Limit:
    return Limit(options=tuple((relation, node) for node in nodes))


def _levels(*levels: str) -> Limit:
    return Limit(options=tuple(("gpu_is", f"gpu:{level}") for level in levels))


REQUIRES_GPU, WANTS_GPU = _levels("required"), _levels("required", "recommended")
NO_GPU = _levels("none", "optional")

OF_ANY_SPECIES = Limit(options=(("for_species", f"species:{ANY_SPECIES}"),))
MAINTAINED = Limit(options=(("maintenance_is", f"maintenance:{KEPT_UP}"),))
UNMAINTAINED = replace(MAINTAINED, negated=True)

NOT_OPEN = {_class(OPEN, relation=r): _class(RESTRICTED, OWN, relation=r) for r in LICENCES}
"""The opposite of an open licence, which is stated as well."""

SELLABLE, NOT_SELLABLE = (
    Limit(options=tuple(("commercial_use", f"permission:{label}") for label in labels))
    for labels in (dict.fromkeys(map(commercial_use, ("MIT", "GPL-3.0-only"))), ("ruled out",))
)


def _gpu(marked: Marked, cue: Cue) -> Limit:
    """The stated GPU levels that meet the question's wording, if it is not denied."""
    start, end = cue.start, cue.end
    for kind, level in (("recommended", "recommended"), ("optional", "optional")):
        if marked.near(kind, start, end):
            return _levels(level)
    return REQUIRES_GPU if marked.near("requires", start, end, 16) else WANTS_GPU
