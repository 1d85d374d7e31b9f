"""Values no JSON holds, most of which run into an error when anything is asked of them. No tests."""

from collections import OrderedDict
from enum import StrEnum
from types import MappingProxyType
from typing import NoReturn


def spring(*_asked: object, **_named: object) -> NoReturn:
    raise AssertionError("code of a value in the scope was run")


class Open(StrEnum):
    """What code often has where JSON has a string."""

    YES = "yes"


class Trap:
    """Fails whatever is asked of it."""

    __getattribute__ = __eq__ = __lt__ = __gt__ = __le__ = __ge__ = __ne__ = spring
    __hash__ = __bool__ = __len__ = __getitem__ = __iter__ = __contains__ = __float__ = spring


class TrapType(type):
    """A class that fails when it is compared or hashed."""

    __eq__ = __hash__ = __instancecheck__ = __bool__ = spring


class Trapped(metaclass=TrapType):
    """Of a class that is a trap."""


class TrapDict(dict[str, object]):
    """A dict whose lookups run code."""

    get = __getitem__ = __iter__ = __contains__ = __len__ = __eq__ = spring


class TrapList(list[object]):
    """A list whose length and items run code."""

    __getitem__ = __iter__ = __contains__ = __len__ = __eq__ = spring


class TrapText(str):
    """A string whose comparison runs code."""

    __slots__ = ()
    __eq__ = __ne__ = __hash__ = __len__ = spring


class TrapNumber(int):
    """A number whose comparison runs code."""

    __eq__ = __ne__ = __lt__ = __gt__ = __le__ = __ge__ = __hash__ = __bool__ = spring


# By name, because a test runner that shows or compares these springs the traps itself.
ODD: dict[str, object] = {
    "trap": Trap(),
    "trap by class": Trapped(),
    "trap class": Trapped,
    "dict subclass": TrapDict(a=1),
    "list subclass": TrapList([1]),
    "text subclass": TrapText("yes"),
    "number subclass": TrapNumber(1),
    "enum member": Open.YES,
    "tuple": (1, 2),
    "set": {1, 2},
    "bytes": b"yes",
    "complex": 1j,
    "object": object(),
    "ordered dict": OrderedDict(a=1),
    "mapping proxy": MappingProxyType({"a": 1}),
    "function": len,
}
