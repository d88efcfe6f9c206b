"""Queries that every request asks: their SQL is made once, not each time."""

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.db import connections, models

STAND_IN = uuid.UUID(int=0)
KEY = models.UUIDField()


@dataclass(frozen=True)
class _Statement:
    """SQL for one database, with how its values become Python's."""

    sql: str
    parameters: tuple[Any, ...]
    stand_in: Any
    converters: dict[int, tuple[list[Callable[..., Any]], Any]]


class PreparedByPerson:
    """A ``values_list`` that depends on one person's id alone. Making its SQL costs many times what running it costs.

    Args:
        build: makes the query set for an id.
    """

    def __init__(self, build: Callable[[uuid.UUID], models.QuerySet[Any, Any]]) -> None:
        self._build = build
        self._made: dict[str, _Statement] = {}

    def rows(self, person: uuid.UUID, using: str) -> list[tuple[Any, ...]]:
        """The rows for the person of that id, in one query to the database ``using``."""
        statement = self._made.get(using) or self._make(using)
        connection = connections[using]
        key = KEY.get_db_prep_value(person, connection)
        filled = [key if parameter == statement.stand_in else parameter for parameter in statement.parameters]
        with connection.cursor() as cursor:
            cursor.execute(statement.sql, filled)
            found = [list(row) for row in cursor.fetchall()]
        for row in found:
            for index, (converters, expression) in statement.converters.items():
                for convert in converters:
                    row[index] = convert(row[index], expression, connection)
        return [tuple(row) for row in found]

    def _make(self, using: str) -> _Statement:
        compiler = self._build(STAND_IN).using(using).query.get_compiler(using)
        sql, parameters = compiler.as_sql()
        converters = compiler.get_converters([expression for expression, _, _ in compiler.select])
        stand_in = KEY.get_db_prep_value(STAND_IN, connections[using])
        statement = self._made[using] = _Statement(sql, tuple(parameters), stand_in, converters)
        return statement
