"""The table of requirements and the tests that show them belong together, row by row."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from kobana_mcp.protocol.eras import SUPPORTED
from tests.spec import ROWS

BY_ID = {row.id: row for row in ROWS}
PARTS = sorted({row.later for row in ROWS if row.later})


def marks() -> Iterator[tuple[str, str]]:
    """(row, test) of every mark, as the files have them: whichever tests are chosen to run."""
    for file in sorted(Path(__file__).parent.rglob("test_*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                for decorator in node.decorator_list:
                    if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "pytest.mark.proves":
                        yield from ((ast.literal_eval(row), f"{file.name}::{node.name}") for row in decorator.args)


SHOWN: dict[str, list[str]] = {}
for _row, _test in marks():
    SHOWN.setdefault(_row, []).append(_test)


@pytest.mark.parametrize("row", [row for row in ROWS if row.is_shown], ids=lambda row: row.id)
def test_row_is_shown_by_a_test(row):
    assert row.id in SHOWN, f"{row.id} ({row.where}): {row.says}"


@pytest.mark.parametrize("row", [row for row in ROWS if not row.is_shown], ids=lambda row: row.id)
def test_row_that_nothing_has_to_show_says_why_and_nothing_shows_it(row):
    assert bool(row.not_applicable) != bool(row.later)
    assert row.id not in SHOWN, f"{row.id} is shown now: take away what excuses it"


def test_mark_names_a_row():
    assert not {row: tests for row, tests in SHOWN.items() if row not in BY_ID}


def test_rows_have_ids_of_their_own_and_revisions_that_are_spoken():
    assert len(BY_ID) == len(ROWS)
    for row in ROWS:
        assert row.revisions and set(row.revisions) <= set(SUPPORTED)
        assert row.where and row.says.endswith((".", ")"))


@pytest.mark.parametrize("part", PARTS)
def test_rows_of_later_parts_are_listed(part):
    """Skipped, so that every run names them."""
    pytest.skip(f"later, {part}: {', '.join(row.id for row in ROWS if row.later == part)}")
