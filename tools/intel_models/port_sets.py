"""Ports of the Intel cores, and what they do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Ports:
    """Ports of a core and what they do, as port sets ("p237")."""

    names: tuple[str, ...]
    alu: str
    load: str
    store_address: str
    store_address_indexed: str
    store_data: str
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Names for sets, beside ALU, LOAD and STORE_ADDRESS."""
    taken_branch: tuple[str, ...] = ()

    def members(self, ports: str) -> tuple[str, ...]:
        """Names of the ports of a set."""
        if ports in self.groups:
            return self.groups[ports]
        return tuple(ports[1:]) if "|" not in ports else tuple(ports.split("|"))


EIGHT = Ports(tuple("01234567"), "p0156", "p23", "p237", "p23", "p4", taken_branch=("6",))
SIX = Ports(tuple("012345"), "p015", "p23", "p23", "p23", "p4", taken_branch=("5",))
NEHALEM = Ports(tuple("012345"), "p015", "p2", "p3", "p3", "p4", taken_branch=("5",))
TEN = Ports(tuple("0123456789"), "p0156", "p23", "p78", "p78", "p49")
TWELVE = Ports(tuple("0123456789AB"), "p0156B", "p23A", "p78", "p78", "p49")
LION = Ports(
    ("P0", "P1", "P2", "P3", "P4", "P5", "V0", "V1", "V2", "V3", "P10", "P11", "P20", "P21", "P22", "P25", "P26",
     "P27"),
    "ALU", "LOAD", "STORE_ADDRESS", "STORE_ADDRESS", "STORE_DATA",
    groups={
        "ALU": ("P0", "P1", "P2", "P3", "P4", "P5"), "JUMP": ("P0", "P2", "P4"), "SHIFT": ("P1", "P3", "P5"),
        "V01": ("V0", "V1"), "V23": ("V2", "V3"), "V0123": ("V0", "V1", "V2", "V3"), "LOAD": ("P20", "P21", "P22"),
        "STORE_ADDRESS": ("P25", "P26", "P27"), "STORE_DATA": ("P10", "P11"),
    },
)  # fmt: skip
ATOM = Ports(
    ("I0", "I1", "I2", "I3", "J0", "J1", "L0", "L1", "A0", "A1", "D0", "D1", "F0", "F1", "F2"),
    "ALU", "LOAD", "STORE_ADDRESS", "STORE_ADDRESS", "STORE_DATA",
    groups={
        "ALU": ("I0", "I1", "I2", "I3"), "JUMP": ("J0", "J1"), "LOAD": ("L0", "L1"), "STORE_ADDRESS": ("A0", "A1"),
        "STORE_DATA": ("D0", "D1"), "FP": ("F0", "F1", "F2"), "FP0": ("F0",),
    },
)  # fmt: skip
SKYMONT = Ports(
    ("I0", "I1", "I2", "I3", "I4", "I5", "I6", "I7", "J0", "J1", "J2", "L0", "L1", "L2", "A0", "A1", "A2", "A3", "D0",
     "D1", "F0", "F1", "F2", "F3"),
    "ALU", "LOAD", "STORE_ADDRESS", "STORE_ADDRESS", "STORE_DATA",
    groups={
        "ALU": tuple(f"I{number}" for number in range(8)), "JUMP": ("J0", "J1", "J2"), "LOAD": ("L0", "L1", "L2"),
        "STORE_ADDRESS": ("A0", "A1", "A2", "A3"), "STORE_DATA": ("D0", "D1"), "FP": ("F0", "F1", "F2", "F3"),
        "FP0": ("F0",),
    },
)  # fmt: skip
