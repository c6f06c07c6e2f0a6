"""The parts of docs/accuracy.md: see tools/make_accuracy.py."""
