"""What is generated from the table of parameters."""
