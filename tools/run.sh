#!/bin/sh
# The host with sample mail, left running: migrates, seeds once, prints what a client needs, and starts gunicorn.
# usage: tools/run.sh PYTHON [PORT]
set -eu
cd "$(dirname "$0")/.."
python=$1
port=${2:-8000}
export BIND="${BIND:-127.0.0.1:$port}" BASE_URL="${BASE_URL:-http://127.0.0.1:$port}"

"$python" manage.py migrate --verbosity 0
seeded=$("$python" manage.py seed_demo)
echo "$seeded"
"$python" manage.py collectstatic --noinput --verbosity 0

url="$BASE_URL/mcp"
person=owner@serra-azul.example
token=$("$python" manage.py mcp_token --user "$person" --minutes 1440)
workspace=$(echo "$seeded" | awk '$1 == "workspace" { print $2; exit }')
name=autonomous-inbox
headers="{\"Authorization\": \"Bearer $token\", \"X-Workspace-Id\": \"$workspace\"}"

cat <<END

MCP endpoint   $url
signed in as   $person, for 24 hours

  export TOKEN=$token
  export WORKSPACE=$workspace

Claude Code
  claude mcp add --transport http $name $url \\
    --header "Authorization: Bearer \$TOKEN" --header "X-Workspace-Id: \$WORKSPACE"

Cursor, in .cursor/mcp.json
  {"mcpServers": {"$name": {"url": "$url", "headers": $headers}}}

VS Code, in .vscode/mcp.json
  {"servers": {"$name": {"type": "http", "url": "$url", "headers": $headers}}}

MCP Inspector
  npx @modelcontextprotocol/inspector --cli $url --transport http \\
    --header "Authorization: Bearer \$TOKEN" --header "X-Workspace-Id: \$WORKSPACE" --method tools/list

Ctrl-C stops the server.

END
exec "$python" -m gunicorn --config config/gunicorn.conf.py
