"""The command line: one module a verb. Nothing but argparse is imported before a verb runs."""
