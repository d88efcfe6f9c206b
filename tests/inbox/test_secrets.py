"""Secrets: sealed in the database, readable with the right key only, and shown by nothing."""

import io
import logging

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.urls import reverse

from inbox.checks import encryption_keys, webhooks_to_this_machine
from inbox.models import SystemEvent, User, Webhook, WebhookDelivery
from inbox.models.webhooks import SEALED
from inbox.secrets import Unreadable, rotated, seal, unseal
from inbox.services import credentials, deliveries, webhooks

OLD, NEW, OTHER = ("o" * 40, "n" * 40, "x" * 40)


@pytest.fixture
def keys(settings):
    def set_to(*chosen: str) -> None:
        settings.INBOX_ENCRYPTION_KEYS = list(chosen)

    return set_to


# --- Sealing ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["", "secret", "ü\n\x00", "x" * 100_000])
def test_what_is_sealed_is_hidden_and_comes_back(text):
    sealed = seal(text, "row 1")
    assert unseal(sealed, "row 1") == text
    assert text == "" or text not in sealed
    assert seal(text, "row 1") != sealed


def test_what_was_sealed_for_one_row_is_of_no_use_in_another():
    with pytest.raises(Unreadable):
        unseal(seal("secret", "row 1"), "row 2")


@pytest.mark.parametrize("sealed", ["", "nonsense", "gAAAAA=="])
def test_what_no_key_opens_is_unreadable(sealed):
    with pytest.raises(Unreadable):
        unseal(sealed, "row")
    with pytest.raises(Unreadable):
        rotated(sealed)


def test_first_key_seals_and_every_key_opens(keys):
    keys(OLD)
    sealed = seal("secret", "row")
    keys(NEW, OLD)
    assert unseal(sealed, "row") == "secret"
    fresh = rotated(sealed)
    keys(NEW)
    assert unseal(fresh, "row") == "secret"
    with pytest.raises(Unreadable):
        unseal(sealed, "row")


def test_keys_of_the_sessions_stand_in_and_are_not_the_same_as_given_here(settings, keys):
    keys()
    sealed = seal("secret", "row")
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = NEW
    assert unseal(sealed, "row") == "secret"
    settings.SECRET_KEY_FALLBACKS = []
    with pytest.raises(Unreadable):
        unseal(sealed, "row")


# --- Rotation --------------------------------------------------------------------------------------------------------


def rotate() -> str:
    out = io.StringIO()
    call_command("rotate_encryption", stdout=out, stderr=out)
    return out.getvalue()


def test_command_seals_every_secret_with_the_first_key(keys, tenant, make_webhook):
    keys(OLD)
    kept = [make_webhook(), make_webhook(auth="bearer", auth_bearer_token="t")]
    secrets = [credentials.signing_secret(webhook) for webhook in kept]
    webhooks.delete(make_webhook(), by=tenant.owner)
    keys(NEW, OLD)
    before = list(Webhook.objects.order_by("pk").values("updated_at", "label", "auth"))
    assert rotate() == rotate() == "Webhooks sealed with the first key: 2\n"
    keys(NEW)
    held = [Webhook.objects.get(pk=webhook.pk) for webhook in kept]
    assert [credentials.signing_secret(webhook) for webhook in held] == secrets
    assert credentials.credentials(held[1]) == {"auth_bearer_token": "t"}
    assert list(Webhook.objects.order_by("pk").values("updated_at", "label", "auth")) == before


def test_command_names_what_no_key_opens_and_does_the_rest(keys, make_webhook):
    keys(OTHER)
    lost = make_webhook()
    keys(OLD)
    kept = make_webhook()
    keys(NEW, OLD)
    out = io.StringIO()
    with pytest.raises(CommandError, match="left as they were: 1"):
        call_command("rotate_encryption", stdout=out, stderr=out)
    assert str(lost.pk) in out.getvalue()
    keys(NEW)
    assert credentials.signing_secret(Webhook.objects.get(pk=kept.pk)).startswith("whsec_")
    assert Webhook.objects.get(pk=lost.pk).sealed_signing_secret == lost.sealed_signing_secret


@pytest.mark.parametrize(
    ("chosen", "found"),
    [
        ([], []),
        ([OLD, NEW], []),
        ([OLD, "short"], ["inbox.E002"]),
        (["", "s"], ["inbox.E002"] * 2),
        (OLD, ["inbox.E001"]),
    ],
)
def test_keys_that_could_be_guessed_are_told_at_start_up(settings, chosen, found):
    settings.INBOX_ENCRYPTION_KEYS = chosen
    told = encryption_keys(None)
    assert [fault.id for fault in told] == found
    assert not any("short" in fault.msg.replace("shorter", "") for fault in told)


@pytest.mark.parametrize(("value", "found"), [(False, []), (True, ["inbox.W001"])])
def test_door_for_developing_is_told_when_deploying(settings, value, found):
    settings.INBOX_WEBHOOKS_TO_THIS_MACHINE = value
    assert [fault.id for fault in webhooks_to_this_machine(None)] == found


# --- Shown nowhere ---------------------------------------------------------------------------------------------------

CREDENTIALS = {
    "basic": {"auth_basic_user": "seekret-user", "auth_basic_password": "seekret-password"},
    "bearer": {"auth_bearer_token": "seekret-token"},
    "header": {"auth_header_key": "X-Api-Key", "auth_header_value": "seekret-value"},
}
#: As they stand in an Authorization header.
PAIR = "c2Vla3JldC11c2VyOnNlZWtyZXQtcGFzc3dvcmQ="


def in_the_database() -> str:
    """Every row of every table, and how Python prints the rows of webhooks."""
    found = [f"{row!r} {row}" for model in (Webhook, WebhookDelivery) for row in model.objects.all()]
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT * FROM "{table}"')  # noqa: S608 - the names are the database's own
            found.append(repr(cursor.fetchall()))
    return "\n".join(found)


def in_the_admin(client) -> str:
    """Every page about a webhook, its deliveries and its events."""
    client.force_login(User.objects.create_superuser("root@example.com"))
    found = []
    for model in (Webhook, WebhookDelivery, SystemEvent):
        name = f"admin:inbox_{model._meta.model_name}"
        found.append(client.get(reverse(f"{name}_changelist")).content.decode())
        for row in model.objects.all():
            found += [
                client.get(reverse(f"{name}_{page}", args=[row.pk])).content.decode() for page in ("change", "history")
            ]
    return "\n".join(found)


def walk(rest, auth: str) -> tuple[list[str], str]:
    """Every operation on one webhook: the signing secrets it was shown, and all that was shown besides."""
    body = {"label": auth, "url": "https://hooks.example.com/", "auth": auth, **CREDENTIALS[auth]}
    made = rest.post("/api/v1/webhooks", body, "application/json")
    one = f"/api/v1/webhooks/{made.json()['data']['id']}"
    regenerated = rest.post(f"{one}/regenerate-secret", content_type="application/json")
    rest.post(f"{one}/test", content_type="application/json")
    delivery = WebhookDelivery.objects.latest("id").pk
    deliveries.prepare(str(delivery))
    answers = [
        rest.put(one, body, "application/json"),
        rest.put(one, {**body, **dict.fromkeys(CREDENTIALS[auth], "other")}, "application/json"),
        rest.patch(one, CREDENTIALS[auth], "application/json"),
        rest.post("/api/v1/webhooks", {**body, "label": ""}, "application/json"),
        rest.post(f"{one}/deliveries/{delivery}/replay", content_type="application/json"),
        *(rest.get(f"{one}{path}") for path in ("", "/deliveries", f"/deliveries/{delivery}")),
        *(rest.get(f"/api/v1/{family}") for family in ("webhooks", "system-events")),
    ]
    shown = [answer.json()["data"].pop("signing_secret") for answer in (made, regenerated)]
    return shown, "\n".join(answer.content.decode() for answer in answers)


def test_no_answer_no_page_no_table_and_no_log_shows_a_secret(
    rest_for, tenant, client, caplog, django_capture_on_commit_callbacks
):
    caplog.set_level(logging.DEBUG)
    rest = rest_for(tenant.admin, "inbox.webhooks inbox.system_events")
    with django_capture_on_commit_callbacks(execute=True):
        walks = [walk(rest, auth) for auth in CREDENTIALS]
    shown = "\n".join([*(answers for _, answers in walks), in_the_admin(client), caplog.text])
    sealed = [text for row in Webhook.objects.values_list(*SEALED) for text in row]
    assert len(sealed) == 6
    assert not [text for text in sealed if text in shown]
    signing = [secret for secrets, _ in walks for secret in secrets]
    given = [value for fields in CREDENTIALS.values() for value in fields.values() if value.startswith("seekret")]
    everything = shown + in_the_database()
    assert not [secret for secret in (*signing, *given, PAIR) if secret in everything]
    assert "whsec_" not in everything
