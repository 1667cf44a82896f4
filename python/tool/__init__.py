"""Base class and registry of tools that are classes."""
