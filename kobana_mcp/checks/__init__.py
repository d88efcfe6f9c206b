"""What can be seen to be wrong at start-up. An id is never used twice, nor for something else.

Importing the package registers every check.
"""

from kobana_mcp.checks import declarations, installation, settings

__all__ = ("declarations", "installation", "settings")
