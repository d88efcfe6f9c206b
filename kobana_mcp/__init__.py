"""A Model Context Protocol endpoint in front of a Django REST Framework API."""

__version__ = "0.1.0"
