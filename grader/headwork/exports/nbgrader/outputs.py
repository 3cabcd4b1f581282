"""What is written into a test cell: feedback to read, and the points as nbgrader reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from headwork.exports.nbgrader.marks import Judged, score_of

if TYPE_CHECKING:
    from jinja2 import Template

Output = dict[str, Any]


def outputs_of(one: Judged, template: Template) -> list[Output]:
    """The outputs of one test cell, its feedback by the template.

    The points are a plain ``float`` in an ``execute_result``: anything else (``np.float64(0.5)``, a line on
    stderr) nbgrader takes for full points or for none. Where a person has to decide, there is no such result.
    """
    verdict = one.judgement.verdict.value
    page = template.render(rung=one.rung).strip() if one.rung else f"<p>✓ right, {one.points} points.</p>"
    outputs: list[Output] = [
        {
            "output_type": "display_data",
            "data": {"text/html": page, "text/plain": f"{verdict}: {one.points}"},
            "metadata": {},
        }
    ]
    points = score_of(one.judgement).points
    if points is not None:
        outputs.append(
            {
                "output_type": "execute_result",
                "data": {"text/plain": repr(points)},
                "metadata": {},
                "execution_count": None,
            }
        )
    return outputs
