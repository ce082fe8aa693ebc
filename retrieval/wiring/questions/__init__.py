"""Questions over the configured catalog, model, databases and documents."""
