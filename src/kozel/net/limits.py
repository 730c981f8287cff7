"""How much of a thing one address, key or person may do, and who may not come in at all."""

from __future__ import annotations

import ipaddress
import math
import time
from collections.abc import Callable
from pathlib import Path

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


class Bars:
    """The operator's file of barred keys and addresses, read again when it changes: one a line, `#` begins a comment."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._stamp = (0, 0)
        self._keys: set[str] = set()
        self._networks: list[ipaddress.IPv4Network | ipaddress.IPv6Network] = []
        if path is not None:
            path.stat()
            self._read()

    def key(self, fingerprint: str) -> bool:
        """Is this key barred?"""
        self._read()
        return fingerprint in self._keys

    def address(self, address: str) -> bool:
        """Is this address barred?"""
        self._read()
        try:
            ip: ipaddress.IPv4Address | ipaddress.IPv6Address = ipaddress.ip_address(address.partition("%")[0])
        except ValueError:
            return False
        if isinstance(ip, ipaddress.IPv6Address) and ip.ipv4_mapped is not None:
            ip = ip.ipv4_mapped
        return any(ip in network for network in self._networks)

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
        keys, networks = set(), []
        for line in lines:
            word = line.partition("#")[0].strip()
            if word.startswith("SHA256:"):
                keys.add(word)
            elif word:
                try:
                    networks.append(ipaddress.ip_network(word, strict=False))
                except ValueError:
                    keys.add(word)
        self._keys, self._networks = keys, networks
