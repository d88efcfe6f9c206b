"""``make bench-emails``: the list of e-mails with a million of them in one of fifty workspaces, on PostgreSQL.

Creates a database, has ``email_pages`` fill and measure it, and drops it.
usage: python -m tools.bench.emails postgres://user@host:port/NAME
"""

import os
import subprocess
import sys

import psycopg

INSIDE = "import sys; from tools.bench import email_pages; sys.exit(email_pages.main())"


def main(url: str) -> int:
    server, _, name = url.rpartition("/")
    with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
        connection.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
        connection.execute(f'CREATE DATABASE "{name}"')
        env = {**os.environ, "DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "tools.bench.settings"}
        try:
            subprocess.run((sys.executable, "manage.py", "migrate", "--verbosity", "0"), env=env, check=True)
            return subprocess.run((sys.executable, "manage.py", "shell", "--command", INSIDE), env=env).returncode
        finally:
            connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
