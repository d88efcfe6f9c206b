"""A walk through the running server with the official MCP client, in both eras; knows HTTP and MCP, never Django.

usage: python -m inbox.demo.walk URL, with OWNER, OWNER_TOKEN, VIEWER, VIEWER_TOKEN and WORKSPACE (its label) in the
environment.
Every step says what it expects and fails the walk when it is not so; exit 0 means that all of it was true.
"""

import asyncio
import json
import os
import sys
import textwrap
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx2
import mcp_types
from mcp import Client, MCPError
from mcp.client import ClientRequestContext, session
from mcp.client.streamable_http import streamable_http_client

from inbox.demo.transcript import StepFailed, cell, expect, heading, paint, say, step

MODERN, LEGACY = "2026-07-28", "2025-06-18"
SHOWN_LINES = 8


@dataclass
class Visit:
    """One person's connection: the client, its HTTP connection, and the answers this person gives when asked."""

    client: Client
    http: httpx2.AsyncClient
    person: str
    role: str
    answers: list[mcp_types.ElicitResult] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)
    seals: list[str] = field(default_factory=list)

    async def call(self, name: str, **arguments: Any) -> Any:
        """The JSON document that a tool answered, an explained refusal (``{"error": …}``) included."""
        result = await self.client.call_tool(name, arguments)
        document = json.loads(result.content[0].text)  # type: ignore[union-attr]
        expect(bool(result.is_error) == ("error" in document), f"{name} answered", quiet=True)
        return document


@asynccontextmanager
async def visit(url: str, version: str, person: str, role: str, token: str) -> AsyncIterator[Visit]:
    """A connection of one person in one protocol revision."""
    this: Visit

    async def answer(context: ClientRequestContext, params: mcp_types.ElicitRequestParams) -> mcp_types.ElicitResult:
        this.questions.append(params.message)
        return this.answers.pop(0)

    async def note_seal(request: httpx2.Request) -> None:
        sent = json.loads(request.content or b"{}")
        if seal := sent.get("params", {}).get("requestState"):
            this.seals.append(seal)

    # The client always offers its newest handshake revision; there is no public way to offer another.
    session.LATEST_HANDSHAKE_VERSION = LEGACY  # type: ignore[attr-defined]
    mode = version if version == MODERN else "legacy"
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx2.AsyncClient(headers=headers, timeout=30, event_hooks={"request": [note_seal]}) as http:
        transport = streamable_http_client(url, http_client=http)
        async with Client(transport, mode=mode, elicitation_callback=answer) as client:
            this = Visit(client, http, person, role)
            yield this


# --- Steps ----------------------------------------------------------------------------------------------------------


async def who_am_i(me: Visit, version: str) -> None:
    step("Who am I?")
    if version == MODERN:
        answer = await me.client.session.send_discover(version)
        server, instructions = answer["_meta"]["io.modelcontextprotocol/serverInfo"], answer["instructions"]
        expect(version in answer["supportedVersions"], "server/discover lists this revision")
    else:
        found = me.client.server_info
        server, instructions = found.model_dump() if found else {}, me.client.instructions or ""
        expect(bool(server), "the handshake was answered")
    say(f"server    {server['title']} {server['version']}")
    say(f"protocol  {me.client.protocol_version}")
    say(f"person    {me.person}, {me.role}")
    say(f"it says   {textwrap.shorten(instructions, 86, placeholder=' …')}")
    expect(me.client.protocol_version == version, f"the official client speaks {version} with it")


async def my_tools(me: Visit) -> set[str]:
    step("Which tools may I run?")
    tools = (await me.client.list_tools()).tools
    for tool in tools:
        risk = tool.annotations
        words = "reads" if risk and risk.read_only_hint else "destroys" if risk and risk.destructive_hint else "writes"
        print(f"    {cell(tool.name, 18)}{cell(words, 10)}{tool.title}")
    return {tool.name for tool in tools}


async def choose_workspace(me: Visit) -> None:
    step("In which workspace?")
    error = (await me.call("emails_list")).get("error", {})
    expect(error.get("code") == "workspace_required", "with two workspaces and none named, the server asks which")
    choices = error["details"]["workspaces"]
    for choice in choices:
        say(f"{choice['id']}  {choice['label']}")
    chosen = {choice["label"]: choice["id"] for choice in choices}[os.environ["WORKSPACE"]]
    me.http.headers["X-Workspace-Id"] = chosen
    mine = {each["id"] for each in (await me.call("workspaces_list"))["data"]}
    expect(chosen in mine, f"workspaces_list has them too; from here on: {os.environ['WORKSPACE']}")


async def newest_mail(me: Visit, number: int) -> list[dict[str, Any]]:
    step(f"The {number} newest mails")
    mails: list[dict[str, Any]] = (await me.call("emails_list", limit=number))["data"]
    for mail in mails:
        when = mail["received_at"][:16].replace("T", " ")
        print(f"    {when}  {cell(mail['from'], 30)}  {cell(mail['subject'], 44)}  {mail['status']}")
    expect(len(mails) == number, f"{number} of them")
    moments = [mail["received_at"] for mail in mails]
    expect(moments == sorted(moments, reverse=True), "newest first")
    return mails


async def one_mail(me: Visit, mails: list[dict[str, Any]]) -> None:
    step("One of them, with its body")
    mail = (await me.call("emails_get", id=mails[0]["id"]))["data"]
    say(f"{mail['from']} -> {', '.join(mail['to'])}: {mail['subject']}")
    lines = [line for line in (mail["body"]["text"] or mail["body"]["html"] or "").splitlines() if line.strip()]
    for line in lines[:SHOWN_LINES]:
        print(f"    | {cell(line, 96).rstrip()}")
    if len(lines) > SHOWN_LINES:
        print(f"    | … {len(lines) - SHOWN_LINES} more lines")
    expect(mail["id"] == mails[0]["id"] and bool(lines), "the same mail, and its text")


async def refused_arguments(me: Visit) -> None:
    step("A call that makes no sense is explained, not guessed")
    error = (await me.call("emails_list", limit="plenty", colour="red"))["error"]
    say(json.dumps(error, ensure_ascii=False))
    expect(error["code"] == "validation_failed", "validation_failed, every fault at once")
    expect(all(word in json.dumps(error) for word in ("limit", "colour")), "it names both arguments")


async def inbox_ids(me: Visit) -> list[str]:
    return [inbox["id"] for inbox in (await me.call("inboxes_list"))["data"]]


async def refused_to_viewer(me: Visit, tools: set[str]) -> None:
    step("A viewer deletes nothing")
    expect("inboxes_delete" not in tools, "inboxes_delete is not in the list")
    before = await inbox_ids(me)
    error = (await me.call("inboxes_delete", id=before[-1]))["error"]
    say(json.dumps(error, ensure_ascii=False))
    expect(error["code"] == "forbidden", "and calling it all the same is forbidden")
    expect(await inbox_ids(me) == before, "every inbox is still there")


async def delete_with_confirmation(me: Visit) -> None:
    step("Delete an inbox: the server asks the person first")
    before = await inbox_ids(me)
    doomed = before[-1]

    me.answers = [mcp_types.ElicitResult(action="decline")]
    error = (await me.call("inboxes_delete", id=doomed))["error"]
    say(f"asked     {me.questions[-1]}")
    say("answered  no")
    expect(error["code"] == "confirmation_declined", "confirmation_declined")
    expect(await inbox_ids(me) == before, "the inbox is still there")

    yes = mcp_types.ElicitResult(action="accept", content={"confirm": True})
    me.answers = [yes]
    done = await me.call("inboxes_delete", id=doomed)
    say(f"asked     {me.questions[-1]}")
    say("answered  yes")
    expect(done["status"] == 204, "deleted")
    after = await inbox_ids(me)
    expect(after == [inbox for inbox in before if inbox != doomed], "exactly this one is gone from the list")

    seal = me.seals[-1]
    try:
        await me.client.call_tool(
            "inboxes_delete", {"id": doomed}, input_responses={"confirm": yes}, request_state=seal
        )
    except MCPError as refusal:
        say(f"the same yes once more: {refusal.error.code} {refusal.error.message}")
        expect(refusal.error.code == mcp_types.INVALID_PARAMS, "one yes counts once")
    else:
        expect(False, "one yes counts once")
    expect(await inbox_ids(me) == after, "nothing else was deleted")


async def delete_without_confirmation(me: Visit) -> None:
    step("Delete an inbox: this revision cannot ask, so nothing is deleted")
    before = await inbox_ids(me)
    error = (await me.call("inboxes_delete", id=before[-1]))["error"]
    say(json.dumps(error, ensure_ascii=False))
    expect(error["code"] == "confirmation_required", "confirmation_required")
    expect(await inbox_ids(me) == before, "every inbox is still there")


# --- The walk -------------------------------------------------------------------------------------------------------


async def walk(url: str, version: str, mails_shown: int) -> None:
    heading(f"Protocol {version}, as the owner")
    async with visit(url, version, os.environ["OWNER"], "owner", os.environ["OWNER_TOKEN"]) as me:
        await who_am_i(me, version)
        expect("inboxes_delete" in await my_tools(me), "an owner may delete")
        await choose_workspace(me)
        await one_mail(me, await newest_mail(me, mails_shown))
        await refused_arguments(me)
        await (delete_with_confirmation(me) if version == MODERN else delete_without_confirmation(me))
        workspace = me.http.headers["X-Workspace-Id"]

    heading(f"Protocol {version}, as a viewer")
    async with visit(url, version, os.environ["VIEWER"], "viewer", os.environ["VIEWER_TOKEN"]) as me:
        await who_am_i(me, version)
        me.http.headers["X-Workspace-Id"] = workspace
        await refused_to_viewer(me, await my_tools(me))


def main(url: str) -> int:
    print(f"The Autonomous Inbox at {url}, visited with the official MCP client")
    ended_early = False
    try:
        asyncio.run(walk(url, MODERN, mails_shown=10))
        asyncio.run(walk(url, LEGACY, mails_shown=3))
    except* StepFailed:
        ended_early = True
    if ended_early:
        print(f"\n{paint('The walk ended early: a step did not do what it says.', '31')}")
    else:
        print(f"\n{paint('Every step did what it says.', '32')}")
    return int(ended_early)


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8", errors="replace")  # type: ignore[union-attr]
    sys.exit(main(sys.argv[1]))
