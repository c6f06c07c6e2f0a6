"""Discovery of a core's pipeline: widths, latencies, sizes of buffers, pairs that fuse."""

from __future__ import annotations

from corecast.measure.judge.pipeline.discovery import PipelineMeter, Property
from corecast.measure.judge.pipeline.record import property_record

__all__ = ["PipelineMeter", "Property", "property_record"]
