"""The protocol itself: bytes and mappings in, dataclasses out. Knows neither Django nor DRF."""
