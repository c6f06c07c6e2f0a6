"""Reading code: text, object files, encoded bytes and source, to the kernels that the analysis works on."""

from __future__ import annotations

from corecast.asm.kernel import Kernel
from corecast.asm.options import RegionOptions, parse_addresses, parse_lines
from corecast.asm.regions import read_regions, regions_of_code, regions_of_text, stream_regions

__all__ = [
    "Kernel",
    "RegionOptions",
    "parse_addresses",
    "parse_lines",
    "read_regions",
    "regions_of_code",
    "regions_of_text",
    "stream_regions",
]
