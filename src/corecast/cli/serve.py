"""`corecast serve`: the page, on this machine, for its user."""

from __future__ import annotations

from corecast.errors import InputError
from corecast.hints import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse


def add_parser(verbs: argparse._SubParsersAction[argparse.ArgumentParser], summary: str) -> None:
    parser = verbs.add_parser(
        "serve",
        help=summary,
        description="Serves a page with an editor for assembly and source code, and shows what the loops cost on one "
        "core or several. Only this machine can reach it, at the address that is printed. Ctrl-C ends it. "
        "Needs `pip install corecast[serve]`.",
    )
    parser.add_argument("--port", type=int, metavar="N", help="default: 7878, or a free one where that is taken")
    parser.add_argument("--no-browser", action="store_true", help="print the address and open no browser")
    parser.add_argument(
        "--compilers",
        metavar="FILE",
        help="list of the compilers to offer, a TOML file (default: those on the PATH; see docs/serve.md)",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    if arguments.port is not None and not 0 <= arguments.port <= 65535:
        raise InputError("a port is from 0 (a free one) to 65535")
    try:
        from corecast.serve.run import serve
    except ModuleNotFoundError as missing:
        if missing.name is not None and missing.name.partition(".")[0] in ("starlette", "uvicorn"):
            raise InputError("the page needs starlette and uvicorn: pip install 'corecast[serve]'") from None
        raise
    from corecast.serve.compilers import found_compilers, listed_compilers

    compilers = listed_compilers(arguments.compilers) if arguments.compilers else found_compilers()

    def ready(address: str, invitation: str) -> None:
        print(address, flush=True)
        if not arguments.no_browser:
            import threading
            import webbrowser

            # Some browsers do not return before they are closed.
            threading.Thread(target=webbrowser.open, args=(invitation,), daemon=True).start()

    try:
        serve(arguments.port, compilers, ready)
    except KeyboardInterrupt as ended:  # Ctrl-C is how a server ends; other signals are for the caller
        if type(ended) is not KeyboardInterrupt:
            raise
    return 0
