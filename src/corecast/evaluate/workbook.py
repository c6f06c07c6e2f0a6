"""The result of an evaluation as Parquet and as an Excel workbook, with libraries that are optional to install."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from itertools import islice

from corecast.errors import InputError
from corecast.evaluate.page import GENERATOR
from corecast.evaluate.results import Evaluation
from corecast.evaluate.sections import sections
from corecast.evaluate.tables import prediction_columns, prediction_rows
from corecast.hints import Any, BinaryIO
from corecast.prediction.arrow import import_arrow, import_parquet

_ROWS = 8192
_MOST_ROWS = 1_000_000
"""Of a sheet: Excel's limit is 1,048,576."""
_SHEET_NAME = 31


def check_parquet() -> None:
    """Raises InputError: pyarrow is not installed."""
    import_parquet()


def check_excel() -> None:
    """Raises InputError: XlsxWriter is not installed."""
    _xlsxwriter()


def write_parquet(evaluation: Evaluation, stream: BinaryIO) -> None:
    """Predictions, a row a case, some rows at a time."""
    arrow, parquet = import_arrow(), import_parquet()
    columns = prediction_columns(evaluation)
    numbers = {"measured_cycles", "count"}
    fields = [
        (name, arrow.float64() if name in numbers or name.endswith("_cycles") else arrow.string()) for name in columns
    ]
    schema = arrow.schema(fields, metadata={"generator": GENERATOR})
    rows = prediction_rows(evaluation)
    with parquet.ParquetWriter(stream, schema) as writer:
        while some := list(islice(rows, _ROWS)):
            arrays = [
                arrow.array(values, type=field.type)
                for values, field in zip(zip(*some, strict=True), schema, strict=True)
            ]
            writer.write_table(arrow.table(arrays, schema=schema))


def write_excel(evaluation: Evaluation, stream: BinaryIO) -> None:
    """The tables of the report, a sheet each, and the predictions."""
    book = _xlsxwriter().Workbook(stream, {"constant_memory": True, "strings_to_formulas": False})
    book.set_properties({"comments": GENERATOR})
    try:
        bold = book.add_format({"bold": True})
        for section in sections(evaluation):
            sheet = book.add_worksheet(section.title[:_SHEET_NAME])
            _fill(sheet, 0, section.head, bold)
            for number, row in enumerate(section.rows, 1):
                _fill(sheet, number, [text if at in section.codes else _value(text) for at, text in enumerate(row)])
        sheet = book.add_worksheet("Predictions")
        _fill(sheet, 0, prediction_columns(evaluation), bold)
        for number, values in enumerate(islice(prediction_rows(evaluation), _MOST_ROWS), 1):
            _fill(sheet, number, values)
    finally:
        book.close()


def _fill(sheet: Any, row: int, values: Sequence[Any], style: Any = None) -> None:
    for column, value in enumerate(values):
        if value is not None:
            if isinstance(value, str):
                sheet.write_string(row, column, value, style)
            else:
                sheet.write_number(row, column, value, style)


def _value(text: str) -> float | str:
    """A figure of a table as a number: percentages as shares."""
    try:
        if text.endswith(" %"):
            return float(text.removesuffix(" %")) / 100
        return float(text.replace(",", ""))
    except ValueError:
        return text


def _xlsxwriter() -> Any:
    try:
        return import_module("xlsxwriter")
    except ImportError:
        raise InputError("Excel files need XlsxWriter: pip install 'corecast[excel]'") from None
