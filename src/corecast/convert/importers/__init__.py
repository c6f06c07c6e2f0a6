"""Importers of foreign facts: one module an origin, each yielding rows of form tables (`rows.Row`).

They run when machine model files are made (tools/make_*_models.py), never when a kernel is analyzed.
"""
