"""What is written into a test cell: feedback to read, and the points as nbgrader reads them."""

from __future__ import annotations

from typing import Any

from headwork.exports.nbgrader.marks import Judged, score_of
from headwork.pages.environment import environment
from headwork.rooms import Content

Output = dict[str, Any]


def outputs_of(one: Judged, content: Content) -> list[Output]:
    """The outputs of one test cell.

    The points are a plain ``float`` in an ``execute_result``: anything else (``np.float64(0.5)``, a line on
    stderr) nbgrader takes for full points or for none. Where a person has to decide, there is no such result.
    """
    page = environment(content).get_template("nbgrader_judgement.html.j2").render(rung=one.rung)
    outputs: list[Output] = [
        {
            "output_type": "display_data",
            "data": {"text/html": page.strip(), "text/plain": f"{one.rung.verdict}: {one.rung.points}"},
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
