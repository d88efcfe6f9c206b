"""How often one person may call through one client: two budgets, one for tool calls and one for everything else.

Counted per person and client, never per token, so that a new token buys no new budget; tokens that do not count, per
network address. Known weakness of the fixed window: at its border, two windows' worth can pass within moments.
"""

import hashlib
import logging
from dataclasses import dataclass
from functools import lru_cache
from math import ceil
from threading import Lock
from time import monotonic, time
from typing import Any, cast

from django.http import HttpRequest
from limits import RateLimitItemPerMinute
from limits.errors import StorageError
from limits.storage import MemoryStorage, Storage, storage_from_string
from limits.strategies import FixedWindowRateLimiter

from kobana_mcp.access.bearer import Principal
from kobana_mcp.conf import conf
from kobana_mcp.protocol.errors import RateLimited, Unavailable

logger = logging.getLogger("kobana_mcp")

WINDOW_SECONDS = 60


@dataclass(frozen=True)
class Budget:
    """What is left of one budget.

    Args:
        limit, remaining: requests in the window.
        reset: when the window ends, in Unix seconds.
        is_spent: True when this very request was over it.
    """

    limit: int
    remaining: int
    reset: int
    is_spent: bool


def charge(principal: Principal, method: str | None) -> Budget | None:
    """Takes one request off the budget that ``method`` belongs to; None stands for a message that could not be read.

    Returns what is left; None where the settings name no storage, so that nothing is counted. Raises Unavailable where
    the storage cannot be reached and the settings say so.
    """
    is_call = method == "tools/call"
    per_minute = conf.CALLS_PER_MINUTE if is_call else conf.REQUESTS_PER_MINUTE
    return _hit(per_minute, "calls" if is_call else "rest", str(principal.user.pk), str(principal.client.pk))


def charge_failed_token(request: HttpRequest) -> None:
    """Counts a refused token against the address it came from. Raises RateLimited when there were too many."""
    require(_hit(conf.FAILED_TOKENS_PER_MINUTE, "failed", address_of(request)))


def charge_registration(request: HttpRequest) -> None:
    """Counts a client registration against the address it came from. Raises RateLimited when there were too many."""
    require(_hit(conf.REGISTRATIONS_PER_MINUTE, "registration", address_of(request)))


def charge_failed_login(request: HttpRequest, account: str) -> None:
    """Counts a refused password against its address and its account, whether or not there is such an account."""
    for per_minute, *keys in _login_budgets(request, account):
        _hit(per_minute, *keys)


def require_login_budget(request: HttpRequest, account: str) -> None:
    """Raises RateLimited where too many passwords were refused for this account, or from this address."""
    for per_minute, *keys in _login_budgets(request, account):
        require(_hit(per_minute, *keys, cost=0))


def _login_budgets(request: HttpRequest, account: str) -> list[tuple[int, str, str]]:
    per_minute = conf.FAILED_LOGINS_PER_MINUTE
    name = hashlib.sha256(account.strip().casefold().encode("utf-8", "replace")).hexdigest()
    return [(per_minute * 5, "login-address", address_of(request)), (per_minute, "login-account", name)]


def require(budget: Budget | None) -> None:
    """Raises RateLimited when the budget is spent."""
    if budget is not None and budget.is_spent:
        raise RateLimited(max(1, ceil(budget.reset - time())))


def address_of(request: HttpRequest) -> str:
    """The client's network address, as the outermost trusted proxy saw it; what a client claims beyond that is void."""
    own: str = request.META.get("REMOTE_ADDR") or "unknown"
    if not conf.TRUSTED_PROXIES:
        return own
    passed_on = [part.strip() for part in request.META.get("HTTP_X_FORWARDED_FOR", "").split(",") if part.strip()]
    return passed_on[-min(conf.TRUSTED_PROXIES, len(passed_on))] if passed_on else own


def _hit(per_minute: int, *keys: str, cost: int = 1) -> Budget | None:
    if not conf.RATE_LIMIT_STORAGE:
        return None
    item = RateLimitItemPerMinute(per_minute, namespace="kobana_mcp")
    limiter = _limiter(conf.RATE_LIMIT_STORAGE)
    try:
        is_spent = not (limiter.hit(item, *keys) if cost else limiter.test(item, *keys))
        reset, remaining = limiter.get_window_stats(item, *keys)
    except StorageError as error:
        _warn(int(monotonic()) // WINDOW_SECONDS)
        if conf.RATE_LIMIT_FAILS_CLOSED:
            raise Unavailable from error
        return Budget(per_minute, per_minute, ceil(time()) + WINDOW_SECONDS, is_spent=False)
    return Budget(per_minute, remaining, ceil(reset), is_spent)


@lru_cache(maxsize=1)
def _warn(minute: int) -> None:
    """Once a minute: a call for the same minute is answered from the cache."""
    logger.warning("Rate limits cannot be counted: their storage cannot be reached", exc_info=True)


@lru_cache(maxsize=8)
def _limiter(uri: str) -> FixedWindowRateLimiter:
    if uri.startswith("memory:"):
        return FixedWindowRateLimiter(SweptMemory(wrap_exceptions=True))
    return FixedWindowRateLimiter(cast(Storage, storage_from_string(uri, wrap_exceptions=True)))


class SweptMemory(MemoryStorage):
    """Counts in this process. Old windows are swept out once in a window, not by a thread begun with each request."""

    STORAGE_SCHEME: list[str] = []  # noqa: RUF012 - none: what the host counts in memory itself stays as it is

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._one_at_a_time, self._swept = Lock(), time()

    def incr(self, key: str, expiry: float, amount: int = 1) -> int:
        now = time()
        with self._one_at_a_time:
            if now - self._swept > WINDOW_SECONDS:
                self._swept = now
                for old in [each for each, ends in self.expirations.items() if ends <= now]:
                    del self.storage[old], self.expirations[old]
            if self.expirations.get(key, 0) <= now:
                self.storage[key], self.expirations[key] = 0, now + expiry
            self.storage[key] += amount
            return self.storage[key]

    def get(self, key: str) -> int:
        return self.storage[key] if self.expirations.get(key, 0) > time() else 0
