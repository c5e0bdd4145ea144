"""The running service: live tables, subscriptions, bots, clocks, maintenance."""
