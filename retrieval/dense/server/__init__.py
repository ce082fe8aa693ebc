"""Vectors on a Milvus server or file, and the spare that answers while it does not."""
