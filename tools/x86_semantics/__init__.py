"""Parts of the generator of the x86 semantics overlay (see tools/generate_x86_semantics.py)."""
