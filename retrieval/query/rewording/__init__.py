"""What is searched in place of what was typed: usual verbs, no slips, no asides, nothing denied."""
