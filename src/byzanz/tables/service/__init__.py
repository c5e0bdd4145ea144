"""The running service: live tables, subscriptions, bots, clocks and maintenance."""
