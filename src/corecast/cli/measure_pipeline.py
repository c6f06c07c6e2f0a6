"""`corecast measure pipeline`: discovery of a core's pipeline."""

from __future__ import annotations

from corecast.cli.messages import tell_step
from corecast.hints import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

    from corecast.measure import Core

EXIT_FAILED = 1


def run(arguments: argparse.Namespace, core: Core) -> int:
    from corecast.cli.output import write_json, write_result
    from corecast.measure.judge.pipeline import PipelineMeter, property_record
    from corecast.measure.record.file import append_records
    from corecast.report.pipeline_measurement import property_line

    meter = PipelineMeter(core)
    names = tuple(arguments.properties) or meter.names()
    for name in names:
        meter.check(name)
    found = []
    for name in names:
        tell_step(name)
        found.append(meter.find(name))
        if arguments.records is not None:
            append_records(arguments.records, [property_record(found[-1], core)])
    if arguments.format == "json":
        records = [property_record(each, core) for each in found]
        write_json(records, arguments.output)
    else:
        text = "".join(property_line(each) for each in found)
        write_result(text + f"{core.name}; clock {core.clock}\n", arguments.output, errors="backslashreplace")
    return 0 if all(each.value is not None for each in found) else EXIT_FAILED
