"""What operands hold, of instruction sets of which no form's time is known to depend on it."""

from __future__ import annotations


def other_values(_form: object) -> tuple[()]:
    return ()


def value_dependent(_form: object) -> bool:
    return False


def keeps_values(_form: object, _source: str) -> bool:
    return True


def numbers(_form: object, _source: str = "") -> None:
    return None


def special_values(_form: object) -> dict[int, int]:
    return {}
