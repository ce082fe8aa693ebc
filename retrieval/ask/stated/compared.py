"""Which relations a comparison of tools tells, and which two tools do not share in earnest."""

NO_COMMON = frozenset(
    {
        "same_domain",
        "last_released",
        "license_is",
        "weights_license_is",
        "commercial_use",
        "weights_commercial_use",
        "maintenance_is",
        "needs_program",
    }
)
COMPARED = ("has_license", "gpu_is", "last_released")
"""What is stated of tools between which a question chooses."""
SIDE_BY_SIDE = (
    "performs",
    "images",
    "applies_to",
    "works_in",
    "for_species",
    "has_license",
    "gpu_is",
    "last_released",
    "last_changed",
    "has_interface",
    "written_in",
    "runs_on",
    "accepts",
    "produces",
)
"""What a comparison states of each tool, in this order, as far as ``max_facts`` go."""
