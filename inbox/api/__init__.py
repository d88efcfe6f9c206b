"""The REST API: thin views over the managers of inbox.models and the services. It knows HTTP and no business rule."""
