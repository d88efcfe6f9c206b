"""Seals every secret of the database again, with the first of ``INBOX_ENCRYPTION_KEYS``. Then older keys may go."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from inbox.services import rotation


class Command(BaseCommand):
    help = "Seals every secret in the database with the first of INBOX_ENCRYPTION_KEYS. Safe to run again, and in use."

    def handle(self, *args: Any, **options: Any) -> None:
        result = rotation.rotate()
        self.stdout.write(f"Webhooks sealed with the first key: {result.rotated}")
        if result.unreadable:
            for key in result.unreadable:
                self.stderr.write(f"No key opens the secrets of webhook {key}")
            raise CommandError(f"Webhooks left as they were: {len(result.unreadable)}. Keep the older keys.")
