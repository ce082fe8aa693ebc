"""What every agent for a database is made of."""
