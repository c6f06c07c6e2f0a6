"""What was measured, as values with their evidence, and as lines of a file."""
