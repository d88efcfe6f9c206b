"""The host's settings with the floor view mounted; the environment says what takes part.

``BENCH_AUDIT`` and ``BENCH_LIMITER`` switch on what a variant measures, ``BENCH_TOOLS`` fills the catalogue up.
"""

import os

from config.settings import *  # noqa: F403 - a variant of all of them
from config.settings import INSTALLED_APPS, KOBANA_MCP

INSTALLED_APPS = [*INSTALLED_APPS, "tools.bench"]
ROOT_URLCONF = "tools.bench.urls"
KOBANA_MCP = {
    **KOBANA_MCP,
    "AUDIT": "BENCH_AUDIT" in os.environ,
    "RATE_LIMIT_STORAGE": "memory://" if "BENCH_LIMITER" in os.environ else "",
    "CALLS_PER_MINUTE": 10**9,
    "REQUESTS_PER_MINUTE": 10**9,
}
