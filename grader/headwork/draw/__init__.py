"""Seed to problem: our own integer stream, redrawn until every known mistake shows."""
