"""What drf-spectacular shares between threads, kept apart: the host's documentation may be made at any moment."""

import copy
import inspect
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.openapi import AutoSchema


def inspector_of(view: Any) -> AutoSchema:
    """An inspector of this view's own. A view whose schema class is another generator's is read all the same.

    The class has one inspector for all its instances, and even to ask a view for it would set it to that view.
    """
    shared = inspect.getattr_static(view, "schema", None)
    found = getattr(shared, "instance_schemas", {}).get(view, shared)
    if isinstance(found, AutoSchema):
        return copy.copy(found)
    # What @extend_schema added stays, on top of the class that can read it.
    own = type(found)
    extends = own.__mro__[1:2] != (object,) and "Extended" in own.__name__
    made: AutoSchema = type("ExtendedSchema", (own, AutoSchema), {})() if extends else AutoSchema()
    return made


@contextmanager
def overheard() -> Iterator[list[str]]:
    """The errors that drf-spectacular reports from this thread meanwhile. Those of other threads go where they went.

    For one caller at a time.
    """
    heard: list[str] = []
    emit, here = GENERATOR_STATS.emit, threading.get_ident()

    def listen(msg: str, severity: str) -> None:
        if threading.get_ident() != here:
            emit(msg, severity)
        elif severity == "error":
            heard.append(msg)

    GENERATOR_STATS.emit = listen  # type: ignore[method-assign]
    try:
        yield heard
    finally:
        del GENERATOR_STATS.emit
