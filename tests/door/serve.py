"""A program: makes a database, lets a function fill it, prints what that returned as a line of JSON, and is gunicorn.

usage: python -m tests.door.serve MODULE.FUNCTION    (DJANGO_SETTINGS_MODULE, VAR_DIR and BIND from the environment)
"""

import json
import sys

import django
from django.conf import settings
from django.core.management import call_command
from django.db import connections
from django.utils.module_loading import import_string
from gunicorn.app import wsgiapp


def main(fill: str) -> None:
    """Everything in one process, so that nothing is loaded twice: gunicorn's workers are forks of it."""
    django.setup()
    call_command("migrate", run_syncdb=True, skip_checks=True, verbosity=0)
    facts = import_string(fill)()
    connections.close_all()
    sys.stdout.write(json.dumps(facts) + "\n")
    sys.stdout.flush()
    module, _, name = (settings.WSGI_APPLICATION or "django.core.wsgi.get_wsgi_application()").rpartition(".")
    sys.argv = ["gunicorn", "--config", "config/gunicorn.conf.py", f"{module}:{name}"]
    wsgiapp.run()


if __name__ == "__main__":
    main(sys.argv[1])
