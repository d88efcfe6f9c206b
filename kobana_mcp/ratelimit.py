"""How often one person may call through one client: two budgets, one for tool calls and one for everything else.

Counted per person and client, never per token, so that a new token buys no new budget. Known weakness of the fixed
window: at its border, two windows' worth can pass within moments.
"""

from dataclasses import dataclass
from functools import lru_cache
from math import ceil
from time import time
from typing import cast

from limits import RateLimitItemPerMinute
from limits.storage import Storage, storage_from_string
from limits.strategies import FixedWindowRateLimiter

from kobana_mcp.access.bearer import Principal
from kobana_mcp.conf import conf
from kobana_mcp.protocol.errors import RateLimited


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

    def require(self) -> None:
        """Raises RateLimited when the budget is spent."""
        if self.is_spent:
            raise RateLimited(max(1, ceil(self.reset - time())))


def charge(principal: Principal, method: str | None) -> Budget:
    """Takes one request off the budget that ``method`` belongs to; None stands for a message that could not be read."""
    name, per_minute = (
        ("calls", conf.CALLS_PER_MINUTE) if method == "tools/call" else ("rest", conf.REQUESTS_PER_MINUTE)
    )
    item = RateLimitItemPerMinute(per_minute, namespace="kobana_mcp")
    limiter = _limiter(conf.RATE_LIMIT_STORAGE)
    keys = (name, str(principal.user.pk), str(principal.client.pk))
    is_spent = not limiter.hit(item, *keys)
    reset, remaining = limiter.get_window_stats(item, *keys)
    return Budget(per_minute, remaining, ceil(reset), is_spent)


@lru_cache(maxsize=8)
def _limiter(uri: str) -> FixedWindowRateLimiter:
    return FixedWindowRateLimiter(cast(Storage, storage_from_string(uri)))
