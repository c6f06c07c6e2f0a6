"""Which core this machine has, with all that is known about it: what is seen of it and, in doubt, what is timed."""

from __future__ import annotations

from corecast import _core
from corecast.dataclass import dataclass
from corecast.errors import UnknownCpuError
from corecast.hints import Literal
from corecast.machine import load_machine
from corecast.machine.loader import find_name
from corecast.machine.recognize.decide import Certainty, Recognition
from corecast.measure.judge.fingerprint import Fingerprint, compare, take
from corecast.measure.run.core import Core
from corecast.measure.run.host import host_core
from corecast.measure.thresholds import IDENTIFY_KERNEL_SECONDS, IDENTIFY_MOST_MODELS

When = Literal["auto", "always", "never"]


@dataclass(frozen=True)
class Identification:
    """What a machine's core is found to be."""

    recognition: Recognition
    fingerprint: Fingerprint | None
    not_timed: str
    """Why there is no fingerprint."""
    machine: str | None
    """The model that fits, None where none is known to."""
    basis: str
    """What decided: number, features, caches, time, or none."""
    certainty: Certainty
    remark: str = ""
    """What the fingerprint says of what number, features and caches say."""


def identify(recognition: Recognition, when: When = "auto", core: Core | None = None) -> Identification:
    """The core by all that is known about it.

    Args:
        recognition: what its number, its features and its caches say.
        when: whether a fingerprint is taken: auto, where these leave a doubt.
        core: what is timed: this machine's core where None.
    """
    not_timed = _obstacle(recognition, when, core)
    names = () if not_timed else models_in_question(recognition, when == "always")
    if not names:
        return _seen_alone(recognition, not_timed or "no core is left to compare with")
    readings = take(core or host_core(timeout_seconds=IDENTIFY_KERNEL_SECONDS), recognition.host.features)
    return _with_fingerprint(recognition, compare(readings, [load_machine(name) for name in names]))


def models_in_question(recognition: Recognition, ruled_out_too: bool = False) -> tuple[str, ...]:
    """Models of the cores that are not ruled out and of those that the number names, the likeliest first.

    Args:
        ruled_out_too: also of those that only caches rule out.
    """
    named = [each.core.model for each in recognition.candidates if each.named]
    kept = [each.core.model for each in recognition.kept]
    others = [each.core.model for each in recognition.candidates if ruled_out_too and not each.alien]
    known = [name for name in dict.fromkeys((*named, *kept, *others)) if _exists(name)]
    return tuple(known[:IDENTIFY_MOST_MODELS])


def _exists(name: str) -> bool:
    try:
        find_name(name)
    except UnknownCpuError:
        return False
    return True


def _obstacle(recognition: Recognition, when: When, core: Core | None) -> str:
    """Why no fingerprint is taken, "" where one is."""
    if when == "never":
        return "not asked for"
    if when == "auto" and recognition.certainty == "sure":
        return "no doubt"
    return _core.measuring_obstacle() if core is None else ""


def _seen_alone(recognition: Recognition, not_timed: str) -> Identification:
    choice = recognition.choice
    machine = choice.model if choice is not None and _exists(choice.model) else None
    return Identification(recognition, None, not_timed, machine, recognition.basis, recognition.certainty)


def _with_fingerprint(recognition: Recognition, fingerprint: Fingerprint) -> Identification:
    seen = _seen_alone(recognition, "")
    machine, basis, certainty, remark = seen.machine, seen.basis, seen.certainty, ""
    nearest = fingerprint.nearest
    if nearest is not None and fingerprint.is_decisive and nearest.machine != machine:
        if certainty == "sure":
            certainty, remark = "unsure", f"number and features say {machine}, but {nearest.machine} predicts its times"
        else:
            machine, basis, certainty = nearest.machine, "time", "likely"
    elif nearest is not None and nearest.machine == machine and fingerprint.is_decisive:
        certainty = "sure"
    elif nearest is None and fingerprint.distances:
        certainty = "unsure" if machine is not None else "unknown"
    return Identification(recognition, fingerprint, "", machine, basis, certainty, remark)
