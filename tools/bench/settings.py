"""The host's settings, with the floor view mounted and budgets that no run can spend."""

from config.settings import *  # noqa: F403 - a variant of all of them
from config.settings import KOBANA_MCP

ROOT_URLCONF = "tools.bench.urls"
KOBANA_MCP = {**KOBANA_MCP, "CALLS_PER_MINUTE": 10**9, "REQUESTS_PER_MINUTE": 10**9}
