"""What can be asked: the schemas of requests and answers, which check and document them."""

from __future__ import annotations

from collections.abc import Mapping

from corecast.dataclass import dataclass
from corecast.hints import Any
from corecast.serve.schema import Schema, choice, record, string, strings, whole

MOST_CHARACTERS = 256 << 10
"""Of code or source in a request."""
MOST_FLAGS = 400
MOST_TIMELINE = 200
_NO_CONTROL = r"^[^\x00-\x1f\x7f]*$"

ANALYZE = record(
    "Code, a core and how to analyze. Empty strings leave a choice to corecast.",
    ["code", "cpu"],
    code=string(
        "assembly text, a disassembler's listing, or hexadecimal digits", minLength=1, maxLength=MOST_CHARACTERS
    ),
    cpu=string("a core's name or alias; native: this machine's", maxLength=64, pattern=r"^[A-Za-z0-9_.+-]+$"),
    isa=choice("instruction set of the code; auto: the core's", "auto", ("auto", "x86", "aarch64", "riscv64")),
    syntax=choice("x86 syntax", "auto", ("auto", "att", "intel")),
    loop=string("auto, all, or the number of an innermost loop", "auto", pattern=r"^(auto|all|[1-9][0-9]{0,5})$"),
    lines=string("lines A-B,C-D of the text as one region", "", maxLength=200, pattern=r"^[0-9,: -]*$"),
    function=string("the loops of this function only", "", maxLength=400, pattern=_NO_CONTROL),
    marker=string("the marked region of this name", "", maxLength=200, pattern=_NO_CONTROL),
    mode=choice("loop: a branch leads back; unroll: copies follow each other", "auto", ("auto", "loop", "unroll")),
    method=choice("how the forecast is made", "auto", ("auto", "simulate", "bounds")),
    ports=choice("how micro-ops are split over ports", "balanced", ("balanced", "uniform")),
    unknown=choice("instructions without data", "bound", ("bound", "nearest", "skip", "error")),
    alias=string("accesses through different registers: none, same or pairs", "none", maxLength=200),
    memory=strings("where loads find their data, as --memory", 8, maxLength=100),
    bandwidth=strings("what can be streamed, as --bandwidth", 8, maxLength=100),
    clock=string("of the core, as 2.5GHz", "", maxLength=40),
    timeline=whole("iterations of the timeline; 0: none", 4, 0, MOST_TIMELINE),
    timeline_from=whole("the first of them, from 0; -1: in the steady state", -1, -1, 999),
)
COMPILE = record(
    "Source code and one of the offered compilers.",
    ["language", "source", "compiler"],
    language=choice("of the source", None, ("c", "c++", "rust", "fortran")),
    source=string("one file", minLength=1, maxLength=MOST_CHARACTERS),
    compiler=string("name of an offered compiler", minLength=1, maxLength=100),
    flags=string("options that choose what code is generated", "", maxLength=MOST_FLAGS, pattern=_NO_CONTROL),
)


@dataclass(frozen=True)
class Operation:
    """One thing that can be asked."""

    method: str
    path: str
    name: str
    summary: str
    request: Schema | None
    answer: Mapping[str, Any]


def _answer(description: str, required: list[str], **properties: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"type": "object", "description": description, "required": required, "properties": properties}


_OBJECT = {"type": "object"}
_TEXT = {"type": "string"}
ERROR = _answer(
    "Why there is no answer, in one sentence.",
    ["error"],
    error={
        "type": "object",
        "required": ["kind", "message", "line"],
        "properties": {
            "kind": {"type": "string", "description": "class of the error"},
            "message": _TEXT,
            "line": {"type": ["integer", "null"], "description": "of the code, from 1"},
        },
    },
)
OPERATIONS = (
    Operation(
        "GET", "/api/v1/info", "info", "Version, cores, compilers and limits", None,
        _answer(
            "What this server offers.",
            ["version", "default_cpu", "cores", "compilers", "limits"],
            version=_TEXT,
            default_cpu=_TEXT,
            cores={"type": "array", "items": _answer("a core", ["name", "title", "isa"])},
            compilers={"type": "array", "items": _answer("a compiler", ["name", "languages", "flags"])},
            limits=_OBJECT,
        ),
    ),
    Operation(
        "POST", "/api/v1/analyze", "analyze", "Cycles per iteration of the loops of some code on a core", ANALYZE,
        _answer(
            "The document of schema corecast/1 (docs/json.md); in each region `view` has the words of the page.",
            ["schema", "cpu", "regions", "failures", "warnings"],
            schema={"const": "corecast/1"},
            cpu=_TEXT,
            regions={"type": "array", "items": _OBJECT},
            failures={"type": "array", "items": _OBJECT},
            warnings={"type": "array", "items": _TEXT},
        ),
    ),
    Operation(
        "POST", "/api/v1/compile", "compile", "Assembly text of source code, by a compiler of this machine", COMPILE,
        _answer("What the compiler wrote.", ["assembly", "command"], assembly=_TEXT, command=_TEXT),
    ),
)  # fmt: skip
_PROBLEMS = {
    "400": "no JSON",
    "413": "the request is too large",
    "422": "what is asked cannot be answered",
    "503": "too many requests at the same time",
}


def openapi(version: str) -> dict[str, Any]:
    """The OpenAPI description of the API."""
    paths: dict[str, Any] = {}
    for each in OPERATIONS:
        answers: dict[str, Any] = {"200": _response("the answer", each.answer)}
        operation: dict[str, Any] = {"operationId": each.name, "summary": each.summary, "responses": answers}
        if each.request is not None:
            content = {"application/json": {"schema": each.request}}
            operation["requestBody"] = {"required": True, "content": content}
            answers |= {status: _response(words, ERROR) for status, words in _PROBLEMS.items()}
        paths.setdefault(each.path, {})[each.method.lower()] = operation
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "corecast",
            "version": version,
            "description": "The API of `corecast serve`. Every address begins with the token of the server.",
        },
        "servers": [{"url": "/{token}", "variables": {"token": {"default": "TOKEN"}}}],
        "paths": paths,
    }


def _response(description: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    return {"description": description, "content": {"application/json": {"schema": schema}}}
