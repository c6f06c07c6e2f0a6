"""Port measurements as text."""

from __future__ import annotations

from corecast.hints import TYPE_CHECKING

if TYPE_CHECKING:
    from corecast.measure import Core
    from corecast.measure.judge.ports import Blocking, PortMeasurement


def ports_text(measured: PortMeasurement, blocking: Blocking, with_kernels: bool = False) -> str:
    """Port usage of one form, and what it follows from."""
    lines = [measured.form]
    if measured.rejection is not None:
        lines.append(f"  ports      {measured.rejection.message}")
    elif measured.usage is not None:
        lines.append(f"  ports      {blocking.text(measured.usage)}")
    lines += [f"  or         {blocking.text(usage)}" for usage in measured.alternatives]
    if measured.blocking_cycles is not None:
        lines.append(f"  repeats    every {measured.blocking_cycles:.2f} cycles, though these ports would allow more")
    if measured.profile is not None:
        lines.append(f"  alone      {measured.profile.alone_cycles:.2f} cycles; {measured.profile.slots:.1f} slots")
    free = []
    for each in measured.conflicts:
        if each.pressure <= each.tolerance and not with_kernels:
            free.append(blocking.set_name(each.ports))
            continue
        lines.append(
            f"  {each.pressure:5.2f}      of {blocking.set_name(each.ports)}: "
            f"{each.shape.instances} with {each.shape.blockers} x {each.blocker.template.key}"
            f" take {each.reading.cycles:.2f} cycles{'' if each.reading.timing.stable else ' (NOT STABLE)'}"
        )
        if with_kernels:
            lines.append(f"      {'; '.join(each.reading.kernel.texts)}")
    if free:
        lines.append(f"  nothing    of {', '.join(free)}")
    lines += [f"  open       {note}" for note in measured.notes]
    return "\n".join(lines) + "\n"


def blocking_text(blocking: Blocking, core: Core) -> str:
    """Whose names the ports have, else what each set was found by; how wide the front end is."""
    front_end = blocking.front_end
    width = f"{front_end.width:.1f} slots a cycle" + ("" if front_end.binds else " or more")
    lines = []
    if not blocking.origin:
        lines = [
            f"{blocking.set_name(ports)} as {blocker.template.key}" for ports, blocker in blocking.blockers.items()
        ]
    names = f"ports as in {blocking.origin}" if blocking.origin else "ports as found, numbered"
    lines.append(f"{core.name}; {names}; {width}; clock {core.clock}")
    return "\n".join(lines) + "\n"
