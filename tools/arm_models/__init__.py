"""What make_arm_models.py is made of: examples of forms, rules that all cores share, one module a core."""
