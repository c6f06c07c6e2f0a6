"""Which machine model fits the core that this program runs on.

Only what CPUID and Linux say is read here, which takes about a millisecond; `corecast.measure.judge.fingerprint` times.
"""

from __future__ import annotations

from functools import lru_cache

from corecast.hints import TYPE_CHECKING

if TYPE_CHECKING:
    from corecast.machine.recognize.decide import Recognition


def host_machine() -> str | None:
    """The name of the model of this machine's core, None where it is not known or there is no model of it.

    Linux, and x86 elsewhere: reads /proc/cpuinfo, the sizes of caches and, on x86, CPUID.
    """
    found = recognized_host()
    if found is None or found.choice is None:
        return None
    from corecast.errors import UnknownCpuError
    from corecast.machine.loader import find_name

    try:
        return find_name(found.choice.model)
    except UnknownCpuError:
        return None


@lru_cache(maxsize=1)
def recognized_host() -> Recognition | None:
    """What is known of this machine's core; None where nothing is to be seen of it."""
    from corecast.machine.recognize.decide import recognize
    from corecast.machine.recognize.seen import see_host

    seen = see_host()
    return None if seen is None else recognize(seen)


def doubt_about_host() -> str:
    """What to add to the name of this machine's core where its number says another one; "" where it does not."""
    found = recognized_host()
    if found is None or not found.contradiction:
        return ""
    unsure = "" if found.certainty == "sure" else " (`corecast cpus --host` says how sure that is)"
    return f"; {found.contradiction}{unsure}"
