"""Asks a person, seals the question, and spends the yes once (2026-07-28, basic/patterns/mrtr)."""

import hashlib
import json
import re
import unicodedata
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from time import time
from typing import Any, NamedTuple

from django.core import signing
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.module_loading import import_string
from uuid_utils.compat import uuid7

from kobana_mcp.conf import conf
from kobana_mcp.context import Context
from kobana_mcp.models import SpentConfirmation
from kobana_mcp.protocol.errors import InvalidParams
from kobana_mcp.registry import MASK, PLACEHOLDER, Tool

SALT = "kobana_mcp.confirmation"
ACTIONS = ("accept", "decline", "cancel")
SHOWN = 80
#: An argument is what the person decides about: the longest host name there is has room in it, scheme and all.
SHOWN_OF_ARGUMENT = 300
QUOTES = ("Pi", "Pf")
#: What nobody tells from a double quotation mark, beside all that are called one; single ones stand in people's names.
LOOKALIKES = "\u02ba\u02ee\u02dd\u02f6\u05f4\u2033\u2036\u3003"
#: What an answer has beside the thing it is about, where it wraps it.
ENVELOPE = frozenset({"data", "meta"})
IDENTITY = ("id", "pk", "uuid", "url")
#: Letters by category, and nothing to see: fillers of Hangul and Braille.
BLANK = "\u115f\u1160\u3164\uffa0\u2800"
UNSEEN = ("Cc", "Cf", "Zl", "Zp", "Cs")


@dataclass(frozen=True)
class Reply:
    """What came back with a call, checked: the question it belongs to, and what the person said.

    Args:
        nonce: the number of the question.
        digest: of the words the person was shown.
        says: True for yes, False for no, None where nothing was said that counts.
        expires: when the seal ends, in Unix seconds.
    """

    nonce: uuid.UUID
    digest: str
    says: bool | None
    expires: int


class Question(NamedTuple):
    """What a person is asked, and what tells the thing it is about from others of the same words."""

    words: str
    about: str = ""


def question(tool: Tool, subject: Any, arguments: Mapping[str, Any]) -> Question:
    """What a person is asked before ``tool`` runs, values filled in: shortened, and nothing in them that is not seen.

    A tool without words of its own, which asks because an administrator wants it to, is named with its arguments.

    Args:
        tool: the declaration.
        subject: the JSON the subject's route answered, in an envelope ``data`` or plain; anything else names nothing.
        arguments: the arguments of the call.
    """
    known = _fields(subject)
    about = str(next((known[name] for name in IDENTITY if name in known), ""))
    shown = {name: MASK if name in tool.secret_fields else _argument(value) for name, value in arguments.items()}
    if tool.question:
        return Question(PLACEHOLDER.sub(lambda found: _value(found, known, shown), tool.question), about)
    # A tool with a schema of its own may take arguments of any name.
    told = ", ".join(f"{_shown(name)} “{value}”" for name, value in shown.items())
    return Question(f"{tool.title}?" + (f" With {told}." if told else ""), about)


def _fields(subject: Any) -> Mapping[str, Any]:
    """The thing in an answer. A field called ``data`` beside others is one of its fields, not the thing."""
    if isinstance(subject, Mapping) and subject.keys() <= ENVELOPE:
        subject = subject.get("data")
    return subject if isinstance(subject, Mapping) else {}


def _value(found: re.Match[str], fields: Mapping[str, Any], shown: Mapping[str, str]) -> str:
    return shown.get(found[2], "(not given)") if found[1] else _shown(fields.get(found[2]))


def _argument(value: Any) -> str:
    return _shown(value, SHOWN_OF_ARGUMENT)


def _shown(value: Any, most: int = SHOWN) -> str:
    """A third party's value as it may stand in a question: cut in the middle, as the end of an address counts most."""
    text = ", ".join(map(str, value)) if isinstance(value, list) else "" if value is None else str(value)
    seen = "".join(c for c in text if unicodedata.category(c) not in UNSEEN)
    # A value may not close the quotation marks it stands in and go on in the server's own voice.
    seen = "".join("'" if _is_quote(c) else c for c in seen).strip()
    seen = seen if len(seen) <= most else f"{seen[: most // 2]}…{seen[1 - most // 2 :]}"
    return seen if any(c not in BLANK and not c.isspace() for c in seen) else "(no name)"


def _is_quote(character: str) -> bool:
    if character.isascii():
        return character == '"'
    named = "QUOTATION MARK" in unicodedata.name(character, "")
    return named or character in LOOKALIKES or unicodedata.category(character) in QUOTES


def reply(tool: Tool, arguments: Mapping[str, Any], context: Context) -> Reply | None:
    """The reply that came with this call; None where it brought none, or none to a question of this server.

    Raises InvalidParams for a malformed reply, and for a state that is altered, expired, used, or of another person,
    client, tenant, tool or arguments.
    """
    responses = context.params.get("inputResponses")
    if responses is not None and not isinstance(responses, Mapping):
        raise InvalidParams("inputResponses must be an object")
    says = _said((responses or {}).get("confirm"))
    if "requestState" not in context.params:
        return None
    try:
        claims = signing.loads(context.params["requestState"], salt=SALT, max_age=conf.CONFIRMATION_SECONDS)
        if not constant_time_compare(claims["f"], _fingerprint(tool, arguments, context)):
            raise signing.BadSignature
        found = Reply(uuid.UUID(hex=claims["n"]), claims["m"], says, claims["e"])
        if found.expires <= time():
            raise signing.BadSignature
    except (signing.BadSignature, LookupError, TypeError, AttributeError, ValueError):
        raise InvalidParams("requestState is not valid for this call; call the tool again without it") from None
    if SpentConfirmation.objects.filter(pk=found.nonce).exists():
        raise _used()
    return found


def settle(given: Reply | None, asked: Question) -> bool | None:
    """The person's verdict on ``asked``: True to run, False to leave it, None to ask (again).

    Both a yes and a no are spent here, in a transaction of their own, before anything runs: what fails afterwards is
    not run again by the same state. Raises InvalidParams when another request was quicker.
    """
    if given is None or given.says is None or not constant_time_compare(given.digest, _digest(asked)):
        return None
    _spend(given)
    return given.says


def ask(
    tool: Tool, arguments: Mapping[str, Any], asked: Question, context: Context
) -> tuple[dict[str, Any], uuid.UUID]:
    """The ``input_required`` result that puts ``asked`` before the person, and the number the question goes by."""
    nonce = uuid7()
    # Sealed with it, so that no later change of the setting makes a question good again whose row is deleted.
    expires = int(time()) + conf.CONFIRMATION_SECONDS
    sealed = {"f": _fingerprint(tool, arguments, context), "m": _digest(asked), "n": nonce.hex, "e": expires}
    confirm = {
        "type": "boolean",
        "title": "Yes, do it",
        "description": "Nothing happens unless this is ticked.",
        "default": False,
    }
    schema = {"type": "object", "properties": {"confirm": confirm}, "required": ["confirm"]}
    form = {"mode": "form", "message": asked.words, "requestedSchema": schema}
    result = {
        "resultType": "input_required",
        "inputRequests": {"confirm": {"method": "elicitation/create", "params": form}},
        "requestState": signing.dumps(sealed, salt=SALT),
    }
    return result, nonce


def tenant_key(context: Context) -> str:
    """The tenant this call acts on, by the host's own resolver; empty where the settings name none."""
    resolve = import_string(conf.TENANT_KEY) if conf.TENANT_KEY else None
    return str(resolve(context.principal, context.request)) if resolve else ""


def _said(response: Any) -> bool | None:
    """Yes, no, or nothing that counts, by an elicitation result. Raises InvalidParams where it is none."""
    if response is None:
        return None
    action = response.get("action") if isinstance(response, Mapping) else None
    if action not in ACTIONS:
        raise InvalidParams("inputResponses.confirm.action must be accept, decline or cancel")
    if action != "accept":
        return False
    content = response.get("content")
    confirmed = content.get("confirm") if isinstance(content, Mapping) else None
    return confirmed if isinstance(confirmed, bool) else None


def _spend(given: Reply) -> None:
    """Commits the use of ``given`` before anything runs. Raises InvalidParams when another request came first."""
    expires = timezone.now() + timedelta(seconds=given.expires - time())
    try:
        with transaction.atomic(durable=True):
            SpentConfirmation.objects.create(nonce=given.nonce, expires_at=expires)
    except IntegrityError:
        raise _used() from None


def _used() -> InvalidParams:
    return InvalidParams("requestState was used already; call the tool again without it")


def _fingerprint(tool: Tool, arguments: Mapping[str, Any], context: Context) -> str:
    """What a state is bound to: person, client, tenant, tool and arguments."""
    principal = context.principal
    bound = [str(principal.user.pk), str(principal.client.pk), tenant_key(context), tool.name]
    text = json.dumps([*bound, arguments], sort_keys=True)
    return salted_hmac(SALT, text, algorithm="sha256").hexdigest()


def _digest(asked: Question) -> str:
    return hashlib.sha256(json.dumps(asked).encode()).hexdigest()
