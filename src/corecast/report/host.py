"""What is known of this machine's core, as text and as JSON."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from corecast.hints import Any
from corecast.machine.recognize.cpuid_text import leaf_text
from corecast.machine.recognize.decide import Candidate, Recognition, size_text
from corecast.machine.recognize.seen import Host
from corecast.machine.recognize.table import SOURCES, features
from corecast.measure.judge.fingerprint import Fingerprint
from corecast.measure.judge.identify import Identification

WIDTH, INDENT = 110, 15
_SURE = {
    "sure": "sure",
    "likely": "likely: a hypervisor may report other numbers and caches",
    "unsure": "not sure",
    "unknown": "not known",
}


def host_text(found: Identification) -> str:
    """One line a fact: what was seen, what it says, what was ruled out and why."""
    lines = []
    for key, text in _facts(found):
        lines.append(textwrap.fill(text, WIDTH, initial_indent=f"{key:{INDENT}}", subsequent_indent=" " * INDENT))
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _facts(found: Identification) -> Iterator[tuple[str, str]]:
    recognition, host = found.recognition, found.recognition.host
    yield "core", _numbers(host)
    yield "features", ", ".join(_feature_titles(host)) or "-"
    yield "caches", ", ".join(f"{cache.name} {size_text(cache.size_kib)}" for cache in host.caches) or "not known"
    yield "number says", ", ".join(core.title for core in recognition.named) or "no core that is known"
    if recognition.contradiction:
        yield "contradiction", recognition.contradiction
    for number, candidate in enumerate(recognition.kept):
        yield "" if number else "kept", _kept_text(candidate)
    ruled_out = [each for each in recognition.candidates if not each.is_kept]
    for number, candidate in enumerate(ruled_out):
        yield "" if number else "ruled out", f"{candidate.core.core}: {'; '.join(candidate.reasons)}"
    yield from _fingerprint_lines(found)
    yield "machine model", _choice_text(found)


def _numbers(host: Host) -> str:
    name = f'"{host.name}"' if host.name else "name not known"
    names = {"arm": ("implementer", "part", "variant")}.get(host.vendor, ("family", "model", "stepping"))
    values = zip(names, (host.family, host.model, host.stepping), strict=True)
    shown = ", ".join(
        f"{title} {f'{value:#x}' if host.vendor == 'arm' else value}" for title, value in values if value >= 0
    )
    where = "; a virtual machine" if host.is_virtual else ""
    return f"{host.vendor_id or 'vendor not known'}{f', {shown}' if shown else ''}, {name}{where}"


def _feature_titles(host: Host) -> Iterator[str]:
    """In the order of the table."""
    order = list(features())
    titles = dict.fromkeys(features()[name] for name in sorted(host.features, key=order.index) if name != "hypervisor")
    for title in titles:
        yield f"{title} (version {host.avx10_version})" if title == "AVX10" and host.avx10_version else title


def _kept_text(candidate: Candidate) -> str:
    named = ", which the number names" if candidate.named else ""
    missing = f"; not seen: {', '.join(candidate.missing)}" if candidate.missing else ""
    return f"{candidate.core.core}{named}{missing}"


def _fingerprint_lines(found: Identification) -> Iterator[tuple[str, str]]:
    fingerprint = found.fingerprint
    if fingerprint is None:
        yield "fingerprint", f"not taken: {found.not_timed}"
        return
    yield "fingerprint", f"{fingerprint.verdict} ({len(fingerprint.readings)} kernels)"
    for each in fingerprint.distances:
        yield "", f"{each.machine}: {each.percent:.1f} %{_farthest(fingerprint, each.machine)}"
    if found.remark:
        yield "", found.remark


def _farthest(fingerprint: Fingerprint, machine: str) -> str:
    """The kernel whose time fits a model least."""
    (distance,) = (each for each in fingerprint.distances if each.machine == machine)
    rows = [
        (max(reading.cycles / cycles, cycles / reading.cycles), reading, cycles)
        for reading, cycles in zip(fingerprint.readings, distance.predicted, strict=True)
        if cycles
    ]
    ratio, reading, cycles = max(rows, key=lambda row: row[0])
    if ratio < 1.1:
        return ""
    return f"; least {reading.probe.tells}: {reading.cycles:.2f} cycles, predicted {cycles:.2f}"


def _choice_text(found: Identification) -> str:
    if found.machine is None:
        nearest = found.recognition.kept
        hint = f"; the nearest that fits is {nearest[0].core.model}: --cpu {nearest[0].core.model}" if nearest else ""
        return f"none is known to fit{hint}"
    how = f"{found.machine}, by {_BASES[found.basis]}; {_SURE[found.certainty]}"
    default = default_machine(found.recognition)
    return how if default == found.machine else f"{how}; commands without --cpu take {default or 'none'}"


_BASES = {"number": "its number", "features": "its features", "caches": "its caches", "time": "time"}


def default_machine(recognition: Recognition) -> str | None:
    """The model that commands without --cpu take: they do not time."""
    return None if recognition.choice is None else recognition.choice.model


def host_document(found: Identification) -> dict[str, Any]:
    """For JSON. `seen` has everything that the answer follows from."""
    recognition = found.recognition
    return {
        "machine": found.machine,
        "basis": found.basis,
        "certainty": found.certainty,
        "default_machine": default_machine(recognition),
        "contradiction": recognition.contradiction or None,
        "equally_likely": [core.model for core in recognition.equals],
        "named": [core.core for core in recognition.named],
        "seen": _seen(recognition.host),
        "candidates": [_candidate(each) for each in recognition.candidates],
        "fingerprint": None if found.fingerprint is None else _fingerprint(found.fingerprint),
        "fingerprint_not_taken": found.not_timed or None,
        "remark": found.remark or None,
    }


def _seen(host: Host) -> dict[str, Any]:
    known = {"family": host.family, "model": host.model, "stepping": host.stepping}
    return {
        "vendor": host.vendor or None,
        "vendor_id": host.vendor_id or None,
        **{key: value if value >= 0 else None for key, value in known.items()},
        "name": host.name or None,
        "virtual": host.is_virtual,
        "features": sorted(host.features),
        "avx10_version": host.avx10_version or None,
        "caches": [
            {"name": each.name, "kind": each.kind, "size_kib": each.size_kib, "ways": each.ways or None}
            for each in host.caches
        ],
        "cpuid": [leaf_text(leaf) for leaf in host.leaves],
    }


def _candidate(candidate: Candidate) -> dict[str, Any]:
    return {
        "core": candidate.core.core,
        "machine": candidate.core.model,
        "named": candidate.named,
        "kept": candidate.is_kept,
        "ruled_out_because": list(candidate.reasons),
        "not_seen": list(candidate.missing),
        "sources": [SOURCES[key] for key in candidate.core.sources],
    }


def _fingerprint(fingerprint: Fingerprint) -> dict[str, Any]:
    return {
        "verdict": fingerprint.verdict,
        "decisive": fingerprint.is_decisive,
        "kernels": [
            {"name": each.probe.name, "tells": each.probe.tells, "cycles": each.cycles} for each in fingerprint.readings
        ],
        "distances": [
            {"machine": each.machine, "distance": each.distance, "predicted_cycles": list(each.predicted)}
            for each in fingerprint.distances
        ],
    }
