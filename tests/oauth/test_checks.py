"""Mistakes in the settings of the authorization server are told at start-up."""

import pytest
from django.core.checks import run_checks


def ids():
    return {message.id for message in run_checks(tags=["kobana_mcp_oauth"])}


def test_host_is_in_order():
    assert ids() == set()


@pytest.mark.parametrize(
    ("name", "value", "found"),
    [
        ("OIDC_ISS_ENDPOINT", "", "E001"),
        ("OIDC_ISS_ENDPOINT", "https://elsewhere.example", "E001"),
        ("OAUTH2_VALIDATOR_CLASS", "oauth2_provider.oauth2_validators.OAuth2Validator", "E002"),
        ("SCOPES_BACKEND_CLASS", "oauth2_provider.scopes.SettingsScopes", "E003"),
        ("COMPLIANT_BCP_RFC9700_TOKEN_STORAGE", False, "E004"),
        ("REFRESH_TOKEN_REUSE_PROTECTION", False, "E004"),
    ],
)
def test_mistake_is_told(settings, name, value, found):
    settings.OAUTH2_PROVIDER = {**settings.OAUTH2_PROVIDER, name: value}
    assert ids() == {f"kobana_mcp_oauth.{found}"}
