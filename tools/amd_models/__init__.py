"""Parts of the generator of AMD machine models (tools/make_amd_models.py)."""
