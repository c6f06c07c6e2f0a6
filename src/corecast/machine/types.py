"""Types of machine models."""

from __future__ import annotations

from corecast.dataclass import dataclass, field
from corecast.errors import MachineModelError
from corecast.hints import TYPE_CHECKING, Any, Mapping
from corecast.isa.spelling import Isa as Isa

if TYPE_CHECKING:
    from pathlib import Path

    from corecast import _core
    from corecast.machine.validation import Validation


@dataclass(frozen=True)
class FormRow:
    """One row of a form table as it stands in its file: what a model says of one instruction form.

    The grammar of the columns is described in the documentation of machine models. "?" means unknown.
    """

    form: str
    """The key (docs/form-keys.md)."""
    ports: str
    """uops by the ports they may use, `1*p01+1*p23`; empty: none."""
    blocking: str
    """Cycles that non-pipelined units are taken, `DIV:8`."""
    latency: str
    """Cycles by source and destination operand, `1->1:4;addr->1:9`; empty: no result depends on any source."""
    uops: str
    """fused/unfused/retired."""
    decode: str
    """How it is decoded (docs/add-a-cpu.md), `1;0;0;4`."""
    flags: str
    """What is particular: `eliminated`, `zero_idiom`, `serializing`, `fusible:*`, separated by bars."""
    rthroughput: str
    """Measured reciprocal throughput in cycles."""
    source: str
    """Where the figures come from."""
    confidence: str
    """ "measured", "documented", "derived" or "assumed"."""
    file: str = ""
    """The form table."""
    line: int = 0
    """Its line, from 1; 0: not from a file."""

    @classmethod
    def from_text(cls, text: str, file: str = "", line: int = 0) -> FormRow:
        """Split a row's `text` into its columns; raises ValueError where there are not ten."""
        form, ports, blocking, latency, uops, decode, flags, rthroughput, source, confidence = (
            cell.strip() for cell in text.split("\t")
        )
        return cls(
            form, ports, blocking, latency, uops, decode, flags, rthroughput, source, confidence, file=file, line=line
        )


@dataclass(frozen=True)
class MachineInfo:
    """A machine model by its name, not loaded."""

    name: str
    """The microarchitecture in lower case, `skylake_x`."""
    title: str
    """For reports, `Intel Skylake-X (server Skylake)`."""
    vendor: str
    """Who makes or designs the core."""
    isa: Isa
    """Instruction set."""
    aliases: tuple[str, ...]
    """Other names that are accepted."""
    place: str
    """Its folder."""
    validation: tuple[Validation, ...] = ()
    """Errors of the model's predictions, by what was measured."""
    pipeline_of: str = ""
    """The model whose parameters this one takes over, "" where it stands alone."""
    notes: tuple[str, ...] = ()
    """What a user of the model should be told: that it is LLVM's, for a CPU that there is no model of."""

    @property
    def validated(self) -> tuple[str, ...]:
        """The errors in words, `1.19 % on 12,000 loops`."""
        return tuple(each.text for each in self.validation)

    @property
    def folder(self) -> Path:
        """The folder with its pipeline.toml."""
        from pathlib import Path

        return Path(self.place)


@dataclass(frozen=True)
class Machine:
    """A loaded machine model; `core` does the work and may be asked from several threads."""

    info: MachineInfo
    """Name, title, folder, validation."""
    pipeline: Mapping[str, Any] = field(repr=False)
    """The keys of pipeline.toml in format 2, inherited ones included."""
    table_files: tuple[str, ...] = field(repr=False)
    """The form tables, the first that has a key wins."""
    core: _core.Machine = field(repr=False)
    """The model in C++."""
    is_variant: bool = False
    """Some keys have other values than in pipeline.toml: what was measured of the core is not of this one."""

    @property
    def name(self) -> str:
        """The microarchitecture in lower case, `skylake_x`."""
        return self.info.name

    @property
    def tables(self) -> tuple[Path, ...]:
        """The form tables, the first that has a key wins."""
        from pathlib import Path

        return tuple(map(Path, self.table_files))

    def parameter(self, key: str) -> Any:
        """The value of a key of pipeline.toml, written with dots as in docs/parameters.md; None where it is unknown."""
        from corecast.machine.trees import value_of

        return value_of(self.pipeline, key)

    @property
    def title(self) -> str:
        """For reports, `Intel Skylake-X (server Skylake)`."""
        return self.info.title

    @property
    def isa(self) -> Isa:
        """Instruction set."""
        return self.info.isa

    @property
    def aliases(self) -> tuple[str, ...]:
        """Other names that are accepted."""
        return self.info.aliases

    @property
    def ports(self) -> tuple[str, ...]:
        """Ports in display order."""
        return tuple(self.core.ports)

    @property
    def units(self) -> tuple[str, ...]:
        """Non-pipelined resources beside the ports (dividers)."""
        return tuple(self.core.units)

    @property
    def llvm_cpu(self) -> str:
        """The core's name in LLVM, "" where it has none."""
        return str(self.pipeline.get("llvm_cpu", ""))

    @property
    def assumed(self) -> Mapping[str, list[str]]:
        """Keys of the pipeline that are assumed from a relative, by the relative's name."""
        found: Mapping[str, list[str]] = self.pipeline.get("assumed", {})
        return found

    @property
    def extensions(self) -> tuple[str, ...] | None:
        """Extensions of the instruction set that the core has; None where the model does not list them."""
        names = self.core.extensions
        return None if names is None else tuple(names)

    def keys(self) -> list[str]:
        """Every form key, in the order of the files."""
        return self.core.keys()

    def row(self, form: str) -> FormRow | None:
        """The row of exactly this key, None where there is none.

        Raises:
            MachineModelError: it has not ten columns.
        """
        found = self.core.row(form)
        if found is None:
            return None
        try:
            return FormRow.from_text(*found)
        except ValueError:
            raise MachineModelError("a row has ten columns", found[1], found[2]) from None

    def nearest_forms(self, form: str, count: int = 3) -> tuple[str, ...]:
        """The known keys nearest to a form: the same mnemonic first, then others of the same operation."""
        return tuple(self.core.nearest_forms(form, count))

    def similar_forms(self, form: str, count: int = 3) -> tuple[str, ...]:
        """The known keys spelled like a form that may be misspelt."""
        return tuple(self.core.similar_forms(form, count))
