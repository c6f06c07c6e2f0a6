"""Experiments on vectors: how fast a result is read that another unit made, and what depends on the port.

In most kernels a chain reads, beside itself, a register that something else writes in every iteration, long before.
Where the path between two units costs a cycle, no link of the chain is longer than alone; where what made a register
decides for good how it is read, all of them are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations, product

from corecast.calibrate.experiment import Experiment, Options, repeated
from corecast.calibrate.port_rules import ports_of
from corecast.hints import Any
from corecast.machine.types import Machine

_SUMS = ("addp*", "adds*", "subp*", "subs*")
_PRODUCTS = (
    "mulp*", "muls*", "fmadd*", "fmsub*", "fnmadd*", "fnmsub*", "divp*", "divs*", "maxp*", "maxs*", "minp*", "mins*",
    "cmpp*", "cmps* *mm*",
)  # fmt: skip
_OF_MULTIPLIERS = (*_PRODUCTS, "pmadd*", "pmul*", "pdp*", "cvt* *mm*", "sqrt*", "rcp*", "rsqrt*", "round*", "rndscale*")
_INTEGERS = (
    "padd*", "psub*", "pand*", "por*", "pxor*", "pavg*", "pabs*", "psign*", "pcmpeq*", "pcmpgtb*", "pcmpgtw*",
    "pcmpgtd*", "pmaxs*", "pmaxu*", "pmins*", "pminu*", "pternlog*", "psllv*", "psrlv*", "psrav*",
    "psll* *mm, *mm, i*", "psrl* *mm, *mm, i*", "psra* *mm, *mm, i*", "psll* xmm, i*", "psrl* xmm, i*", "psra* xmm, i*",
)  # fmt: skip
_LOGIC = ("andp*", "andnp*", "orp*", "xorp*", "blendp*", "pblendd*", "pblendm*", "blendm*")
_MORE_INTEGERS = ("psll*", "psrl*", "psra*", "psadbw*", "phadd*", "phsub*", "pblendv*", "blendv*", "pmovm2*")
"""Not all of one cycle: as makers they are integer operations as well."""
_NEITHER = ("pslldq*", "psrldq*")
"""Shuffles that are called like shifts."""
_HORIZONTAL = ("haddp*", "hsubp*")
_STORED = ("*mov* m*",)
_MOVES = (
    *_STORED,
    *(f"{name} {kind}, {kind}" for name in ("*movap*", "*movup*", "*movdq*") for kind in ("xmm", "ymm", "zmm")),
)  # fmt: skip

SUMS, PRODUCTS, INTEGERS, OTHERS, STORES = "sums", "products", "integers", "others", "stores"
_MADE_BY: Mapping[str, Sequence[str]] = {
    SUMS: (*_SUMS, *_HORIZONTAL),
    PRODUCTS: _OF_MULTIPLIERS,
    INTEGERS: (*_INTEGERS, *_MORE_INTEGERS),
}
_READ_BY: Mapping[str, Sequence[str]] = {SUMS: _SUMS, PRODUCTS: _PRODUCTS, INTEGERS: (*_INTEGERS, *_LOGIC)}
_MAKERS = {
    SUMS: ("vaddps {d}, {a}, {b}", "vsubpd {d}, {a}, {b}"),
    PRODUCTS: ("vmulps {d}, {a}, {b}", "vmaxps {d}, {a}, {b}"),
    INTEGERS: ("vpaddd {d}, {a}, {b}", "vpsubd {d}, {a}, {b}"),
}
_READERS = {
    SUMS: ("vaddps {d}, {a}, {b}",),
    PRODUCTS: ("vmulps {d}, {a}, {b}", "vmaxps {d}, {a}, {b}"),
    INTEGERS: ("vpaddd {d}, {a}, {b}", "vpmaxsd {d}, {a}, {b}"),
    OTHERS: ("vpunpckldq {d}, {a}, {b}", "vpshufb {d}, {a}, {b}"),
}
_WIDTHS = {"ymm": "ymmword", "zmm": "zmmword"}
_LINKS = 4
"""Of a chain in an iteration."""


def _both(names: Sequence[str]) -> list[str]:
    """With and without VEX."""
    return [f"{vex}{name}" for name in names for vex in ("", "v")]


def _pattern(names: Sequence[str], vector: str) -> dict[str, Any]:
    """Of instructions on 512 bits, or on less."""
    every = _both(names)
    if vector != "zmm":
        return {"mnemonics": every, "except": [*_both(_NEITHER), "* zmm*"]}
    wide = [name if " " in name else f"{name} *zmm*" for name in every if name.startswith("v")]
    return {"mnemonics": wide, "except": [f"{name} *zmm*" for name in _both(_NEITHER)]}


def _reader(kind: str, vector: str) -> dict[str, Any]:
    if kind == STORES:
        if vector == "zmm":
            return {"mnemonics": [f"{name} zmm" for name in _STORED], "vector": True}
        return {"mnemonics": list(_STORED), "vector": True, "except": ["* zmm"]}
    if kind != OTHERS:
        return _pattern(_READ_BY[kind], vector)
    known = _both([name for names in _READ_BY.values() for name in names])
    every: dict[str, Any] = {"vector": True, "except": [*known, *_both(_HORIZONTAL), *_MOVES]}
    if vector == "zmm":
        return {**every, "mnemonics": ["* *zmm*"]}
    return {**every, "except": [*every["except"], "* zmm*"]}


def _late_results(maker: str, reader: str, vector: str) -> Options:
    """What one kind of unit makes reaches another one a cycle later; or whatever reads it makes its own result later,
    perhaps on some ports alone."""

    def options(start: Machine) -> Iterator[dict[str, Any]]:
        for way in _ways(reader, _ports_of_products(start, vector), vector):
            yield {f"rules:{maker} {vector} for {reader}": [{**_late(maker, reader, vector), **late} for late in way]}

    return options


_MOST_LATE = 3
"""Cycles: so much later integer operations of 512 bits are on the port that multiplies."""
Ways = Iterator[tuple[dict[str, Any], ...]]


def _ways(reader: str, shared: Sequence[str], vector: str) -> Ways:
    """In which one kind of reader may be late: all of it, or by the port.

    Args:
        reader: the kind.
        shared: ports that multiply.
        vector: how long.
    """
    yield ({"delays": "result", "cycles": 1},)
    if reader == STORES:
        return
    if vector != "zmm":
        yield ({"delays": "input", "cycles": 1},)
        if reader == INTEGERS and shared:
            yield ({"delays": "result", "cycles": 1, "ports": list(shared)},)
    elif reader != OTHERS and len(shared) == 2:
        most = _MOST_LATE if reader == INTEGERS else 1
        for cycles in product(range(most + 1), repeat=2):
            if any(cycles):
                each = zip(shared, cycles, strict=True)
                yield tuple({"delays": "result", "cycles": late, "ports": [port]} for port, late in each if late)


def _late_by_port(maker: str, reader: str) -> Options:
    """Later again, of 512 bits, on one port, for what one of them made."""

    def options(start: Machine) -> Iterator[dict[str, Any]]:
        ports = _ports_of_products(start, "zmm")
        for port, other, cycles in product(ports, ports, (1, 2)) if len(ports) == 2 else ():
            late = {"delays": "result", "cycles": cycles, "ports": [port], "producer_ports": [other]}
            yield {f"rules:{maker} zmm for {reader} by port": [{**_late(maker, reader, "zmm"), **late}]}

    return options


def _late(maker: str, reader: str, vector: str) -> dict[str, Any]:
    return {"effect": "delay", "producer": _pattern(_MADE_BY[maker], vector), "consumer": _reader(reader, vector)}


def _ports_of_products(start: Machine, vector: str) -> list[str]:
    return ports_of(f"vmulps {vector}, {vector}, {vector}", start)


def _text(template: str, vector: str, target: int, first: int, second: int) -> str:
    return template.format(d=f"{vector}{target}", a=f"{vector}{first}", b=f"{vector}{second}")


def _late_experiment(maker: str, vector: str, name: str) -> Experiment:
    """Chains of what reads something that was made long before, beyond the chains by themselves; then chains through
    both, beyond chains of either; at last one through a shuffle and memory."""
    loops: list[tuple[str, ...]] = []
    beyond: list[tuple[int, ...]] = []
    texts = [reader for readers in _READERS.values() for reader in readers]
    references = [(_text(text, vector, 0, 0, 1),) * _LINKS for text in texts]
    for place, text in enumerate(texts):
        made = _text(_MAKERS[maker][place % 2], vector, 7, 6, 5)
        loops.append((made, *(_text(text, vector, 0, 0, 7) for _ in range(_LINKS))))
        beyond.append((place,))
    first = _MAKERS[maker][0]
    for kind, (reader, *_) in _READERS.items():
        if kind != maker:
            pair = (_text(first, vector, 0, 0, 1), _text(reader, vector, 0, 0, 1))
            loops.append(pair * _LINKS)
            beyond.append((texts.index(first), texts.index(reader)))
    stored = (f"vmovups {_WIDTHS[vector]} ptr [rsi], {vector}0", f"vmovups {vector}0, {_WIDTHS[vector]} ptr [rsi]")
    shuffled = f"vpermq {vector}0, {vector}0, 27"
    loops.append((shuffled, _text(first, vector, 0, 0, 1), *stored) * _LINKS)
    beyond.append((texts.index(first), len(references)))
    references.append((shuffled, *stored) * _LINKS)
    kinds = [kind for kind in (*_READERS, STORES) if kind != maker]
    by_port = [_late_by_port(maker, kind) for kind in kinds if vector == "zmm" and kind not in (OTHERS, STORES)]
    return Experiment(
        name,
        tuple(loops),
        further=(*(_late_results(maker, kind, vector) for kind in kinds), *by_port),
        references=tuple(references),
        beyond=tuple(beyond),
    )


_WIDE = {SUMS: ("vaddp*", "vsubp*"), PRODUCTS: ("vmulp*",)}
_WIDE_FORMS = {SUMS: "vaddpd zmm, zmm, zmm", PRODUCTS: "vmulpd zmm, zmm, zmm"}


def _wide_latency(kind: str) -> Options:
    """How long sums or products of 512 bits take, perhaps longer on one of their ports, and perhaps on one for what the
    other one made: what looks like the one may be the other."""

    def options(start: Machine) -> Iterator[dict[str, Any]]:
        ports = ports_of(_WIDE_FORMS[kind], start)
        forms = [f"{name} zmm*" for name in _WIDE[kind]]
        known = (rule.get("consumer", {}).get("mnemonics", ()) for rule in start.pipeline.get("rules", ()))
        if any(set(forms) & set(names) for names in known):
            return  # the model has a rule for them, which nothing here takes back
        late = {"effect": "delay", "delays": "result", "consumer": {"mnemonics": forms}}
        slow: list[dict[str, Any]] = [{}]
        for port, more in product(ports if len(ports) > 1 else [], (1, 2)):
            slow.append({f"rules:{kind} zmm": [{**late, "cycles": more, "ports": [port]}]})
        crossing: list[dict[str, Any]] = [{}]
        for (port, other), more in product(permutations(ports, 2), (1, 2)):
            by_port = {"cycles": more, "ports": [port], "producer_ports": [other], "producer": {"mnemonics": forms}}
            crossing.append({f"rules:{kind} zmm by port": [{**late, **by_port}]})
        for later, cycles, longer in product(crossing, (2, 3, 4, 5), slow):
            yield {**{f"changes.latency.{form}": cycles for form in forms}, **longer, **later}

    return options


_ON_FIRST, _ON_LAST = "vmovq r{i}, xmm{v}", "vpermq zmm{v}, zmm11, 5"
"""What keeps the first port of vectors alone, and the last one, on Intel's cores."""


def _wide_kernels(kind: str) -> Iterator[tuple[str, ...]]:
    """A chain alone, and beside what keeps one of its ports."""
    names = ("vaddpd", "vsubps") if kind == SUMS else ("vmulpd", "vmulps")
    for name in names:
        yield (f"{name} zmm0, zmm0, zmm1",)
    for other, count in product((_ON_FIRST, _ON_LAST), (2, 3)):
        kept = (other.format(i=8 + place, v=2 + place) for place in range(count))
        yield (f"{names[0]} zmm0, zmm0, zmm1", *kept)


_NARROW = (
    "vaddps ymm{v}, ymm1, ymm2", "vmulps ymm{v}, ymm1, ymm2", "vmaxps ymm{v}, ymm1, ymm2", "vcvtdq2ps ymm{v}, ymm1",
    "vpmuludq ymm{v}, ymm1, ymm2", "vpslld ymm{v}, ymm1, 3", "vpabsd ymm{v}, ymm1", "vshufps ymm{v}, ymm1, ymm2, 5",
)  # fmt: skip
_WIDE_LOAD = "vmovups zmm10, zmmword ptr [rsi]"
_ITERATED = ("div", "sqrt", "rcp", "rsqrt")
MOVED_BESIDE_WIDE = [f"v{name}" for name in (*_SUMS, *_OF_MULTIPLIERS) if not name.startswith(_ITERATED)]
"""What a unit of 512 bits does as well."""


def _closed_port(start: Machine) -> Iterator[dict[str, Any]]:
    """The port that vectors lose while 512 bits are in flight, and whether arithmetic goes to those of 512 bits."""
    wide = _ports_of_products(start, "zmm")
    known = start.parameter("vectors.zmm_closes_port")
    narrow = [port for port in ports_of("vpaddd ymm, ymm, ymm", start) if port not in wide]
    for port in dict.fromkeys((*([] if known is None else [known]), *narrow)):
        closed = {} if port == known else {"vectors.zmm_closes_port": port}
        moved = {"vectors.zmm_moved": MOVED_BESIDE_WIDE, "vectors.zmm_moved_ports": wide}
        yield {**closed, "vectors.zmm_moved": []}
        if wide:
            yield {**closed, **moved}


_ACTIVITY = "vectors.activity"
_FLOATING = ["vaddp*", "vsubp*", "vmulp*", "vfm*", "vfnm*"]
_SHARES = ("operation_cycles", "load_cycles", "store_cycles")
_AT_FIRST = (0.2, 0.25, 0.3, 0.35, 0.4)
"""Of a cycle, for each operation, load and store of 512 bits."""
_OF_NARROWER = {64: 0.4, 128: 0.5, 256: 0.7, 512: 1.0}
_COARSE, _FINE = (0.04, 0.08, 0.14), (0.01, 0.02, 0.03)
"""Steps of a share."""


def _activity(start: Machine) -> Iterator[dict[str, Any]]:
    """No limit of what the core can do in a cycle, or one that all share alike."""
    if start.parameter(_ACTIVITY):
        yield {_ACTIVITY: []}
        return
    for most in _AT_FIRST:
        tables: list[dict[str, Any]] = []
        for bits, part in _OF_NARROWER.items():
            shares = dict.fromkeys(_SHARES, round(most * part, 2))
            tables += [{"bits": bits, "mnemonics": _FLOATING, **shares}] if bits >= _WIDE_CODE else []
            tables.append({"bits": bits, **shares})
        yield {_ACTIVITY: tables}


_WIDE_CODE = 256
"""Bits of vectors in whose company the limit counts."""


def _share_of(bits: int, share: str, floating: bool, steps: Sequence[float]) -> Options:
    """Another share of a cycle: for operations on floating point apart from others, for loads and stores of all."""

    def options(start: Machine) -> Iterator[dict[str, Any]]:
        tables: Sequence[dict[str, Any]] = start.parameter(_ACTIVITY) or ()
        is_meant = [
            each["bits"] == bits and (share != _SHARES[0] or ("mnemonics" in each) == floating) for each in tables
        ]
        before = {each[share] for each, meant in zip(tables, is_meant, strict=True) if meant}
        for value, step in product(before, (*steps, *(-step for step in steps))):
            if value + step >= 0:
                changed = {share: round(value + step, 2)}
                pairs = zip(tables, is_meant, strict=True)
                yield {_ACTIVITY: [{**each, **changed} if meant else each for each, meant in pairs]}

    return options


_EVERY_SHARE = (
    *((512, share, floating) for share, floating in (*product(_SHARES, (False,)), (_SHARES[0], True))),
    *((256, share, floating) for share, floating in (*product(_SHARES, (False,)), (_SHARES[0], True))),
    *((bits, share, False) for bits, share in product((128, 64), _SHARES)),
)
_LOADED, _STORED_TO = "ptr [rsi + {place}]", "ptr [rdi + {place}]"
_AT_WORK = {
    "operation": ("vpaddd zmm{n}, zmm1, zmm2", "vmulps zmm{n}, zmm1, zmm2"),
    "load": (f"vmovups zmm{{n}}, zmmword {_LOADED}",),
    "store": (f"vmovups zmmword {_STORED_TO}, zmm1",),
}
_NARROW_AT_WORK = {
    "operation": (
        "vpaddd ymm{n}, ymm1, ymm2", "vmulps ymm{n}, ymm1, ymm2", "vpaddd xmm{n}, xmm1, xmm2", "lea r{m}, [r14 + 8]",
    ),
    "load": (
        f"vmovups ymm{{n}}, ymmword {_LOADED}", f"vmovups xmm{{n}}, xmmword {_LOADED}", f"mov r{{m}}, qword {_LOADED}",
    ),
    "store": (
        f"vmovups ymmword {_STORED_TO}, ymm1", f"vmovups xmmword {_STORED_TO}, xmm1", f"mov qword {_STORED_TO}, rax",
    ),
}  # fmt: skip
_COMPANY = {
    "operation": {"operation": 1, "load": 2, "store": 1},
    "load": {"operation": 2, "load": 1, "store": 1},
    "store": {"operation": 2, "load": 2, "store": 0},
}
"""Of 512 bits, beside which one operation, load or store more needs no busy port: what it costs is its share."""


def _numbered(texts: Sequence[str]) -> tuple[str, ...]:
    return tuple(text.format(n=4 + n % 12, m=8 + n % 6, place=64 * n) for n, text in enumerate(texts))


def _company(kind: str, times: int = 2, operation: int = 0) -> list[str]:
    texts = {each: _AT_WORK[each][operation if each == "operation" else 0] for each in _COMPANY[kind]}
    return [texts[each] for each, count in _COMPANY[kind].items() for _ in range(count)] * times


def _at_work() -> Experiment:
    """What two companies take, and what two or four more beside them take beyond it: single ones meet at ports."""
    companies = [_numbered(_company(kind)) for kind in _COMPANY]
    loops = [_numbered(_company(kind, *which)) for kind, which in product(_COMPANY, ((2, 1), (3, 0)))]
    beyond: list[tuple[int, ...]] = [()] * len(loops)
    for place, kind in enumerate(_COMPANY):
        every = [(text, 2) for text in _AT_WORK[kind]]
        every += product(_NARROW_AT_WORK[kind], (2, 4))
        loops += [_numbered([*_company(kind), *[text] * count]) for text, count in every]
        beyond += [(place,)] * len(every)
    return Experiment(
        "vectors at work, up to 512 bits",
        tuple(loops),
        options=_activity,
        further=tuple(_share_of(*share, steps) for steps in (_COARSE, _FINE, _FINE[:1]) for share in _EVERY_SHARE),
        references=tuple(companies),
        beyond=tuple(beyond),
        most_left=0.3,
    )


VECTOR_EXPERIMENTS: tuple[Experiment, ...] = (
    Experiment("sums of 512 bits", tuple(_wide_kernels(SUMS)), options=_wide_latency(SUMS)),
    Experiment("products of 512 bits", tuple(_wide_kernels(PRODUCTS)), options=_wide_latency(PRODUCTS)),
    Experiment(
        "vectors beside 512 bits",
        tuple((_WIDE_LOAD, *repeated(4, text)) for text in _NARROW),
        options=_closed_port,
        references=tuple(repeated(4, text) for text in _NARROW),
        beyond=tuple((place,) for place in range(len(_NARROW))),
    ),
    _at_work(),
    _late_experiment(SUMS, "ymm", "results of additions"),
    _late_experiment(INTEGERS, "ymm", "results of integers"),
    _late_experiment(PRODUCTS, "ymm", "results of multiplications"),
    _late_experiment(SUMS, "zmm", "results of additions of 512 bits"),
    _late_experiment(INTEGERS, "zmm", "results of integers of 512 bits"),
    _late_experiment(PRODUCTS, "zmm", "results of multiplications of 512 bits"),
)
