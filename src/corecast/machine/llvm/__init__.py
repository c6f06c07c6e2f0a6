"""LLVM's scheduling models, read from the linked library: rows, whole models, and models kept for later runs."""
