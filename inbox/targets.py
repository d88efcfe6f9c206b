"""Which addresses a webhook may have. A person of one company chooses them and our servers call them, so none may lead
inside (server-side request forgery).

This looks at the written address only; where a name leads is looked at when it is called.
"""

import re
from ipaddress import AddressValueError, IPv4Address, IPv6Address, IPv6Network
from urllib.parse import SplitResult, urlsplit

from inbox import conf

LONGEST = 2048
WRITABLE = re.compile(r"[!-~]+")
LABEL = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)")
#: Browsers and resolvers read a host that ends so as an IPv4 address: 127.1, 0x7f000001, 017700000001, 2130706433.
NUMERIC = re.compile(r"[0-9]+|0x[0-9a-f]*")
#: Names that never leave a machine or a local network (RFC 6761, 6762, 8375); clouds use `internal`.
INSIDE = ("localhost", "localdomain", "local", "internal", "home.arpa", "lan", "intranet")
#: The only addresses of IPv6 that are given out, and what within them leads elsewhere or nowhere.
PUBLIC_V6 = IPv6Network("2000::/3")
NOT_PUBLIC_V6 = tuple(map(IPv6Network, ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")))

UNREADABLE = "Enter a valid URL, in ASCII: a name in its xn-- form, other characters percent-encoded."
TOO_LONG = f"May be {LONGEST} characters long at most."
NOT_HTTPS = "Only https:// addresses are called."
USERINFO = "May not hold a user name or password: use `auth`."
NOT_PUBLIC = "This address is not on the public internet."


class BadTarget(ValueError):
    """An address that a webhook may not have; its text says why."""


def check(url: str) -> None:
    """Raises BadTarget for an address that a webhook may not have."""
    if len(url) > LONGEST:
        raise BadTarget(TOO_LONG)
    parts = _split(url)
    if "@" in parts.netloc:
        raise BadTarget(USERINFO)
    at_home = conf.webhooks_to_this_machine()
    if parts.scheme != "https" and not (at_home and parts.scheme == "http"):
        raise BadTarget(NOT_HTTPS)
    host = (parts.hostname or "").rstrip(".")
    if at_home and host in ("localhost", "127.0.0.1", "::1"):
        return
    check_host(host)


def check_host(host: str) -> None:
    """Raises BadTarget for a name or address, in lower case, that is not on the public internet."""
    if ":" in host:
        return check_address(_v6(host))
    labels = host.split(".")
    if NUMERIC.fullmatch(labels[-1]):
        return check_address(_v4(host))
    if not all(map(LABEL.fullmatch, labels)) or len(host) > 253:
        raise BadTarget(UNREADABLE)
    if len(labels) < 2 or any(host == name or host.endswith(f".{name}") for name in INSIDE):
        raise BadTarget(NOT_PUBLIC)


def check_address(address: IPv4Address | IPv6Address) -> None:
    """Raises BadTarget for an address that is not on the public internet, or that carries another one within it."""
    if isinstance(address, IPv4Address):
        fits = address.is_global and not address.is_multicast and not address.is_reserved
    else:
        fits = address in PUBLIC_V6 and not any(address in network for network in NOT_PUBLIC_V6)
    if not fits:
        raise BadTarget(NOT_PUBLIC)


def _split(url: str) -> SplitResult:
    """The parts of a URL that every reader of URLs takes apart in the same way."""
    if not WRITABLE.fullmatch(url) or "\\" in url:
        raise BadTarget(UNREADABLE)
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise BadTarget(UNREADABLE) from None
    bracketed = "[" in parts.netloc
    if not parts.hostname or port == 0 or parts.netloc.endswith(":") or bracketed != (":" in parts.hostname):
        raise BadTarget(UNREADABLE)
    return parts


def _v4(host: str) -> IPv4Address:
    """Four decimal numbers; every other way to write an address is refused."""
    try:
        return IPv4Address(host)
    except AddressValueError:
        raise BadTarget(NOT_PUBLIC) from None


def _v6(host: str) -> IPv6Address:
    if "%" in host:
        raise BadTarget(NOT_PUBLIC)
    try:
        return IPv6Address(host)
    except AddressValueError:
        raise BadTarget(UNREADABLE) from None
