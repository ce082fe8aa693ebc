"""Volume formats, surfaces and streamlines."""
