"""Tests under test: right and wrong implementations from the content, and which of them a test tells apart.

``implementations.py`` makes the sources, ``trial.py`` runs a test file against one of them in the
sandbox, ``catching.py`` finds an input on which a wrong one shows.
"""
