"""AArch64."""
