"""The authorization server's addresses. Include them at the root, beside ``kobana_mcp.urls``, under no other prefix.

Of django-oauth-toolkit's own list nothing else is mounted: introspection answers any client about any token, the device
flow breaks, and applications are the administrator's. No address ends in a slash: a redirect would lose the body.
"""

from django.urls import path
from django.views.decorators.csrf import csrf_exempt
from oauth2_provider.views import RevokeTokenView
from oauth2_provider.views.metadata import OAuthServerMetadataView

from kobana_mcp.oauth.browsers import open_to_browsers
from kobana_mcp.oauth.login import Login
from kobana_mcp.oauth.registration import Register
from kobana_mcp.oauth.views import Authorize, Token

app_name = "oauth2_provider"  # django-oauth-toolkit looks its own addresses up under this name

METADATA = csrf_exempt(open_to_browsers(OAuthServerMetadataView.as_view()))

urlpatterns = [
    path(".well-known/oauth-authorization-server", METADATA, name="oauth-server-metadata"),
    path("oauth/authorize", Authorize.as_view(), name="authorize"),
    path("oauth/token", csrf_exempt(open_to_browsers(Token.as_view())), name="token"),
    path("oauth/revoke", csrf_exempt(open_to_browsers(RevokeTokenView.as_view())), name="revoke-token"),
    path("oauth/register", Register.as_view(), name="dcr-register"),
    path("account/login", Login.as_view(), name="login"),
]
