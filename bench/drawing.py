"""Problems drawn per second, with their certificate: by hand and for code."""

from __future__ import annotations

import statistics
from collections.abc import Iterator

from clock import milliseconds
from headwork.assignment import ad_hoc
from headwork.draw.student import draw_hidden_for, draw_own_for, hidden_draws
from headwork.rooms import load_content

SECRET = b"bench"


def lines(students: int) -> Iterator[str]:
    """Every exercise, for ``students`` students; the first one warms caches and is left out."""
    content = load_content()
    hand: list[float] = []
    code: list[float] = []
    for exercise in content.exercises.values():
        assignment = ad_hoc("bench", [exercise])
        (group,) = assignment.own_groups
        for student in range(students + 1):
            own = milliseconds(lambda: draw_own_for(content, assignment, group, secret=SECRET, student=str(student)))  # noqa: B023
            if exercise.hand_chain and student:
                hand.append(own)
            for hidden in hidden_draws(assignment):
                drawn = milliseconds(
                    lambda: draw_hidden_for(
                        content, assignment, hidden, secret=SECRET, number=student, attempt=None  # noqa: B023
                    )
                )  # fmt: skip
                code += [drawn] if student else []
    for name, times in (("hand problems", hand), ("code problems", code)):
        middle, slow = statistics.median(times), statistics.quantiles(times, n=20)[-1]
        rate = 1e3 * len(times) / sum(times)
        yield f"{name:34} {rate:8.0f} a second   median {middle:5.1f} ms, 19 of 20 within {slow:5.1f} ms"
