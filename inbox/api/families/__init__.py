"""One file per resource family: serializers, filters, view set."""
