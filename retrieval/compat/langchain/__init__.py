"""The few LangChain names that the sources' examples call."""
