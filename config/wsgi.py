"""The web application for a WSGI server."""

import gc
import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

application = get_wsgi_application()

# What was loaded by now stays for as long as the process lives: the collector need not go through it with each page.
gc.collect()
gc.freeze()
