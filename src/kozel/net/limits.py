"""How much of a thing one address, key or person may do, and who may not come in at all."""

from __future__ import annotations

import ipaddress
import math
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from kozel.net.wire import Declined

Clock = Callable[[], float]
_TRIES, _MINUTE, _LONGEST_WAIT = 5, 60.0, 3600.0
_REMEMBERED = 10_000


def network_of(address: str) -> str:
    """What counts as one address: an IPv4 address, the /64 of an IPv6 one.

    >>> network_of("2001:db8::1:2")
    '2001:db8::/64'
    """
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.ipv4_mapped is not None:
            return str(ip.ipv4_mapped)
        return str(ipaddress.ip_network((ip, 64), strict=False))
    return str(ip)


class CodeTries:
    """Wrong table codes: five an address and minute, then a wait that doubles with each further wrong one."""

    def __init__(self, clock: Clock = time.monotonic) -> None:
        self._clock = clock
        self._wrong: dict[str, tuple[int, float, float]] = {}

    def check(self, address: str) -> None:
        """Raises `Declined` while this address has to wait."""
        _, _, until = self._wrong.get(network_of(address), (0, 0.0, 0.0))
        left = until - self._clock()
        if left > 0:
            raise Declined("code_wait", n=math.ceil(left))

    def wrong(self, address: str) -> None:
        """A code was wrong."""
        now, network = self._clock(), network_of(address)
        count, since, until = self._wrong.pop(network, (0, now, 0.0))
        quiet = now - max(until, since)
        if quiet >= (_MINUTE if count < _TRIES else _LONGEST_WAIT):
            count, since, until = 0, now, 0.0
        count += 1
        if count >= _TRIES:
            until = now + min(_MINUTE * 2 ** (count - _TRIES), _LONGEST_WAIT)
        self._wrong[network] = count, since, until
        while len(self._wrong) > _REMEMBERED:
            del self._wrong[next(iter(self._wrong))]


class Bucket:
    """So many a second, and a few at once."""

    def __init__(self, rate: float, burst: float, clock: Clock = time.monotonic) -> None:
        self._rate, self._burst, self._clock = rate, burst, clock
        self._left, self._at = burst, clock()

    def take(self, amount: int = 1) -> float:
        """Take some; the seconds to wait before they may be used."""
        now = self._clock()
        self._left = min(self._burst, self._left + (now - self._at) * self._rate) - amount
        self._at = now
        return max(0.0, -self._left / self._rate)

    def spare(self) -> bool:
        """Take one if there is one."""
        now = self._clock()
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


Network = ipaddress.IPv4Network | ipaddress.IPv6Network


class Barred(NamedTuple):
    """Keys and networks that may not come in."""

    keys: frozenset[str] = frozenset()
    networks: tuple[Network, ...] = ()

    def key(self, fingerprint: str) -> bool:
        """Is this key barred?"""
        return fingerprint in self.keys

    def address(self, address: str) -> bool:
        """Is this address barred?"""
        if not self.networks:
            return False
        try:
            ip: ipaddress.IPv4Address | ipaddress.IPv6Address = ipaddress.ip_address(address.partition("%")[0])
        except ValueError:
            return False
        if isinstance(ip, ipaddress.IPv6Address) and ip.ipv4_mapped is not None:
            ip = ip.ipv4_mapped
        return any(ip in network for network in self.networks)


def barred_in(words: Iterable[str]) -> Barred:
    """What these words bar: fingerprints, addresses, networks."""
    keys, networks = set(), []
    for word in words:
        try:
            networks.append(ipaddress.ip_network(word, strict=False))
        except ValueError:
            keys.add(word)
    return Barred(frozenset(keys), tuple(networks))


class Bars:
    """The operator's file of barred keys and addresses, read again when it changes: one a line, `#` begins a comment."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._stamp = (0, 0)
        self._barred = Barred()
        if path is not None:
            path.stat()
            self._read()

    def key(self, fingerprint: str) -> bool:
        """Is this key barred?"""
        self._read()
        return self._barred.key(fingerprint)

    def address(self, address: str) -> bool:
        """Is this address barred?"""
        self._read()
        return self._barred.address(address)

    def _read(self) -> None:
        if self._path is None:
            return
        try:
            status = self._path.stat()
            stamp = status.st_mtime_ns, status.st_size
            if stamp == self._stamp:
                return
            lines = self._path.read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError:
            return  # what was read before still holds
        self._stamp = stamp
        words = (line.partition("#")[0].strip() for line in lines)
        self._changed(tuple(filter(None, words)))

    def _changed(self, words: tuple[str, ...]) -> None:
        """The file says something else now."""
        self._barred = barred_in(words)
