"""Names for values, by which content modules annotate; at run time they need no NumPy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array: TypeAlias = NDArray[Any]
    Value: TypeAlias = Array | int | float | bool
else:
    Array = Any
    Value = Any
