"""Sessions: whose they are, how many, what they hold."""
