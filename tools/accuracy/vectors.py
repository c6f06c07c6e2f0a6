"""Synthetic blocks against a peer simulator, from the lists that the C++ test holds to be exact."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

TEST_DATA = Path(__file__).resolve().parents[2] / "cpp" / "tests" / "data"

PARAMETERS = (
    "The cores are the shipped models. They follow measurements where these say otherwise than the peer's parameters:",
    "Skylake's model forwards stores in 4.43 cycles and has schedulers of 58 and 28 entries, the peer's forwards in 5",
    "and has one of 97.",
)


def sections() -> Iterator[str]:
    vectors = (TEST_DATA / "pipeline_vectors.txt").read_text(encoding="utf-8").splitlines()
    listed = (TEST_DATA / "pipeline_vectors_differences.txt").read_text(encoding="utf-8").splitlines()
    header = next(line for line in vectors if line.startswith("# case NAME MODE "))
    cores = header.split("MODE ", 1)[1].split(",", 1)[0].split()
    cases = sum(line.startswith("case ") for line in vectors)
    differences = [line.split() for line in listed if line and not line.startswith("#")]
    yield from ("## Synthetic blocks against uiCA", "")
    yield f"{cases} synthetic blocks on {len(cores)} Intel cores. The C++ test `synthetic blocks take the peer's"
    yield "cycles` runs them and fails where one more, or one fewer, differs by more than 0.02 cycles."
    yield ""
    yield from PARAMETERS
    yield from ("", "| core | within 0.02 cycles | the rest, with its reason |", "|---|---|---|")
    names = dict.fromkeys(core for core, *_ in differences)
    for core in names:
        own = [f"`{case}` ({reason})" for name, case, reason in differences if name == core]
        yield f"| `{core}` | {cases - len(own)} of {cases} | {', '.join(own)} |"
    others = len(cores) - len(names)
    if others:
        yield f"| {others} more | {cases} of {cases} | |"
    yield ""
    yield from (line.removeprefix("#").strip() for line in listed[3:] if line.startswith("#"))
    yield ""
