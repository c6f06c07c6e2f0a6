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

from corecast.hints import TYPE_CHECKING, Any, Callable, Mapping, NoReturn, attrgetter

_SPEC = "__corecast_spec__"
_COMPILE_AFTER = 32
"""Constructions: compiling an `__init__` takes as long as about so many calls of the general one."""
_MISSING: Any = type("_Missing", (), {"__repr__": lambda _: "<factory>"})()


class _Field:
    """What is known about one field. As the value of a class attribute: what `field` was given."""

    name: str
    type: Any
    default: Any = _MISSING
    factory: Any = _MISSING
    init = True
    repr = True
    hash: bool | None = None
    compare = True
    kw_only: bool | None = None
    metadata: Mapping[Any, Any] | None = None


_FIELD_OPTIONS = {"init", "repr", "hash", "compare", "kw_only", "metadata"}


def _field(*, default: Any = _MISSING, default_factory: Any = _MISSING, **options: Any) -> Any:
    if default is not _MISSING and default_factory is not _MISSING:
        raise ValueError("cannot specify both default and default_factory")
    unknown = options.keys() - _FIELD_OPTIONS
    if unknown:
        raise TypeError(f"field() got an unexpected keyword argument {min(unknown)!r}")
    made = _Field()
    made.__dict__.update(options, default=default, factory=default_factory)
    return made


class _Spec:
    """What the decorator knows about a class."""

    __slots__ = ("cls", "fields", "options")

    def __init__(self, cls: type, fields: dict[str, _Field], options: Mapping[str, bool]) -> None:
        self.cls = cls
        self.fields = fields
        self.options = options

    @property
    def positional(self) -> tuple[str, ...]:
        """What `__init__` takes by position, in its order."""
        return tuple([each.name for each in self.fields.values() if each.init and not each.kw_only])

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
    _add_own(fields, cls, options["kw_only"])
    if options["init"]:
        _check_order(fields)
    if options["slots"]:
        cls = _with_slots(cls, fields, options["frozen"])
    spec = _Spec(cls, fields, options)
    setattr(cls, _SPEC, spec)
    for name, description in _STANDARD.items():
        setattr(cls, name, description)
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


def _add_own(fields: dict[str, _Field], cls: type, kw_only: bool) -> None:
    """Adds the fields that the body of the class declares; their defaults are left as the class' attributes."""
    annotations: Mapping[str, Any] = cls.__annotations__
    there = cls.__dict__
    for name, value in there.items():
        if type(value) is _Field and name not in annotations:
            raise TypeError(f"{name!r} is a field but has no type annotation")
    inherits = cls.__bases__ != (object,)
    for name, kind in annotations.items():
        if (type(kind) is not str or "Var" in kind or "KW_ONLY" in kind) and _is_of_the_class(name, kind):
            continue
        found = _with_default(cls, name) if inherits or name in there else _Field()  # a base's default is one here, too
        found.name = name
        found.type = kind
        if found.kw_only is None:
            found.kw_only = kw_only
        fields[name] = found


def _is_of_the_class(name: str, kind: Any) -> bool:
    """Whether an annotation declares a class variable."""
    text = kind if isinstance(kind, str) else repr(kind)
    word = text.partition("[")[0].rpartition(".")[2]
    if word in ("InitVar", "KW_ONLY"):
        raise TypeError(f"{name}: {word} is not supported")
    return word == "ClassVar"


def _with_default(cls: type, name: str) -> _Field:
    """The field that an attribute of the class describes; it becomes the default."""
    value = getattr(cls, name, _MISSING)
    if type(value).__name__ == "member_descriptor":  # a slot of the class itself
        return _Field()
    if type(value).__module__ == "dataclasses":
        raise TypeError(f"field {name} needs field() of corecast.dataclass")
    if type(value) is _Field:
        found = value
        if found.default is _MISSING:
            delattr(cls, name)
    else:
        found = _Field()
        found.default = value
    if found.default.__class__.__hash__ is None:
        raise ValueError(f"mutable default {type(found.default)} for field {name} is not allowed: use default_factory")
    if found.default is not _MISSING:
        setattr(cls, name, found.default)
    return found


def _check_order(fields: Mapping[str, _Field]) -> None:
    optional = False
    for each in fields.values():
        if each.init and not each.kw_only:
            if each.default is not _MISSING or each.factory is not _MISSING:
                optional = True
            elif optional:
                raise TypeError(f"non-default argument {each.name!r} follows default argument")


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
    cls, options = spec.cls, spec.options
    there = cls.__dict__
    if options["init"] and "__init__" not in there:
        _set_method(cls, "__init__", _first_init(spec))
        cls.__signature__ = _SIGNATURE  # type: ignore[attr-defined]
    if options["repr"] and "__repr__" not in there:
        _set_method(cls, "__repr__", _repr(spec))
    hashed_by_hand = there.get("__hash__", _MISSING)
    by_hand = hashed_by_hand is not _MISSING and not (hashed_by_hand is None and "__eq__" in there)
    if options["eq"] and "__eq__" not in there:
        _set_method(cls, "__eq__", _eq(spec))
    if options["order"]:
        for name, method in _comparisons(spec).items():
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
        _set_method(cls, "__hash__", _hash(spec))
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


def _values_of(spec: _Spec, taken: Callable[[_Field], object]) -> Callable[[Any], tuple[Any, ...]]:
    """Gives the values of the fields that `taken` chooses; it does when an object is first asked."""
    values: Callable[[Any], tuple[Any, ...]] | None = None

    def values_of(instance: Any) -> tuple[Any, ...]:
        nonlocal values
        if values is None:
            names = [each.name for each in spec.fields.values() if taken(each)]
            several = len(names) > 1
            values = attrgetter(*names) if several else lambda each: tuple([getattr(each, name) for name in names])
        return values(instance)

    return values_of


def _is_compared(each: _Field) -> bool:
    return each.compare


def _is_hashed(each: _Field) -> bool:
    return each.compare if each.hash is None else each.hash


_described: set[tuple[int, int]] = set()
"""Objects whose text is being made, each with its thread."""


def _repr(spec: _Spec) -> Callable[[Any], str]:
    def __repr__(self: Any) -> str:
        from _thread import get_ident

        names = [each.name for each in spec.fields.values() if each.repr]
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


def _eq(spec: _Spec) -> Callable[[Any, Any], Any]:
    values = _values_of(spec, _is_compared)

    def __eq__(self: Any, other: Any) -> Any:
        return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

    return __eq__


def _hash(spec: _Spec) -> Callable[[Any], int]:
    values = _values_of(spec, _is_hashed)

    def __hash__(self: Any) -> int:
        return hash(values(self))

    return __hash__


def _comparisons(spec: _Spec) -> dict[str, Callable[[Any, Any], Any]]:
    values = _values_of(spec, _is_compared)

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
    read: tuple[Any, ...] = ()
    calls = 0

    def __init__(self: Any, /, *args: Any, **given: Any) -> None:
        nonlocal calls, read
        calls += 1
        if calls == 1:
            read = _read_init(spec)
        positional, taken, required, optional, set_ = read
        values = dict(zip(positional, args))  # noqa: B905  # too many arguments are found below
        values.update(given)
        fits = len(values) == len(args) + len(given) and required <= values.keys() <= taken
        if not fits or calls > _COMPILE_AFTER:
            _compiled_init(spec)(self, *args, **given)
            return
        for name, default, factory in optional:
            if name not in values:
                values[name] = default if factory is _MISSING else factory()
        for name, value in values.items():
            set_(self, name, value)
        if hasattr(spec.cls, "__post_init__"):
            self.__post_init__()

    __init__.__corecast_spec__ = spec  # type: ignore[attr-defined]
    return __init__


def _read_init(spec: _Spec) -> tuple[Any, ...]:
    """What the general `__init__` of a class needs: the names that it takes by position, those that it takes, those
    that it must be given, name, default and factory of those that it sets without, and how it sets a field."""
    slots = spec.options["slots"]
    taken = {each.name for each in spec.fields.values() if each.init}
    optional = [
        (each.name, each.default, each.factory)
        for each in spec.fields.values()
        if each.factory is not _MISSING or (each.default is not _MISSING and (each.init or slots))
    ]
    required = taken - {name for name, _, _ in optional}
    return spec.positional, taken, required, optional, object.__setattr__ if spec.options["frozen"] else setattr


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


_SIGNATURE = _Signature()


# What others see


class _Standard:
    """`__dataclass_fields__` or `__dataclass_params__` of a class, taken from a standard dataclass of the same fields
    when asked for."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, instance: object, owner: type) -> Any:
        import dataclasses

        spec: _Spec = getattr(owner, _SPEC)
        fields = [(each.name, each.type, _standard(each)) for each in spec.fields.values()]
        options: dict[str, Any] = {**spec.options}
        twin = dataclasses.make_dataclass(spec.cls.__name__, fields, **options)
        found = getattr(twin, self.name)
        setattr(spec.cls, self.name, found)
        return found


_STANDARD = {name: _Standard(name) for name in ("__dataclass_fields__", "__dataclass_params__")}


def _standard(each: _Field) -> Any:
    import dataclasses

    options = {name: getattr(each, name) for name in _FIELD_OPTIONS}
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
