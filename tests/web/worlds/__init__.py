"""The two-worlds test over HTTP: no byte that a viewer gets depends on cards they have not seen.

Two real servers get the same requests. On one of them the cards that the observer has not seen are
dealt differently. Clock and ids are fixed, and every byte must be the same.
``python -m tests.web.worlds --games 200`` compares many games.
"""
