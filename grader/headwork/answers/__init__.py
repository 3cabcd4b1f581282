"""Typed answers: read by a whitelist grammar of our own, and compared exactly."""
