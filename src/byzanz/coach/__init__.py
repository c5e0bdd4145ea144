"""The coach: what teaches people to play."""
