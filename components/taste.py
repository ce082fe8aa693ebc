"""Choices that a visitor asked to be remembered: ids of tools, in this browser only."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

MOST = 40
"""Tools of a kind that are remembered; beyond it the oldest goes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Taste:
    """Chosen and excluded tools; nothing enters, and nothing counts, while it is off."""

    on: bool = False
    liked: tuple[str, ...] = ()
    disliked: tuple[str, ...] = ()

    def likes(self, id: str) -> Taste:
        """With one tool among the chosen ones.

        A tool that was among the excluded ones is taken out there.
        """
        if not self.on:
            return self
        return replace(self, liked=_newest(self.liked, id), disliked=_less(self.disliked, id))

    def dislikes(self, id: str) -> Taste:
        """With one tool among the excluded ones."""
        if not self.on:
            return self
        return replace(self, disliked=_newest(self.disliked, id), liked=_less(self.liked, id))

    def forgets(self, id: str) -> Taste:
        """Without one tool; what is taken back is not remembered."""
        if not self.on:
            return self
        return replace(self, liked=_less(self.liked, id), disliked=_less(self.disliked, id))

    @property
    def erased(self) -> Taste:
        """Nothing remembered, switched as before."""
        return Taste(on=self.on)

    @property
    def weighed(self) -> dict[str, tuple[str, ...]]:
        """What the next search takes."""
        if not self.on:
            return {"liked": (), "disliked": ()}
        return {"liked": self.liked, "disliked": self.disliked}

    def lacks(self, earlier: Taste) -> bool:
        """Whether a tool that weighed earlier does so no longer."""
        return any(set(ids) - set(self.weighed[kind]) for kind, ids in earlier.weighed.items())

    def stored(self) -> dict[str, object]:
        """What the browser keeps: a switch and ids, nothing else."""
        return {"on": self.on, "liked": list(self.liked), "disliked": list(self.disliked)}


NO_TASTE = Taste()


def taste_of(stored: object, catalog: Collection[str]) -> Taste:
    """The taste stored by a browser, reduced to ids of the catalog.

    The browser's storage can be edited by hand; a tool in both lists counts as excluded.
    """
    if not isinstance(stored, dict):
        return NO_TASTE
    disliked = _known_ids(stored.get("disliked"), catalog)
    liked = tuple(id for id in _known_ids(stored.get("liked"), catalog) if id not in disliked)
    return Taste(on=stored.get("on") is True, liked=liked, disliked=disliked)


def _known_ids(stored_ids: object, catalog: Collection[str]) -> tuple[str, ...]:
    if not isinstance(stored_ids, list):
        return ()
    # The newest are at the end.
    ids = (id for id in stored_ids[-MOST:] if isinstance(id, str) and id in catalog)
    return tuple(dict.fromkeys(ids))


def _newest(ids: Iterable[str], id: str) -> tuple[str, ...]:
    return (*_less(ids, id), id)[-MOST:]


def _less(ids: Iterable[str], id: str) -> tuple[str, ...]:
    return tuple(one for one in ids if one != id)
