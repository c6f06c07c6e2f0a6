"""Fuzzes the CSV reader: however its bytes arrive, the same records or the same error; Python's reader agrees."""

from __future__ import annotations

import csv
import io
import random
import sys

from harness import Fuzzer, flip, splice

PIECES = (
    b",",
    b'"',
    b'""',
    b"\n",
    b"\r\n",
    b"\r",
    b"hex",
    b"4801d8",
    b"isa",
    b"\xef\xbb\xbf",
    b"\xff",
    b"\0",
    b" ",
    b"=1+1",
)


def seeds() -> list[bytes]:
    return [
        b"hex,name\n4801d8,a\n",
        b'hex,name\r\n4801d8,"a, b"\r\n90,"two\r\nlines"\r\n',
        b"hex\r4801d8\r90\r",
        b'\xef\xbb\xbfhex,isa\n\n90,x86\n"90","say ""hi"""\n\n\n',
        b'hex,note\n90,5" disk\n90,"open\n' + b"90,x\n" * 150,
    ]


def mutate(rng: random.Random, pool: list[bytes]) -> bytes:
    data = rng.choice(pool)
    match rng.randrange(4):
        case 0:
            return splice(rng, data, rng.choice(pool))
        case 1:
            return b"".join(rng.choices(PIECES, k=rng.randrange(1, 40)))
        case 2:
            at = rng.randrange(len(data) + 1)
            return data[:at] + rng.choice(PIECES) + data[at:]
        case _:
            return flip(rng, data, rng.randrange(1, 4))


def read(data: bytes, size: int) -> list[bytes] | str:
    from corecast.errors import InputError
    from corecast.files.csv_records import batches

    try:
        parts = [data[at : at + size] for at in range(0, len(data), size)]
        return [record for batch in batches(parts, "f.csv") for record in batch]
    except InputError as error:
        return str(error)


def target(data: bytes) -> None:
    from corecast.files.csv_records import fields_of

    data = data[:20_000]
    whole = read(data, len(data) + 1)
    for size in (1, 3, 64):
        assert read(data, size) == whole, f"other records in pieces of {size} bytes"
    if isinstance(whole, str):
        line = int(whole.split(":")[1])
        assert 1 <= line <= data.count(b"\n") + data.count(b"\r") + 1, whole
        return
    plain = data.isascii() and b"\r" not in data and b"\0" not in data and all(b'"' not in record for record in whole)
    if plain:
        expected = [row or [""] for row in csv.reader(io.StringIO(data.decode().rstrip("\n")))] if whole else []
        assert [[cell.decode() for cell in fields_of(record)] for record in whole] == expected


if __name__ == "__main__":
    sys.exit(Fuzzer("csv", target, seeds, mutate).main())
