"""`dataclass`, `field` and `replace` as in `dataclasses`, for a program that starts quickly.

The standard decorator compiles the methods of every class from text when the module is imported, and imports `inspect`
for it; with a hundred classes that takes longer than analyzing a loop. Here the methods are closures. `__init__` alone
is compiled, once a class is constructed often enough for that to pay.

The classes are dataclasses to everybody else: `dataclasses.fields`, `asdict`, `is_dataclass`, pattern matching,
pickling and `inspect.signature` work, and type checkers see the standard names. Differences: `InitVar`, `KW_ONLY` and a
standard dataclass as a base are refused; a class without docstring gets none; two fields are equal where they are one
object, as before Python 3.13.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from operator import attrgetter

from corecast.hints import TYPE_CHECKING, Any, NoReturn

_SPEC = "__corecast_spec__"
_COMPILE_AFTER = 32
"""Constructions: compiling an `__init__` takes as long as about so many calls of the general one."""
_MISSING: Any = type("_Missing", (), {"__repr__": lambda _: "<factory>"})()


class _Field:
    """What is known about one field. As the value of a class attribute: what `field` was given."""

    __slots__ = ("compare", "default", "factory", "hash", "init", "kw_only", "metadata", "name", "repr", "type")

    def __init__(self, default: Any, factory: Any, options: Mapping[str, Any]) -> None:
        self.name = ""
        self.type: Any = None
        self.default = default
        self.factory = factory
        self.init: bool = options["init"]
        self.repr: bool = options["repr"]
        self.hash: bool | None = options["hash"]
        self.compare: bool = options["compare"]
        self.kw_only: bool | None = options["kw_only"]
        self.metadata: Mapping[Any, Any] | None = options["metadata"]

    @property
    def optional(self) -> bool:
        """Whether `__init__` can do without a value."""
        return self.default is not _MISSING or self.factory is not _MISSING


_PLAIN = {"init": True, "repr": True, "hash": None, "compare": True, "kw_only": None, "metadata": None}


def _field(*, default: Any = _MISSING, default_factory: Any = _MISSING, **options: Any) -> Any:
    if default is not _MISSING and default_factory is not _MISSING:
        raise ValueError("cannot specify both default and default_factory")
    unknown = options.keys() - _PLAIN.keys()
    if unknown:
        raise TypeError(f"field() got an unexpected keyword argument {min(unknown)!r}")
    return _Field(default, default_factory, {**_PLAIN, **options})


class _Spec:
    """What the decorator knows about a class."""

    __slots__ = ("cls", "fields", "options", "positional")

    def __init__(self, cls: type, fields: dict[str, _Field], options: Mapping[str, bool]) -> None:
        self.cls = cls
        self.fields = fields
        self.options = options
        self.positional = tuple([each.name for each in fields.values() if each.init and not each.kw_only])

    @property
    def arguments(self) -> list[_Field]:
        """What `__init__` takes, in its order."""
        taken = [each for each in self.fields.values() if each.init]
        return [each for each in taken if not each.kw_only] + [each for each in taken if each.kw_only]


_OPTIONS = {
    **{"init": True, "repr": True, "eq": True, "order": False, "unsafe_hash": False, "frozen": False},
    **{"match_args": True, "kw_only": False, "slots": False},
}


def _dataclass(cls: type | None = None, /, **options: bool) -> Any:
    unknown = options.keys() - _OPTIONS.keys()
    if unknown:
        raise TypeError(f"dataclass() got an unexpected keyword argument {min(unknown)!r}")
    chosen = {**_OPTIONS, **options}
    if chosen["order"] and not chosen["eq"]:
        raise ValueError("eq must be true if order is true")
    return (lambda decorated: _process(decorated, chosen)) if cls is None else _process(cls, chosen)


def _process(cls: type, options: Mapping[str, bool]) -> type:
    fields = _inherited(cls, options["frozen"])
    own = _own(cls, options["kw_only"])
    fields.update((each.name, each) for each in own)
    if options["init"]:
        _check_order(fields)
    for each in own:
        if each.default is not _MISSING:
            setattr(cls, each.name, each.default)
        elif isinstance(cls.__dict__.get(each.name), _Field):
            delattr(cls, each.name)
    if options["slots"]:
        cls = _with_slots(cls, fields, options["frozen"])
    spec = _Spec(cls, fields, options)
    setattr(cls, _SPEC, spec)
    for name in ("__dataclass_fields__", "__dataclass_params__"):
        setattr(cls, name, _Standard(name, spec))
    _add_methods(spec)
    return cls


def _inherited(cls: type, frozen: bool) -> dict[str, _Field]:
    fields: dict[str, _Field] = {}
    for base in cls.__mro__[-1:0:-1]:
        spec: _Spec | None = base.__dict__.get(_SPEC)
        if spec is None:
            if "__dataclass_fields__" in base.__dict__:
                raise TypeError(f"{base.__qualname__} is a standard dataclass, which cannot be a base")
            continue
        if frozen != spec.options["frozen"]:
            kinds = ("frozen", "non-frozen")
            raise TypeError("cannot inherit {} dataclass from a {} one".format(*(kinds if frozen else kinds[::-1])))
        fields.update(spec.fields)
    return fields


def _own(cls: type, kw_only: bool) -> list[_Field]:
    """The fields that the body of the class declares."""
    annotations: Mapping[str, Any] = cls.__annotations__
    there = cls.__dict__
    for name, value in there.items():
        if type(value) is _Field and name not in annotations:
            raise TypeError(f"{name!r} is a field but has no type annotation")
    return [
        _declared(name, kind, getattr(cls, name, _MISSING), kw_only)  # a base's default is one here, too
        for name, kind in annotations.items()
        if not _is_of_the_class(name, kind)
    ]


def _is_of_the_class(name: str, kind: Any) -> bool:
    """Whether an annotation declares a class variable."""
    text = kind if isinstance(kind, str) else repr(kind)
    if "Var" not in text and "KW_ONLY" not in text:
        return False
    word = text.partition("[")[0].rpartition(".")[2]
    if word in ("InitVar", "KW_ONLY"):
        raise TypeError(f"{name}: {word} is not supported")
    return word == "ClassVar"


def _declared(name: str, kind: Any, value: Any, kw_only: bool) -> _Field:
    if type(value) is _Field:
        found = value
    else:
        if type(value).__name__ == "member_descriptor":  # a slot of the class itself
            value = _MISSING
        if type(value).__module__ == "dataclasses":
            raise TypeError(f"field {name} needs field() of corecast.dataclass")
        found = _Field(value, _MISSING, _PLAIN)
    found.name = name
    found.type = kind
    if found.kw_only is None:
        found.kw_only = kw_only
    if found.default.__class__.__hash__ is None:
        raise ValueError(f"mutable default {type(found.default)} for field {name} is not allowed: use default_factory")
    return found


def _check_order(fields: Mapping[str, _Field]) -> None:
    optional = False
    for each in fields.values():
        if each.init and not each.kw_only:
            if optional and not each.optional:
                raise TypeError(f"non-default argument {each.name!r} follows default argument")
            optional = each.optional


def _with_slots(cls: type, fields: Mapping[str, _Field], frozen: bool) -> type:
    """The class anew, with slots for its fields: they cannot be added to one that is there."""
    body = dict(cls.__dict__)
    if "__slots__" in body:
        raise TypeError(f"{cls.__name__} already specifies __slots__")
    inherited = {slot for base in cls.__mro__[1:-1] for slot in _slots_of(base)}
    body["__slots__"] = tuple(name for name in fields if name not in inherited)
    for name in (*fields, "__dict__", "__weakref__"):
        body.pop(name, None)
    if frozen:
        names = tuple(fields)
        body.setdefault("__getstate__", lambda self: [getattr(self, name) for name in names])
        body.setdefault("__setstate__", lambda self, state: _set_all(self, names, state))
    made = type(cls)(cls.__name__, cls.__bases__, body)
    made.__qualname__ = cls.__qualname__
    return made


def _slots_of(base: type) -> tuple[str, ...]:
    slots = base.__dict__.get("__slots__", ())
    return (slots,) if isinstance(slots, str) else tuple(slots)


def _set_all(self: object, names: tuple[str, ...], values: list[Any]) -> None:
    for name, value in zip(names, values, strict=True):
        object.__setattr__(self, name, value)


# Methods


def _add_methods(spec: _Spec) -> None:
    cls, options, fields = spec.cls, spec.options, spec.fields.values()
    there = cls.__dict__
    compared = _values_of([each.name for each in fields if each.compare])
    if options["init"] and "__init__" not in there:
        _set_method(cls, "__init__", _first_init(spec))
        cls.__signature__ = _Signature()  # type: ignore[attr-defined]
    if options["repr"] and "__repr__" not in there:
        _set_method(cls, "__repr__", _repr(tuple(each.name for each in fields if each.repr)))
    hashed_by_hand = there.get("__hash__", _MISSING)
    by_hand = hashed_by_hand is not _MISSING and not (hashed_by_hand is None and "__eq__" in there)
    if options["eq"] and "__eq__" not in there:
        _set_method(cls, "__eq__", _eq(compared))
    if options["order"]:
        for name, method in _comparisons(compared).items():
            _refuse_overwriting(cls, name)
            _set_method(cls, name, method)
    if options["frozen"]:
        for name in ("__setattr__", "__delattr__"):
            _refuse_overwriting(cls, name)
        _set_method(cls, "__setattr__", _frozen_setattr(spec))
        _set_method(cls, "__delattr__", _frozen_delattr(spec))
    if options["unsafe_hash"] and by_hand:
        _refuse_overwriting(cls, "__hash__")
    if options["unsafe_hash"] or (options["eq"] and options["frozen"] and not by_hand):
        hashed = _values_of([each.name for each in fields if (each.compare if each.hash is None else each.hash)])
        _set_method(cls, "__hash__", lambda self: hash(hashed(self)))
    elif options["eq"] and not by_hand:
        cls.__hash__ = None  # type: ignore[assignment]
    if options["match_args"] and "__match_args__" not in there:
        setattr(cls, "__match_args__", spec.positional)  # noqa: B010  # type checkers refuse the assignment
    if sys.version_info >= (3, 13) and "__replace__" not in there:  # which asks for it first
        cls.__replace__ = _replace  # type: ignore[attr-defined]


def _set_method(cls: type, name: str, method: Callable[..., Any]) -> None:
    method.__name__ = name
    method.__qualname__ = f"{cls.__qualname__}.{name}"
    setattr(cls, name, method)


def _refuse_overwriting(cls: type, name: str) -> None:
    if name in cls.__dict__:
        raise TypeError(f"cannot overwrite attribute {name} in class {cls.__name__}")


def _values_of(names: list[str]) -> Callable[[Any], tuple[Any, ...]]:
    if len(names) > 1:
        return attrgetter(*names)
    if names:
        one = attrgetter(names[0])
        return lambda self: (one(self),)
    return lambda self: ()


_described: set[tuple[int, int]] = set()
"""Objects whose text is being made, each with its thread."""


def _repr(names: tuple[str, ...]) -> Callable[[Any], str]:
    def __repr__(self: Any) -> str:
        from _thread import get_ident

        key = (id(self), get_ident())
        if key in _described:
            return "..."
        _described.add(key)
        try:
            values = ", ".join([f"{name}={getattr(self, name)!r}" for name in names])
        finally:
            _described.discard(key)
        return f"{self.__class__.__qualname__}({values})"

    return __repr__


def _eq(values: Callable[[Any], tuple[Any, ...]]) -> Callable[[Any, Any], Any]:
    def __eq__(self: Any, other: Any) -> Any:
        return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

    return __eq__


def _comparisons(values: Callable[[Any], tuple[Any, ...]]) -> dict[str, Callable[[Any, Any], Any]]:
    def __lt__(self: Any, other: Any) -> Any:
        return values(self) < values(other) if other.__class__ is self.__class__ else NotImplemented

    def __le__(self: Any, other: Any) -> Any:
        return values(self) <= values(other) if other.__class__ is self.__class__ else NotImplemented

    def __gt__(self: Any, other: Any) -> Any:
        return values(self) > values(other) if other.__class__ is self.__class__ else NotImplemented

    def __ge__(self: Any, other: Any) -> Any:
        return values(self) >= values(other) if other.__class__ is self.__class__ else NotImplemented

    return {each.__name__: each for each in (__lt__, __le__, __gt__, __ge__)}


def _frozen_setattr(spec: _Spec) -> Callable[[Any, str, Any], None]:
    cls: Any = spec.cls
    fields = spec.fields

    def __setattr__(self: Any, name: str, value: Any) -> None:
        if type(self) is cls or name in fields:
            _refuse(f"cannot assign to field {name!r}")
        super(cls, self).__setattr__(name, value)

    return __setattr__


def _frozen_delattr(spec: _Spec) -> Callable[[Any, str], None]:
    cls: Any = spec.cls
    fields = spec.fields

    def __delattr__(self: Any, name: str) -> None:
        if type(self) is cls or name in fields:
            _refuse(f"cannot delete field {name!r}")
        super(cls, self).__delattr__(name)

    return __delattr__


def _refuse(message: str) -> NoReturn:
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(message)


# Construction


def _first_init(spec: _Spec) -> Callable[..., None]:
    """An `__init__` that reads the fields' list, and replaces itself once it was called often."""
    positional = spec.positional
    fields = tuple(spec.fields.values())
    slots = spec.options["slots"]
    set_ = object.__setattr__ if spec.options["frozen"] else setattr
    calls = 0

    def __init__(self: Any, /, *args: Any, **given: Any) -> None:
        nonlocal calls
        calls += 1
        values = dict(zip(positional, args))  # noqa: B905  # too many arguments are found below
        values.update(given)
        left = len(values)
        fits = left == len(args) + len(given)
        for each in fields if fits else ():
            if each.init and each.name in values:
                left -= 1
            elif each.init and not each.optional:
                fits = False
        if left or not fits or calls > _COMPILE_AFTER:
            _compiled_init(spec)(self, *args, **given)
            return
        for each in fields:
            if each.name in values:
                set_(self, each.name, values[each.name])
            elif each.factory is not _MISSING:
                set_(self, each.name, each.factory())
            elif each.default is not _MISSING and (each.init or slots):
                set_(self, each.name, each.default)
        if hasattr(spec.cls, "__post_init__"):
            self.__post_init__()

    __init__.__corecast_spec__ = spec  # type: ignore[attr-defined]
    return __init__


def _compiled_init(spec: _Spec) -> Callable[..., None]:
    """The `__init__` of a class, compiled and installed in it."""
    known: dict[str, Any] = {"__missing__": _MISSING, "__set__": object.__setattr__}
    own = "__self__" if "self" in spec.fields else "self"
    assign = f"__set__({own}, {{!r}}, {{}})" if spec.options["frozen"] else f"{own}.{{}} = {{}}"
    values = {name: _assigned(each, spec, known) for name, each in spec.fields.items()}
    lines = [assign.format(name, value) for name, value in values.items() if value is not None]
    if hasattr(spec.cls, "__post_init__"):
        lines.append(f"{own}.__post_init__()")
    arguments = spec.arguments
    words = [_argument(each) for each in arguments]
    if any(each.kw_only for each in arguments):
        words.insert(sum(not each.kw_only for each in arguments), "*")
    made: dict[str, Any] = {}
    exec("\n  ".join([f"def __init__({', '.join([own, *words])}):", *(lines or ["pass"])]), known, made)
    init: Callable[..., None] = made["__init__"]
    init.__annotations__ = {**{each.name: each.type for each in arguments}, "return": None}
    init.__module__ = spec.cls.__module__
    there = spec.cls.__dict__.get("__init__")
    if getattr(there, _SPEC, None) is spec:
        _set_method(spec.cls, "__init__", init)
    return init


def _argument(each: _Field) -> str:
    if each.factory is not _MISSING:
        return f"{each.name}=__missing__"
    return each.name if each.default is _MISSING else f"{each.name}=__default_{each.name}__"


def _assigned(each: _Field, spec: _Spec, known: dict[str, Any]) -> str | None:
    """The expression that `__init__` sets a field to, None where it does not; `known` gets the values that it names."""
    name = each.name
    if each.factory is not _MISSING:
        known[f"__factory_{name}__"] = each.factory
        return f"__factory_{name}__()" + (f" if {name} is __missing__ else {name}" if each.init else "")
    if each.default is not _MISSING:
        known[f"__default_{name}__"] = each.default
    if each.init:
        return name
    return f"__default_{name}__" if each.default is not _MISSING and spec.options["slots"] else None


class _Signature:
    """`__signature__` of a class: has `__init__` compiled, then steps back, so that its own signature is read."""

    def __get__(self, instance: object, owner: type) -> NoReturn:
        spec = getattr(owner.__init__, _SPEC, None)  # type: ignore[misc]
        if spec is not None:
            _compiled_init(spec)
        raise AttributeError("__signature__")


# What others see


class _Standard:
    """`__dataclass_fields__` or `__dataclass_params__`, taken from a standard dataclass of the same fields when asked
    for."""

    __slots__ = ("name", "spec")

    def __init__(self, name: str, spec: _Spec) -> None:
        self.name = name
        self.spec = spec

    def __get__(self, instance: object, owner: type) -> Any:
        import dataclasses

        fields = [(each.name, each.type, _standard(each)) for each in self.spec.fields.values()]
        options: dict[str, Any] = {**self.spec.options}
        twin = dataclasses.make_dataclass(self.spec.cls.__name__, fields, **options)
        found = getattr(twin, self.name)
        setattr(self.spec.cls, self.name, found)
        return found


def _standard(each: _Field) -> Any:
    import dataclasses

    options = {name: getattr(each, name) for name in _PLAIN}
    if each.default is not _MISSING:
        options["default"] = each.default
    if each.factory is not _MISSING:
        options["default_factory"] = each.factory
    return dataclasses.field(**options)


def _replace(self: Any, /, **changes: Any) -> Any:
    """A new object of the same class, with other values for the fields in `changes`.

    Raises:
        ValueError: a field that `__init__` does not take.
    """
    spec: _Spec | None = getattr(type(self), _SPEC, None)
    if spec is None:
        raise TypeError("replace() should be called on dataclass instances")
    for each in spec.fields.values():
        if not each.init:
            if each.name in changes:
                raise ValueError(f"field {each.name} is declared with init=False, so that replace() cannot set it")
        elif each.name not in changes:
            changes[each.name] = getattr(self, each.name)
    return self.__class__(**changes)


if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
    from dataclasses import field as field
    from dataclasses import replace as replace
else:
    dataclass, field, replace = _dataclass, _field, _replace
