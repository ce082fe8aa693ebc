"""Language models by provider."""
