"""The hash of a client secret: one round, because the secret is made by a generator and not by a person."""

from django.contrib.auth.hashers import PBKDF2PasswordHasher


class ClientSecretHasher(PBKDF2PasswordHasher):
    """PBKDF2 with a single round.

    Many rounds slow down the guessing of what people choose. A client secret is 128 random characters; with many rounds
    only the token endpoint would be slow, for whoever cares to send it wrong secrets.
    """

    algorithm = "pbkdf2_client_secret"
    iterations = 1
