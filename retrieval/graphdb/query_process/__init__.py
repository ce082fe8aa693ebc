"""One graph query in a process of its own, with limits of time, memory, rows and bytes."""
