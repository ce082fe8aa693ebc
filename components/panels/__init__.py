"""One file a panel: a layout function, and the events of that panel."""
