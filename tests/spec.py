"""Every MUST and MUST NOT of the three revisions that concerns a server without streams, a row each.

A test that shows a row carries ``@pytest.mark.proves("row-id")``. A row that nothing shows fails the suite
(tests/test_spec.py); so does a mark that names no row. What binds clients, intermediaries or hosts of models alone has
no row. Source: the pages of the specification under modelcontextprotocol.io/specification/<revision>/.
"""

from tests.specification import authorization, base, features, transport
from tests.specification.row import Row

ROWS: tuple[Row, ...] = base.ROWS + transport.ROWS + features.ROWS + authorization.ROWS
