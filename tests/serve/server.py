"""A server of `damma serve` for a test: started with settings of its own, killed at the end."""

import json
import os
import re
import signal
import subprocess
import tempfile
import urllib.error
import urllib.request

ROOT = os.path.join(os.path.dirname(__file__), "..", "..")


class Server:
    """A running server; `with` stops it."""

    def __init__(self, damma, settings="", database=None, limit=None):
        self.damma = os.path.realpath(damma)
        self.folder = tempfile.TemporaryDirectory()
        self.config = os.path.join(self.folder.name, "serve.toml")
        self.database = database or os.path.join(self.folder.name, "games.sqlite")
        self.limit = limit
        with open(self.config, "w", encoding="utf-8") as file:
            file.write(settings)
        self.start()

    def start(self):
        command = [self.damma, "serve", "--listen", "127.0.0.1:0", "--config", self.config, "--database", self.database]
        log = open(os.path.join(self.folder.name, "log"), "ab")
        # Files cut off at a size are a full disk that needs no mount.
        prepare = None if self.limit is None else self.limit
        self.process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=log, text=True, preexec_fn=prepare)
        log.close()
        line = self.process.stdout.readline()
        found = re.match(r"listening on (http://[\d.]+:(\d+))", line)
        if not found:
            raise RuntimeError(f"the server said {line!r}: {self.log()}")
        self.url, self.port = found[1], int(found[2])
        self.process.stdout.readline()

    def log(self):
        with open(os.path.join(self.folder.name, "log"), encoding="utf-8") as file:
            return file.read()

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def memory(self):
        """Gives the resident memory in MiB."""
        with open(f"/proc/{self.process.pid}/status", encoding="utf-8") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("VmRSS")) / 1024

    def call(self, path, body=None, headers=None, raw=None):
        """Gives status, headers and JSON (or text) of an answer."""
        data = raw if raw is not None else None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, {"Content-Type": "application/json", **(headers or {})})
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                status, fields, text = answer.status, answer.headers, answer.read()
        except urllib.error.HTTPError as error:
            status, fields, text = error.code, error.headers, error.read()
        try:
            return status, fields, json.loads(text)
        except ValueError:
            return status, fields, text.decode(errors="replace")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.kill()
        self.folder.cleanup()


class Checks:
    """Counts what held and what did not."""

    def __init__(self):
        self.passed = self.failed = 0

    def that(self, name, holds, detail=""):
        self.passed += bool(holds)
        self.failed += not holds
        print(f"{'passed' if holds else 'FAILED'}  {name}{'' if holds else f': {detail}'}", flush=True)

    def end(self):
        print(f"{self.passed} passed, {self.failed} failed")
        return 1 if self.failed else 0
