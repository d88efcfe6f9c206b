"""Queries that every request asks: their SQL is made once, not each time."""

import uuid
from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar

from django.db import connections, models

_M = TypeVar("_M", bound=models.Model)
_Made = tuple[str, str, tuple[object, ...]]

STAND_IN = uuid.UUID(int=0)
KEY = models.UUIDField()


class PreparedByPerson(Generic[_M]):
    """A query set that depends on one person's id alone. Making its SQL costs many times what running it costs.

    Args:
        model: what its rows are read as; fields that it does not select are deferred.
        build: makes the query set for an id.
        columns: what the query set calls a column -> what ``model`` calls it, where the two differ.
    """

    def __init__(
        self, model: type[_M], build: Callable[[uuid.UUID], models.QuerySet[Any, Any]], columns: Mapping[str, str]
    ) -> None:
        self._model, self._build, self._columns = model, build, dict(columns)
        self._made: dict[str, _Made] = {}

    def rows(self, person: uuid.UUID) -> list[_M]:
        """The rows that the query set has for the person of that id, in one query."""
        manager = self._model._default_manager
        alias, sql, parameters = self._made.get(manager.db) or self._make()
        stand_in, key = (KEY.get_db_prep_value(each, connections[alias]) for each in (STAND_IN, person))
        filled = [key if parameter == stand_in else parameter for parameter in parameters]
        return list(manager.using(alias).raw(sql, filled, translations=self._columns))

    def _make(self) -> _Made:
        found = self._build(STAND_IN)
        sql, parameters = found.query.get_compiler(found.db).as_sql()
        made = self._made[found.db] = (found.db, sql, tuple(parameters))
        return made
