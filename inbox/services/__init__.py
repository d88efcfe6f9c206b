"""The one road to change rows: each change writes its system event in the same transaction."""
