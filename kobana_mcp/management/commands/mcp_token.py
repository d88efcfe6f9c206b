"""``manage.py mcp_token``: an access token for trying things out, without a browser."""

import secrets
from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from oauth2_provider.models import get_access_token_model, get_application_model, set_token_value

from kobana_mcp import catalogue
from kobana_mcp.access.resources import resource_at
from kobana_mcp.conf import conf

CLIENT_NAME = "mcp_token"


class Command(BaseCommand):
    """Prints one access token, and nothing else, on standard output."""

    help = "Issues an access token for a person, for development. It is shown once and stored hashed where DOT does so."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--user", required=True, help="the person's login name")
        parser.add_argument("--scope", help="scopes separated by spaces; default: every known scope")
        parser.add_argument(
            "--resource", default=conf.ENDPOINT_PATH, help="path of the resource (default: %(default)s)"
        )
        parser.add_argument("--minutes", type=int, default=60, help="lifetime (default: %(default)s)")

    def handle(self, *args: Any, **options: Any) -> None:
        user = _user(options["user"])
        scopes = _scopes(options["scope"])
        try:
            resource = resource_at(options["resource"])
        except KeyError:
            raise CommandError(f"There is no resource at {options['resource']!r}.") from None
        if not 1 <= options["minutes"] <= 24 * 60:
            raise CommandError("A token lives 1 minute to 24 hours.")
        raw = secrets.token_urlsafe(32)
        token = get_access_token_model()(
            user=user,
            application=_client(),
            expires=timezone.now() + timedelta(minutes=options["minutes"]),
            scope=" ".join(scopes),
            resource=[resource.identifier],
        )
        set_token_value(token, raw)
        token.save()
        self.stdout.write(raw)


def _user(name: str) -> Any:
    model = get_user_model()
    try:
        return model._default_manager.get_by_natural_key(name)
    except model.DoesNotExist:
        raise CommandError(f"There is no user {name!r}.") from None


def _scopes(given: str | None) -> list[str]:
    known = list(catalogue.current().scopes)
    chosen = known if given is None else given.split()
    unknown = [name for name in chosen if name not in known]
    if unknown:
        raise CommandError(f"Unknown scope: {', '.join(unknown)}. Known: {', '.join(known)}.")
    return chosen


def _client() -> Any:
    """The one public client these tokens are issued to. It has no redirect, so nobody can sign in through it."""
    model = get_application_model()
    client, _ = model.objects.get_or_create(
        name=CLIENT_NAME,
        client_type=model.CLIENT_PUBLIC,
        authorization_grant_type=model.GRANT_AUTHORIZATION_CODE,
        defaults={"skip_authorization": False},
    )
    return client
