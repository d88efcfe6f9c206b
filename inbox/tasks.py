"""What runs in the background. The only module that knows where the task framework comes from.

A task is given ids, reads the row, and is safe to run twice: the row is the truth, the queue is only a hint.
"""

from typing import TYPE_CHECKING, Any

import django
from django.db import transaction

from inbox.services import deliveries, processing

if django.VERSION >= (6,) or TYPE_CHECKING:
    from django.tasks import task
else:
    from django_tasks import task


def enqueue(job: Any, *arguments: str) -> None:
    """Hands ``job`` to the queue once the transaction is committed.

    A queue that cannot be reached then is logged and no error of the request: the rows are written, and what is
    overdue is enqueued again.
    """

    def hand_over() -> None:
        job.enqueue(*arguments)

    transaction.on_commit(hand_over, robust=True)


@task
def deliver(delivery_id: str) -> None:
    """Works on one pending delivery of a webhook."""
    deliveries.prepare(delivery_id)


@task
def reprocess(email_id: str) -> None:
    """Works on one message anew."""
    processing.requeue(email_id)
