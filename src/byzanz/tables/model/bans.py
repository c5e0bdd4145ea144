"""Bans of guests and of network addresses."""

from __future__ import annotations

from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from msgspec import Struct


class Ban(Struct, frozen=True, kw_only=True):
    """A ban of a guest, of a range of network addresses, or of the pseudonym of an address.

    Exactly one of ``guest``, ``network`` and ``client`` is set.
    """

    id: str
    guest: str | None = None
    network: str | None = None
    """A range such as ``192.0.2.0/24``."""
    client: str | None = None
    """The pseudonym of a network address, as the log shows it."""
    reason: str = ""
    """The reason, in the operator's words. The banned person can read it."""
    created: float
    expires: float | None = None
    """The time at which the ban ends, in seconds since 1970; None if it does not end."""

    @property
    def target(self) -> str:
        """The guest, range or pseudonym that is banned."""
        return self.guest or self.network or self.client or ""

    def lasts(self, now: float) -> bool:
        """Return whether the ban is still in force."""
        return self.expires is None or now < self.expires


class BanIndex:
    """An index of bans by their targets."""

    def __init__(self, bans: tuple[Ban, ...] = ()) -> None:
        self.bans = bans
        self._guests = {ban.guest: ban for ban in bans if ban.guest is not None}
        self._clients = {ban.client: ban for ban in bans if ban.client is not None}
        self._networks = [(ip_network(ban.network), ban) for ban in bans if ban.network is not None]

    def find(self, guest: str | None, address: str, client: str, now: float) -> Ban | None:
        """Return the current ban of this guest, address or pseudonym; None if there is none.

        If there are several, return the one that ends last.
        """
        if not self.bans:
            return None
        found = [
            self._guests.get(guest or ""),
            self._clients.get(client),
            *self._of_address(address),
        ]
        lasting = [ban for ban in found if ban is not None and ban.lasts(now)]
        return max(lasting, key=lambda ban: ban.expires or float("inf"), default=None)

    def _of_address(self, text: str) -> list[Ban]:
        if not self._networks:
            return []
        try:
            address = ip_address(text)
        except ValueError:
            return []
        if isinstance(address, IPv6Address):
            address = address.ipv4_mapped or address
        return [ban for network, ban in self._networks if address in network]


def parse_network(text: str) -> IPv4Network | IPv6Network | None:
    """Return the address or range of addresses that the text names; None if it names none."""
    try:
        return ip_network(text, strict=False)
    except ValueError:
        return None
