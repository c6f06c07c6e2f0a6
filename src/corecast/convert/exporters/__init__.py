"""Machine models for other tools: one module a format, each turning a loaded model into the text of a file."""
