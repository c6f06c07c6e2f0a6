"""Fuzzes the server of the page as a process: requests of any shape, broken connections, compilers that do not end.

It must never answer with 500, never be late, never end, and leave no process and no file behind.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import http.client
import json
import random
import socket
import struct
import sys
import tempfile
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import fuzz_text
from harness import CPUS, CRASHES, DATA, ROOT, flip

sys.path.insert(0, str(ROOT / "tests"))
from running_server import Running, running, wait_until_gone

CLIENTS = 4
ALLOWED = {200, 400, 403, 404, 405, 413, 422, 503}
MOST_SECONDS = 70.0
"""Of an answer: a compilation may take 45, behind one of another client."""
SOURCES = {
    "c": (
        "double f(double *a, long n) { double s = 0; for (long i = 0; i < n; i++) s += a[i]; return s; }\n",
        '#include "/dev/zero"\n',
        '#include "/dev/random"\n',
        "#include __FILE__\n",
        '#include "/etc/passwd"\n',
        "#define A(x) x x x x x x x x\n#define B(x) A(A(A(A(A(x)))))\nint f(int v) { B(v++;) return v; }\n",
        "int a[1ull << 40] = {1};\n",
        'asm(".rept 100000000\\nnop\\n.endr");\n',
        "int f(void) { for (;;); }\n",
    ),
    "c++": (
        "template <int N> struct A { static const int v = A<N - 1>::v + A<N - 2>::v; };\nint x = A<40>::v;\n",
        "#include <vector>\nint f(std::vector<int> v) { int s = 0; for (int x : v) s += x; return s; }\n",
        "constexpr int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); }\nstatic_assert(f(60) == 0);\n",
    ),
    "rust": (
        "#[inline(never)] pub fn f(x: &[f64]) -> f64 { x.iter().sum() }\n",
        'const X: &[u8] = include_bytes!("/dev/zero");\n',
        "macro_rules! m { ($($t:tt)*) => { m!($($t)* $($t)*); } }\nm!(a b);\n",
    ),
    "fortran": (
        "subroutine f(n, a)\n integer :: n, i\n real(8) :: a(n)\n do i = 1, n\n  a(i) = a(i) * 2\n end do\nend\n",
        "include '/dev/zero'\nend\n",
    ),
}
FLAGS = (
    "",
    "-O3",
    "-O3 -march=native",
    "-O0 -g",
    "-O2 -funroll-loops",
    "-C opt-level=3",
    "-o x",
    "'",
    "-Wl,x",
    "-fplugin=x",
)
ODD = (None, True, -1, 0, 10**30, 1.5, "", "\x00", "é" * 50, "\ud800", [], {}, [[[]]], "x" * 300_000, "auto", "2", "-1")


@dataclass
class Outcome:
    """What all clients saw."""

    statuses: Counter[str] = field(default_factory=Counter)
    findings: dict[str, str] = field(default_factory=dict)
    slowest: float = 0.0
    requests: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def saw(self, what: str, seconds: float) -> None:
        with self.lock:
            self.statuses[what] += 1
            self.requests += 1
            self.slowest = max(self.slowest, seconds)

    def found(self, kind: str, request: object) -> None:
        with self.lock:
            if kind in self.findings:
                return
            CRASHES.mkdir(exist_ok=True)
            path = CRASHES / f"serve-{hashlib.sha256(kind.encode()).hexdigest()[:10]}.json"
            path.write_text(json.dumps({"kind": kind, "request": request}, default=repr), encoding="utf-8")
            self.findings[kind] = str(path)
            print(f"serve: {kind}: saved as {path}", file=sys.stderr)


class Client:
    """Asks one thing after the other."""

    def __init__(self, server: Running, outcome: Outcome, seed: int, pool: list[bytes]) -> None:
        self.server = server
        self.outcome = outcome
        self.rng = random.Random(seed)
        self.pool = pool
        self.path = urlsplit(server.address).path
        status, _, body = server.ask("GET", "api/v1/info")
        assert status == 200
        self.info = json.loads(body)

    def run(self, end: float, most: int) -> None:
        for _ in range(most):
            if time.monotonic() > end:
                return
            act = self.rng.choices(
                (self.analysis, self.odd, self.raw, self.compilation, self.broken), (60, 20, 10, 4, 6)
            )[0]
            act()

    def analysis(self) -> None:
        code = fuzz_text.mutate(self.rng, self.pool).decode("utf-8", "replace")[:20_000]
        fields: dict[str, Any] = {
            "code": code or "nop",
            "cpu": self.rng.choice((*CPUS.values(), *("skylake_x", "zen4") * 3, "a64fx")),
        }
        choices: dict[str, tuple[Any, ...]] = {
            "timeline": (0, 1, 4, 50, 200),
            "timeline_from": (-1, 0, 5, 999),
            "loop": ("auto", "all", "1", "7"),
            "mode": ("auto", "loop", "unroll"),
            "method": ("auto", "simulate", "bounds"),
            "unknown": ("bound", "nearest", "skip", "error"),
            "alias": ("none", "same", "rdi=rsi", "x1=x2+8", "=", "rdi=rdi"),
            "bandwidth": ([], ["20GB/s"], ["1"], ["l2"], ["l1:10,l2:5"]),
            "memory": ([], ["l2"], ["70"], ["l1:0.9,l2:0.1"], ["x"]),
            "clock": ("", "3GHz", "0", "x", "1e300GHz"),
            "lines": ("", "1-3", "9-2", "1-99999999999999999"),
            "function": ("", "f", "num::dot(int)", "("),
            "isa": ("auto", "x86", "aarch64", "riscv64"),
            "syntax": ("auto", "att", "intel"),
        }
        for name in self.rng.sample(list(choices), self.rng.randrange(5)):
            fields[name] = self.rng.choice(choices[name])
        self.post("analyze", json.dumps(fields).encode())

    def compilation(self) -> None:
        language = self.rng.choice(list(SOURCES))
        source = self.rng.choice(SOURCES[language])
        if self.rng.random() < 0.5:
            source = flip(self.rng, source.encode(), 3).decode("utf-8", "replace")
        names = [each["name"] for each in self.info["compilers"] if language in each["languages"]] or ["gcc"]
        compiler, flags = self.rng.choice((*names, "sh")), self.rng.choice(FLAGS)
        fields = {"language": language, "source": source, "compiler": compiler, "flags": flags}
        self.post("compile", json.dumps(fields).encode())

    def odd(self) -> None:
        name = self.rng.choice(("analyze", "compile"))
        fields: dict[str, Any] = (
            {"code": "nop", "cpu": "zen4"} if name == "analyze" else {"language": "c", "source": "x"}
        )
        names = ["code", "cpu", "timeline", "memory", "loop", "language", "source", "compiler", "flags", "isa", "\x00"]
        for _ in range(self.rng.randrange(1, 4)):
            fields[self.rng.choice(names)] = self.rng.choice(ODD)
        self.post(name, json.dumps(fields).encode())

    def raw(self) -> None:
        body = flip(self.rng, json.dumps({"code": "nop", "cpu": "zen4"}).encode(), self.rng.randrange(1, 6))
        if self.rng.random() < 0.1:
            body = self.rng.choice((b"[" * 200_000, b'{"code":' * 20_000, b"9" * 100_000, b"\xff" * 3_000_000, b"NaN"))
        place = self.rng.choice(("analyze", "compile", "info", "", "%00", "../../x", "openapi.json", "analyze/"))
        self.send(
            self.rng.choice(("POST", "GET", "PUT", "DELETE", "OPTIONS", "TRACE")), f"{self.path}api/v1/{place}", body
        )

    def post(self, name: str, body: bytes) -> None:
        self.send("POST", f"{self.path}api/v1/{name}", body)

    def send(self, method: str, path: str, body: bytes) -> None:
        began = time.monotonic()
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=MOST_SECONDS)
        request = [method, path.replace(self.path, "/TOKEN/"), base64.b64encode(body[:400_000]).decode()]
        try:
            connection.request(method, path, body)
            response = connection.getresponse()
            text = response.read()
            self.outcome.saw(str(response.status), time.monotonic() - began)
            if response.status not in ALLOWED:
                self.outcome.found(f"status {response.status}", request)
            elif response.headers.get("content-type") == "application/json" and method != "HEAD":
                json.loads(text)
        except TimeoutError:
            self.outcome.found("no answer", request)
        except ValueError:
            self.outcome.found("an answer that is not JSON", request)
        except (OSError, http.client.HTTPException) as error:
            # A request that is refused before it has arrived may end the connection.
            self.outcome.saw(type(error).__name__, time.monotonic() - began)
        finally:
            connection.close()

    def broken(self) -> None:
        """Requests that are not HTTP, that end early, or whose answer nobody reads."""
        host = f"Host: 127.0.0.1:{self.server.port}\r\n"
        body = json.dumps({"code": ".L1: nop\n jne .L1\n", "cpu": "zen4"})
        whole = f"POST {self.path}api/v1/analyze HTTP/1.1\r\n{host}Content-Length: {len(body)}\r\n\r\n{body}"
        text = self.rng.choice((
            whole,
            whole[: self.rng.randrange(len(whole))],
            whole.replace("HTTP/1.1", "HTTP/9"),
            whole.replace("Content-Length: ", "Content-Length: 9"),
            whole.replace("Host", "Transfer-Encoding: chunked\r\nHost"),
            f"GET {self.path} HTTP/1.1\r\n" + "A: b\r\n" * 5000,
            f"GET /{'a' * 100_000} HTTP/1.1\r\n{host}\r\n",
            "\x16\x03\x01",
        )).encode()  # fmt: skip
        try:
            with socket.create_connection(("127.0.0.1", self.server.port), timeout=10) as connection:
                connection.sendall(text)
                if self.rng.random() < 0.5:
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                elif self.rng.random() < 0.5:
                    connection.settimeout(0.2)
                    connection.recv(1000)
        except OSError:
            pass
        self.outcome.saw("broken", 0.0)


def main() -> int:
    parser = argparse.ArgumentParser(description="fuzzes serve")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--inputs", type=int, default=None)
    parser.add_argument("--seed", type=int, default=None)
    arguments = parser.parse_args()
    seed = arguments.seed if arguments.seed is not None else random.SystemRandom().randrange(1 << 32)
    try:
        import starlette  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError:
        print("serve: starlette and uvicorn are not installed: not fuzzed")
        return 0
    outcome = Outcome()
    with tempfile.TemporaryDirectory(prefix="fuzz-serve-") as folder, running(Path(folder)) as server:
        _ask_in_parallel(server, outcome, seed, arguments.seconds, arguments.inputs)
        _leave(server, outcome, Path(folder))
    seen = ", ".join(f"{count} {status}" for status, count in sorted(outcome.statuses.items()))
    print(
        f"serve: {outcome.requests} inputs ({seen}), slowest {outcome.slowest:.1f} s, "
        f"{len(outcome.findings)} findings (seed {seed})"
    )
    return 1 if outcome.findings else 0


def _ask_in_parallel(server: Running, outcome: Outcome, seed: int, seconds: float, inputs: int | None) -> None:
    files = [*(DATA / "asm").glob("*.s"), *(ROOT / "examples").glob("*.s"), *(DATA / "listings").glob("*.txt")]
    pool = [path.read_bytes() for path in sorted(files)]
    most = 1 << 60 if inputs is None else inputs // CLIENTS
    clients = [Client(server, outcome, seed + number, pool) for number in range(CLIENTS)]
    end = time.monotonic() + seconds
    threads = [threading.Thread(target=client.run, args=(end, most)) for client in clients]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _leave(server: Running, outcome: Outcome, folder: Path) -> None:
    """Whether it still answers, and what is there when it has ended."""
    if server.process.poll() is not None:
        outcome.found(f"the server ended with {server.process.returncode}", "")
        return
    status, _ = server.post("analyze", code=".L1: addq %rax, %rax\n jne .L1\n", cpu="zen4")
    if status != 200:
        outcome.found(f"status {status} of a plain request in the end", "")
    below = server.processes()
    code = server.stop()
    if code != 0:
        outcome.found(f"exit code {code}", "")
    if not wait_until_gone(below):
        outcome.found("processes left behind", below)
    left = [str(each) for each in folder.rglob("*")]
    if left:
        outcome.found("files left behind", left)


if __name__ == "__main__":
    sys.exit(main())
