"""RISC-V."""
