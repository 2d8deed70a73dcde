"""I Doubt It on a real table: buttons with kernel stamps, a fair decision, and cards that are read."""

__version__ = "0.1.0"
