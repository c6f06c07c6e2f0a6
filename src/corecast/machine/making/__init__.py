"""Making models: the figures of one origin (`imported`), merged with what a model knows, written as its files."""
