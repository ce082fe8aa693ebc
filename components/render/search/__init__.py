"""What stands around the form: chips, status, notices, the scan."""
