"""Zen 4: ports that `corecast measure ports` found on the core, in place of those that other origins give.

What was found of a form holds for its kind: the same mnemonic with operands of any width, with or without mask, in
memory or not. Kinds whose forms were not all found alike are left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from amd_models.compose import OWN, is_divider, merged
from amd_models.cores import Usage
from corecast.machine.rows import Row
from own_measurements import kind_of, without_columns

REFUTED = {"FP03": "FP01"}
"""Groups that the core does not have: all 38 forms that others have there were found elsewhere."""

STORES = "FP45"
"""Pipes of vector stores' data, and of what leaves for the integer unit."""


@dataclass(frozen=True)
class FoundPorts:
    """Of vector pipes; what accesses memory is the rows'."""

    forms: Mapping[str, Usage]
    kinds: Mapping[str, str]
    """The group of pipes by kind."""


def load(path: Path) -> FoundPorts:
    forms: dict[str, Usage] = {}
    kinds: dict[str, set[str]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("#") or line == "form\tports":
            continue
        form, ports = line.split("\t")
        uses = (use.split("*") for use in ports.split("+"))
        pipes = tuple((float(count), group) for count, group in uses if group.startswith("FP"))
        if pipes and not is_divider(form):
            forms[form] = pipes
            kinds.setdefault(kind_of(form), set()).add("+".join(group for _, group in pipes))
    return FoundPorts(forms, {kind: groups.pop() for kind, groups in kinds.items() if len(groups) == 1})


def with_found(row: Row, found: FoundPorts) -> Row:
    """The row with the pipes that were found of it, or of its kind."""
    pipes: Usage = tuple(use for use in row.ports or () if use[1].startswith("FP"))
    if len(pipes) != 1 or is_divider(row.form):
        return row  # several uops: which of them a result leaves from is not found
    if pipes[0][1] == STORES:
        return row  # its register form computes elsewhere
    own = found.forms.get(row.form)
    group = found.kinds.get(kind_of(row.form), REFUTED.get(pipes[0][1]))
    if own is None and group in (None, pipes[0][1]):
        return row
    usage = own if own is not None else ((pipes[0][0], group or ""),)
    rest: Usage = tuple(use for use in row.ports or () if use not in pipes)
    ports = merged((*usage, *rest))
    unfused = sum(count for count, _ in ports)
    uops = row.uops and (row.uops[0], unfused, row.uops[2])
    origin = OWN if own is not None else "rule:ports of its kind"
    source = "+".join((f"{origin}(ports)", *without_columns(row.source, {"ports"})))
    return row.with_(ports=ports, uops=uops, source=source)
