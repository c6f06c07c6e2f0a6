"""Parts of the generator of Intel's machine models."""
