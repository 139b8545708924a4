"""Container health check: exit status 0 if the web process answers."""

import sys
from http.client import HTTPConnection, HTTPException

HEADERS = {"Host": "localhost", "X-Forwarded-Proto": "https"}


def answers(port: int = 8000) -> bool:
    """Send the headers of a proxy; without them the site redirects to https."""
    connection = HTTPConnection("127.0.0.1", port, timeout=4)
    try:
        connection.request("GET", "/healthz", headers=HEADERS)
        return connection.getresponse().status == 200
    except (OSError, HTTPException):
        return False


if __name__ == "__main__":
    sys.exit(0 if answers() else 1)
