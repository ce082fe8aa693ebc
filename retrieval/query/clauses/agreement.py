"""The wishes of one text as they stand beside each other."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from retrieval.core import Wish
from retrieval.query.grammar import words_of
from retrieval.query.mentions import EITHER, Mention

INSTALLED = ("instal", "安装")
"""Parts of the words for an installation, in the languages that are read."""

MAINTAINED = "maintained"
"""Value of a wish for a tool that is still worked on."""

OTHER_PURPOSE = {"commercial": "academic", "academic": "commercial"}
"""What a tool is for where it is not for the other: "it is not for commercial use"."""


WSL = frozenset({"wsl", "wsl2", "subsystem"})
"""Words for the Linux that runs on Windows."""

PROGRAMS = frozenset({"program", "programme", "application", "app"})
"""Words for what a plugin is not."""

PRODUCTS = frozenset(
    {"cuda", "nvidia", "geforce", "rtx", "gtx", "amd", "radeon", "rocm", "jupyter", "colab"}
    | {"kaggle", "docker", "singularity", "apptainer", "podman", "chrome", "firefox", "safari"}
)
"""Names inside the words of wishes for a card, a notebook, a container or a browser."""


def leaves_out(wish: Wish) -> bool:
    """Whether a wish rules out a tool by its name."""
    return wish.kind == "tool" and wish.strength == "unwanted"


def _without_portable(mentions: tuple[Mention, ...]) -> tuple[Mention, ...]:
    """Without a wish for a browser that is one for no installation, where no network is wished.

    What needs neither is a program to carry along, which no record states.
    """
    if not any(m.wish.kind == "offline" for m in mentions):
        return mentions
    return tuple(
        m
        for m in mentions
        if m.wish.value != "browser" or not any(w in m.wish.text.casefold() for w in INSTALLED)
    )


def _without_program(mentions: tuple[Mention, ...]) -> tuple[Mention, ...]:
    """With "not a standalone program" beside a plugin as one more wish for the plugin."""
    plugins = (m.wish for m in mentions if m.wish.kind == "host" or m.wish.value == "plugin")
    plugin = next((wish for wish in plugins if wish.strength != "unwanted"), None)
    if plugin is None:
        return mentions
    return tuple(
        replace(m, wish=replace(plugin, text=m.wish.text))
        if (m.wish.value, m.wish.strength) == ("graphical", "unwanted")
        and not PROGRAMS.isdisjoint(words_of(m.wish.text))
        else m
        for m in mentions
    )


def _on_either_system(mentions: tuple[Mention, ...]) -> tuple[Mention, ...]:
    """With one wish for Windows or Linux where WSL runs on Windows: "on Windows with WSL"."""
    wanted = [m for m in mentions if m.wish.kind == "system" and m.wish.strength != "unwanted"]
    is_there = any(not WSL.isdisjoint(words_of(m.wish.text)) for m in wanted)
    if not is_there or {m.wish.value for m in wanted} != {"Windows", "Linux"}:
        return mentions
    either = EITHER.join(("Windows", "Linux"))
    return tuple(
        replace(m, wish=replace(m.wish, value=either)) if m in wanted else m for m in mentions
    )


def without_other_products(mentions: tuple[Mention, ...]) -> tuple[Mention, ...]:
    """The mentions less those that rule out one product of a kind that is wanted.

    "AMD GPU, no CUDA" wants a card of another maker, "Jupyter but not Colab" a notebook.
    """
    wanted = {
        (m.wish.kind, m.wish.value): words_of(m.wish.text)
        for m in mentions
        if m.wish.strength != "unwanted"
    }
    dropped = set[tuple[str, str]]()
    rest = list[Mention]()
    for m in mentions:
        key, words = (m.wish.kind, m.wish.value), words_of(m.wish.text)
        other_words = wanted.get(key)
        is_other = other_words and PRODUCTS.intersection(words).difference(other_words)
        if m.wish.strength == "unwanted" and is_other:
            dropped.add(key)
        else:
            rest.append(m)
    return tuple(
        replace(m, is_sure=m.is_sure or (m.wish.kind, m.wish.value) in dropped) for m in rest
    )


def with_sure(mentions: tuple[Mention, ...], sure: Iterable[Mention]) -> tuple[Mention, ...]:
    """The mentions, with those that are sure as they were, in the order of the text.

    Of "sans droits administrateur sous Windows" a model of clauses sees the denial alone.
    """
    kept = {(m.start, m.end): m for m in sure if m.is_sure}
    others = (m for m in mentions if (m.start, m.end) not in kept)
    return tuple(sorted((*others, *kept.values()), key=lambda m: m.start))


def agreed(mentions: tuple[Mention, ...]) -> tuple[Mention, ...]:
    """The mentions with one strength for each wish: "offline, it must run offline" requires.

    Nobody wants what is given up: "Horos is no longer maintained" wishes what is maintained.
    """
    mentions = _on_either_system(_without_program(_without_portable(mentions)))
    if all(m.wish.strength == "wanted" for m in mentions):
        return mentions
    # "An add-on to Fiji, under GPL like Fiji itself" leaves no Fiji out.
    hosts = {
        m.wish.value for m in mentions if m.wish.kind == "host" and m.wish.strength != "unwanted"
    }
    mentions = tuple(m for m in mentions if not (leaves_out(m.wish) and m.wish.value in hosts))
    wishes = [_as_wanted(m.wish) for m in mentions]
    required = {(w.kind, w.value) for w in wishes if w.strength == "required"}
    raised = (
        replace(w, strength="required")
        if w.strength == "wanted" and (w.kind, w.value) in required
        else w
        for w in wishes
    )
    return tuple(replace(m, wish=wish) for m, wish in zip(mentions, raised, strict=True))


def without_repeats(wishes: Iterable[Wish]) -> tuple[Wish, ...]:
    """One wish per value and side, in their order: the first of the strongest.

    "Offline, no internet, data stay here" wishes one thing, which is weighed and shown once. The
    words of the others need no place: read again, those that stay give the same wish.
    """
    first: dict[tuple[str, str, bool], Wish] = {}
    for wish in wishes:
        key = (wish.kind, wish.value, wish.strength == "unwanted")
        if key not in first or first[key].strength == "wanted" != wish.strength:
            first[key] = wish
    return tuple(first.values())


def _as_wanted(wish: Wish) -> Wish:
    """A wish that rules out a release or a purpose as one for what is meant; others as they are.

    "Not for research only" asks for a licence that allows more, and never for one that does not
    allow research.
    """
    if wish.strength != "unwanted":
        return wish
    if wish.kind == "since":
        return replace(wish, value=MAINTAINED, strength="wanted")
    if wish.kind == "purpose":
        return replace(wish, value=OTHER_PURPOSE.get(wish.value, wish.value), strength="wanted")
    return wish
