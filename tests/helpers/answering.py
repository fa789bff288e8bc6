# SPDX-License-Identifier: MIT
"""The part that servers of the tests share: quiet, and with the length of what they answer."""
import http.server


class Answering(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, body, headers=()):
        """headers: in place of the body's length."""
        self.send_response(status)
        for name, value in headers or [("Content-Length", str(len(body)))]:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)
