"""Waits until an HTTP server answers on a local port, while the process that shall do so lives.

usage: python tools/wait_for_server.py PORT PID [SECONDS]
"""

import http.client
import os
import sys
import time


def main(port: int, pid: int, seconds: float) -> int:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            os.kill(pid, 0)
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
            connection.request("GET", "/")
            connection.getresponse().read()
        except ProcessLookupError:
            print("The server ended before it answered.", file=sys.stderr)
            return 1
        except (OSError, http.client.HTTPException):
            time.sleep(0.1)
        else:
            connection.close()
            return 0
    print(f"Nothing answers on port {port} after {seconds:g} s.", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]) if len(sys.argv) > 3 else 30))
