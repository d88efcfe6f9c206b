"""Which room a line of code may live in: docs/layout.md as data, proved on the imports that the source really has."""

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

MAX_LINES_OF_A_FILE = 250
MAX_LINES_OF_A_FUNCTION = 40

#: Room of kobana_mcp -> the rooms it may import from, from the ground up. A room is a module or a whole package; the
#: modules of one package may import one another, unless they have rows of their own.
ALLOWED: dict[str, set[str]] = {
    "protocol.errors": set(),
    "protocol.encoding": set(),
    "protocol.headers": {"protocol.errors"},
    "protocol.messages": {"protocol.errors"},
    "protocol.uris": {"protocol.errors"},
    "protocol.eras": {"protocol.errors", "protocol.headers", "protocol.messages"},
    "conf": set(),
    "models": set(),
    "registry": {"protocol"},
    "wire": {"protocol.errors", "protocol.encoding", "protocol.messages"},
    "middleware": {"protocol.errors", "conf", "wire"},
    "catalogue": {"models", "registry"},
    "access": {"protocol.errors", "conf", "models", "registry", "catalogue"},
    "context": {"access", "protocol"},
    "routes": {"registry", "conf"},
    "plain": {"routes"},
    "outputs": {"plain"},
    "brought": {"registry"},
    "inspectors": set(),
    "schemas": {"plain", "outputs", "brought", "inspectors", "routes", "registry", "conf"},
    "arguments": {"schemas", "routes", "registry", "conf"},
    "bridge": {"access", "context", "arguments", "routes", "registry", "conf", "protocol.errors"},
    "permissions": {"bridge", "access", "arguments", "routes"},
    "visibility": {"permissions", "access", "catalogue", "registry", "routes", "schemas"},
    "confirmation": {"context", "registry", "conf", "models", "protocol.errors"},
    "ratelimit": {"access", "context", "conf", "models", "protocol.errors"},
    "audit": {"context", "conf", "models", "registry"},
}
ALLOWED["handlers"] = set(ALLOWED) - {"wire", "middleware"}
ALLOWED |= {
    "dispatch": {"handlers", "context", "registry", "protocol"},
    "views": {"dispatch", "access", "context", "protocol", "conf", "ratelimit", "wire"},
    "urls": {"views", "access", "conf"},
}
#: Rooms beside the road: they may import every room above, and no room above imports them.
BESIDE_THE_ROAD = {"admin", "checks", "apps", "testing", "management", "migrations", "oauth"}

#: The only modules and packages of the host that know kobana_mcp, and the rooms of it that they know.
HOST_KNOWS: dict[str, set[str]] = {
    "inbox.mcp": {"registry"},
    "inbox.api.authentication": {"access", "protocol.errors"},
    "inbox.api.permissions": {"access", "protocol.errors"},
}


def modules_of(package: str) -> dict[str, Path]:
    """Dotted name -> file."""
    found = {}
    for file in sorted((ROOT / package).rglob("*.py")):
        parts = file.relative_to(ROOT).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = file
    return found


def walk(node: ast.AST, *, types_too: bool) -> Iterator[ast.AST]:
    """Every node but the bodies of ``ready()``, where Django says that such imports belong."""
    for child in ast.iter_child_nodes(node):
        is_ready = isinstance(child, ast.FunctionDef) and child.name == "ready"
        is_for_types = isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING"
        if not is_ready and (types_too or not is_for_types):
            yield child
            yield from walk(child, types_too=types_too)


def imports(module: str, file: Path, *, types_too: bool = True) -> set[str]:
    """The dotted names that ``module`` imports, those inside functions included."""
    known = KOBANA | INBOX
    found = set()
    for node in walk(ast.parse(file.read_text(encoding="utf-8")), types_too=types_too):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: relative import"
            base = node.module or ""
            names = {f"{base}.{alias.name}" for alias in node.names}
            found |= {name if name in known else base for name in names}
    return found


KOBANA = modules_of("kobana_mcp")
INBOX = modules_of("inbox")
KOBANA_IMPORTS = {module: imports(module, file) for module, file in KOBANA.items()}
INBOX_IMPORTS = {module: imports(module, file) for module, file in INBOX.items()}


def within(name: str, rooms: set[str]) -> str | None:
    """The room of ``rooms`` that ``name`` is, or is inside of; the longest one."""
    parts = name.split(".")
    return next((room for n in range(len(parts), 0, -1) if (room := ".".join(parts[:n])) in rooms), None)


def room_names(imported: set[str]) -> set[str]:
    """Of some imported names those of kobana_mcp, without that prefix. The package itself holds the version only."""
    return {name.removeprefix("kobana_mcp.") for name in imported if name.startswith("kobana_mcp.")}


def top_packages(imported: set[str]) -> set[str]:
    return {name.split(".")[0] for name in imported}


ON_THE_ROAD = sorted(name for name in KOBANA if not within(name.removeprefix("kobana_mcp."), BESIDE_THE_ROAD))
#: Packages whose rooms have rows, while they themselves hold a docstring (and the version) and import nothing.
FRAMES = {"kobana_mcp", "kobana_mcp.protocol"}


@pytest.mark.parametrize("module", ON_THE_ROAD)
def test_module_imports_only_what_its_row_allows(module):
    room = within(module.removeprefix("kobana_mcp."), set(ALLOWED))
    assert room or module in FRAMES, f"{module} has no row in ALLOWED: add one, and say so in docs/layout.md"
    allowed = ALLOWED[room] | {room} if room else set()
    assert not {name for name in room_names(KOBANA_IMPORTS[module]) if not within(name, allowed)}


@pytest.mark.parametrize("module", sorted(KOBANA))
def test_kobana_mcp_never_knows_the_host_and_never_its_own_oauth_server(module):
    imported = KOBANA_IMPORTS[module]
    assert not top_packages(imported) & {"inbox", "config", "tests"}
    if within(module.removeprefix("kobana_mcp."), {"oauth"}) is None:
        assert not {name for name in room_names(imported) if within(name, {"oauth"})}


@pytest.mark.parametrize("module", sorted(name for name in KOBANA if name.startswith("kobana_mcp.protocol")))
def test_protocol_knows_neither_django_nor_drf(module):
    assert not top_packages(KOBANA_IMPORTS[module]) & {"django", "rest_framework", "oauth2_provider"}


@pytest.mark.parametrize("module", sorted(INBOX))
def test_host_knows_kobana_mcp_in_three_places_only(module):
    known = room_names(INBOX_IMPORTS[module])
    allowed = next((rooms for room, rooms in HOST_KNOWS.items() if within(module, {room})), set())
    assert not {name for name in known if not within(name, allowed)}
    assert not top_packages(INBOX_IMPORTS[module]) & {"config", "tests"}


@pytest.mark.parametrize("package", ["kobana_mcp", "inbox"])
def test_imports_have_no_circle(package):
    """Names that only a type checker needs may go round: at run time nothing waits for them."""
    modules = modules_of(package)
    graph = {module: imports(module, file, types_too=False) & set(modules) for module, file in modules.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" <- ".join(error.args[1]))


FILES = [
    file for package in ("kobana_mcp", "inbox", "tests", "tools") for file in sorted((ROOT / package).rglob("*.py"))
]


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_files_and_functions_stay_short(file):
    """Files of tests may be long: they are lists, read one test at a time. Migrations are written by Django."""
    if "migrations" in file.parts:
        return
    text = file.read_text(encoding="utf-8")
    lines = len(text.splitlines())
    assert lines <= MAX_LINES_OF_A_FILE or file.is_relative_to(ROOT / "tests"), f"{lines} lines"
    functions = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    lengths = {node.name: (node.end_lineno or 0) - node.lineno + 1 for node in functions}
    assert not {name: length for name, length in lengths.items() if length > MAX_LINES_OF_A_FUNCTION}
