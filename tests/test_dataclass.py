"""`corecast.dataclass` defines the same classes as `dataclasses`, whose own decorator is the reference."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corecast import dataclass as own

if TYPE_CHECKING:
    from types import ModuleType

NAMES = ("alpha", "beta", "gamma", "self", "delta")
OPTIONS = ("init", "repr", "eq", "order", "unsafe_hash", "frozen", "match_args", "kw_only", "slots")
NOTHING = object()
Description = tuple[tuple[str, dict[str, Any]], ...]


@st.composite
def descriptions(draw: st.DrawFn, names: tuple[str, ...] = NAMES) -> Description:
    """Fields in an order that may be illegal, each with the arguments of `field`."""
    found = []
    for name in draw(st.lists(st.sampled_from(names), unique=True)):
        options: dict[str, Any] = draw(
            st.fixed_dictionaries(
                {},
                optional={"repr": st.booleans(), "compare": st.booleans(), "kw_only": st.booleans()}
                | {"hash": st.sampled_from((None, True, False)), "init": st.sampled_from((True, True, True, False))},
            )
        )
        value = draw(st.sampled_from((NOTHING, NOTHING, "default", "default_factory", "mutable")))
        if value == "mutable":
            options["default"] = []
        elif value != NOTHING:
            options[str(value)] = tuple if value == "default_factory" else 7
        found.append((name, options))
    return tuple(found)


def options() -> st.SearchStrategy[dict[str, bool]]:
    return st.fixed_dictionaries({}, optional={name: st.booleans() for name in OPTIONS})


def body_of(module: ModuleType, description: Description, after: bool) -> dict[str, Any]:
    """The body of a class as its statement would make it."""

    def __post_init__(self: Any) -> None:
        object.__setattr__(self, next(iter(self.__annotations__)), "from __post_init__")

    body: dict[str, Any] = {"__annotations__": {name: "int" for name, _ in description}, "__module__": __name__}
    for name, given_ in description:
        if given_.keys() == {"default"}:
            body[name] = given_["default"]
        elif given_:
            body[name] = module.field(**given_)
    return {**body, "__post_init__": __post_init__} if after and description else body


def outcome(run: Callable[[], Any]) -> Any:
    """What a call gives, or the kind of its error."""
    try:
        return run()
    except (TypeError, ValueError, AttributeError) as error:
        return type(error)


def is_refused(change: Callable[[], Any]) -> bool:
    """Whether a change raises; which error, differs for slots before Python 3.12."""
    return isinstance(outcome(change), type)


def made(
    module: ModuleType, base: Description | None, description: Description, options: dict[str, bool], after: bool
) -> Any:
    def make() -> type:
        parents: tuple[type, ...] = ()
        if base is not None:
            frozen = options.get("frozen", False)
            parents = (module.dataclass(frozen=frozen)(type("Base", (), body_of(module, base, after=False))),)
        decorated: type = module.dataclass(**options)(type("Made", parents, body_of(module, description, after)))
        return decorated

    return outcome(make)


def seen(cls: type, calls: list[tuple[tuple[Any, ...], dict[str, Any]]]) -> list[Any]:
    """What a user of the class can see of it."""
    objects = [outcome(lambda args=args, names=names: cls(*args, **names)) for args, names in calls]
    found: list[Any] = [getattr(cls, "__match_args__", None), cls.__hash__ is None]
    for one in objects:
        if isinstance(one, type):
            found.append(one)
            continue
        found += [getattr(one, "__dict__", None), getattr(one, "__slots__", None)]
        found += [outcome(lambda one=one: repr(one)) if cls.__repr__ is not object.__repr__ else None]
        found += [outcome(lambda one=one, name=name: getattr(one, name)) for name in NAMES]
        if cls.__hash__ not in (None, object.__hash__):
            found.append(outcome(lambda one=one: hash(one)))
        others = [each for each in objects if not isinstance(each, type)]
        if all(hasattr(other, each.name) for other in others for each in dataclasses.fields(cls)):
            found += [one == other for other in others]
        found += [outcome(lambda one=one, other=other: one < other) for other in objects]
        found.append(outcome(lambda one=one: dataclasses.asdict(one)))
        found.append(is_refused(lambda one=one: setattr(one, "alpha", 1)))
        found.append(is_refused(lambda one=one: delattr(one, "beta")))
        found.append(is_refused(lambda one=one: setattr(one, "other", 1)))
    return found


@given(
    base=st.none() | descriptions(),
    description=descriptions(),
    options=options(),
    after=st.booleans(),
    calls=st.lists(
        st.tuples(
            st.lists(st.integers(0, 2), max_size=4).map(tuple),
            st.dictionaries(st.sampled_from((*NAMES, "unknown")), st.integers(0, 2), max_size=3),
        ),
        max_size=3,
    ),
)
def test_classes_are_those_of_the_standard_decorator(
    base: Description | None, description: Description, options: dict[str, bool], after: bool, calls: list[Any]
) -> None:
    mine = made(own, base, description, options, after)
    standard = made(dataclasses, base, description, options, after)
    if not isinstance(standard, type) or issubclass(standard, Exception):
        assert mine is standard
        return
    assert seen(mine, calls) == seen(standard, calls)
    assert str(inspect.signature(mine)) == str(inspect.signature(standard))
    assert seen(mine, calls) == seen(standard, calls), "with the compiled __init__"
    assert [_facts(each) for each in dataclasses.fields(mine)] == [
        _facts(each) for each in dataclasses.fields(standard)
    ]
    assert repr(mine.__dataclass_params__) == repr(standard.__dataclass_params__)  # type: ignore[attr-defined]


def _facts(each: dataclasses.Field[Any]) -> list[Any]:
    return [getattr(each, name) for name in ("name", "type", "default", "default_factory", "init", "repr")] + [
        getattr(each, name) for name in ("hash", "compare", "kw_only", "metadata")
    ]


@own.dataclass(frozen=True)
class Point:
    """A point."""

    x: int
    y: int = 0
    DIMENSIONS: ClassVar[int] = 2
    seen: list[int] = own.field(default_factory=list, compare=False)


@own.dataclass(frozen=True, slots=True)
class Slotted:
    x: int
    y: int = 3


@own.dataclass
class Node:
    children: list[Node] = own.field(default_factory=list)


@pytest.mark.parametrize("one", [Point(1, seen=[5]), Slotted(1)])
def test_objects_are_copied_and_pickled(one: Any) -> None:
    assert pickle.loads(pickle.dumps(one)) == one
    assert copy.deepcopy(one) == one
    assert copy.copy(one) == one


def test_replace_changes_the_named_fields() -> None:
    assert own.replace(Point(1, 2), y=5) == Point(1, 5)
    assert dataclasses.replace(Slotted(1), x=4) == Slotted(4)
    if sys.version_info >= (3, 13):
        assert copy.replace(Point(1), x=2) == Point(2)
    with pytest.raises(TypeError):
        own.replace(Point(1), z=5)  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        own.replace(5)  # type: ignore[type-var]


def test_replace_refuses_what_init_does_not_take() -> None:
    @own.dataclass
    class Counter:
        start: int
        now: int = own.field(default=0, init=False)

    with pytest.raises(ValueError, match="now"):
        own.replace(Counter(1), now=3)


def test_frozen_objects_refuse_changes() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'x'"):
        Point(1).x = 2  # type: ignore[misc]
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot delete field 'x'"):
        del Point(1).x  # type: ignore[misc]


def test_a_subclass_that_is_no_dataclass_may_have_further_attributes() -> None:
    class Named(Point):
        pass

    named = Named(1)
    named.name = "a"  # type: ignore[attr-defined]
    with pytest.raises(dataclasses.FrozenInstanceError):
        named.x = 2  # type: ignore[misc]
    assert named != Point(1)
    assert repr(named).endswith("Named(x=1, y=0, seen=[])")


def test_an_often_constructed_class_gets_a_compiled_init() -> None:
    @own.dataclass(frozen=True)
    class Often:
        x: int
        y: list[int] = own.field(default_factory=list)

    first = Often.__init__
    objects = [Often(number) for number in range(100)]
    assert Often.__init__ is not first
    assert [each.x for each in objects] == list(range(100))
    assert len({id(each.y) for each in objects}) == 100
    assert first(objects[0], 5) is None  # who kept the first one can still call it
    assert objects[0].x == 5


def test_a_wrong_call_is_told_as_python_tells_it() -> None:
    for standard, mine in ((dataclasses.dataclass, own.dataclass),):

        class Body:
            x: int
            y: int = 0

        messages = []
        for decorator in (standard, mine):
            made_ = decorator(type("Made", (), dict(Body.__dict__)))
            with pytest.raises(TypeError) as raised:
                made_(1, 2, 3)
            messages.append(str(raised.value))
        assert messages[0] == messages[1]


def test_an_object_that_holds_itself_has_a_text() -> None:
    node = Node()
    node.children.append(node)
    assert repr(node) == "Node(children=[...])"


def test_class_variables_are_no_fields() -> None:
    assert [each.name for each in dataclasses.fields(Point)] == ["x", "y", "seen"]
    assert Point.DIMENSIONS == 2


def test_classes_are_matched_by_position() -> None:
    match Point(1, 2):
        case Point(x, y):
            assert (x, y) == (1, 2)
        case _:
            pytest.fail("not matched")


def test_a_standard_dataclass_may_inherit() -> None:
    @dataclasses.dataclass(frozen=True)
    class Space(Point):
        z: int = 9

    assert Space(1) == Space(1, 0, [], 9)


@pytest.mark.parametrize(
    ("annotation", "value", "says"),
    [
        ("InitVar[int]", 0, "InitVar is not supported"),
        ("dataclasses.KW_ONLY", 0, "KW_ONLY is not supported"),
        ("int", dataclasses.field(default=0), "needs field"),
    ],
)
def test_what_is_not_supported_is_refused(annotation: str, value: Any, says: str) -> None:
    with pytest.raises(TypeError, match=says):
        own.dataclass(type("Made", (), {"__annotations__": {"x": annotation}, "x": value}))


def test_a_standard_dataclass_is_refused_as_a_base() -> None:
    @dataclasses.dataclass
    class Base:
        x: int

    with pytest.raises(TypeError, match="standard dataclass"):
        own.dataclass(type("Made", (Base,), {"__annotations__": {"y": "int"}}))


@pytest.mark.parametrize("call", [lambda: own.field(color=1), lambda: own.dataclass(color=True)])
def test_unknown_options_are_refused(call: Callable[[], Any]) -> None:
    with pytest.raises(TypeError, match="color"):
        call()
