"""``manage.py clear_clients``: removes clients that registered themselves and were never used."""

from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand
from django.db.models import Exists, OuterRef
from django.utils import timezone
from oauth2_provider.models import (
    get_access_token_model,
    get_application_model,
    get_grant_model,
    get_refresh_token_model,
)


class Command(BaseCommand):
    """Prints how many were removed. Run it daily."""

    help = "Removes self-registered clients that hold no code and no token, some days after their registration."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--days", type=int, default=7, help="age from which they go (default: %(default)s)")

    def handle(self, *args: Any, **options: Any) -> None:
        model = get_application_model()
        unused = model.objects.filter(
            registration_source=model.RegistrationSource.DCR,
            created__lt=timezone.now() - timedelta(days=max(1, options["days"])),
        )
        for held in (get_grant_model(), get_access_token_model(), get_refresh_token_model()):
            unused = unused.exclude(Exists(held.objects.filter(application=OuterRef("pk"))))
        removed, _ = unused.delete()
        self.stdout.write(f"{removed} unused clients removed.")
