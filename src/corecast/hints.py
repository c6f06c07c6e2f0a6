"""Names of `typing` for annotations.

Annotations are not evaluated at run time, but their names must be imported, and `typing` takes as long to import as a
short loop to analyze. Here the names stand for nothing, except `Literal`, whose values `get_args` knows. Type checkers
see the real ones. What matters at run time (`NamedTuple`, `Generic`, `overload`) comes from `typing`.
"""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import IO as IO
    from typing import Any as Any
    from typing import AnyStr as AnyStr
    from typing import BinaryIO as BinaryIO
    from typing import ClassVar as ClassVar
    from typing import Literal as Literal
    from typing import NoReturn as NoReturn
    from typing import ParamSpec as ParamSpec
    from typing import Protocol as Protocol
    from typing import TextIO as TextIO
    from typing import TypeVar as TypeVar
    from typing import cast as cast
    from typing import get_args as get_args
else:

    class _Name:
        """Takes part in every expression that makes a type."""

        def __init__(self, values=()):
            self.values = values

        def __getitem__(self, values):
            return _Name(values if isinstance(values, tuple) else (values,))

        def __or__(self, other):
            return self

        __ror__ = __or__

    Any = AnyStr = BinaryIO = ClassVar = IO = Literal = NoReturn = TextIO = _Name()
    Protocol = object

    def TypeVar(name, *constraints, bound=None):
        return _Name()

    ParamSpec = TypeVar

    def cast(kind, value):
        return value

    def get_args(kind):
        return kind.values
