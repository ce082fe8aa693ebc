"""Language models under the names of the agentic source."""
