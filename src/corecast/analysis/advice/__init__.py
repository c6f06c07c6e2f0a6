"""Advice: what would make a loop faster, where that is proved legal."""
