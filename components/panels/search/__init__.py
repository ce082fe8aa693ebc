"""The search form: box, drop zone, switches, follow-ups, the optional services."""
