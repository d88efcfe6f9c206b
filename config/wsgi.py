"""The WSGI application that gunicorn serves."""

import os

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from whitenoise import WhiteNoise

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

application = get_wsgi_application()

# Style sheets of the admin and of the consent page, once `manage.py collectstatic` has put them there.
if settings.STATIC_ROOT.is_dir():
    application = WhiteNoise(application, root=settings.STATIC_ROOT, prefix=settings.STATIC_URL)
