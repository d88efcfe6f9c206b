"""The authorization server's addresses. Include them at the root, beside ``kobana_mcp.urls``, under no other prefix.

Of django-oauth-toolkit's own list nothing else is mounted: introspection answers any client about any token, the device
flow breaks, and applications are the administrator's. No address ends in a slash: a redirect would lose the body.
"""

from django.urls import path
from oauth2_provider.views import RevokeTokenView
from oauth2_provider.views.metadata import OAuthServerMetadataView

from kobana_mcp.oauth.login import Login
from kobana_mcp.oauth.views import Authorize, Token

app_name = "oauth2_provider"  # django-oauth-toolkit looks its own addresses up under this name

urlpatterns = [
    path(".well-known/oauth-authorization-server", OAuthServerMetadataView.as_view(), name="oauth-server-metadata"),
    path("oauth/authorize", Authorize.as_view(), name="authorize"),
    path("oauth/token", Token.as_view(), name="token"),
    path("oauth/revoke", RevokeTokenView.as_view(), name="revoke-token"),
    path("account/login", Login.as_view(), name="login"),
]
