"""How mail comes in: read what can be read, keep the raw message, write the rows. Nothing here knows HTTP."""
