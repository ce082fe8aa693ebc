"""Agents for databases, by BioChatter's names."""
