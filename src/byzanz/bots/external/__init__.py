"""Bots that run in another process, and the guard that answers for a bot that fails."""
