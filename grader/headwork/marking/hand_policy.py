"""What an assignment decides about hand work."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class HandPolicy:
    """What an assignment decides about hand work."""

    decimal_comma: bool = False
    credit: Literal["proportional", "rows", "all"] = "proportional"
    early_rounding: Literal["full", "part", "none"] = "part"
    follow_through: Literal["full", "half", "none"] = "full"
    show_reference: bool = True
    """Whether judgements may hold right values (not before the answers are released)."""


SHARES: Mapping[str, Fraction] = MappingProxyType(
    {"full": Fraction(1), "half": Fraction(1, 2), "part": Fraction(1, 2), "none": Fraction(0)}
)
"""What the words of a policy are worth."""
