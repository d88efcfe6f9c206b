#!/usr/bin/env bash
# The REST API against its own OpenAPI document: schemathesis sends what the document allows and what it does not, to a
# server on a database of its own, as two persons of different roles. Fails on a server error, on a status that is not
# documented, and on an answer that does not fit.
# usage: tools/contract.sh PYTHON
set -eu
cd "$(dirname "$0")/.."
python=$1
bin=$(dirname "$python")

unset DATABASE_URL CACHE_URL RATE_LIMIT_STORAGE SECRET_KEY ALLOWED_HOSTS ALLOWED_ORIGINS DEBUG WEB_CONCURRENCY || true
export VAR_DIR="$PWD/var/contract" LOG_LEVEL=ERROR
rm -rf "$VAR_DIR"
mkdir -p "$VAR_DIR"

port=$("$python" -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
export BIND="127.0.0.1:$port" BASE_URL="http://127.0.0.1:$port"

"$python" manage.py migrate --verbosity 0
"$python" manage.py seed_demo >/dev/null
"$python" manage.py spectacular --validate --fail-on-warn --format openapi-json --file "$VAR_DIR/openapi.json"
workspace=$("$python" manage.py shell --no-imports -c \
    "from inbox.models import Workspace; print(Workspace.objects.get(label='Atendimento').pk)")

"$python" -m gunicorn --config config/gunicorn.conf.py >"$VAR_DIR/gunicorn.log" 2>&1 &
server=$!
trap 'kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true' EXIT
trap 'exit 130' INT TERM
"$python" tools/wait_for_server.py "$port" "$server" || { cat "$VAR_DIR/gunicorn.log"; exit 1; }

for role in viewer owner; do
    echo "As $role:"
    token=$("$python" manage.py mcp_token --user "$role@serra-azul.example" --resource /api/v1)
    "$bin/schemathesis" --config-file tools/schemathesis.toml run "$VAR_DIR/openapi.json" --url "$BASE_URL" \
        --header "Authorization: Bearer $token" --header "X-Workspace-Id: $workspace" --seed 20260728 "${@:2}" ||
        { tail -n 40 "$VAR_DIR/gunicorn.log"; exit 1; }
done
