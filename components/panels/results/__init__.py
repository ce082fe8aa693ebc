"""What is done with an answer: details, comparison, plans, recipes, files."""
