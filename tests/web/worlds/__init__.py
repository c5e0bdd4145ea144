"""Two worlds through the wire: nobody is sent a byte that depends on cards they have not seen.

A real server is asked everything in the world as it is, another one in a world where the cards
that the observer has not seen are dealt differently; clock and ids are fixed, and every byte must
be the same. ``python -m tests.web.worlds --games 200`` does so for many games.
"""
