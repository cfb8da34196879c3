"""A made-up fishtest on loopback: a list of tests, and the games of each, sent slowly enough for a kill to hit."""

import gzip
import json
import re
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PIECE, PAUSE = 8192, 0.002


def tests_of(games):
    """Tests by their identifiers: metadata and packed games."""
    found = {}
    for number in range(5):
        own = games[number * 200 : number * 200 + 100 + 20 * number]
        metadata = {
            "start_time": f"2026-11-{14 + number % 2} 09:10:11.123456+00:00",
            "args": {"tc": "60+0.6", "new_tc": "60+0.6", "book": "book.epd", "threads": 1},
            "results": {"wins": len(own), "losses": 0, "draws": 0},
        }
        found[f"65aa0000000000000000000{number}"] = metadata, gzip.compress(b"".join(own), mtime=0)
    return found


def serve(games):
    """Starts the server, and says where it is."""
    tests = tests_of(games)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            page = re.match(r"/api/finished_runs\?page=(\d+)&", self.path)
            file = re.match(r"/api/run_pgns/(\w+)\.pgn\.gz$", self.path)
            if page:
                known = {test: metadata for test, (metadata, _) in tests.items()} if page[1] == "1" else {}
                self.answer(200, json.dumps(known).encode())
            elif file and file[1] in tests:
                self.file(tests[file[1]][1])
            else:
                self.answer(404, b"no such page")

        def file(self, content):
            asked = re.match(r"bytes=(\d+)-$", self.headers.get("Range", ""))
            start = int(asked[1]) if asked else 0
            if start >= len(content):
                self.answer(416, b"", f"bytes */{len(content)}")
            elif asked:
                self.answer(206, content[start:], f"bytes {start}-{len(content) - 1}/{len(content)}")
            else:
                self.answer(200, content)

        def answer(self, status, body, of=None):
            try:
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                if of:
                    self.send_header("Content-Range", of)
                self.end_headers()
                for at in range(0, len(body), PIECE):
                    self.wfile.write(body[at : at + PIECE])
                    time.sleep(PAUSE)
            except OSError:
                self.close_connection = True  # The client was killed.

        def log_message(self, *_):
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True

    server = Server(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"
