"""What a variant of a core costs, as the user says it: `reorder_buffer + 2*scheduler + 40*vector_length_bits/128`."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable

from corecast.errors import InputError
from corecast.hints import TYPE_CHECKING, Any
from corecast.machine import full_key
from corecast.machine.vector_units import VECTOR_UNITS, parse_vector_units

if TYPE_CHECKING:
    from corecast.explore.sweeps import Settings
    from corecast.machine import Machine

_BINARY: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}
_FUNCTIONS: dict[str, Callable[[float], float]] = {"sqrt": math.sqrt, "log2": math.log2}


class Formula:
    """Sums, products, powers, sqrt and log2 of keys of pipeline.toml and numbers.

    `units` and `bits` are those of vector_units. Keys that a point does not set have the core's own value.
    """

    def __init__(self, text: str) -> None:
        """Raises InputError where the text is no such formula."""
        self.text = text
        """As the user wrote it."""
        try:
            self._tree = ast.parse(text.strip(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            raise InputError(f"'{text}' is not a formula") from None
        for node in ast.walk(self._tree):
            if isinstance(node, ast.Name | ast.Attribute) and not self._is_part(node):
                name = ast.unparse(node)
                if name not in ("units", "bits", *_FUNCTIONS):
                    full_key(name)

    def _is_part(self, node: ast.AST) -> bool:
        """The `a` and `a.b` of `a.b.c`."""
        return any(isinstance(other, ast.Attribute) and other.value is node for other in ast.walk(self._tree))

    def value(self, machine: Machine, settings: Settings) -> float:
        """The cost of a point.

        Args:
            machine: has the values of keys that the point does not set.
            settings: keys of pipeline.toml with their values at the point.

        Raises:
            InputError: a key without a value, a division by zero, something that is not a sum, product or power.
        """
        try:
            return self._of(self._tree, machine, settings)
        except (ArithmeticError, ValueError, RecursionError) as error:
            raise InputError(f"the formula '{self.text}' has no value: {error}") from None

    def _of(self, node: ast.expr, machine: Machine, settings: Settings) -> float:
        if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
            return float(node.value)
        if isinstance(node, ast.BinOp) and type(node.op) in _BINARY:
            left, right = self._of(node.left, machine, settings), self._of(node.right, machine, settings)
            result = _BINARY[type(node.op)](left, right)
            if isinstance(result, complex):
                raise InputError(f"the formula '{self.text}' has no real value")
            return float(result)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return -self._of(node.operand, machine, settings)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and len(node.args) == 1:
            function = _FUNCTIONS.get(node.func.id)
            if function is not None and not node.keywords:
                return function(self._of(node.args[0], machine, settings))
        if isinstance(node, ast.Name | ast.Attribute):
            return self._setting(ast.unparse(node), machine, settings)
        raise InputError(f"'{ast.unparse(node)}' has no place in a formula")

    def _setting(self, name: str, machine: Machine, settings: Settings) -> float:
        if name in ("units", "bits"):
            for key, setting in settings.items():
                if key == VECTOR_UNITS:
                    return float(parse_vector_units(setting)[name == "bits"])
            raise InputError(f"the formula has {name}, but no point sets {VECTOR_UNITS}")
        wanted = full_key(name)
        for key, setting in settings.items():
            if full_key(key) == wanted:
                return self._number(name, setting)
        own: Any = machine.pipeline
        for step in wanted.split("."):
            own = own.get(step) if isinstance(own, dict) else None
        if own is None and wanted == "vector_length_bits":
            own = machine.core.vector_bits
        return self._number(name, own)

    def _number(self, name: str, value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise InputError(f"the formula needs a number for {name}, and there is none")
        return float(value)
