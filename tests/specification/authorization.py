"""Requirements on who may come in: basic/authorization, and in 2026-07-28 the pages below it."""

from tests.specification.row import ALL, MARCH, MODERN, SINCE_JUNE, Row

AUTH = "basic/authorization"
FIVE = "part 5 (signing in: the authorization server)"

RESOURCE_SERVER = (
    Row("token-validated", ALL, f"{AUTH}, Token Handling", "Every token is validated before anything is done."),
    Row("token-audience", SINCE_JUNE, f"{AUTH}, Token Handling", "Only tokens issued for this very resource count."),
    Row("token-401", ALL, f"{AUTH}, Token Handling", "An invalid or expired token is answered 401."),
    Row("token-missing", ALL, f"{AUTH}, Overview", "So is none."),
    Row("token-not-passed", SINCE_JUNE, f"{AUTH}, Access Token Privilege Restriction", "It is not passed on."),
    Row("token-url", ALL, f"{AUTH}, Token Requirements", "A token in the URL does not count."),
    Row("status-codes", ALL, f"{AUTH}, Error Handling", "401, 403 and 400, each in its meaning."),
    Row("metadata", SINCE_JUNE, f"{AUTH}, Authorization Server Location", "A metadata document names the issuers."),
    Row("metadata-found", SINCE_JUNE, f"{AUTH}, Discovery", "The 401 says where that document stands."),
    Row("scope-hierarchy", MODERN, f"{AUTH}, Step-Up Flow", "A broader scope counts as the narrower ones."),
)

AUTHORIZATION_SERVER = (
    Row("as-oauth-2.1", ALL, f"{AUTH}, Overview", "OAuth 2.1, with its security practices.", later=FIVE),
    Row("as-metadata", ALL, f"{AUTH}, Overview", "Metadata of RFC 8414 or OpenID Connect.", later=FIVE),
    Row("as-pkce", ALL, f"{AUTH}, Authorization Code Protection", "PKCE, and its methods told.", later=FIVE),
    Row("as-rotation", SINCE_JUNE, f"{AUTH}, Token Theft", "Public clients' refresh tokens rotate.", later=FIVE),
    Row("as-storage", SINCE_JUNE, f"{AUTH}, Token Theft", "Tokens are stored safely.", later=FIVE),
    Row("as-https", ALL, f"{AUTH}, Communication Security", "HTTPS; redirects too, or loopback.", later=FIVE),
    Row("as-redirects", ALL, f"{AUTH}, Open Redirection", "Redirects equal registered ones exactly.", later=FIVE),
    Row("as-redirect-trust", SINCE_JUNE, f"{AUTH}, Open Redirection", "Nobody is sent to strangers.", later=FIVE),
    Row("as-own-tokens", SINCE_JUNE, f"{AUTH}, Token Handling", "Only tokens for its own resources.", later=FIVE),
    Row("as-iss", MODERN, f"{AUTH}, Response Validation", "Who sends iss advertises it.", later=FIVE),
    Row("as-cimd", MODERN, f"{AUTH}, Client ID Metadata", "Fetched documents are checked.", later=FIVE),
    Row("as-cimd-host", MODERN, f"{AUTH}, Localhost Redirects", "Consent shows the redirect's host.", later=FIVE),
    Row(
        "as-default-paths",
        MARCH,
        f"{AUTH}, Fallbacks",
        "Without metadata: /authorize, /token, /register.",
        not_applicable="this server has metadata",
    ),
    Row(
        "as-third-party",
        MARCH,
        f"{AUTH}, Third-Party Authorization",
        "Sessions bound to another server's tokens.",
        not_applicable="the authorization server is this host's own",
    ),
    Row(
        "proxy-consent",
        SINCE_JUNE,
        f"{AUTH}, Confused Deputy",
        "A proxy with one client id asks for consent per client.",
        not_applicable="this server is no proxy",
    ),
)

ROWS = RESOURCE_SERVER + AUTHORIZATION_SERVER
