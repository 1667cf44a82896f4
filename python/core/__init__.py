"""Types and rules that tool files import."""
