"""The Django app: registers the checks, and finds what each installed app offers in its ``mcp`` module."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate
from django.utils.module_loading import autodiscover_modules


class KobanaMCPConfig(AppConfig):
    name = "kobana_mcp"
    verbose_name = "Model Context Protocol"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from kobana_mcp import checks  # noqa: F401
        from kobana_mcp.models import renew_after_migrations

        post_migrate.connect(renew_after_migrations, sender=self)

        autodiscover_modules("mcp")
