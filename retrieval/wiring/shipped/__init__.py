"""What is shipped beside a catalog: facts of tools of the same name, and judged requests."""
