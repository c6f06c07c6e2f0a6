"""What RISC-V's helpers store in memory and load from there."""

from __future__ import annotations

from corecast.measure.isa.forms import EndKind, Form
from corecast.measure.isa.link_table import Link, Width
from corecast.measure.rejection import CannotMeasureError, Reason
from corecast.pattern import lazy_pattern

_SCALAR = {8: "b", 16: "h", 32: "w", 64: "d"}
_ELEMENTS = lazy_pattern(r"v[ls](?:seg(?P<fields>[2-8]))?e(?P<bits>\d+)(?:ff)?\.v")
_WHOLE = lazy_pattern(r"v[ls](?P<count>\d)re?\d*\.v")


def _scalar(kind: EndKind, bits: int) -> tuple[Link, Link]:
    letter = _SCALAR[bits]
    store, load = (f"fs{letter}", f"fl{letter}") if kind == "float" else (f"s{letter}", f"l{letter}")
    register = "f" if kind == "float" else "x"
    return (
        Link(store, kind, "memory", f"{store} {register}{{from_number}}, {{displacement}}({{address}})", width=bits),
        Link(load, "memory", kind, f"{load} {register}{{to_number}}, {{displacement}}({{address}})", width=bits),
    )


def _vectors(store: str, load: str, width: str) -> tuple[Link, Link]:
    return (
        Link(store, "vector", "memory", f"{store} v{{from}}, ({{address}})", width=width),
        Link(load, "memory", "vector", f"{load} v{{to}}, ({{address}})", width=width),
    )


_VECTORS = (
    *(_vectors(f"vse{bits}.v", f"vle{bits}.v", f"e{bits}") for bits in _SCALAR),
    *(
        _vectors(f"vsseg{fields}e{bits}.v", f"vlseg{fields}e{bits}.v", f"e{bits} x {fields}")
        for bits in _SCALAR
        for fields in range(2, 9)
    ),
    *(_vectors(f"vs{count}r.v", f"vl{count}re8.v", f"{count} registers") for count in (1, 2, 4, 8)),
    _vectors("vsm.v", "vlm.v", "masks"),
)
MEMORY: dict[tuple[EndKind, Width], tuple[Link, Link]] = {
    **{("general", bits): _scalar("general", bits) for bits in (8, 16, 32, 64)},
    **{("float", bits): _scalar("float", bits) for bits in (32, 64)},
    **{("vector", pair[0].width): pair for pair in _VECTORS},
}


def elements(form: Form) -> str:
    """How vectors, whose length is the core's, lie in the memory that a form reads or writes.

    Raises:
        CannotMeasureError: as no helper stores and loads them.
    """
    if form.mnemonic in ("vlm.v", "vsm.v"):
        return "masks"
    if whole := _WHOLE.fullmatch(form.mnemonic):
        return f"{whole['count']} registers"
    found = _ELEMENTS.fullmatch(form.mnemonic)
    if found is None:
        raise CannotMeasureError(Reason.NO_HELPER_STORE, "what the form does")
    return f"e{found['bits']}" + (f" x {found['fields']}" if found["fields"] else "")
