"""What measuring needs to know of instruction sets: forms as templates, helpers; one package for each set."""
