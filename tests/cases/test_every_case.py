"""No case without a test, and no test of a case that nobody knows."""

import ast
import re
from pathlib import Path

import pytest

from tests.cases.catalogue import CASES

NAMED = re.compile(r"test_([a-z]+)_(\d\d)_")
KNOWN = [case for cases in CASES.values() for case in cases.split()]


def shown():
    """The cases that the tests of this folder are named after."""
    found = set()
    for file in Path(__file__).parent.glob("test_*.py"):
        functions = [node for node in ast.parse(file.read_text("utf-8")).body if isinstance(node, ast.FunctionDef)]
        found |= {f"{m[1].upper()}-{m[2]}" for function in functions if (m := NAMED.match(function.name))}
    return found


@pytest.mark.parametrize("case", KNOWN)
def test_case_has_a_test_that_is_named_after_it(case):
    assert case in shown()


def test_tests_are_named_after_known_cases_only():
    assert shown() == set(KNOWN)
    assert len(KNOWN) == len(set(KNOWN))
