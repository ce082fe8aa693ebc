"""Fronts under the module and class names of BYOKG-RAG."""
