"""``tools/list`` and ``tools/call``: what may be run, and running it."""

import difflib
from collections.abc import Mapping
from functools import lru_cache, partial
from typing import Any

from django.urls import get_urlconf

from kobana_mcp import audit, bridge, confirmation, routes, visibility
from kobana_mcp.access import challenge
from kobana_mcp.arguments import Arguments, InvalidArguments, read
from kobana_mcp.audit import Outcome
from kobana_mcp.bridge import Answer
from kobana_mcp.catalogue import Offer
from kobana_mcp.confirmation import Question
from kobana_mcp.context import Context
from kobana_mcp.handlers import answers, paging
from kobana_mcp.handlers.answers import ToolFailure
from kobana_mcp.protocol.encoding import Encoded, encoded, listed
from kobana_mcp.protocol.errors import InsufficientScope, InvalidParams
from kobana_mcp.protocol.headers import check_parameters
from kobana_mcp.registry import Tool
from kobana_mcp.schemas import is_sound, shape_of


def list_tools(context: Context) -> dict[str, Any]:
    """The tools this caller can actually run (server/tools, "Listing Tools")."""
    offers = visibility.visible_offers(context.principal, context.request)
    described = partial(_all_described, get_urlconf(), answers.structures(context))
    return paging.page(context, "tools", tuple(offers), described)


@lru_cache(maxsize=256)
def _all_described(urlconf: str | None, structures: bool, offers: tuple[Offer, ...]) -> Encoded:
    """Many people see the same list: it is written once for the catalogue it comes from."""
    return listed(_described(urlconf, structures, offer) for offer in offers)


@lru_cache(maxsize=4096)
def _described(urlconf: str | None, structures: bool, offer: Offer) -> Encoded:
    """``describe``, once for an offer, and for the URLconf that its shape comes from."""
    return encoded(describe(offer, structures=structures))


def describe(offer: Offer, *, structures: bool) -> dict[str, Any]:
    """A tool as a client is told about it."""
    tool = offer.tool
    return {
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "inputSchema": shape_of(tool).schema,
        **(answers.announced(tool) if structures else {}),
        "annotations": {
            "title": tool.title,
            "readOnlyHint": offer.reads_only,
            "destructiveHint": offer.asks,
            "idempotentHint": tool.idempotent,
            "openWorldHint": False,
        },
    }


def call_tool(context: Context) -> dict[str, Any]:
    """Runs one tool (server/tools, "Calling Tools").

    What the caller can act on comes back as a result with ``isError``. Raises InvalidParams for a call that is none,
    and InsufficientScope where the token does not reach.
    """
    name = context.params.get("name")
    arguments = context.params.get("arguments")
    if not isinstance(name, str):
        raise InvalidParams("params.name must be the name of a tool")
    if arguments is not None and not isinstance(arguments, Mapping):
        raise InvalidParams("params.arguments must be an object")
    with audit.recorded(context, name, arguments) as entry:
        offer = context.principal.catalogue.offers.get(name)
        if offer is None or not is_sound(offer.tool):
            raise InvalidParams(_unknown(name, context))
        tool, shape = offer.tool, shape_of(offer.tool)
        entry.shown_fields = shape.schema.get("properties", {}).keys() - set(tool.secret_fields)
        entry.tenant_key = confirmation.tenant_key(context)
        try:
            _require_rights(offer, context)
            if context.era.mirrors_headers and tool.input_schema is not None:  # schemas of routes ask for no headers
                check_parameters(shape.schema, arguments or {}, context.headers)
            result = _run(offer, read(shape, arguments or {}), context, entry)
            return answers.structured(tool, result, context)
        except InvalidArguments as invalid:
            return answers.invalid_arguments(tool, invalid.faults)
        except ToolFailure as failure:
            return failure.result


def _run(offer: Offer, arguments: Arguments, context: Context, entry: audit.Entry) -> dict[str, Any]:
    tool = offer.tool
    if offer.asks:
        asked = _confirm(tool, arguments, context, entry)
        if asked is not None:
            return asked
    entry.outcome = Outcome.CRASHED
    if tool.run is not None:
        result = dict(tool.run(arguments.plain, context))
        entry.outcome = Outcome.FAILED if result.get("isError") else Outcome.SUCCEEDED
        return result
    answer = bridge.call(routes.of(tool), arguments, context)
    entry.status = answer.status
    entry.outcome = Outcome.SUCCEEDED if answer.is_success else Outcome.FAILED
    return answers.from_endpoint(tool, answer)


def _require_rights(offer: Offer, context: Context) -> None:
    """The person's own permission first, then the token's scope: nobody shall consent in vain."""
    if not visibility.is_allowed(offer, context.principal, context.request):
        raise ToolFailure("forbidden", "Your role does not permit this operation.")
    if not visibility.has_scope(offer, context.principal):
        resource = context.principal.resource
        header = challenge.insufficient_scope(resource, offer.scopes)
        raise InsufficientScope(headers={"WWW-Authenticate": header})


def _confirm(tool: Tool, arguments: Arguments, context: Context, entry: audit.Entry) -> dict[str, Any] | None:
    """None when a person said yes to this very call; else what is answered instead of running it."""
    if not context.can_ask:
        raise ToolFailure(
            "confirmation_required",
            "This tool runs only after the server has asked the user to confirm, and this client cannot be asked: it "
            "takes protocol 2026-07-28 with the elicitation capability. Do not retry.",
        )
    reply = confirmation.reply(tool, arguments.plain, context)
    question = _question(tool, arguments, context, entry)
    verdict = confirmation.settle(reply, question)
    if verdict is None:
        result, entry.confirmation = confirmation.ask(tool, arguments.plain, question, context)
        entry.outcome = Outcome.ASKED
        return result
    entry.confirmation = reply.nonce if reply else None
    if not verdict:
        entry.outcome = Outcome.DECLINED
        raise ToolFailure("confirmation_declined", "The user declined. Nothing was changed.")
    return None


def _question(tool: Tool, arguments: Arguments, context: Context, entry: audit.Entry) -> Question:
    """The question, once all that can be checked before running has been. Raises ToolFailure."""
    if tool.run is not None:
        return confirmation.question(tool, None, arguments.plain)
    subject = routes.subject_of(tool)
    rehearsed = bridge.rehearse(routes.of(tool), arguments, context, has_object=subject is not None)
    _require_success(tool, rehearsed, entry)
    if subject is None:
        return confirmation.question(tool, None, arguments.plain)
    found = bridge.call(subject, Arguments(path=arguments.path), context)
    _require_success(tool, found, entry)
    return confirmation.question(tool, found.json(), arguments.plain)


def _require_success(tool: Tool, answer: Answer, entry: audit.Entry) -> None:
    if not answer.is_success:
        entry.status = answer.status
        raise ToolFailure.of(answers.from_endpoint(tool, answer))


def _unknown(name: str, context: Context) -> str:
    """The same words for a tool that is not there and for one that nobody registered, with the nearest visible one."""
    visible = visibility.visible_offers(context.principal, context.request)
    near = difflib.get_close_matches(name[:64], [offer.name for offer in visible], n=1)
    hint = f". Did you mean {near[0]}?" if near else ""
    return f"Unknown tool: {name[:64]}{hint}"
