"""The words of a question that are no names: replaced by names where one fits."""
