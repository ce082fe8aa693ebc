"""What a badge says of a fact or a wish, by its kind."""

from __future__ import annotations

from collections.abc import Mapping

from retrieval.fit.data import FACT as DATA
from retrieval.fit.species import FACT as SPECIES

MISSED: Mapping[tuple[str, str], str] = {
    ("language", "wanted"): "Not in {}",
    ("language", "unwanted"): "In {}",
    ("interface", "wanted"): "Interface is not {}",
    ("interface", "unwanted"): "Interface: {}",
    ("host", "wanted"): "Not for {}",
    ("host", "unwanted"): "For {}",
    ("system", "wanted"): "Not for {}",
    ("system", "unwanted"): "For {} only",
    ("gpu", "wanted"): "Uses no {}",
    ("gpu", "unwanted"): "Needs a {}",
    ("memory", "wanted"): "Needs more memory than {}",
    ("offline", "wanted"): "Works over a network only",
    ("licence", "wanted"): "Licence is not {}",
    ("licence", "unwanted"): "Licence is {}",
    ("purpose", "wanted"): "Not for {} use",
    ("purpose", "unwanted"): "For {} use",
    ("since", "wanted"): "Last release before {}",
    ("since", "unwanted"): "Released in {} or later",
    ("method", "wanted"): "States deep learning or a trained model",
    ("tool", "wanted"): "Not of {}",
    ("tool", "unwanted"): "Needs {}",
}
"""What is said of a tool that states otherwise, by kind and strength; required as wanted."""

STALE, KEPT_UP = "No recent release or commit stated", "Recently released or changed"
"""What is said of a tool that is to be maintained, or not, by the dates that its record states.

A repository may have later commits than the one that was read, so old dates are no failure."""

UNSTATED: Mapping[str, str] = {
    "language": "Language not stated",
    "interface": "Interface not stated",
    "host": "Host program not stated",
    "system": "System not stated",
    "gpu": "GPU use not stated",
    "memory": "Memory not stated",
    "offline": "Offline use not stated",
    "licence": "Licence not stated",
    "purpose": "Licence not stated",
    "since": "Last release not stated",
    "method": "Method not stated",
}
"""What is said where a record is silent about a wish."""

UNCLASSIFIED = "Licence not classified"
"""What is said where a licence is stated of which it is not known what it allows."""

FAILED: Mapping[str, str] = {
    "format": "Reads {} only",
    "format of the image": "Reads the image as {} only",
    "modality": "States {} only",
    "dimension": "States {} only",
    "body part": "Made for {}",
    SPECIES: "Made for {}",
    "sequence": "States {} only",
    "units": "Needs {}",
    "channels": "Needs channels: {}",
    "spacing": "Made for voxels {}",
    "slices": "Needs slices: {}",
    DATA: "Needs {}",
    "orientation": "Needs {} slices",
}
"""What is said of a tool whose fact does not agree with the scan."""
