"""The server as a process: who may ask, what it answers, and that it leaves nothing behind."""

from __future__ import annotations

import json
import shutil
import signal
import socket
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from running_server import LOOP, Running, running, wait_until_gone

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")

C = "double sum(const double *a, long n) { double s = 0; for (long i = 0; i < n; i++) s += a[i]; return s; }"
needs_gcc = pytest.mark.skipif(shutil.which("gcc") is None, reason="no gcc here")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("serve")) as found:
        yield found


def test_an_analysis_is_the_documented_document_with_words_for_the_page(server: Running) -> None:
    status, found = server.post("analyze", code=LOOP, cpu="skylake_x")
    assert status == 200
    assert found["schema"] == "corecast/1"
    (region,) = found["regions"]
    assert region["view"]["value"] == f"{region['cycles_per_iteration']:.2f}"
    assert region["simulated"]["timeline"]["cycles"][0]["occupancy"].keys() == (
        region["simulated"]["timeline"]["capacities"].keys()
    )


def test_errors_of_the_input_name_their_line(server: Running) -> None:
    status, found = server.post("analyze", code=" frobnicate %rax, %rbx\n" * 3, cpu="zen4")
    assert status == 422
    assert "frobnicate" in found["error"]["message"]


def test_code_is_never_the_name_of_a_file(server: Running, tmp_path: Path) -> None:
    file = tmp_path / "loop.s"
    file.write_text(LOOP, encoding="utf-8")
    status, found = server.post("analyze", code=str(file), cpu="skylake_x")
    assert status == 422
    assert "vmulpd" not in json.dumps(found)


def test_a_core_is_never_a_folder(server: Running) -> None:
    assert server.post("analyze", code=LOOP, cpu="../zen4")[0] == 422
    assert server.post("analyze", code=LOOP, cpu="no_such_core")[0] == 422


@needs_gcc
def test_source_is_compiled_and_its_folder_removed(server: Running) -> None:
    status, found = server.post("compile", language="c", source=C, compiler="gcc", flags="-O2")
    assert status == 200
    assert "sum:" in found["assembly"]
    assert str(server.folder) not in json.dumps(found)
    assert all(not any(folder.iterdir()) for folder in server.folder.glob("corecast-serve-*"))


@needs_gcc
@pytest.mark.parametrize(
    "flags", ["-fplugin=x.so", "-o /tmp/x", "@file", "-I/etc", "-B.", "-specs=x", "-wrapper sh,-c", "-include x", "'"]
)
def test_options_that_touch_other_files_are_refused(server: Running, flags: str) -> None:
    status, found = server.post("compile", language="c", source=C, compiler="gcc", flags=flags)
    assert status == 422
    assert "option" in found["error"]["message"]


@needs_gcc
def test_a_compiler_that_never_ends_is_stopped_with_all_that_it_started(server: Running) -> None:
    before = set(server.processes())
    endless = "#define A(x) x x x x x x x x\n#define B(x) A(A(A(A(A(x)))))\nint f(int v) { return B(B(B(v++;))) }\n"
    began = time.monotonic()
    status, found = server.post("compile", language="c", source=endless, compiler="gcc", flags="-O2")
    assert status == 422
    assert found["error"]["message"]
    assert time.monotonic() - began < 60
    assert wait_until_gone([each for each in server.processes() if each not in before])


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("/", {}),
        ("/wrong-token/api/v1/info", {}),
        ("/api/v1/info", {}),
    ],
)
def test_without_the_token_there_is_nothing(server: Running, path: str, headers: dict[str, str]) -> None:
    status, _, body = server.ask("GET", path, headers=headers, whole_path=True)
    assert status == 403
    assert b"zen4" not in body


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "evil.example:7878"},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
    ],
)
def test_pages_elsewhere_are_refused(server: Running, headers: dict[str, str]) -> None:
    assert server.ask("GET", "api/v1/info", headers=headers)[0] == 403


def test_only_loopback_is_listened_to(server: Running) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing: asks for the address that leads out
            own = probe.getsockname()[0]
        except OSError:
            pytest.skip("this machine has no address but loopback")
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as other:
        other.settimeout(5)
        assert other.connect_ex((own, server.port)) != 0
    listening = [line.split()[1] for line in Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()[1:]]
    at_port = {place for place in listening if place.endswith(f":{server.port:04X}")}
    assert {place.partition(":")[0] for place in at_port} == {"0100007F"}


def test_every_answer_forbids_what_it_does_not_need(server: Running) -> None:
    for path in ("api/v1/info", "api/v1/nothing", "static/nothing.js"):
        _, headers, _ = server.ask("GET", path)
        assert "default-src 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-store"
        assert headers["referrer-policy"] == "no-referrer"


def test_large_and_broken_requests_are_refused(server: Running) -> None:
    assert server.ask("POST", "api/v1/analyze", b"{")[0] == 400
    assert server.ask("POST", "api/v1/analyze", b"[" * 100_000)[0] == 400
    assert server.ask("POST", "api/v1/analyze", b"\xff")[0] == 400
    assert server.ask("POST", "api/v1/analyze", b" " * (2 << 20))[0] == 413
    status, headers, _ = server.ask("GET", "api/v1/analyze")
    assert (status, headers["allow"]) == (405, "POST")
    assert server.ask("GET", "static/../app.py")[0] == 404
    assert server.ask("GET", "static/%2e%2e%2fapp.py")[0] == 404


def test_the_description_lists_every_operation(server: Running) -> None:
    status, _, body = server.ask("GET", "api/v1/openapi.json")
    assert status == 200
    described = json.loads(body)
    assert described["openapi"].startswith("3.1")
    assert {"/api/v1/info", "/api/v1/analyze", "/api/v1/compile"} == described["paths"].keys()


_TEXTS = st.one_of(st.text(max_size=200), st.sampled_from(["", "auto", LOOP, "nop\n", "c3", "-O3", "gcc"]))
_VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), _TEXTS),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner, max_size=3)),
    max_leaves=5,
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_whatever_is_asked_has_an_answer_that_the_description_knows(server: Running, data: st.DataObject) -> None:
    described = json.loads(server.ask("GET", "api/v1/openapi.json")[2])
    path = data.draw(st.sampled_from(["/api/v1/analyze", "/api/v1/compile"]))
    operation = described["paths"][path]["post"]
    schema = operation["requestBody"]["content"]["application/json"]["schema"]
    names = st.sampled_from([*schema["properties"], "other"])
    fields = data.draw(st.dictionaries(names, _VALUES, max_size=4))
    if data.draw(st.booleans()):
        fields = {"code": LOOP, "cpu": "skylake_x"} | fields if path.endswith("analyze") else fields
    status, headers, body = server.ask("POST", path[1:], json.dumps(fields).encode())
    assert str(status) in operation["responses"]
    assert headers["content-type"] == "application/json"
    answer = json.loads(body)
    expected = operation["responses"][str(status)]["content"]["application/json"]["schema"]
    assert set(expected["required"]) <= answer.keys()


def test_connections_that_ask_nothing_are_closed(server: Running) -> None:
    def idle(beginning: bytes) -> socket.socket:
        connection = socket.create_connection(("127.0.0.1", server.port), timeout=30)
        connection.sendall(beginning)
        return connection

    whole = f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode()
    waiting = [idle(b""), idle(b"GET / HTTP/1.1\r\nHo"), idle(whole)]
    try:
        assert waiting[2].recv(10_000)
        waiting[2].sendall(b"GET / HT")
        for connection in waiting:
            while connection.recv(10_000):
                pass
    finally:
        for connection in waiting:
            connection.close()


def test_a_browser_is_invited_once(tmp_path: Path) -> None:
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\nprintf %s "$1" > {tmp_path}/opened\n', encoding="utf-8")
    browser.chmod(0o755)
    folder = tmp_path / "temporary"
    folder.mkdir()
    with running(folder, browser=str(browser)) as found:
        deadline = time.monotonic() + 20
        while not (tmp_path / "opened").exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        opened = urlsplit((tmp_path / "opened").read_text(encoding="utf-8"))
        token = urlsplit(found.address).path
        assert token not in opened.path
        status, headers, _ = found.ask("GET", opened.path, headers={"Host": "evil.example"}, whole_path=True)
        assert status == 403
        status, headers, _ = found.ask("GET", opened.path, whole_path=True)
        assert (status, headers["location"]) == (303, token)
        assert found.ask("GET", opened.path, whole_path=True)[0] == 403
        assert found.ask("GET", "/open/", whole_path=True)[0] == 403


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_nothing_is_left_after_the_end(tmp_path: Path, number: signal.Signals) -> None:
    with running(tmp_path) as found:
        assert found.post("analyze", code=LOOP, cpu="zen4")[0] == 200
        below = found.processes()
        assert below
        code = found.stop(number)
        assert code == (0 if number == signal.SIGINT else 128 + number)
        assert wait_until_gone(below)
    assert not list(tmp_path.iterdir())


def test_a_killed_server_takes_its_workers_with_it_and_the_next_one_clears_up(tmp_path: Path) -> None:
    with running(tmp_path) as found:
        assert found.post("analyze", code=LOOP, cpu="zen4")[0] == 200
        below = found.processes()
        found.process.kill()
        found.process.wait()
        assert wait_until_gone(below)
    assert list(tmp_path.iterdir())
    with running(tmp_path) as found:
        assert len(list(tmp_path.iterdir())) == 1
    assert not list(tmp_path.iterdir())
