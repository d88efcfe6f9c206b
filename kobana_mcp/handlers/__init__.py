"""The methods of the protocol, one file per family. A handler takes a Context and returns the result object."""
