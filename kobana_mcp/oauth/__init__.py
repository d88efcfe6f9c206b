"""The optional authorization server on django-oauth-toolkit. The endpoint works without it, with any DOT set-up."""
