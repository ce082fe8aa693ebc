"""What records state about needs and checks of one tool, and how much they leave open."""
