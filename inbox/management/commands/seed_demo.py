"""``manage.py seed_demo``: writes the demo company."""

import secrets
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from inbox.demo.seed import seed


class Command(BaseCommand):
    help = "Write the demo company: people of every role, two workspaces, inboxes, agents and mail. Safe to repeat."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--passwords", action="store_true", help="Give each demo person a new random password and print it."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        demo = seed()
        self.stdout.write(f"{demo.organization}: {len(demo.received)} new e-mails.")
        for label, workspace in demo.workspaces.items():
            self.stdout.write(f"  workspace {workspace.pk} {label}")
        for address, inbox in demo.inboxes.items():
            self.stdout.write(f"  inbox     {inbox.pk} {address}")
        for role, person in demo.people.items():
            password = ""
            if options["passwords"]:
                password = secrets.token_urlsafe(12)
                person.set_password(password)
                person.save(update_fields=["password"])
            self.stdout.write(f"  {role.value:<9} {person.email} {password}".rstrip())
