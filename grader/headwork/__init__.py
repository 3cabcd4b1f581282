"""headwork: homework for attention heads."""

__version__ = "0.1.0"
