"""What the environment makes of config/settings.py, each time in a process of its own."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SHOWN = (
    "from django.conf import settings as s\n"
    "print(s.SECRET_KEY, s.SESSION_COOKIE_SECURE, s.SECURE_HSTS_SECONDS > 0, s.ALLOWED_HOSTS, "
    "s.SECURE_PROXY_SSL_HEADER)"
)


def run(*command: str, var: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """A command of Python with these variables, and none of ours but the path to programs."""
    environment = {"PATH": os.environ["PATH"], "VAR_DIR": str(var), "DJANGO_SETTINGS_MODULE": "config.settings"}
    return subprocess.run(
        [sys.executable, *command], cwd=ROOT, env=environment | variables, capture_output=True, text=True, timeout=60
    )


def test_host_on_this_machine_makes_its_own_secret_once_for_its_owner_alone(tmp_path):
    first, second = (run("-c", SHOWN, var=tmp_path).stdout.split() for _ in range(2))
    secret = tmp_path / "secret_key"
    assert first == second
    assert first[0] == secret.read_text() and len(first[0]) >= 64
    assert secret.stat().st_mode & 0o777 == 0o600
    assert first[1:3] == ["False", "False"]


def test_host_elsewhere_needs_a_secret(tmp_path):
    refused = run("-c", SHOWN, var=tmp_path, BASE_URL="https://inbox.example")
    assert refused.returncode != 0
    assert "SECRET_KEY is required" in refused.stderr
    assert not (tmp_path / "secret_key").exists()


def test_host_elsewhere_needs_a_key_for_the_secrets_it_keeps(tmp_path):
    refused = run("-c", SHOWN, var=tmp_path, BASE_URL="https://inbox.example", SECRET_KEY="s")
    assert refused.returncode != 0
    assert "INBOX_ENCRYPTION_KEYS is required" in refused.stderr


def test_https_switches_on_what_https_allows(tmp_path):
    variables = {"BASE_URL": "https://inbox.example/", "SECRET_KEY": "s", "PROXY_SSL_HEADER": "X-Forwarded-Proto,https"}
    variables["INBOX_ENCRYPTION_KEYS"] = "k" * 40
    shown = run("-c", SHOWN, var=tmp_path, **variables).stdout.strip()
    assert shown == "s True True ['inbox.example'] ('HTTP_X_FORWARDED_PROTO', 'https')"


def test_embedded_database_takes_several_writers(tmp_path):
    code = (
        "import django; django.setup(); from django.db import connection as c; "
        "print(c.cursor().execute('PRAGMA journal_mode').fetchone()[0], c.settings_dict['OPTIONS']['transaction_mode'])"
    )
    assert run("-c", code, var=tmp_path).stdout.split() == ["wal", "IMMEDIATE"]
