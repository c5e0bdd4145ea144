"""The game in a browser: pages, WebSockets, a JSON API, and the pictures of the table.

This package renders views and receives requests. It does not decide anything about the game.
Only the command line imports it.
"""

__all__: list[str] = []
