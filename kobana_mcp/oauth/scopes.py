"""What django-oauth-toolkit asks about scopes, answered from the catalogue."""

from typing import Any

from oauth2_provider.scopes import BaseScopes

from kobana_mcp import catalogue


class CatalogueScopes(BaseScopes):
    """The scopes that are declared, or made by an administrator, at this moment."""

    def get_all_scopes(self) -> dict[str, str]:
        return {name: scope.description for name, scope in catalogue.current().scopes.items()}

    def get_available_scopes(self, *args: Any, **kwargs: Any) -> list[str]:
        return list(catalogue.current().scopes)

    def get_default_scopes(self, *args: Any, **kwargs: Any) -> list[str]:
        return list(catalogue.current().first_scopes)
