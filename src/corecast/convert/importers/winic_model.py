"""`corecast import winic`: WINIC's measurements: latency per operand pair and reciprocal throughput, no ports."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from corecast.convert.importers.winic import rows_from_winic
from corecast.convert.importers.winic_files import Measurement, read_csv, read_yaml
from corecast.errors import InputError
from corecast.files.compressed import BROKEN
from corecast.machine.making.imported import Imported
from corecast.machine.rows import Row
from corecast.machine.types import Isa


def import_winic(paths: Sequence[Path], isa: Isa) -> Imported:
    """WINIC's measurements of one core.

    Args:
        paths: the YAML file, or both CSV files of an x86 core: latencies, then reciprocal throughputs.

    Raises:
        InputError: the files are not what they should be.
        MachineModelError: a line is malformed.
        OSError: a file cannot be read.
    """
    measurements = _read(paths)
    found = rows_from_winic(isa, measurements, f"winic:{paths[0].name.partition('.')[0]}")
    rows: dict[str, Row] = {row.form: row for row in found if row.latency or row.reciprocal_throughput_cycles}
    if not rows:
        raise InputError(f"no opcode that is an instruction of {isa}", str(paths[0]))
    return Imported(
        origin=f"WINIC's measurements in {', '.join(path.name for path in paths)}",
        file="winic.tsv",
        isa=isa,
        rows=rows,
        entries=len(measurements),
        notes=("WINIC measures no ports and no micro-ops: those stay as the model has them",),
    )


def _read(paths: Sequence[Path]) -> dict[str, Measurement]:
    if len(paths) > 2:
        raise InputError("give one YAML file, or two CSV files: latencies, then reciprocal throughputs")
    try:
        return read_csv(paths[0], paths[1]) if len(paths) == 2 else read_yaml(paths[0])
    except UnicodeDecodeError:
        raise InputError("is not UTF-8 text", str(paths[0])) from None
    except BROKEN as error:
        raise InputError(f"is not compressed text: {error}", str(paths[0])) from None
    except ValueError as error:
        raise InputError(f"a figure is malformed: {error}", str(paths[0])) from None
