"""Trigram indexes, which find text inside subjects and senders. PostgreSQL only; elsewhere there is nothing to do."""

from django.db import migrations

# As Django's "icontains" asks: by the value in capitals.
INDEXES = {
    "inbox_email_subject_text": "UPPER(subject::text)",
    "inbox_email_sender_text": "UPPER(sender::text)",
}


def create(apps, schema_editor):
    if schema_editor.connection.vendor != "postgresql":
        return
    schema_editor.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")
    for name, expression in INDEXES.items():
        schema_editor.execute(f"CREATE INDEX {name} ON inbox_email USING gin (({expression}) gin_trgm_ops)")


def drop(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        for name in INDEXES:
            schema_editor.execute(f"DROP INDEX IF EXISTS {name}")


class Migration(migrations.Migration):
    dependencies = [("inbox", "0002_runs_and_webhooks")]

    operations = [migrations.RunPython(create, drop)]
