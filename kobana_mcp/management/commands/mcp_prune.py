"""``manage.py mcp_prune``: deletes what no call needs any more. For cron; it may be run as often as one likes."""

from argparse import ArgumentParser
from datetime import datetime, timedelta
from typing import Any

from django.core.management.base import BaseCommand
from django.db import connections, models, router, transaction
from django.utils import timezone

from kobana_mcp.conf import conf
from kobana_mcp.models import SpentConfirmation, ToolCall

#: Of one transaction: enough to be quick, and so few that nobody waits for its locks.
BATCH = 1_000
#: A row outlives its seal by what the clocks of two machines may ever differ: without the row, a seal that one of them
#: still takes for good could be used again.
MARGIN = timedelta(days=1)


class Command(BaseCommand):
    """Deletes spent confirmations that are over, and audit rows older than ``AUDIT_RETENTION_DAYS``."""

    help = "Deletes spent confirmations whose time is over, and audit rows older than AUDIT_RETENTION_DAYS."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="count, and delete nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        is_dry = options["dry_run"]
        now = timezone.now()
        self._prune("spent confirmations", SpentConfirmation, "expires_at", now - MARGIN, is_dry)
        if conf.AUDIT_RETENTION_DAYS > 0:
            eldest = now - timedelta(days=conf.AUDIT_RETENTION_DAYS)
            self._prune("audit rows", ToolCall, "created_at", eldest, is_dry)
        else:
            self.stdout.write("audit rows: kept for ever")

    def _prune(self, words: str, model: type[models.Model], field: str, before: datetime, is_dry: bool) -> None:
        using = router.db_for_write(model)
        rows = model._default_manager.using(using).filter(**{f"{field}__lt": before})
        count = rows.count() if is_dry else _delete(rows, field, using)
        self.stdout.write(f"{words}: {count} {'would be deleted' if is_dry else 'deleted'}")


def _delete(rows: models.QuerySet[Any], field: str, using: str) -> int:
    """Deletes ``rows``, eldest first, and says how many. Rows that another run holds are left to it."""
    skips = connections[using].features.has_select_for_update_skip_locked
    eldest = rows.select_for_update(skip_locked=skips).order_by(field)
    deleted = 0
    while True:
        with transaction.atomic(using=using):
            keys = list(eldest.values_list("pk", flat=True)[:BATCH])
            deleted += rows.filter(pk__in=keys).delete()[0]
        if len(keys) < BATCH:
            return deleted
