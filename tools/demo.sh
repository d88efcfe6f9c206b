#!/bin/sh
# The demonstration: a server with sample mail on a database and a port of its own, and the official MCP client that
# walks through it. Ends by itself, with 0 only if every step did what it says.
# usage: tools/demo.sh PYTHON
set -eu
cd "$(dirname "$0")/.."
python=$1

# Nothing of the surrounding environment and nothing of an earlier run takes part.
unset DATABASE_URL CACHE_URL RATE_LIMIT_STORAGE SECRET_KEY ALLOWED_HOSTS ALLOWED_ORIGINS DEBUG WEB_CONCURRENCY || true
export VAR_DIR="$PWD/var/demo" LOG_LEVEL=WARNING
rm -rf "$VAR_DIR"
mkdir -p "$VAR_DIR"

port=$("$python" -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
export BIND="127.0.0.1:$port" BASE_URL="http://127.0.0.1:$port"

echo "Preparing the demo in var/demo: database, people, mail"
"$python" manage.py migrate --verbosity 0
"$python" manage.py seed_demo

export OWNER=owner@serra-azul.example VIEWER=viewer@serra-azul.example WORKSPACE=Atendimento
OWNER_TOKEN=$("$python" manage.py mcp_token --user "$OWNER")
VIEWER_TOKEN=$("$python" manage.py mcp_token --user "$VIEWER")
export OWNER_TOKEN VIEWER_TOKEN

"$python" -m gunicorn --config config/gunicorn.conf.py >"$VAR_DIR/gunicorn.log" 2>&1 &
server=$!
trap 'kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true' EXIT
trap 'exit 130' INT TERM

"$python" tools/wait_for_server.py "$port" "$server" || { cat "$VAR_DIR/gunicorn.log"; exit 1; }
"$python" -m inbox.demo.walk "$BASE_URL/mcp"
