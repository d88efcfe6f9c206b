"""What is made once per process comes out the same, whoever asked first and whatever else went on meanwhile."""

import threading

import pytest
from django.utils import translation
from drf_spectacular.drainage import error
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema

from kobana_mcp import registry, schemas
from tests.kobana_mcp.conftest import make_tool


def fresh(tool):
    schemas._MADE.clear()
    return schemas.shape_of(tool)


@pytest.fixture(autouse=True)
def made_anew():
    yield
    schemas._MADE.clear()


def in_a_thread(work):
    failed = []

    def run():
        try:
            work()
        except Exception as fault:  # noqa: BLE001 - it is raised again where it is seen
            failed.append(fault)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join(20)
    assert not failed, failed


@pytest.mark.parametrize("name", ["emails_list", "inboxes_create", "webhooks_update", "inboxes_get"])
def test_language_of_who_asks_first_is_not_the_language_of_all(name, settings):
    tool = registry.tools.get(name)
    with translation.override("en"):
        english = fresh(tool).schema
    with translation.override("pt-br"):
        assert fresh(tool).schema == english


@pytest.mark.usefixtures("site")
def test_language_of_a_foreign_view_is_the_hosts_own():
    tool = make_tool("things_list", "things:thing-list")
    with translation.override("en"):
        english = fresh(tool).schema
    with translation.override("pt-br"):
        assert fresh(tool).schema == english


@pytest.mark.parametrize("name", ["inboxes_get", "inboxes_update", "inboxes_add_recipient", "emails_list"])
def test_documentation_that_is_made_in_the_middle_does_not_change_a_schema(name, monkeypatch):
    """The host shows its documentation in another thread: the same view classes, and the same inspectors of them."""
    tool = registry.tools.get(name)
    alone = fresh(tool)
    for hook in ("_get_parameters", "_get_request_body", "get_filter_backends", "get_request_serializer"):
        own, met = getattr(AutoSchema, hook), []

        def meanwhile(inspector, *args, own=own, met=met, **kwargs):
            if not met:
                met.append(True)
                in_a_thread(lambda: SchemaGenerator().get_schema(request=None, public=True))
            return own(inspector, *args, **kwargs)

        with monkeypatch.context() as patch:
            patch.setattr(AutoSchema, hook, meanwhile)
            found = fresh(tool)
        assert (found.schema, found.places, found.output) == (alone.schema, alone.places, alone.output), hook


def test_fault_of_another_view_that_is_reported_meanwhile_is_not_this_ones(monkeypatch):
    own, met = AutoSchema._get_parameters, []

    def meanwhile(inspector):
        if not met:
            met.append(True)
            in_a_thread(lambda: error("another view is broken"))
        return own(inspector)

    monkeypatch.setattr(AutoSchema, "_get_parameters", meanwhile)
    assert fresh(registry.tools.get("inboxes_update")).schema["required"] == ["id"]
