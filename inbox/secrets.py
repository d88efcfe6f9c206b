"""What is secret in the database is kept sealed: encrypted, and readable only for the row it was sealed for.

Keys come from ``INBOX_ENCRYPTION_KEYS``: any texts of 32 characters or more. To change one, put the new one first, run
``manage.py rotate_encryption``, then drop the old one.
"""

import base64
import json
from functools import lru_cache

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from inbox import conf

SHORTEST_KEY = 32
#: So that a key which serves another purpose too gives another key here.
PURPOSE = b"inbox.secrets"


class Unreadable(Exception):
    """A sealed text that none of the keys opens, or that was sealed for another row."""


def seal(text: str, owner: str) -> str:
    """``text``, encrypted with the first key.

    Args:
        owner: what the text belongs to; only under the same name is it opened again, so that one row's secret copied
            into another row is of no use there.
    """
    return _keys().encrypt(json.dumps([owner, text]).encode()).decode()


def unseal(sealed: str, owner: str) -> str:
    """The text in ``sealed``. Raises Unreadable."""
    try:
        sealed_for, text = json.loads(_keys().decrypt(sealed.encode()))
    except InvalidToken:
        raise Unreadable("No key opens this.") from None
    if sealed_for != owner:
        raise Unreadable("This was sealed for another row.")
    return str(text)


def rotated(sealed: str) -> str:
    """The same, sealed with the first key. Raises Unreadable."""
    try:
        return _keys().rotate(sealed.encode()).decode()
    except InvalidToken:
        raise Unreadable("No key opens this.") from None


def _keys() -> MultiFernet:
    return _derived(tuple(conf.encryption_keys()))


@lru_cache(maxsize=8)
def _derived(keys: tuple[str, ...]) -> MultiFernet:
    """Fernet wants 32 bytes of its own form; a key of ours is any long text."""
    made = (HKDF(SHA256(), 32, salt=None, info=PURPOSE).derive(key.encode()) for key in keys)
    return MultiFernet([Fernet(base64.urlsafe_b64encode(key)) for key in made])
