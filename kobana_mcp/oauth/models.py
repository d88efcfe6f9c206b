"""The OAuth client of this host. Swapped in for django-oauth-toolkit's from the first migration on."""

from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _
from oauth2_provider.models import AbstractApplication

LOOPBACK = ("127.0.0.1", "::1", "localhost")
MOST_REDIRECTS = 10
LONGEST_REDIRECT = 512


class Application(AbstractApplication):
    """A client, with a switch that stops it at once: its tokens count no more and it gets no new ones."""

    is_active = models.BooleanField(_("active"), default=True, help_text=_("Off: its tokens stop working at once."))

    def is_usable(self, request: Any) -> bool:
        return self.is_active

    def clean(self) -> None:
        """Raises ValidationError for a redirect that is neither https nor http on loopback, and for one too many."""
        super().clean()
        redirects = self.redirect_uris.split()
        if len(redirects) > MOST_REDIRECTS:
            raise ValidationError({"redirect_uris": _("At most %d redirect URIs.") % MOST_REDIRECTS})
        for uri in redirects:
            parts = urlsplit(uri)
            is_safe = parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in LOOPBACK)
            if not is_safe or len(uri) > LONGEST_REDIRECT:
                raise ValidationError({"redirect_uris": _("Redirect URIs are https, or http on loopback, and short.")})
