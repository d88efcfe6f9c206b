"""How gunicorn serves the host: `gunicorn --config config/gunicorn.conf.py`. See docs/deployment.md."""

import os

wsgi_app = "config.wsgi"

# Loopback by default: a proxy with TLS stands in front of every other address.
bind = os.environ.get("BIND", "127.0.0.1:8000")

# Threads, because a request waits for the database most of its time.
worker_class = "gthread"
threads = int(os.environ.get("WEB_THREADS", "8"))

# One process by default: cache and rate limits live in its memory. Set WEB_CONCURRENCY for more once CACHE_URL and
# RATE_LIMIT_STORAGE name a server that all processes share.
workers = int(os.environ.get("WEB_CONCURRENCY", "1"))

# Seconds without a sign of life after which a worker is replaced.
timeout = 60
# Seconds a stopping worker is given to finish the requests it has begun.
graceful_timeout = 30
# Seconds an idle connection is kept; longer than a proxy's pause between two requests.
keepalive = 15

# "Mcp_Method" and "Mcp-Method" are one name in WSGI. A name with an underscore is dropped, so that no such header can
# stand in for one that a proxy has looked at.
header_map = "drop"
# No header may set SCRIPT_NAME or PATH_INFO, whoever sends it: paths decide which checks a request gets.
forwarder_headers = ""

# Requests that no client of this host needs are refused while they are read.
limit_request_line = 4094
limit_request_fields = 100
limit_request_field_size = 8190

# Whose X-Forwarded-Proto is believed.
forwarded_allow_ips = os.environ.get("FORWARDED_ALLOW_IPS", "127.0.0.1,::1")

# Errors go to standard error; ACCESS_LOG=- adds one line per request there. Neither holds headers or bodies.
errorlog = "-"
accesslog = os.environ.get("ACCESS_LOG") or None
loglevel = os.environ.get("LOG_LEVEL", "INFO").lower()

# No management socket: signals and the service manager are enough.
control_socket_disable = True
