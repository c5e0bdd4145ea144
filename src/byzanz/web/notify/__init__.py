"""Notifications by Web Push and e-mail, and the pages on which people choose them."""

from .notifier import Notifier

__all__ = ["Notifier"]
