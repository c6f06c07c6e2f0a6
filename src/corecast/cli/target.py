"""The machine model that a command works with."""

from __future__ import annotations

from corecast.errors import InputError, UnknownCpuError
from corecast.hints import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

    from corecast.machine import Machine

NATIVE = "native"
"""As a name of a core: that of this machine."""


def add_target_options(parser: argparse.ArgumentParser, several: bool = False) -> None:
    """`several`: --cpu may be repeated, and is a list; `one_per_cpu` gives the arguments of each."""
    target = parser.add_mutually_exclusive_group()
    target.add_argument(
        "--cpu",
        metavar="NAME",
        action="append" if several else "store",
        help="target core (see `corecast cpus`); native: this machine's, which is the default"
        + ("; may be repeated: one report each" if several else ""),
    )
    target.add_argument("--machine", metavar="DIR", help="folder of your own machine model")
    parser.add_argument(
        "--set",
        metavar="KEY=VALUE",
        action="append",
        default=[],
        help="change a key of the core's pipeline.toml, such as reorder_buffer.entries=64 (unknown takes it away); "
        "may be repeated",
    )
    parser.add_argument("--vl", metavar="BITS", type=int, help="vector length (SVE, RISC-V)")


def add_method_option(parser: argparse._ActionsContainer, default: str = "auto") -> None:
    parser.add_argument(
        "--method",
        choices=("auto", "simulate", "bounds"),
        default=default,
        help="simulate: every micro-op, cycle by cycle; bounds: static figures only; auto (default): simulate where "
        "the core's model allows it",
    )


def one_per_cpu(arguments: argparse.Namespace) -> list[argparse.Namespace]:
    """The arguments for each core, where --cpu may be repeated.

    Raises:
        InputError: a core is named twice.
    """
    for number, cpu in enumerate(arguments.cpu or ()):
        if cpu in arguments.cpu[:number]:
            raise InputError(f"--cpu {cpu} is given twice")
    return [type(arguments)(**{**vars(arguments), "cpu": cpu}) for cpu in arguments.cpu or (None,)]


def choose_machine(arguments: argparse.Namespace) -> tuple[Machine, tuple[str, ...]]:
    """The machine that the options name, and what the user should be told about the choice.

    Raises:
        UnknownCpuError: no such name, or none given and this machine's core is not known.
        InputError: a setting of no such key, or no KEY=VALUE. MachineModelError: a value that the key cannot have.
    """
    machine, notes = _named_machine(arguments)
    if not arguments.set and arguments.vl is None:
        return machine, notes
    from corecast.machine import parse_settings, variant

    settings = parse_settings(arguments.set)
    if arguments.vl is not None:
        settings["vector_length_bits"] = arguments.vl
    return variant(machine, settings), notes


def _named_machine(arguments: argparse.Namespace) -> tuple[Machine, tuple[str, ...]]:
    if arguments.machine is not None:
        from pathlib import Path

        from corecast.machine import load_machine

        return load_machine(Path(arguments.machine)), ()
    return machine_called(arguments.cpu, "--cpu")


def machine_called(name: str | None, option: str) -> tuple[Machine, tuple[str, ...]]:
    """The machine of that name, this machine's where it is None or "native", and what the user should be told.

    Args:
        name: what the option says; None where it was not given.
        option: its name, for messages.

    Raises:
        UnknownCpuError: no such name, or this machine's core is not known.
    """
    from corecast.machine import load_machine

    if name is not None and name != NATIVE:
        machine = load_machine(name)
        return machine, machine.info.notes
    from corecast.machine.host import doubt_about_host, host_machine

    host = host_machine()
    if host is None:
        given = "" if name else f"no {option} given, and "
        raise UnknownCpuError(f"{given}this machine's core is not known: see `corecast cpus --host`")
    machine = load_machine(host)
    if name is None:
        return machine, (f"no {option} given: {host} is used (this machine's core){doubt_about_host()}",)
    return machine, machine.info.notes
