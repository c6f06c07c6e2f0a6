"""Records as machine models, and in the formats of other tools."""
