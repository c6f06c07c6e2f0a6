"""Models from and to the formats of other tools: `importers` yield rows of form tables, `exporters` texts of files."""
