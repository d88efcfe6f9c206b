"""How the walk is printed: plain lines, a little colour where a person watches."""

import sys
import textwrap
import unicodedata


class StepFailed(Exception):
    """What a step said is not so."""


def paint(text: str, code: str) -> str:
    return f"\x1b[{code}m{text}\x1b[0m" if sys.stdout.isatty() else text


def heading(text: str) -> None:
    print(f"\n{paint(text, '1')}\n{paint('─' * len(text), '2')}")


def step(text: str) -> None:
    print(f"\n  {paint(text, '1')}")


def say(text: str) -> None:
    print(textwrap.indent(textwrap.fill(text, 100), "    "))


def expect(fact: bool, text: str, *, quiet: bool = False) -> None:
    """Ends the walk when ``fact`` does not hold."""
    if not fact:
        print(f"    {paint('FAILED', '31')} {text}")
        raise StepFailed(text)
    if not quiet:
        print(f"    {paint('ok', '32')} {text}")


def cell(text: str | None, width: int) -> str:
    """``text`` in a column, cut or padded; East Asian characters take two places."""
    shown, used = "", 0
    for character in (text or "-").replace("\n", " "):
        wide = 2 if unicodedata.east_asian_width(character) in "WF" else 1
        if used + wide > width:
            shown, used = shown[:-1] + "…", width
            break
        shown, used = shown + character, used + wide
    return shown + " " * (width - used)
