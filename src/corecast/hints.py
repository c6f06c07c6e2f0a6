"""Names of `typing` and `collections.abc` for annotations, and what else comes from modules that take long to import.

Annotations are not evaluated at run time, but their names must be imported, and `typing` takes as long to import as a
short loop to analyze. The names of `collections.abc`, `partial` and `attrgetter` are the real ones: Python has them
without the rest of their modules, which is not needed. Of `typing`, the names stand for nothing, except `Literal`,
whose values `get_args` knows. Type checkers see the real ones. What matters at run time (`NamedTuple`, `Generic`,
`overload`) comes from `typing`.

`cached_property` and `import_module` are as in `functools` and `importlib`, for classes without `__slots__` and for
whole names.
"""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable as Callable
    from collections.abc import Iterable as Iterable
    from collections.abc import Iterator as Iterator
    from collections.abc import Mapping as Mapping
    from collections.abc import Sequence as Sequence
    from collections.abc import Set as Set
    from functools import cached_property as cached_property
    from functools import partial as partial
    from importlib import import_module as import_module
    from operator import attrgetter as attrgetter
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
    import sys
    from _collections_abc import Callable as Callable
    from _collections_abc import Iterable as Iterable
    from _collections_abc import Iterator as Iterator
    from _collections_abc import Mapping as Mapping
    from _collections_abc import Sequence as Sequence
    from _collections_abc import Set as Set
    from _functools import partial as partial
    from _operator import attrgetter as attrgetter

    class cached_property:
        """A method that is called once; what it returned is the object's attribute from then on."""

        def __init__(self, method):
            self._method = method
            self.__doc__ = method.__doc__

        def __set_name__(self, owner, name):
            self._name = name

        def __get__(self, instance, owner=None):
            if instance is None:
                return self
            value = instance.__dict__[self._name] = self._method(instance)
            return value

    def import_module(name):
        __import__(name)
        return sys.modules[name]

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
