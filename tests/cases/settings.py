"""The host's settings, with budgets that a row of tests does not use up, and origins to be listed."""

from config.settings import *  # noqa: F403
from config.settings import INSTALLED_APPS
from config.settings import KOBANA_MCP as OWN

ORIGINS = ("https://app.example.test", "http://[::1]:3000", "http://localhost:5173")
BUDGETS = dict.fromkeys(["CALLS_PER_MINUTE", "REQUESTS_PER_MINUTE", "FAILED_TOKENS_PER_MINUTE"], 100_000)
KOBANA_MCP = {**OWN, **BUDGETS, "ALLOWED_ORIGINS": list(ORIGINS)}
# Tables straight from the models: ten times as fast, and the same.
MIGRATION_MODULES = {app.rpartition(".")[2]: None for app in [*INSTALLED_APPS, "kobana_mcp_oauth"]}
