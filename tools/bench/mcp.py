"""Fills the catalogue up to ``BENCH_TOOLS`` tools: the host's own, over and over.

With ``BENCH_SILENT``, they point at a view whose permission does not say what it looks at, and is asked for each.
"""

import os
from dataclasses import replace

from kobana_mcp.registry import tools

wanted = int(os.environ.get("BENCH_TOOLS", "0"))
route = {"route": "bench-silent"} if "BENCH_SILENT" in os.environ else {}
own = [replace(tool, **route) for tool in tools if tool.read_only]
for number in range(wanted - len(tools)):
    tool = own[number % len(own)]
    tools.add(replace(tool, name=f"{tool.name}_{number}"))
