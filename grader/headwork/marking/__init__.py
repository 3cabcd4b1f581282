"""Outcomes to marks: compare, judge, follow through, diagnose, score."""
