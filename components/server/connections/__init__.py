"""The web server: sockets, limits, deadlines, start and stop."""
