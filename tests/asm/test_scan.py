"""What is searched for without regular expressions is what they find."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from corecast.asm import scan
from corecast.asm.guard import harmless
from corecast.asm.places import places_up_to
from corecast.report.table import _parts
from corecast.report.wording import _is_place

NAMES = frozenset({"rax", "eax", "xmm0", "st"})
WIDTHS = frozenset({"dword", "byte"})


def texts(pieces: Sequence[str], count: int = 3000) -> list[str]:
    rng = random.Random(len(pieces))
    return ["".join(rng.choices(pieces, k=rng.randrange(1, 9))) for _ in range(count)]


def test_labels() -> None:
    pieces = ["a", ".L3", "_x$", "@?", " ", "\t", ":", "=", '"', "é", "²", "-", "\u2003", "\x1c", "main"]
    for line in texts(pieces):
        match = scan._LABEL.match(line)
        assert scan.label_end(line) == (None if match is None else match.end()), line


def test_functions() -> None:
    pieces = [
        ".type",
        "foo",
        "_z.1",
        "STT_",
        "FUNC",
        ",",
        " ",
        "\t",
        "@function",
        "@object",
        "%function",
        '"',
        "#",
        "@",
    ]
    for text in texts(pieces):
        for line in (text, ".type " + text, f".type {text}, @function", f"\t.type\t{text},@object", f".type f,{text}"):
            match = scan._TYPE.match(line)
            assert scan.typed_function(line) == (None if match is None else match[1]), line


def test_registers_and_widths() -> None:
    pieces = [
        "rax",
        "eax",
        "xmm0",
        "st",
        "%",
        "$",
        ".",
        ":",
        " ",
        "\n",
        "dword",
        "byte",
        " ptr",
        "ptr",
        "_",
        "1",
        "[",
        "é",
    ]
    for text in texts(pieces):
        words = scan._ATT_WORD.findall(text)
        assert scan.count_att(text, NAMES) == sum(word in NAMES for word in words), text
        pairs = scan._INTEL_WORD.findall(text)
        expected = sum(
            (word in NAMES and behind != ":") or (word in WIDTHS and behind == " ptr") for word, behind in pairs
        )
        assert scan.count_intel(text, NAMES, WIDTHS) == expected, text


def test_signed_operands() -> None:
    from corecast.asm.guard import _RISKY

    pieces = ["/", "%", "mod", "MOD", "(", "+", "-", "~", "!", " ", "\t", "\n", "*", "8", "rax", " " * 50, "é", "\x1f"]
    for text in texts(pieces):
        assert harmless(text, intel=False) == (_RISKY.sub("?", text) if "/" in text or "%" in text else text), text


def test_markers() -> None:
    pieces = [
        "#",
        ";",
        "//",
        "/*",
        "*/",
        " ",
        "\t",
        "\n",
        "OSACA-",
        "LLVM-MCA-",
        "llvm-mca-",
        "BEGIN",
        "end",
        "a",
        "_",
        "é",
    ]
    for text in (each + tail for each in texts(pieces) for tail in ("", "# OSACA-BEGIN x")):
        found = [
            (text.count("\n", 0, match.start()) + 1, match[1].upper(), match[2].upper() == "BEGIN", match[3])
            for match in scan._MARKER.finditer(text)
        ]
        assert list(scan.marker_comments(text)) == found, text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("lines 3-17", True),
        ("0x401000-0x40101f", True),
        ("lines 3-", False),
        ("lines -17", False),
        ("lines 3-17-20", False),
        ("3-17", False),
        ("0x-0x1", False),
        ("0x401000-0x40101F", False),
        ("0x401000", False),
        ("", False),
    ],
)
def test_places_in_names(text: str, expected: bool) -> None:
    assert _is_place(text) == expected


def test_parts_of_headings() -> None:
    assert _parts("0,1-5") == ["0", "1-", "5"]
    assert _parts("AGU0,V0-V3") == ["AGU0", "V0-", "V3"]
    assert _parts("D") == ["D"]
    assert _parts("a--b,-,c-") == ["a-", "b", "c-"]


def test_places_in_sorted_lists() -> None:
    for count in (0, 1, 63, 64, 65, 200):
        keys = [2 * place for place in range(count)]
        assert [places_up_to(key, keys) for key in (-1, 0, 1, 2 * count)] == [0, min(count, 1), min(count, 1), count]
