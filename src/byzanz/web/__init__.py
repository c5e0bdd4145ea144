"""The game in a browser: pages, their push, a JSON API, and the art of the table.

This room renders and receives; it decides nothing about the game. It imports every room below and
is imported by the door alone.
"""

__all__: list[str] = []
